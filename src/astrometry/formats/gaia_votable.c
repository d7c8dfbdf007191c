/* Gaia's epoch astrometry as VOTable, by expat: rows as elements (TABLEDATA), or as bytes in base64
 * (BINARY2, BINARY). */
#include <stdlib.h>
#include <string.h>

#include "astrometry/formats/gaia_source.h"
#include "astrometry/formats/sky_format.h"
#include "core/status_fail.h"

static bool gaia_votable_is(const char *head, size_t n_bytes)
{
    text_lines lines = text_lines_begin(head, n_bytes);
    text_slice line;
    while (text_lines_next(&lines, &line)) {
        text_slice trimmed = text_trim(line);
        if (trimmed.n > 0 && trimmed.start[0] != '<' && lines.number == 1)
            return false;
        for (size_t i = 0; i + 8 <= trimmed.n; i++)
            if (trimmed.start[i] == '<' &&
                (text_begins_with((text_slice){trimmed.start + i, trimmed.n - i}, "<votable") ||
                 text_begins_with((text_slice){trimmed.start + i, trimmed.n - i}, "<vot:votable")))
                return true;
    }
    return false;
}

#ifndef EQUANT_HAVE_EXPAT

static equant_status gaia_votable_open(const sky_input *input, void **state)
{
    (void)state;
    return status_fail(EQUANT_ERROR_UNAVAILABLE,
                       "%s: this is a VOTable, and this build of equant has no expat; install it "
                       "(libexpat1-dev) and build again, or take ECSV or csv",
                       input->path);
}

const sky_format gaia_votable_format = {.is = gaia_votable_is, .open = gaia_votable_open};

#else

#include <errno.h>
#include <expat.h>
#include <stdio.h>

#include "core/files/base64.h"
#include "astrometry/formats/votable_row.h"
#include "core/files/input_stream.h"

enum { MOST_FIELDS = 1024, PIECE_BYTES = 1 << 16, MOST_ROW_BYTES = 1 << 26 };

/* What the characters between elements are good for. */
typedef enum votable_text { TEXT_NOTHING, TEXT_CELL, TEXT_BINARY, TEXT_BINARY2 } votable_text;

typedef struct gaia_votable {
    const sky_input *input;
    FILE *stream;
    XML_Parser parser;
    equant_status status; /* of what expat called */
    votable_field fields[MOST_FIELDS];
    size_t n_fields;
    bool has[GAIA_N_COLUMNS];
    bool is_wanted, has_table; /* this table has all columns; one of them had */
    const char *missing;       /* of the last table that lacked one */
    votable_text kind, text;   /* of the table, and of the characters that come now */
    size_t cell;               /* of the row */
    size_t n_rows;
    bool has_settled_bits; /* it is known how they are kept */
    base64 letters;
    unsigned char *bytes; /* of a cell or of rows */
    size_t n_bytes, capacity;
    gaia_source source;
    gaia_transit transit;
} gaia_votable;

/* ---- failures ---------------------------------------------------------- */

static void stop(gaia_votable *reader, equant_status status)
{
    if (reader->status != EQUANT_SUCCESS || status == EQUANT_SUCCESS)
        return;
    reader->status = status;
    XML_StopParser(reader->parser, XML_FALSE);
}

static size_t line_of(const gaia_votable *reader)
{
    return (size_t)XML_GetCurrentLineNumber(reader->parser);
}

/* ---- the head of a table ----------------------------------------------- */

static const char *attribute(const char **attributes, const char *name)
{
    for (; attributes[0] != NULL; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return NULL;
}

static void begin_table(gaia_votable *reader)
{
    reader->n_fields = 0;
    reader->has_settled_bits = false;
    memset(reader->has, 0, sizeof reader->has);
    memset(&reader->transit, 0, sizeof reader->transit);
}

static void add_field(gaia_votable *reader, const char **attributes)
{
    const char *name = attribute(attributes, "name"), *type = attribute(attributes, "datatype");
    votable_field field;
    if (reader->n_fields == MOST_FIELDS ||
        !votable_field_read(name, type, attribute(attributes, "arraysize"), &field)) {
        stop(reader,
             status_fail(EQUANT_ERROR_FORMAT,
                         "%s:%zu: the field '%.60s' of this VOTable has a type or size that "
                         "cannot be meant, or is one of more than %d",
                         reader->input->path, line_of(reader), name != NULL ? name : "",
                         MOST_FIELDS));
        return;
    }
    if (field.column != GAIA_NO_COLUMN && reader->has[field.column])
        field.column = GAIA_NO_COLUMN;
    if (field.column != GAIA_NO_COLUMN)
        reader->has[field.column] = true;
    reader->fields[reader->n_fields++] = field;
}

static void begin_rows(gaia_votable *reader, votable_text kind)
{
    reader->kind = kind;
    reader->is_wanted = gaia_columns_suffice(reader->has, &reader->missing);
    reader->has_table = reader->has_table || reader->is_wanted;
    reader->letters = (base64){0};
    reader->n_bytes = 0;
}

static void begin_stream(gaia_votable *reader, const char **attributes)
{
    const char *encoding = attribute(attributes, "encoding"), *href = attribute(attributes, "href");
    if (!reader->is_wanted)
        return;
    if (href != NULL || encoding == NULL || strcmp(encoding, "base64") != 0)
        stop(reader, status_fail(EQUANT_ERROR_FORMAT,
                                 "%s:%zu: the rows of this VOTable are in another file, or not in "
                                 "base64; ask for a VOTable that has them within",
                                 reader->input->path, line_of(reader)));
    reader->text = reader->kind;
}

static const char *local_name(const char *name)
{
    const char *colon = strchr(name, ':');
    return colon != NULL ? colon + 1 : name;
}

static void XMLCALL begin_element(void *data, const char *full_name, const char **attributes)
{
    gaia_votable *reader = data;
    const char *name = local_name(full_name);
    if (strcmp(name, "TABLE") == 0)
        begin_table(reader);
    else if (strcmp(name, "FIELD") == 0)
        add_field(reader, attributes);
    else if (strcmp(name, "TABLEDATA") == 0)
        begin_rows(reader, TEXT_CELL);
    else if (strcmp(name, "BINARY") == 0)
        begin_rows(reader, TEXT_BINARY);
    else if (strcmp(name, "BINARY2") == 0)
        begin_rows(reader, TEXT_BINARY2);
    else if (strcmp(name, "STREAM") == 0)
        begin_stream(reader, attributes);
    else if (strcmp(name, "TR") == 0)
        reader->cell = 0;
    else if (strcmp(name, "TD") == 0 && reader->is_wanted) {
        reader->text = TEXT_CELL;
        reader->n_bytes = 0;
    }
}

/* ---- rows -------------------------------------------------------------- */

static void add_row(gaia_votable *reader, gaia_place place)
{
    reader->n_rows++;
    stop(reader, gaia_source_add(&reader->source, &reader->transit, &place));
}

/* Room for n more bytes behind those that are there. */
static bool reserve(gaia_votable *reader, size_t n)
{
    if (n <= reader->capacity - reader->n_bytes)
        return true;
    size_t capacity = 2 * reader->capacity + n + 1024;
    unsigned char *grown =
        reader->n_bytes < MOST_ROW_BYTES ? realloc(reader->bytes, capacity) : NULL;
    if (grown == NULL) {
        stop(reader, status_out_of_memory());
        return false;
    }
    reader->bytes = grown;
    reader->capacity = capacity;
    return true;
}

static void set_bits(gaia_votable *reader, votable_type from, votable_type to)
{
    for (size_t i = 0; i < reader->n_fields; i++)
        if (reader->fields[i].type == from && reader->fields[i].is_variable)
            reader->fields[i].type = to;
}

static votable_found read_row(gaia_votable *reader, bool is_strict, size_t first, size_t *n_row)
{
    return votable_row_read(reader->fields, reader->n_fields, reader->text == TEXT_BINARY2,
                            is_strict, reader->bytes + first, reader->n_bytes - first,
                            &reader->transit, n_row);
}

/* Whether the first two rows of a table make sense; one is enough where there is no other. */
static votable_found try_rows(gaia_votable *reader, bool is_last)
{
    size_t n_first = 0, n_second = 0;
    votable_found found = read_row(reader, true, 0, &n_first);
    if (found != VOTABLE_ROW || (is_last && n_first == reader->n_bytes))
        return found;
    found = read_row(reader, true, n_first, &n_second);
    return is_last && found == VOTABLE_NEEDS_MORE ? VOTABLE_BROKEN : found;
}

/* Decides how bits are kept: the standard packs them, astropy gives each a byte where their number
 * varies. False while there are too few rows to tell. */
static bool settle_bits(gaia_votable *reader, bool is_last)
{
    votable_found packed = try_rows(reader, is_last), unpacked = VOTABLE_ROW;
    if (packed == VOTABLE_BROKEN) {
        set_bits(reader, VOTABLE_BIT, VOTABLE_BIT_BYTE);
        unpacked = try_rows(reader, is_last);
        if (unpacked != VOTABLE_ROW)
            set_bits(reader, VOTABLE_BIT_BYTE, VOTABLE_BIT);
    }
    bool needs_more = packed == VOTABLE_NEEDS_MORE || unpacked == VOTABLE_NEEDS_MORE;
    reader->has_settled_bits = is_last || !needs_more;
    return reader->has_settled_bits;
}

/* Takes all rows that are whole off the front of the bytes; `is_last`: none come behind them. */
static void take_rows(gaia_votable *reader, bool is_last)
{
    size_t used = 0;
    if (!reader->has_settled_bits && !settle_bits(reader, is_last))
        return;
    while (reader->status == EQUANT_SUCCESS) {
        size_t n_row = 0;
        votable_found found = read_row(reader, false, used, &n_row);
        if (found == VOTABLE_NEEDS_MORE)
            break;
        if (found == VOTABLE_BROKEN) {
            stop(reader, status_fail(EQUANT_ERROR_FORMAT,
                                     "%s: row %zu of this VOTable cannot be read: its arrays are "
                                     "longer than a transit has CCDs, or of a type that is no "
                                     "number; is the file whole?",
                                     reader->input->path, reader->n_rows + 1));
            break;
        }
        used += n_row;
        add_row(reader, (gaia_place){false, reader->n_rows + 1});
    }
    reader->n_bytes -= used;
    memmove(reader->bytes, reader->bytes + used, reader->n_bytes);
}

static void XMLCALL take_characters(void *data, const char *text, int n)
{
    gaia_votable *reader = data;
    if (reader->text == TEXT_NOTHING || reader->status != EQUANT_SUCCESS ||
        !reserve(reader, (size_t)n + 3))
        return;
    if (reader->text == TEXT_CELL) {
        memcpy(reader->bytes + reader->n_bytes, text, (size_t)n);
        reader->n_bytes += (size_t)n;
    } else if (!base64_decode(&reader->letters, text, (size_t)n, reader->bytes, &reader->n_bytes)) {
        stop(reader, status_fail(EQUANT_ERROR_FORMAT, "%s:%zu: this is no base64",
                                 reader->input->path, line_of(reader)));
    }
}

static void end_cell(gaia_votable *reader)
{
    reader->text = TEXT_NOTHING;
    size_t i = reader->cell++;
    if (i >= reader->n_fields || reader->fields[i].column == GAIA_NO_COLUMN)
        return;
    gaia_column column = reader->fields[i].column;
    text_slice cell = {(const char *)reader->bytes, reader->n_bytes};
    char shown[40];
    if (!gaia_cell_read(cell, column, &reader->transit.cells[column]))
        stop(reader, status_fail(EQUANT_ERROR_FORMAT,
                                 "%s:%zu: %s is '%s', which is neither a number nor an array of "
                                 "at most %d",
                                 reader->input->path, line_of(reader), gaia_column_name(column),
                                 text_show(cell, shown, sizeof shown), GAIA_MOST_CCDS));
}

static void end_row(gaia_votable *reader)
{
    if (reader->cell == reader->n_fields)
        add_row(reader, (gaia_place){true, line_of(reader)});
    else
        stop(reader,
             status_fail(EQUANT_ERROR_FORMAT,
                         "%s:%zu: this row has %zu cells, and the table %zu fields",
                         reader->input->path, line_of(reader), reader->cell, reader->n_fields));
}

static void end_stream(gaia_votable *reader)
{
    if (reader->text == TEXT_NOTHING)
        return;
    take_rows(reader, true);
    reader->text = TEXT_NOTHING;
    if (reader->n_bytes > 0 && reader->status == EQUANT_SUCCESS)
        stop(reader, status_fail(EQUANT_ERROR_FORMAT,
                                 "%s:%zu: the rows of this VOTable end within one, after %zu of "
                                 "them; the file is cut",
                                 reader->input->path, line_of(reader), reader->n_rows));
}

static void XMLCALL end_element(void *data, const char *full_name)
{
    gaia_votable *reader = data;
    const char *name = local_name(full_name);
    if (reader->status != EQUANT_SUCCESS)
        return;
    if (strcmp(name, "TD") == 0 && reader->text == TEXT_CELL)
        end_cell(reader);
    else if (strcmp(name, "TR") == 0 && reader->is_wanted)
        end_row(reader);
    else if (strcmp(name, "STREAM") == 0)
        end_stream(reader);
    else if (strcmp(name, "TABLE") == 0)
        reader->is_wanted = false;
}

/* ---- the file ---------------------------------------------------------- */

static void gaia_votable_close(void *state)
{
    gaia_votable *reader = state;
    if (reader->parser != NULL)
        XML_ParserFree(reader->parser);
    if (reader->stream != NULL)
        fclose(reader->stream);
    gaia_source_free(&reader->source);
    free(reader->bytes);
    free(reader);
}

static equant_status gaia_votable_open(const sky_input *input, void **state)
{
    gaia_votable *reader = calloc(1, sizeof *reader);
    if (reader == NULL)
        return status_out_of_memory();
    equant_status status = EQUANT_SUCCESS;
    reader->input = input;
    reader->source.input = input;
    reader->source.format = "Gaia DR4 epoch astrometry, VOTable";
    status = input_stream_open_in(input->archive, input->path, &reader->stream);
    reader->parser = status == EQUANT_SUCCESS ? XML_ParserCreate(NULL) : NULL;
    if (status == EQUANT_SUCCESS && reader->parser == NULL)
        status = status_out_of_memory();
    if (status != EQUANT_SUCCESS) {
        gaia_votable_close(reader);
        return status;
    }
    XML_SetUserData(reader->parser, reader);
    XML_SetElementHandler(reader->parser, begin_element, end_element);
    XML_SetCharacterDataHandler(reader->parser, take_characters);
    *state = reader;
    return EQUANT_SUCCESS;
}

static equant_status fail_to_parse(gaia_votable *reader)
{
    if (reader->status != EQUANT_SUCCESS)
        return reader->status;
    enum XML_Error code = XML_GetErrorCode(reader->parser);
    if (code == XML_ERROR_NO_MEMORY)
        return status_out_of_memory();
    return status_fail(EQUANT_ERROR_FORMAT,
                       "%s:%zu: this VOTable is cut or broken (%s), after %zu rows; get it again",
                       reader->input->path, line_of(reader), XML_ErrorString(code), reader->n_rows);
}

static equant_status end_file(gaia_votable *reader)
{
    if (reader->has_table)
        return gaia_source_end(&reader->source);
    return status_fail(
        EQUANT_ERROR_FORMAT,
        "%s: this VOTable has no table of epoch astrometry: there is no field %s; velocities "
        "are read from CSV or ECSV",
        reader->input->path, reader->missing != NULL ? reader->missing : "obs_time_tcb");
}

static equant_status gaia_votable_step(void *state, bool *is_at_end)
{
    gaia_votable *reader = state;
    void *buffer = XML_GetBuffer(reader->parser, PIECE_BYTES);
    if (buffer == NULL)
        return status_out_of_memory();
    size_t n = fread(buffer, 1, PIECE_BYTES, reader->stream);
    if (n == 0 && ferror(reader->stream))
        return input_stream_fail(reader->input->path, errno);
    *is_at_end = n == 0;
    if (XML_ParseBuffer(reader->parser, (int)n, n == 0) != XML_STATUS_OK)
        return fail_to_parse(reader);
    /* Rows of a long stream go on while it comes. */
    if (reader->text == TEXT_BINARY || reader->text == TEXT_BINARY2)
        take_rows(reader, false);
    if (reader->status != EQUANT_SUCCESS)
        return reader->status;
    return *is_at_end ? end_file(reader) : EQUANT_SUCCESS;
}

const sky_format gaia_votable_format = {.is = gaia_votable_is,
                                        .open = gaia_votable_open,
                                        .step = gaia_votable_step,
                                        .close = gaia_votable_close};
#endif
