#include "results/catalogue_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/line_reader.h"
#include "files/output_file.h"
#include "platform/system_file.h"
#include "terminal/messages.h"

#define FIRST_LINE "# Options of `equant catalogue`, which --resume compares."

static const struct output_kind kind =
    OUTPUT_KIND("options of `equant catalogue`", "#Optionsof`equantcatalogue`");

/* New memory; NULL, with a sentence, where there is none. */
static char *path_of(const char *table)
{
    size_t n = strlen(table) + sizeof ".options";
    char *path = malloc(n);
    if (path == NULL)
        messages_out_of_memory();
    else
        snprintf(path, n, "%s.options", table);
    return path;
}

int catalogue_options_write(const char *table, const struct text_list *options)
{
    struct output_file file;
    char *path = path_of(table);
    int code = path == NULL ? EXIT_CODE_FAILED : output_file_open_path(&file, path, &kind);
    if (code == EXIT_CODE_OK) {
        fprintf(file.stream, FIRST_LINE "\n");
        for (size_t i = 0; i < options->n; i++)
            fprintf(file.stream, "%s\n", options->texts[i]);
        code = output_file_close(&file, EXIT_CODE_OK);
    }
    free(path);
    return code;
}

/* "fap=0.01" as it is typed. */
static int refuse(const char *table, const char *own, const char *before)
{
    size_t n = strcspn(own, "=");
    if (before == NULL || strncmp(own, before, n + 1) != 0)
        return messages_failure("%s: it was made without the option --%.*s of now (%s); go on with "
                                "the same options, or name another table",
                                table, (int)n, own, own + n + (own[n] == '='));
    return messages_failure("%s: it was made with another --%.*s: %s then, %s now; go on with the "
                            "same options, or name another table",
                            table, (int)n, own, before + n + 1, own + n + 1);
}

static int compare_lines(struct line_reader *reader, const char *table,
                         const struct text_list *options)
{
    char *line;
    for (size_t i = 0; i < options->n; i++) {
        enum line_result result = line_reader_next_content(reader, &line);
        if (result == LINE_FAILED)
            return EXIT_CODE_FAILED;
        if (result != LINE_READ || strcmp(line, options->texts[i]) != 0)
            return refuse(table, options->texts[i], result == LINE_READ ? line : NULL);
    }
    return EXIT_CODE_OK;
}

int catalogue_options_compare(const char *table, const struct text_list *options)
{
    struct line_reader reader;
    char *path = path_of(table);
    int code = path == NULL ? EXIT_CODE_FAILED : EXIT_CODE_OK;
    if (code == EXIT_CODE_OK && !system_file_exists(path))
        code = messages_failure("%s: %s is missing, which says with which options the rows that "
                                "are there were made; name another table",
                                table, path);
    if (code == EXIT_CODE_OK)
        code = line_reader_open(&reader, path);
    if (code == EXIT_CODE_OK) {
        code = compare_lines(&reader, table, options);
        line_reader_close(&reader);
    }
    free(path);
    return code;
}
