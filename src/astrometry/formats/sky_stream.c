/* Files of astrometry: which format they have, and their sources one after another, through all
 * files of a folder or an archive. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "astrometry/formats/sky_format.h"
#include "core/files/file_walk.h"
#include "core/files/input_stream.h"
#include "core/status_fail.h"
#include "data/text_file.h"
#include "platform/system_file.h"

/* The list of them all; the first that recognises a file takes it. */
static const sky_format *const formats[] = {
    &gaia_text_format,      &gaia_fits_format,
    &gaia_votable_format,   &hipparcos_format,
    &hipparcos_1997_format, &gost_table_format,
    &relative_table_format, &relative_with_velocities_format,
    &column_table_format,   &five_columns_format,
    &other_fits_format,     &other_votable_format,
};

struct equant_sky_stream {
    char *path;
    file_walk *walk;
    bool has_file; /* one is open: input.path, with this format */
    const sky_format *format;
    sky_input input;
    void *state; /* of formats that are read piece by piece */
    sky_queue queue;
    size_t n_given, n_files, n_other_files;
    bool is_at_end;
};

/* ---- recognition ------------------------------------------------------- */

enum { HEAD_BYTES = 1 << 16 };

/* The first bytes of a file; its last line may be cut. */
static equant_status read_head(zip_archive *archive, const char *path, char *head, size_t *n_bytes)
{
    system_file_facts about;
    FILE *stream = NULL;
    if (archive == NULL && system_file_find(path, &about) && !about.is_regular &&
        !about.is_folder) /* bytes of a pipe are not there a second time */
        return status_fail(EQUANT_ERROR_IO, "%s: astrometry is read from files alone", path);
    equant_status status = input_stream_open_in(archive, path, &stream);
    if (status != EQUANT_SUCCESS)
        return status;
    *n_bytes = fread(head, 1, HEAD_BYTES, stream);
    int error = ferror(stream) ? errno : 0;
    fclose(stream);
    return error == 0 ? EQUANT_SUCCESS : input_stream_fail(path, error);
}

static const sky_format *format_of(const char *head, size_t n_bytes, bool may_guess)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if ((may_guess || !formats[i]->is_guess) && formats[i]->is(head, n_bytes))
            return formats[i];
    return NULL;
}

static bool is_parquet(const char *head, size_t n_bytes)
{
    return n_bytes >= 4 && memcmp(head, "PAR1", 4) == 0;
}

bool sky_format_recognises(zip_archive *archive, const char *path)
{
    char head[HEAD_BYTES]; /* without memory that may be refused: no is an answer */
    size_t n_bytes = 0;
    return read_head(archive, path, head, &n_bytes) == EQUANT_SUCCESS &&
           (is_parquet(head, n_bytes) || format_of(head, n_bytes, false) != NULL);
}

int equant_astrometry_recognises(const char *path)
{
    file_walk *walk = NULL;
    zip_archive *archive;
    const char *file;
    bool is_recognised = false;
    if (path == NULL || file_walk_open(path, &walk) != EQUANT_SUCCESS)
        return 0;
    while (!is_recognised && file_walk_next(walk, &file, &archive) == EQUANT_SUCCESS &&
           file != NULL)
        is_recognised = sky_format_recognises(archive, file);
    file_walk_close(walk);
    return is_recognised;
}

/* The format of a file; NULL for one that is none of astrometry. */
static equant_status find_format(zip_archive *archive, const char *path, bool may_guess,
                                 const sky_format **format)
{
    char *head = malloc(HEAD_BYTES);
    size_t n_bytes = 0;
    if (head == NULL)
        return status_out_of_memory();
    equant_status status = read_head(archive, path, head, &n_bytes);
    if (status == EQUANT_SUCCESS && is_parquet(head, n_bytes))
        status = status_fail(EQUANT_ERROR_UNAVAILABLE,
                             "%s: this is a Parquet file; write it as a table that equant reads: "
                             "python3 -m equant.parquet FILE.parquet FILE.csv",
                             path);
    if (status == EQUANT_SUCCESS) {
        *format = format_of(head, n_bytes, may_guess);
        if (*format == NULL && may_guess)
            status = text_file_check(head, n_bytes, path);
    }
    free(head);
    return status;
}

int equant_astrometry_is_joint(const char *path)
{
    const sky_format *format = NULL;
    equant_sky_stream *stream = NULL;
    equant_astrometry *first = NULL;
    if (path == NULL || find_format(NULL, path, true, &format) != EQUANT_SUCCESS ||
        format != &relative_with_velocities_format)
        return 0;
    if (equant_sky_stream_open(path, NULL, &stream) == EQUANT_SUCCESS)
        equant_sky_stream_next(stream, &first);
    bool has_positions = first != NULL;
    equant_astrometry_free(first);
    equant_sky_stream_free(stream);
    return has_positions;
}

/* ---- a stream ---------------------------------------------------------- */

static void close_file(equant_sky_stream *stream)
{
    if (stream->state != NULL)
        stream->format->close(stream->state);
    stream->state = NULL;
    stream->has_file = false;
}

void equant_sky_stream_free(equant_sky_stream *stream)
{
    if (stream == NULL)
        return;
    close_file(stream);
    file_walk_close(stream->walk);
    sky_queue_free(&stream->queue);
    free(stream->path);
    free(stream);
}

/* A parallax may be given where a file may lack it; whether it does is seen when it is read. */
static equant_status check_parallax(const equant_sky_stream *stream)
{
    double given = stream->input.catalogue_parallax_mas;
    bool may_lack = stream->format == &hipparcos_format || stream->format == &hipparcos_1997_format;
    if (given == 0.0)
        return EQUANT_SUCCESS;
    if (!(given > 0.0) || !isfinite(given))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a catalogue's parallax of %g mas; it is above zero", given);
    return may_lack ? EQUANT_SUCCESS
                    : status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                                  "%s: a catalogue's parallax is given for residuals of Hipparcos "
                                  "alone, and these are none: a fit finds the parallax; leave "
                                  "%g mas out",
                                  stream->input.path, given);
}

/* A path without any astrometry. */
static equant_status fail_without_any(const equant_sky_stream *stream)
{
    if (!file_walk_is_set(stream->walk))
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: this is no table of astrometry that equant knows; "
                           "docs/astrometry.md lists them",
                           stream->path);
    return status_fail(EQUANT_ERROR_FORMAT,
                       "%s: none of its %zu files is a table of astrometry that equant knows; "
                       "docs/astrometry.md lists them",
                       stream->path, stream->n_other_files);
}

/* Opens the next file that is one of astrometry. */
static equant_status open_next_file(equant_sky_stream *stream)
{
    bool is_set = file_walk_is_set(stream->walk);
    equant_status status = EQUANT_SUCCESS;
    stream->format = NULL;
    while (status == EQUANT_SUCCESS && stream->format == NULL) {
        status = file_walk_next(stream->walk, &stream->input.path, &stream->input.archive);
        stream->is_at_end = stream->input.path == NULL;
        if (status != EQUANT_SUCCESS || stream->is_at_end)
            break;
        status = find_format(stream->input.archive, stream->input.path, !is_set, &stream->format);
        stream->n_other_files += status == EQUANT_SUCCESS && stream->format == NULL;
    }
    if (status != EQUANT_SUCCESS)
        return status;
    if (stream->format == NULL)
        return stream->n_files == 0 ? fail_without_any(stream) : EQUANT_SUCCESS;
    stream->n_files++;
    stream->has_file = true;
    status = check_parallax(stream);
    if (status == EQUANT_SUCCESS && stream->format->open != NULL)
        status = stream->format->open(&stream->input, &stream->state);
    return status;
}

static equant_status open_stream(equant_sky_stream *stream, const equant_sky_reading *options)
{
    stream->input = (sky_input){
        .keeps_rejected = OPTION_OR_ZERO(options, equant_sky_reading, keep_rejected) != 0,
        .keeps_uncertainties = OPTION_OR_ZERO(options, equant_sky_reading, keep_uncertainties) != 0,
        .source_id = OPTION_OR_ZERO(options, equant_sky_reading, source_id),
        .catalogue_parallax_mas =
            OPTION_OR_ZERO(options, equant_sky_reading, catalogue_parallax_mas),
        .queue = &stream->queue,
    };
    equant_status status = file_walk_open(stream->path, &stream->walk);
    return status == EQUANT_SUCCESS ? open_next_file(stream) : status;
}

equant_status equant_sky_stream_open(const char *path, const equant_sky_reading *options,
                                     equant_sky_stream **stream)
{
    if (path == NULL || stream == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "reading astrometry needs the name of a file and a place for the "
                           "result");
    equant_status status = OPTIONS_CHECK(options);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_sky_stream *made = calloc(1, sizeof *made);
    if (made == NULL || (made->path = strdup(path)) == NULL) {
        free(made);
        return status_out_of_memory();
    }
    status = open_stream(made, options);
    if (status == EQUANT_SUCCESS)
        *stream = made;
    else
        equant_sky_stream_free(made);
    return status;
}

static equant_status read_whole_text(equant_sky_stream *stream)
{
    char *text = NULL;
    size_t n_bytes = 0;
    const sky_input *input = &stream->input;
    equant_status status = text_file_read(input->archive, input->path, &text, &n_bytes);
    if (status == EQUANT_SUCCESS)
        status = text_file_check(text, n_bytes, input->path);
    if (status == EQUANT_SUCCESS)
        status = stream->format->read_text(text, n_bytes, &stream->input);
    free(text);
    return status;
}

/* Reads a piece of the file, or opens the next one. */
static equant_status read_on(equant_sky_stream *stream)
{
    bool is_end_of_file = true;
    if (!stream->has_file)
        return open_next_file(stream);
    equant_status status = stream->state == NULL
                               ? read_whole_text(stream)
                               : stream->format->step(stream->state, &is_end_of_file);
    if (status == EQUANT_SUCCESS && is_end_of_file)
        close_file(stream);
    return status;
}

/* A file of which nothing can be used has been misunderstood, or is of no use. */
static equant_status check_end(const equant_sky_stream *stream)
{
    if (stream->n_given > 0)
        return EQUANT_SUCCESS;
    if (stream->queue.n_left_out > 0)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: no row can be used: all of them were rejected by whoever made the "
                           "file, or have no finite numbers",
                           stream->path);
    if (stream->input.source_id != 0)
        return status_fail(EQUANT_ERROR_FORMAT, "%s: there is no source %" PRId64 " in this file",
                           stream->path, stream->input.source_id);
    return status_fail(EQUANT_ERROR_FORMAT, "%s: the table has no rows", stream->path);
}

/* Readers of many sources leave out others than the one that is wanted; those of one do not ask. */
static bool is_unwanted(const equant_sky_stream *stream, const equant_astrometry *source)
{
    int64_t wanted = stream->input.source_id;
    return wanted != 0 && equant_astrometry_source_id(source) != wanted;
}

/* Nobody can say whether a source without a number is the one that is wanted. */
static equant_status check_number(equant_sky_stream *stream, const equant_astrometry *source)
{
    if (source == NULL || stream->input.source_id == 0 || equant_astrometry_source_id(source) != 0)
        return EQUANT_SUCCESS;
    stream->is_at_end = true;
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                       "%s: there are no numbers of sources in this file; leave %" PRId64 " out",
                       stream->path, stream->input.source_id);
}

equant_status equant_sky_stream_next(equant_sky_stream *stream, equant_astrometry **source)
{
    if (stream == NULL || source == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the next source needs a stream and a place for it");
    equant_status status = EQUANT_SUCCESS;
    while (stream->queue.n == 0 && !stream->is_at_end && status == EQUANT_SUCCESS)
        status = read_on(stream);
    if (status != EQUANT_SUCCESS) {
        stream->is_at_end = true; /* what comes behind a failure is not believed */
        return status;
    }
    equant_astrometry *next = sky_queue_take(&stream->queue);
    if ((status = check_number(stream, next)) != EQUANT_SUCCESS) {
        equant_astrometry_free(next);
        return status;
    }
    if (next != NULL && is_unwanted(stream, next)) {
        equant_astrometry_free(next);
        return equant_sky_stream_next(stream, source);
    }
    stream->n_given += next != NULL;
    if (next == NULL && (status = check_end(stream)) != EQUANT_SUCCESS)
        return status;
    *source = next;
    return EQUANT_SUCCESS;
}

size_t equant_sky_stream_n_left_out(const equant_sky_stream *stream)
{
    return stream != NULL ? stream->queue.n_left_out : 0;
}

size_t equant_sky_stream_n_other_files(const equant_sky_stream *stream)
{
    return stream != NULL ? stream->n_other_files : 0;
}

/* ---- a file at once ---------------------------------------------------- */

typedef struct source_list {
    equant_astrometry **sources;
    size_t n, capacity;
} source_list;

static equant_status append(source_list *list, equant_astrometry *source)
{
    if (list->n == list->capacity) {
        size_t capacity = 2 * list->capacity + 4;
        equant_astrometry **grown = realloc(list->sources, capacity * sizeof(equant_astrometry *));
        if (grown == NULL) {
            equant_astrometry_free(source);
            return status_out_of_memory();
        }
        list->sources = grown;
        list->capacity = capacity;
    }
    list->sources[list->n++] = source;
    return EQUANT_SUCCESS;
}

void equant_astrometry_free_all(equant_astrometry **sources, size_t n_sources)
{
    for (size_t i = 0; i < n_sources && sources != NULL; i++)
        equant_astrometry_free(sources[i]);
    free(sources);
}

equant_status equant_astrometry_read(const char *path, const equant_sky_reading *options,
                                     equant_astrometry ***sources, size_t *n_sources)
{
    if (sources == NULL || n_sources == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "reading astrometry needs a place for the sources and their number");
    equant_sky_stream *stream = NULL;
    source_list list = {0};
    equant_status status = equant_sky_stream_open(path, options, &stream);
    while (status == EQUANT_SUCCESS) {
        equant_astrometry *source = NULL;
        status = equant_sky_stream_next(stream, &source);
        if (status != EQUANT_SUCCESS || source == NULL)
            break;
        status = append(&list, source);
    }
    equant_sky_stream_free(stream);
    if (status != EQUANT_SUCCESS) {
        equant_astrometry_free_all(list.sources, list.n);
        return status;
    }
    *sources = list.sources;
    *n_sources = list.n;
    return EQUANT_SUCCESS;
}
