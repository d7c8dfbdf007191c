/* The public equant_star_stream: a table of many stars, of which the rows of one are held at a time
 * and read as a table of their own; or the tables of a folder or an archive, one after another. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/files/file_walk.h"
#include "core/files/input_stream.h"
#include "core/status_fail.h"
#include "data/column_role.h"
#include "data/formats/ecsv.h"
#include "data/table_preamble.h"
#include "data/table_reader.h"
#include "data/text_buffer.h"
#include "data/tables/table_stream.h"
#include "platform/system_stream.h"

/* Names of stars that were there, as hashes: so that one that comes again is noticed, in a few
 * bytes for each. */
typedef struct name_set {
    size_t n, capacity; /* a power of two */
    uint64_t *hashes;   /* [capacity]; 0: free */
} name_set;

struct equant_star_stream {
    file_walk *walk;
    const char *path; /* of the file that is read; the walk's, as is the archive */
    zip_archive *archive;
    FILE *file;
    const equant_dataset_options *options;
    size_t column; /* of the names */
    bool is_one;   /* the file is one star: there is no such column */
    text_delimiter delimiter;
    text_buffer head; /* comments and names of columns, which all stars share */
    text_buffer rows; /* head and rows of the star */
    char *line;       /* the first that was not taken yet */
    size_t line_capacity, line_number;
    bool has_line;
    char *name, *next_name; /* of the star; of the one in `line` */
    name_set seen;
};

/* ---- names ---------------------------------------------------------------- */

/* Fowler, Noll and Vo's hash, 1a, of 64 bits. */
static uint64_t hash_of(const char *name)
{
    uint64_t hash = 14695981039346656037u;
    for (const unsigned char *c = (const unsigned char *)name; *c; c++)
        hash = (hash ^ *c) * 1099511628211u;
    return hash ? hash : 1;
}

/* Where a hash stands, or would. */
static size_t name_set_place(const name_set *set, uint64_t hash)
{
    size_t at = (size_t)hash & (set->capacity - 1);
    while (set->hashes[at] != 0 && set->hashes[at] != hash)
        at = (at + 1) & (set->capacity - 1);
    return at;
}

static void name_set_put(name_set *set, uint64_t hash)
{
    set->hashes[name_set_place(set, hash)] = hash;
    set->n++;
}

static equant_status name_set_grow(name_set *set)
{
    name_set larger = {.capacity = set->capacity ? 2 * set->capacity : 1024};
    larger.hashes = calloc(larger.capacity, sizeof *larger.hashes);
    if (!larger.hashes)
        return status_out_of_memory();
    for (size_t i = 0; i < set->capacity; i++)
        if (set->hashes[i] != 0)
            name_set_put(&larger, set->hashes[i]);
    free(set->hashes);
    *set = larger;
    return EQUANT_SUCCESS;
}

static equant_status check_name(const equant_star_stream *stream)
{
    uint64_t hash = hash_of(stream->name);
    if (stream->seen.n == 0 || stream->seen.hashes[name_set_place(&stream->seen, hash)] == 0)
        return EQUANT_SUCCESS;
    return status_fail(EQUANT_ERROR_FORMAT,
                       "%s:%zu: star %s was there before; sort the file by stars, so that the rows "
                       "of each stand together",
                       stream->path, stream->line_number, stream->name);
}

/* A star whose rows were taken: those of a table of something else, which an archive may have
 * beside that of the velocities, are not counted. */
static equant_status note_name(equant_star_stream *stream)
{
    if (2 * stream->seen.n >= stream->seen.capacity) {
        equant_status status = name_set_grow(&stream->seen);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    name_set_put(&stream->seen, hash_of(stream->name));
    return EQUANT_SUCCESS;
}

/* ---- lines ---------------------------------------------------------------- */

static equant_status read_line(equant_star_stream *stream, text_slice *line)
{
    errno = 0;
    ssize_t n = system_stream_line(&stream->line, &stream->line_capacity, stream->file);
    stream->has_line = n > 0;
    stream->line_number += n > 0;
    if (n < 0 && errno == ENOMEM)
        return status_out_of_memory();
    if (n < 0 && ferror(stream->file))
        return input_stream_fail(stream->path, errno);
    while (n > 0 && (stream->line[n - 1] == '\n' || stream->line[n - 1] == '\r'))
        n--;
    *line = (text_slice){stream->line, n > 0 ? (size_t)n : 0};
    return EQUANT_SUCCESS;
}

static void add_line(text_buffer *buffer, text_slice line)
{
    text_buffer_add(buffer, line);
    text_buffer_add_word(buffer, "\n");
}

/* The column that says whose a row is; SIZE_MAX where there is none. */
static size_t find_column(text_slice header, text_delimiter delimiter)
{
    text_slice names[TEXT_MAX_CELLS];
    size_t n = text_names(table_preamble_without_comment(header, delimiter), delimiter, names,
                          TEXT_MAX_CELLS);
    n = n < TEXT_MAX_CELLS ? n : TEXT_MAX_CELLS;
    size_t found = column_role_find_target(names, n);
    return found < n ? found : SIZE_MAX;
}

static text_delimiter delimiter_of(const equant_star_stream *stream, text_slice header)
{
    text_delimiter found = table_preamble_delimiter(header);
    if (ecsv_is(stream->head.text ? stream->head.text : "", stream->head.n))
        return ecsv_delimiter(stream->head.text, stream->head.n);
    return found == TEXT_WHITESPACE && text_count(header, '\t') > 0 ? TEXT_TAB : found;
}

/* The star that the line is about; at the end of the file there is none. */
static equant_status find_next_name(equant_star_stream *stream, text_slice line)
{
    text_slice cells[TEXT_MAX_CELLS];
    free(stream->next_name);
    stream->next_name = NULL;
    if (!stream->has_line)
        return EQUANT_SUCCESS;
    size_t n = table_preamble_cells(line, stream->delimiter, cells, stream->column + 1);
    if (n <= stream->column || cells[stream->column].n == 0)
        return status_fail(EQUANT_ERROR_FORMAT, "%s:%zu: the row does not say whose it is",
                           stream->path, stream->line_number);
    stream->next_name = strndup(cells[stream->column].start, cells[stream->column].n);
    return stream->next_name ? EQUANT_SUCCESS : status_out_of_memory();
}

/* The next line that is a row. */
static equant_status read_row(equant_star_stream *stream, text_slice *line)
{
    equant_status status;
    do
        status = read_line(stream, line);
    while (status == EQUANT_SUCCESS && stream->has_line && table_preamble_is_comment(*line));
    return status == EQUANT_SUCCESS ? find_next_name(stream, *line) : status;
}

/* Comments and names of columns, and the first row behind them. */
static equant_status read_head(equant_star_stream *stream)
{
    text_slice line;
    equant_status status = read_line(stream, &line);
    while (status == EQUANT_SUCCESS && stream->has_line && table_preamble_is_comment(line)) {
        add_line(&stream->head, line);
        status = read_line(stream, &line);
    }
    if (status != EQUANT_SUCCESS)
        return status;
    stream->delimiter = delimiter_of(stream, line);
    stream->column = table_preamble_is_header(line) && line.n > 0
                         ? find_column(line, stream->delimiter)
                         : SIZE_MAX;
    stream->is_one = stream->column == SIZE_MAX;
    if (stream->is_one)
        return EQUANT_SUCCESS;
    add_line(&stream->head, line);
    status = read_line(stream, &line);
    if (status == EQUANT_SUCCESS && stream->has_line && table_preamble_is_rule(line)) {
        add_line(&stream->head, line);
        status = read_row(stream, &line);
    } else if (status == EQUANT_SUCCESS && stream->has_line && table_preamble_is_comment(line)) {
        status = read_row(stream, &line);
    } else if (status == EQUANT_SUCCESS) {
        status = find_next_name(stream, line);
    }
    if (status == EQUANT_SUCCESS && !stream->has_line)
        return status_fail(EQUANT_ERROR_FORMAT, "%s: there are no rows", stream->path);
    if (status == EQUANT_SUCCESS && stream->head.has_failed)
        return status_out_of_memory();
    return status;
}

/* ---- stars ---------------------------------------------------------------- */

/* Takes the rows of one star. */
static equant_status read_rows(equant_star_stream *stream)
{
    text_slice line = {stream->line, strcspn(stream->line, "\r\n")};
    equant_status status = EQUANT_SUCCESS;
    stream->rows.n = 0;
    text_buffer_add(&stream->rows, (text_slice){stream->head.text, stream->head.n});
    while (status == EQUANT_SUCCESS && stream->has_line &&
           strcmp(stream->name, stream->next_name) == 0) {
        add_line(&stream->rows, line);
        status = read_row(stream, &line);
    }
    if (status == EQUANT_SUCCESS && stream->rows.has_failed)
        return status_out_of_memory();
    return status;
}

/* The rows as a data set. Sentences count lines of the star's own table. */
static equant_status make_dataset(equant_star_stream *stream, size_t first_line,
                                  equant_dataset **dataset)
{
    equant_status status = equant_dataset_from_text(stream->rows.text, stream->rows.n, stream->path,
                                                    stream->options, dataset);
    if (status == EQUANT_SUCCESS || status == EQUANT_ERROR_OUT_OF_MEMORY)
        return status;
    char sentence[1024];
    snprintf(sentence, sizeof sentence, "%s", equant_last_error());
    return status_fail(status, "star %s, whose rows begin in line %zu: %s", stream->name,
                       first_line, sentence);
}

static equant_status read_file(equant_star_stream *stream, equant_dataset **dataset)
{
    const char *const paths[] = {stream->path};
    char *text = NULL;
    size_t n_bytes = 0;
    if (!stream->archive)
        return equant_dataset_from_files(1, paths, stream->options, dataset);
    equant_status status = table_stream_read(stream->archive, stream->path, &text, &n_bytes);
    if (status == EQUANT_SUCCESS)
        status = equant_dataset_from_text(text, n_bytes, stream->path, stream->options, dataset);
    free(text);
    return status;
}

/* A file that is one star. */
static equant_status take_file(equant_star_stream *stream, equant_dataset **dataset)
{
    char stem[256];
    stream->is_one = stream->has_line = false;
    table_reader_stem(stream->path, stem, sizeof stem);
    stream->name = strdup(stem);
    if (!stream->name)
        return status_out_of_memory();
    return dataset ? read_file(stream, dataset) : EQUANT_SUCCESS;
}

/* Opens the next file; *is_there is false behind the last one. */
static equant_status open_next_file(equant_star_stream *stream, bool *is_there)
{
    if (stream->file)
        fclose(stream->file);
    stream->file = NULL;
    stream->is_one = stream->has_line = false;
    stream->head.n = stream->line_number = 0;
    equant_status status = file_walk_next(stream->walk, &stream->path, &stream->archive);
    *is_there = stream->path != NULL;
    if (status == EQUANT_SUCCESS && *is_there)
        status = table_stream_open(stream->archive, stream->path, &stream->file);
    return status == EQUANT_SUCCESS && *is_there ? read_head(stream) : status;
}

equant_status equant_star_stream_next(equant_star_stream *stream, equant_dataset **dataset)
{
    if (!stream)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "a stream is needed");
    if (dataset)
        *dataset = NULL;
    free(stream->name);
    stream->name = NULL;
    bool is_there = true;
    while (is_there && !stream->is_one && (!stream->has_line || !stream->next_name)) {
        equant_status status = open_next_file(stream, &is_there);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    if (!is_there)
        return EQUANT_SUCCESS;
    if (stream->is_one)
        return take_file(stream, dataset);
    size_t first_line = stream->line_number;
    stream->name = stream->next_name;
    stream->next_name = strdup(stream->name);
    equant_status status = stream->next_name ? check_name(stream) : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = read_rows(stream);
    if (status != EQUANT_SUCCESS) { /* of the file, and not of a star */
        free(stream->name);
        stream->name = NULL;
        stream->has_line = false;
        return status;
    }
    if (dataset)
        status = make_dataset(stream, first_line, dataset);
    if (status == EQUANT_SUCCESS)
        status = note_name(stream);
    if (status != EQUANT_SUCCESS && dataset) {
        equant_dataset_free(*dataset);
        *dataset = NULL;
    }
    return status;
}

const char *equant_star_stream_name(const equant_star_stream *stream)
{
    return stream ? stream->name : NULL;
}

/* ---- life ------------------------------------------------------------------ */

equant_status equant_star_stream_open(const char *path, const equant_dataset_options *options,
                                      equant_star_stream **stream)
{
    if (!path || !stream)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a path and a place for the stream are needed");
    equant_star_stream *made = calloc(1, sizeof *made);
    if (!made)
        return status_out_of_memory();
    made->options = options;
    bool is_there;
    equant_status status = file_walk_open(path, &made->walk);
    /* Of several files one that cannot be read is a failure of its own, and not of the stream. */
    if (status == EQUANT_SUCCESS && !file_walk_is_set(made->walk))
        status = open_next_file(made, &is_there);
    if (status != EQUANT_SUCCESS) {
        equant_star_stream_free(made);
        return status;
    }
    *stream = made;
    return EQUANT_SUCCESS;
}

void equant_star_stream_free(equant_star_stream *stream)
{
    if (!stream)
        return;
    if (stream->file)
        fclose(stream->file);
    text_buffer_free(&stream->head);
    text_buffer_free(&stream->rows);
    file_walk_close(stream->walk);
    free(stream->line);
    free(stream->name);
    free(stream->next_name);
    free(stream->seen.hashes);
    free(stream);
}
