#include "results/catalogue_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "platform/system_stream.h"
#include "results/catalogue_options.h"
#include "terminal/messages.h"

enum { HEADER_LENGTH = 4096, WORDS_LENGTH = 512 };

static bool is_ecsv(const char *path)
{
    size_t n = strlen(path);
    return n > 5 && strcmp(path + n - 5, ".ecsv") == 0;
}

static void write_names(const struct catalogue_table *table, char names[HEADER_LENGTH])
{
    size_t n = 0;
    for (size_t i = 0; i < table->n_columns && n < HEADER_LENGTH; i++)
        n += (size_t)snprintf(names + n, HEADER_LENGTH - n, "%s%s", i ? "," : "",
                              table->columns[i].name);
}

static int start(struct catalogue_table *table)
{
    char names[HEADER_LENGTH];
    write_names(table, names);
    if (is_ecsv(table->path))
        ecsv_writer_start(table->file.stream, table->n_columns, table->columns, 0, NULL);
    else
        fprintf(table->file.stream, "%s\n", names);
    return row_file_flush(&table->file);
}

/* The first cell of a line, in new memory. */
static char *first_cell(const char *line)
{
    char *cell = strdup(line), *to = cell;
    bool is_quoted = line[0] == '"';
    for (const char *from = line + is_quoted; cell != NULL && *from != '\0'; from++) {
        if (!is_quoted && *from == ',')
            break;
        if (is_quoted && *from == '"' && *++from != '"')
            break;
        *to++ = *from;
    }
    if (cell != NULL)
        *to = '\0';
    return cell;
}

/* Notes whose row a line is. */
static int note(struct catalogue_table *table, const char *line, size_t *capacity)
{
    if (table->n_done == *capacity) {
        size_t more = 2 * *capacity + 1024;
        void *grown = realloc(table->names, more * sizeof *table->names);
        if (grown == NULL)
            return messages_out_of_memory();
        table->names = grown;
        *capacity = more;
    }
    table->names[table->n_done] = first_cell(line);
    if (table->names[table->n_done] == NULL)
        return messages_out_of_memory();
    table->n_done++;
    return EXIT_CODE_OK;
}

/* Reads what is there, and where its last whole line ends. */
static int read_rows(struct catalogue_table *table, FILE *stream, long *end)
{
    char names[HEADER_LENGTH], *line = NULL;
    size_t size = 0, capacity = 0;
    bool has_names = false;
    int code = EXIT_CODE_OK;
    write_names(table, names);
    ssize_t length;
    while (code == EXIT_CODE_OK && (length = system_stream_line(&line, &size, stream)) > 0 &&
           line[length - 1] == '\n') {
        line[length - 1] = '\0';
        if (has_names)
            code = note(table, line, &capacity);
        else if (strcmp(line, names) == 0)
            has_names = true;
        else if (line[0] != '#')
            break;
        *end = ftell(stream);
    }
    free(line);
    if (code == EXIT_CODE_OK && !has_names)
        return messages_failure("%s: this is no table of `equant catalogue`; name another",
                                table->path);
    return code;
}

static int go_on(struct catalogue_table *table, const struct text_list *options)
{
    long end = 0;
    int code = read_rows(table, table->file.stream, &end);
    if (code == EXIT_CODE_OK)
        code = catalogue_options_compare(table->path, options);
    return code == EXIT_CODE_OK ? row_file_cut(&table->file, end) : code;
}

static void free_names(struct catalogue_table *table)
{
    for (size_t i = 0; i < table->n_done; i++)
        free(table->names[i]);
    free(table->names);
    table->names = NULL;
}

int catalogue_table_open(struct catalogue_table *table, const char *path, bool goes_on,
                         const struct text_list *options, size_t n_columns,
                         const struct ecsv_column *columns)
{
    *table = (struct catalogue_table){.path = path, .n_columns = n_columns, .columns = columns};
    int code = row_file_open(&table->file, "catalogue", path, &output_kind_any);
    if (code != EXIT_CODE_OK)
        return code;
    if (row_file_size(&table->file) == 0) {
        if (table->file.is_regular)
            code = catalogue_options_write(path, options);
        if (code == EXIT_CODE_OK)
            code = start(table);
    } else if (goes_on) {
        code = go_on(table, options);
    } else {
        code = messages_failure("%s is there already; go on with it by --resume, or name another",
                                path);
    }
    if (code != EXIT_CODE_OK) {
        row_file_abandon(&table->file);
        free_names(table);
    }
    return code;
}

bool catalogue_table_has(const struct catalogue_table *table, size_t number, const char *name)
{
    return strcmp(name, table->names[number]) == 0;
}

/* Cells that would be taken apart stand in quotes. */
static void write_text(FILE *stream, const char *text)
{
    if (strpbrk(text, ",\" \t\n#") == NULL) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"')
            fputc('"', stream);
        fputc(*c == '\n' ? ' ' : *c, stream);
    }
    fputc('"', stream);
}

void catalogue_table_start_row(struct catalogue_table *table, const char *name)
{
    write_text(table->file.stream, name);
}

void catalogue_table_number(struct catalogue_table *table, double value)
{
    if (isfinite(value))
        fprintf(table->file.stream, ",%.12g", value);
    else
        fputc(',', table->file.stream);
}

void catalogue_table_count(struct catalogue_table *table, size_t n)
{
    fprintf(table->file.stream, ",%zu", n);
}

void catalogue_table_text(struct catalogue_table *table, const char *text)
{
    fputc(',', table->file.stream);
    write_text(table->file.stream, text);
}

void catalogue_table_words(struct catalogue_table *table, const char *words)
{
    char cell[WORDS_LENGTH];
    size_t n = 0;
    for (const char *c = words; *c != '\0' && n + 1 < sizeof cell; c++)
        if (*c != ' ')
            cell[n++] = *c == ',' ? ';' : *c;
    cell[n] = '\0';
    catalogue_table_text(table, cell);
}

void catalogue_table_end_row(struct catalogue_table *table)
{
    fputc('\n', table->file.stream);
}

int catalogue_table_flush(struct catalogue_table *table)
{
    return row_file_flush(&table->file);
}

int catalogue_table_close(struct catalogue_table *table, int code)
{
    free_names(table);
    return row_file_close(&table->file, code);
}
