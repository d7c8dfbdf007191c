#include "data/tables/votable_reader.h"

#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"

bool votable_reader_is(const char *head, size_t n_bytes)
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

equant_status votable_reader_open(FILE *stream, const char *path, const votable_sink *sink,
                                  votable_reader **reader)
{
    (void)sink;
    (void)reader;
    fclose(stream);
    return status_fail(EQUANT_ERROR_UNAVAILABLE,
                       "%s: this is a VOTable, and this build of equant has no expat; install it "
                       "(libexpat1-dev) and build again, or take ECSV or csv",
                       path);
}

equant_status votable_reader_step(votable_reader *reader, bool *is_at_end)
{
    (void)reader;
    *is_at_end = true;
    return EQUANT_SUCCESS;
}

void votable_reader_close(votable_reader *reader)
{
    (void)reader;
}

#else

#include <errno.h>
#include <expat.h>

#include "core/files/base64.h"
#include "core/files/input_stream.h"

enum { MOST_FIELDS = 1024, PIECE_BYTES = 1 << 16, MOST_ROW_BYTES = 1 << 26 };

/* What the characters between elements are good for. */
typedef enum votable_text { TEXT_NOTHING, TEXT_CELL, TEXT_BINARY, TEXT_BINARY2 } votable_text;

struct votable_reader {
    const char *path;
    const votable_sink *sink;
    FILE *stream;
    XML_Parser parser;
    equant_status status; /* of what expat called */
    votable_field fields[MOST_FIELDS];
    size_t n_fields;
    bool is_wanted;          /* this table is */
    votable_text kind, text; /* of the table, and of the characters that come now */
    size_t cell;             /* of the row */
    size_t n_rows;
    bool has_settled_bits; /* it is known how they are kept */
    base64 letters;
    unsigned char *bytes; /* of a cell or of rows */
    size_t n_bytes, capacity;
};

/* ---- failures ---------------------------------------------------------- */

static void stop(votable_reader *reader, equant_status status)
{
    if (reader->status != EQUANT_SUCCESS || status == EQUANT_SUCCESS)
        return;
    reader->status = status;
    XML_StopParser(reader->parser, XML_FALSE);
}

static size_t line_of(const votable_reader *reader)
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

static void begin_table(votable_reader *reader)
{
    reader->n_fields = 0;
    reader->has_settled_bits = false;
    if (reader->sink->begin_table != NULL)
        reader->sink->begin_table(reader->sink->context);
}

static void add_field(votable_reader *reader, const char **attributes)
{
    const char *name = attribute(attributes, "name"), *type = attribute(attributes, "datatype");
    votable_field field;
    if (reader->n_fields == MOST_FIELDS ||
        !votable_field_read(type, attribute(attributes, "arraysize"), &field)) {
        stop(reader,
             status_fail(EQUANT_ERROR_FORMAT,
                         "%s:%zu: the field '%.60s' of this VOTable has a type or size that "
                         "cannot be meant, or is one of more than %d",
                         reader->path, line_of(reader), name != NULL ? name : "", MOST_FIELDS));
        return;
    }
    field.column = reader->sink->column(reader->sink->context, name, attribute(attributes, "unit"));
    reader->fields[reader->n_fields++] = field;
}

static void begin_rows(votable_reader *reader, votable_text kind)
{
    reader->kind = kind;
    reader->is_wanted = reader->sink->begin_rows(reader->sink->context);
    reader->letters = (base64){0};
    reader->n_bytes = 0;
}

static void begin_stream(votable_reader *reader, const char **attributes)
{
    const char *encoding = attribute(attributes, "encoding"), *href = attribute(attributes, "href");
    if (!reader->is_wanted)
        return;
    if (href != NULL || encoding == NULL || strcmp(encoding, "base64") != 0)
        stop(reader, status_fail(EQUANT_ERROR_FORMAT,
                                 "%s:%zu: the rows of this VOTable are in another file, or not in "
                                 "base64; ask for a VOTable that has them within",
                                 reader->path, line_of(reader)));
    reader->text = reader->kind;
}

static const char *local_name(const char *name)
{
    const char *colon = strchr(name, ':');
    return colon != NULL ? colon + 1 : name;
}

static void XMLCALL begin_element(void *data, const char *full_name, const char **attributes)
{
    votable_reader *reader = data;
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

static void add_row(votable_reader *reader, bool is_line, size_t number)
{
    reader->n_rows++;
    stop(reader, reader->sink->end_row(reader->sink->context, is_line, number));
}

/* Room for n more bytes behind those that are there. */
static bool reserve(votable_reader *reader, size_t n)
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

static void set_bits(votable_reader *reader, votable_type from, votable_type to)
{
    for (size_t i = 0; i < reader->n_fields; i++)
        if (reader->fields[i].type == from && reader->fields[i].is_variable)
            reader->fields[i].type = to;
}

static votable_found read_row(votable_reader *reader, bool is_strict, size_t first, size_t *n_row)
{
    votable_take *take = is_strict ? NULL : reader->sink->take;
    return votable_row_read(reader->fields, reader->n_fields, reader->text == TEXT_BINARY2,
                            is_strict, reader->bytes + first, reader->n_bytes - first, take,
                            reader->sink->context, n_row);
}

/* Whether the first two rows of a table make sense; one is enough where there is no other. */
static votable_found try_rows(votable_reader *reader, bool is_last)
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
static bool settle_bits(votable_reader *reader, bool is_last)
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
static void take_rows(votable_reader *reader, bool is_last)
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
                                     "longer than can be meant, or of a type that is no number; "
                                     "is the file whole?",
                                     reader->path, reader->n_rows + 1));
            break;
        }
        used += n_row;
        add_row(reader, false, reader->n_rows + 1);
    }
    reader->n_bytes -= used;
    memmove(reader->bytes, reader->bytes + used, reader->n_bytes);
}

static void XMLCALL take_characters(void *data, const char *text, int n)
{
    votable_reader *reader = data;
    if (reader->text == TEXT_NOTHING || reader->status != EQUANT_SUCCESS ||
        !reserve(reader, (size_t)n + 3))
        return;
    if (reader->text == TEXT_CELL) {
        memcpy(reader->bytes + reader->n_bytes, text, (size_t)n);
        reader->n_bytes += (size_t)n;
    } else if (!base64_decode(&reader->letters, text, (size_t)n, reader->bytes, &reader->n_bytes)) {
        stop(reader, status_fail(EQUANT_ERROR_FORMAT, "%s:%zu: this is no base64", reader->path,
                                 line_of(reader)));
    }
}

static void end_cell(votable_reader *reader)
{
    reader->text = TEXT_NOTHING;
    size_t i = reader->cell++;
    if (i >= reader->n_fields || reader->fields[i].column == VOTABLE_NO_COLUMN)
        return;
    text_slice cell = {(const char *)reader->bytes, reader->n_bytes};
    stop(reader, reader->sink->take_text(reader->sink->context, reader->fields[i].column, cell,
                                         line_of(reader)));
}

static void end_row(votable_reader *reader)
{
    if (reader->cell == reader->n_fields)
        add_row(reader, true, line_of(reader));
    else
        stop(reader, status_fail(EQUANT_ERROR_FORMAT,
                                 "%s:%zu: this row has %zu cells, and the table %zu fields",
                                 reader->path, line_of(reader), reader->cell, reader->n_fields));
}

static void end_stream(votable_reader *reader)
{
    if (reader->text == TEXT_NOTHING)
        return;
    take_rows(reader, true);
    reader->text = TEXT_NOTHING;
    if (reader->n_bytes > 0 && reader->status == EQUANT_SUCCESS)
        stop(reader, status_fail(EQUANT_ERROR_FORMAT,
                                 "%s:%zu: the rows of this VOTable end within one, after %zu of "
                                 "them; the file is cut",
                                 reader->path, line_of(reader), reader->n_rows));
}

static void XMLCALL end_element(void *data, const char *full_name)
{
    votable_reader *reader = data;
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

void votable_reader_close(votable_reader *reader)
{
    if (reader == NULL)
        return;
    if (reader->parser != NULL)
        XML_ParserFree(reader->parser);
    fclose(reader->stream);
    free(reader->bytes);
    free(reader);
}

equant_status votable_reader_open(FILE *stream, const char *path, const votable_sink *sink,
                                  votable_reader **reader)
{
    votable_reader *made = calloc(1, sizeof *made);
    if (made == NULL) {
        fclose(stream);
        return status_out_of_memory();
    }
    *made = (votable_reader){.path = path, .sink = sink, .stream = stream};
    made->parser = XML_ParserCreate(NULL);
    if (made->parser == NULL) {
        votable_reader_close(made);
        return status_out_of_memory();
    }
    XML_SetUserData(made->parser, made);
    XML_SetElementHandler(made->parser, begin_element, end_element);
    XML_SetCharacterDataHandler(made->parser, take_characters);
    *reader = made;
    return EQUANT_SUCCESS;
}

static equant_status fail_to_parse(votable_reader *reader)
{
    if (reader->status != EQUANT_SUCCESS)
        return reader->status;
    enum XML_Error code = XML_GetErrorCode(reader->parser);
    if (code == XML_ERROR_NO_MEMORY)
        return status_out_of_memory();
    return status_fail(EQUANT_ERROR_FORMAT,
                       "%s:%zu: this VOTable is cut or broken (%s), after %zu rows; get it again",
                       reader->path, line_of(reader), XML_ErrorString(code), reader->n_rows);
}

equant_status votable_reader_step(votable_reader *reader, bool *is_at_end)
{
    void *buffer = XML_GetBuffer(reader->parser, PIECE_BYTES);
    if (buffer == NULL)
        return status_out_of_memory();
    size_t n = fread(buffer, 1, PIECE_BYTES, reader->stream);
    if (n == 0 && ferror(reader->stream))
        return input_stream_fail(reader->path, errno);
    *is_at_end = n == 0;
    if (XML_ParseBuffer(reader->parser, (int)n, n == 0) != XML_STATUS_OK)
        return fail_to_parse(reader);
    /* Rows of a long stream go on while it comes. */
    if (reader->text == TEXT_BINARY || reader->text == TEXT_BINARY2)
        take_rows(reader, false);
    return reader->status;
}
#endif
