#include "options/star_options.h"

#include <stdio.h>
#include <string.h>

#include "files/input_file.h"
#include "terminal/messages.h"

bool star_options_is_meant(const struct file_list *files)
{
    return data_source_star_file(files) != NULL;
}

/* Everything about one star file that is taken. */
struct taking {
    struct star_options into;
    const char *path;
    struct text_list paths;
};

/* A path as the star file means it: from its own folder. */
static void add_path(struct taking *own, const char *name)
{
    const char *slash = strrchr(own->path, '/');
    int n_folder = slash != NULL && name[0] != '/' ? (int)(slash - own->path) + 1 : 0;
    text_list_add(&own->paths, "%.*s%s", n_folder, own->path, name);
}

/* One option, by its name without dashes. */
static int take_option(struct taking *own, const equant_star_entry *entry, const char *name,
                       const char *value)
{
    char sentence[1024] = "";
    struct file_list none;
    bool is_flag = strcmp(value, "true") == 0;
    if (strcmp(value, "false") == 0)
        return EXIT_CODE_OK;
    /* The texts outlive the command, as those of a command line do. */
    text_list_add(&own->into.states->kept, "%s", own->into.section);
    if (is_flag)
        text_list_add(&own->into.states->kept, "--%s", name);
    else
        text_list_add(&own->into.states->kept, "--%s=%s", name, value);
    if (own->into.states->kept.out_of_memory)
        return messages_out_of_memory();
    char *argv[3] = {own->into.states->kept.texts[own->into.states->kept.n - 2],
                     own->into.states->kept.texts[own->into.states->kept.n - 1], NULL};
    messages_hold(sentence, sizeof sentence);
    int code = option_table_parse(own->into.table, 2, argv, own->into.request, &none);
    messages_hold(NULL, 0);
    if (code == EXIT_CODE_OK)
        return code;
    sentence[strcspn(sentence, "\n")] = '\0';
    const char *said = strncmp(sentence, "equant: ", 8) == 0 ? sentence + 8 : sentence;
    messages_failure("%s:%zu: %s", own->path, entry->line, said);
    return EXIT_CODE_FAILED;
}

/* What a star file says for several commands is nothing to one that has no such option. */
static int take_where_known(struct taking *own, const equant_star_entry *entry, const char *name,
                            const char *value)
{
    return option_table_row(own->into.table, name) != NULL ? take_option(own, entry, name, value)
                                                           : EXIT_CODE_OK;
}

/* What is known of the star: options have no blanks around the sign of an error. */
static int take_star(struct taking *own, const equant_star_entry *entry)
{
    static const char *const names[][2] = {{"mass", "star-mass"},
                                           {"radius", "star-radius"},
                                           {"luminosity", "star-luminosity"},
                                           {"temperature", "star-teff"}};
    char number[64];
    size_t n = 0;
    for (const char *c = entry->value; *c != '\0' && n + 1 < sizeof number; c++)
        if (*c != ' ')
            number[n++] = *c;
    number[n] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(entry->key, names[i][0]) == 0)
            return take_where_known(own, entry, names[i][1], number);
    return EXIT_CODE_OK;
}

static int take_entry(struct taking *own, const equant_star_entry *entry)
{
    const char *section = entry->section, *key = entry->key;
    if (strcmp(section, "data") == 0 && strcmp(key, "files") == 0) {
        add_path(own, entry->value);
        return EXIT_CODE_OK;
    }
    if (strcmp(section, "data") == 0 || strcmp(section, own->into.section) == 0)
        return take_option(own, entry, key, entry->value);
    if (strcmp(section, "noise") == 0)
        return take_where_known(own, entry, "noise", entry->value);
    if (strcmp(section, "star") == 0 && strcmp(key, "name") != 0)
        return take_star(own, entry);
    if (strcmp(section, "star") == 0) {
        text_list_add(&own->into.states->kept, "%s", entry->value);
        if (own->into.states->kept.out_of_memory)
            return messages_out_of_memory();
        own->into.source->star_name = own->into.states->kept.texts[own->into.states->kept.n - 1];
    }
    return EXIT_CODE_OK;
}

static int take_file(struct taking *own, const equant_star_file *file)
{
    int code = messages_status(equant_star_file_states(file, &own->into.states->made));
    for (size_t i = 0; i < equant_star_file_n_entries(file) && code == EXIT_CODE_OK; i++) {
        equant_star_entry entry = {.struct_size = sizeof entry};
        code = messages_status(equant_star_file_entry(file, i, &entry));
        if (code == EXIT_CODE_OK)
            code = take_entry(own, &entry);
    }
    if (code == EXIT_CODE_OK && own->paths.n == 0)
        code = messages_failure("%s: it names no data: write data: and below it files: [FILE]",
                                own->path);
    return own->paths.out_of_memory ? messages_out_of_memory() : code;
}

static int take(const struct star_options *into, struct file_list *files)
{
    struct taking own = {.into = *into, .path = data_source_star_file(files)};
    equant_star_file *file = NULL;
    const char *other = NULL;
    for (int i = 0; i < files->n; i++)
        if (files->paths[i] != own.path && !states_request_is_sentence(files->paths[i]))
            other = files->paths[i];
    if (other != NULL)
        return messages_usage(into->section, "a star file names its data; leave '%s' out", other);
    int code = messages_status(equant_star_file_read(own.path, &file));
    if (code == EXIT_CODE_OK)
        code = take_file(&own, file);
    equant_star_file_free(file);
    text_list_free(&into->states->paths);
    into->states->paths = own.paths;
    for (size_t i = 0; i < own.paths.n; i++)
        input_file_note(own.paths.texts[i]);
    files->n = (int)own.paths.n;
    files->paths = (const char *const *)own.paths.texts;
    return code;
}

int star_options_parse(const struct star_options *into, int argc, char **argv,
                       struct file_list *files)
{
    struct file_list typed_files;
    int code = take(into, files);
    if (code == EXIT_CODE_OK)
        code = option_table_parse(into->table, argc, argv, into->request, &typed_files);
    return code == EXIT_CODE_OK ? states_request_keep(into->states, &typed_files) : code;
}
