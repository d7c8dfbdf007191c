#include "data/tables/votable_text.h"

#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "data/tables/votable_reader.h"

struct votable_text {
    const char *path;
    table_text *table;
    votable_sink sink;
    votable_reader *reader;
};

static void begin_table(void *context)
{
    votable_text *text = context;
    table_text_begin(text->table);
}

static int take_field(void *context, const char *name, const char *unit)
{
    votable_text *text = context;
    table_text_column(text->table, name, unit);
    return (int)text->table->n_columns;
}

static bool begin_rows(void *context)
{
    votable_text *text = context;
    return table_text_accept(text->table);
}

static equant_status take_text(void *context, int column, text_slice cell, size_t line)
{
    votable_text *text = context;
    (void)column;
    (void)line;
    table_text_begin_cell(text->table);
    table_text_word(text->table, cell);
    return EQUANT_SUCCESS;
}

/* T, t and 1 are true, F, f and 0 false, and all else is no value. */
static void add_flag(table_text *table, unsigned char flag, bool is_alone)
{
    const char *word = flag != 0 && strchr("Tt1", flag) != NULL   ? "true"
                       : flag != 0 && strchr("Ff0", flag) != NULL ? "false"
                       : is_alone                                 ? ""
                                                                  : "null";
    table_text_word(table, (text_slice){word, strlen(word)});
}

static void add_letters(table_text *table, const votable_field *field, const unsigned char *bytes,
                        size_t n)
{
    size_t step = field->type == VOTABLE_UNICODE ? 2 : 1; /* of these, what ASCII has */
    char letters[256];
    size_t n_letters = 0;
    for (size_t i = 0; i < n && n_letters < sizeof letters; i++) {
        const unsigned char *letter = bytes + step * i;
        if (letter[step - 1] == '\0')
            break;
        letters[n_letters++] = step == 2 && letter[0] != 0 ? '?' : (char)letter[step - 1];
    }
    table_text_word(table, (text_slice){letters, n_letters});
}

static bool take_cell(void *context, const votable_field *field, const unsigned char *bytes,
                      size_t n)
{
    votable_text *text = context;
    table_text *table = text->table;
    table_text_begin_cell(table);
    if (bytes == NULL || field->type >= VOTABLE_COMPLEX)
        return true;
    if (!votable_type_is_number(field->type)) {
        add_letters(table, field, bytes, n);
        return true;
    }
    for (size_t i = 0; i < n; i++) {
        votable_number value = votable_value(field->type, bytes, i);
        table_text_between(table, i, n);
        if (field->type == VOTABLE_BOOLEAN)
            add_flag(table, bytes[i], n == 1);
        else if (value.is_whole)
            table_text_whole(table, value.whole);
        else
            table_text_real(table, value.real, field->type == VOTABLE_FLOAT);
    }
    table_text_between(table, n, n);
    return true;
}

static equant_status end_row(void *context, bool is_line, size_t number)
{
    votable_text *text = context;
    (void)is_line;
    (void)number;
    table_text_end_row(text->table);
    return text->table->lines.has_failed ? status_out_of_memory() : EQUANT_SUCCESS;
}

void votable_text_close(votable_text *reader)
{
    if (reader == NULL)
        return;
    votable_reader_close(reader->reader);
    free(reader);
}

equant_status votable_text_open(FILE *stream, const char *path, table_text *table,
                                votable_text **reader)
{
    votable_text *made = calloc(1, sizeof *made);
    if (made == NULL) {
        fclose(stream);
        return status_out_of_memory();
    }
    *made = (votable_text){.path = path, .table = table};
    made->sink =
        (votable_sink){made, begin_table, take_field, begin_rows, take_text, take_cell, end_row};
    equant_status status = votable_reader_open(stream, path, &made->sink, &made->reader);
    if (status == EQUANT_SUCCESS)
        *reader = made;
    else
        votable_text_close(made);
    return status;
}

equant_status votable_text_step(votable_text *reader, bool *is_at_end)
{
    equant_status status = votable_reader_step(reader->reader, is_at_end);
    if (status == EQUANT_SUCCESS && *is_at_end && !reader->table->has_table)
        return status_fail(
            EQUANT_ERROR_FORMAT,
            "%s: this VOTable has no table of velocities or epoch astrometry: no field is "
            "called rv, radial_velocity or vrad, or obs_time_tcb",
            reader->path);
    return status;
}
