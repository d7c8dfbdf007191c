#include "results/repeat_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/output_file.h"
#include "platform/system_folder.h"
#include "terminal/messages.h"

/* What a run is about is said elsewhere in the file, and where its results go is for whoever
 * repeats it to say. */
static const char *const left_out[] = {"set",  "letters", "transits", "out",
                                       "json", "force",   "resume",   "help"};

static bool is_left_out(const char *name)
{
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        if (strcmp(name, left_out[i]) == 0)
            return true;
    return false;
}

bool repeat_file_is_meant(const struct repeat_file *own)
{
    return own->files->n > 0 && (own->states->made != NULL || own->states->kept.n > 0);
}

/* A text in quotes, which YAML takes for nothing else. */
static void write_text(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text != '\0'; text++)
        fprintf(out, *text == '\'' ? "''" : "%c", *text);
    fputc('\'', out);
}

/* From anywhere: results may be in another folder than data. */
static int write_path(FILE *out, const char *path)
{
    char *whole = system_folder_resolve(path);
    if (whole == NULL)
        return messages_file("read", path);
    write_text(out, whole);
    free(whole);
    return EXIT_CODE_OK;
}

/* "name=value" has this name. */
static bool is_named(const char *taken, const char *name, size_t n)
{
    return strncmp(taken, name, n) == 0 && taken[n] == '=';
}

/* The values of one option, the last of them alone unless it makes a list. */
static int write_values(FILE *out, const struct option_row *row, const struct text_list *taken,
                        size_t last)
{
    size_t n_name = strcspn(taken->texts[last], "=");
    bool is_list = row->target.kind == OPTION_KIND_LIST,
         is_path = row->argument != NULL && strcmp(row->argument, "FILE") == 0;
    int code = EXIT_CODE_OK, n = 0;
    fprintf(out, "  %.*s: ", (int)n_name, taken->texts[last]);
    fputs(is_list ? "[" : "", out);
    for (size_t i = is_list ? 0 : last; i <= last && code == EXIT_CODE_OK; i++) {
        const char *value = taken->texts[i] + n_name + 1;
        if (!is_named(taken->texts[i], row->name, n_name))
            continue;
        fputs(n++ > 0 ? ", " : "", out);
        if (is_path)
            code = write_path(out, value);
        else
            write_text(out, row->argument != NULL ? value : "true");
    }
    fputs(is_list ? "]\n" : "\n", out);
    return code;
}

static int write_options(FILE *out, const struct repeat_file *own, const struct text_list *taken)
{
    int code = EXIT_CODE_OK, n = 0;
    for (size_t i = 0; i < taken->n && code == EXIT_CODE_OK; i++) {
        size_t n_name = strcspn(taken->texts[i], "="), later = i + 1;
        while (later < taken->n && !is_named(taken->texts[later], taken->texts[i], n_name))
            later++;
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)n_name, taken->texts[i]);
        const struct option_row *row = option_table_row(own->table, name);
        if (later < taken->n || row == NULL || is_left_out(name))
            continue;
        if (n++ == 0)
            fprintf(out, "%s:\n", own->command);
        code = write_values(out, row, taken, i);
    }
    return code;
}

/* Everything that counted, as "name=value": what a star file said, then what was typed. */
static int list_options(const struct repeat_file *own, struct text_list *taken)
{
    const struct text_list *kept = &own->states->kept;
    int code = EXIT_CODE_OK;
    for (size_t i = 0; i < kept->n && code == EXIT_CODE_OK; i++)
        if (strncmp(kept->texts[i], "--", 2) == 0) {
            char *argv[] = {(char *)own->command, kept->texts[i], NULL};
            code = option_table_list(own->table, 2, argv, taken);
        }
    if (code == EXIT_CODE_OK)
        code = option_table_list(own->table, own->argc, own->argv, taken);
    return taken->out_of_memory ? messages_out_of_memory() : code;
}

static void write_states(FILE *out, const equant_states *states)
{
    for (size_t i = 0; i < equant_states_n_planets(states); i++)
        fprintf(out, "%s  %c: {}\n", i == 0 ? "planets:\n" : "", equant_states_letter(states, i));
    for (size_t i = 0; i < equant_states_n(states); i++) {
        char sentence[512];
        snprintf(sentence, sizeof sentence, "%s=%s", equant_states_name(states, i),
                 equant_states_text(states, i));
        fputs(i == 0 ? "states:\n  - " : "  - ", out);
        write_text(out, sentence);
        fputc('\n', out);
    }
}

static int write_file(FILE *out, const struct repeat_file *own)
{
    struct text_list taken = {0};
    fprintf(out, "# Repeats a run: equant %s %s --out FOLDER\n", own->command, REPEAT_FILE_NAME);
    if (own->star_name[0] != '\0') {
        fputs("star:\n  name: ", out);
        write_text(out, own->star_name);
        fputc('\n', out);
    }
    fputs("data:\n  files:\n", out);
    int code = EXIT_CODE_OK;
    for (int i = 0; i < own->files->n && code == EXIT_CODE_OK; i++) {
        fputs("    - ", out);
        code = write_path(out, own->files->paths[i]);
        fputc('\n', out);
    }
    write_states(out, own->states->made);
    if (code == EXIT_CODE_OK)
        code = list_options(own, &taken);
    if (code == EXIT_CODE_OK)
        code = write_options(out, own, &taken);
    text_list_free(&taken);
    return code;
}

static const struct output_member repeat_file_members[] = {REPEAT_FILE_MEMBER, {0}};

int repeat_file_write(const struct repeat_file *own, const char *folder)
{
    struct output_file file;
    int code = output_file_open(&file, folder, REPEAT_FILE_NAME, repeat_file_members);
    return code == EXIT_CODE_OK ? output_file_close(&file, write_file(file.stream, own)) : code;
}
