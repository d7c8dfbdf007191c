#include "sky/number_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/line_reader.h"
#include "files/output_file.h"
#include "files/output_folder.h"
#include "files/table_line.h"
#include "platform/system_file.h"
#include "terminal/messages.h"

int number_table_create(size_t n_rows, size_t n_columns, struct number_table *table)
{
    *table = (struct number_table){.n_rows = n_rows, .n_columns = n_columns};
    double *memory = calloc(n_rows * n_columns + 1, sizeof *memory);
    if (memory == NULL) {
        table->n_rows = 0;
        return messages_out_of_memory();
    }
    for (size_t j = 0; j < n_columns; j++)
        table->column[j] = memory + j * n_rows;
    return EXIT_CODE_OK;
}

void number_table_free(struct number_table *table)
{
    free(table->column[0]);
    *table = (struct number_table){0};
}

int number_table_write(const struct number_table *table, const char *folder, const char *name,
                       const struct output_member *members, const struct ecsv_column *headings,
                       size_t n_notes, const struct ecsv_note *notes)
{
    struct output_file file;
    int code = output_file_open(&file, folder, name, members);
    if (code != EXIT_CODE_OK)
        return code;
    struct ecsv_writer writer =
        ecsv_writer_start(file.stream, table->n_columns, headings, n_notes, notes);
    for (size_t k = 0; k < table->n_rows; k++)
        for (size_t j = 0; j < table->n_columns; j++)
            ecsv_writer_number(&writer, table->column[j][k]);
    return output_file_close(&file, EXIT_CODE_OK);
}

/* The lines behind the headings: counted where `into` is NULL. */
static int walk(const char *path, size_t n_columns, struct number_table *into, size_t *n_rows)
{
    struct line_reader reader;
    enum line_result result;
    char *line;
    int code = line_reader_open(&reader, path);
    if (code != EXIT_CODE_OK)
        return code;
    *n_rows = 0;
    result = line_reader_next_content(&reader, &line); /* the headings */
    while (result == LINE_READ &&
           (result = line_reader_next_content(&reader, &line)) == LINE_READ) {
        char *cursor = line, *field = NULL, *end = NULL, delimiter = table_line_delimiter(line);
        for (size_t j = 0; into != NULL && j < n_columns; j++) {
            field = table_line_cell(&cursor, delimiter);
            double value = field != NULL ? strtod(field, &end) : 0.0;
            if (field == NULL || end == field || *end != '\0' || *n_rows >= into->n_rows) {
                code = messages_failure("%s:%zu: a row of %zu numbers is wanted here", path,
                                        reader.number, n_columns);
                break;
            }
            into->column[j][*n_rows] = value;
        }
        if (code != EXIT_CODE_OK)
            break;
        ++*n_rows;
    }
    line_reader_close(&reader);
    if (result == LINE_FAILED)
        return EXIT_CODE_FAILED;
    return result == LINE_INTERRUPTED ? EXIT_CODE_INTERRUPTED : code;
}

int number_table_read(const char *folder, const char *name, size_t n_columns,
                      struct number_table *table)
{
    size_t n_rows = 0;
    char *path = output_folder_join(folder, name);
    *table = (struct number_table){0};
    if (path == NULL)
        return EXIT_CODE_FAILED;
    bool is_there = system_file_exists(path);
    int code = is_there ? walk(path, n_columns, NULL, &n_rows) : EXIT_CODE_OK;
    if (code == EXIT_CODE_OK)
        code = number_table_create(n_rows, n_columns, table);
    if (code == EXIT_CODE_OK && is_there)
        code = walk(path, n_columns, table, &n_rows);
    free(path);
    return code;
}

double number_table_note(const char *folder, const char *name, const char *note)
{
    struct line_reader reader;
    char *line, begin[64], *path = output_folder_join(folder, name);
    double value = NAN;
    snprintf(begin, sizeof begin, "# - {%s: ", note);
    if (path != NULL && system_file_exists(path) &&
        line_reader_open(&reader, path) == EXIT_CODE_OK) {
        while (isnan(value) && line_reader_next(&reader, &line) == LINE_READ && line[0] == '#')
            if (strncmp(line, begin, strlen(begin)) == 0)
                value = strtod(line + strlen(begin), NULL);
        line_reader_close(&reader);
    }
    free(path);
    return value;
}
