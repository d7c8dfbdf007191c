#include "archive/record_table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/output_file.h"
#include "files/output_folder.h"
#include "platform/system_folder.h"
#include "platform/system_stream.h"
#include "terminal/messages.h"

static int refuse(const char *path)
{
    return messages_failure("%s: it was written with other options, or is no summary of equant; "
                            "take another folder",
                            path);
}

int record_table_check(const char *path, const char *header)
{
    FILE *stream = system_stream_open(path, "r");
    if (stream == NULL)
        return errno == ENOENT ? EXIT_CODE_OK : messages_file("read", path);
    const char *at = header;
    while (*at != '\0' && getc(stream) == (unsigned char)*at)
        at++;
    fclose(stream);
    return *at == '\0' ? EXIT_CODE_OK : refuse(path);
}

/* Takes the record over. */
static int add_record(struct record_table *table, struct star_record *record)
{
    bool is_full = (table->n & (table->n - 1)) == 0; /* room doubles */
    struct record_row *longer =
        is_full ? realloc(table->rows, (table->n > 0 ? 2 * table->n : 1) * sizeof *table->rows)
                : table->rows;
    if (longer == NULL)
        return messages_out_of_memory();
    table->rows = longer;
    char *name = star_record_name(record);
    if (name == NULL)
        return EXIT_CODE_FAILED;
    table->rows[table->n++] = (struct record_row){name, record->row, record->status};
    record->row = NULL;
    return EXIT_CODE_OK;
}

static int collect_star(struct record_table *table, const char *folder)
{
    struct star_record record;
    int code = star_record_read(folder, &record);
    if (code == EXIT_CODE_OK && record.status != STAR_NONE) {
        if (table->header == NULL) {
            table->header = record.header;
            record.header = NULL;
        } else if (strcmp(table->header, record.header) != 0) {
            code = refuse(folder);
        }
        if (code == EXIT_CODE_OK)
            code = add_record(table, &record);
    }
    star_record_free(&record);
    return code;
}

int record_table_collect(struct record_table *table, const char *folder)
{
    system_folder *stars = system_folder_open(folder);
    if (stars == NULL)
        return messages_file("read", folder);
    int code = EXIT_CODE_OK;
    const char *name;
    while (code == EXIT_CODE_OK && (name = system_folder_next(stars)) != NULL) {
        char *own = output_folder_join(folder, name);
        code = own == NULL ? EXIT_CODE_FAILED : collect_star(table, own);
        free(own);
    }
    system_folder_close(stars);
    return code;
}

/* Rows of one star: a fit first; then by their text, so that no order of folders shows. */
static int by_name(const void *left, const void *right)
{
    const struct record_row *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    if (order == 0)
        order = (b->status == STAR_OK) - (a->status == STAR_OK);
    return order != 0 ? order : strcmp(a->text, b->text);
}

static void free_row(struct record_row *row)
{
    free(row->name);
    free(row->text);
}

void record_table_sort(struct record_table *table)
{
    size_t n_kept = 0;
    if (table->n > 0)
        qsort(table->rows, table->n, sizeof *table->rows, by_name);
    for (size_t i = 0; i < table->n; i++)
        if (n_kept > 0 && strcmp(table->rows[i].name, table->rows[n_kept - 1].name) == 0)
            free_row(&table->rows[i]);
        else
            table->rows[n_kept++] = table->rows[i];
    table->n = n_kept;
}

const struct record_row *record_table_find(const struct record_table *table, const char *name)
{
    size_t low = 0, high = table->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(table->rows[middle].name, name);
        if (order == 0)
            return &table->rows[middle];
        *(order < 0 ? &low : &high) = order < 0 ? middle + 1 : middle;
    }
    return NULL;
}

const struct output_kind record_table_kind = {.what = "a table of `equant merge`",
                                              .beginning = STAR_RECORD_BEGINNING};

static int write_rows(const struct record_table *table, struct output_file *file)
{
    fputs(table->header, file->stream);
    for (size_t i = 0; i < table->n; i++)
        fprintf(file->stream, "%s\n", table->rows[i].text);
    return output_file_close(file, EXIT_CODE_OK);
}

int record_table_write(const struct record_table *table, const char *path)
{
    struct output_file file;
    int code = output_file_open_path(&file, path, &record_table_kind);
    return code == EXIT_CODE_OK ? write_rows(table, &file) : code;
}

int record_table_write_own(const struct record_table *table, const char *folder)
{
    static const struct output_member members[] = {{RECORD_TABLE_FILE,
                                                    {.what = "a table of `equant merge`",
                                                     .beginning = STAR_RECORD_BEGINNING,
                                                     .is_maintained = true}},
                                                   {0}};
    struct output_file file;
    int code = output_file_open(&file, folder, RECORD_TABLE_FILE, members);
    return code == EXIT_CODE_OK ? write_rows(table, &file) : code;
}

void record_table_free(struct record_table *table)
{
    for (size_t i = 0; i < table->n; i++)
        free_row(&table->rows[i]);
    free(table->rows);
    free(table->header);
    *table = (struct record_table){0};
}
