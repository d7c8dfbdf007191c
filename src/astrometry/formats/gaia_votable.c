/* Gaia's epoch astrometry as VOTable. */
#include <stdlib.h>
#include <string.h>

#include "astrometry/formats/gaia_source.h"
#include "astrometry/formats/sky_format.h"
#include "core/files/input_stream.h"
#include "core/status_fail.h"
#include "data/tables/votable_reader.h"

typedef struct gaia_votable {
    const sky_input *input;
    votable_sink sink;
    votable_reader *reader;
    bool has[GAIA_N_COLUMNS];
    bool has_table;      /* with all columns */
    const char *missing; /* of the last table that lacked one */
    gaia_source source;
    gaia_transit transit;
} gaia_votable;

/* Tables of velocities are VOTables, too. */
static bool gaia_votable_is(const char *head, size_t n_bytes)
{
    return votable_reader_is(head, n_bytes) && gaia_columns_are_in(head, n_bytes);
}

/* ---- the sink ---------------------------------------------------------- */

static void begin_table(void *context)
{
    gaia_votable *table = context;
    memset(table->has, 0, sizeof table->has);
    memset(&table->transit, 0, sizeof table->transit);
}

static int take_field(void *context, const char *name, const char *unit)
{
    gaia_votable *table = context;
    (void)unit;
    gaia_column column =
        name != NULL ? gaia_column_of((text_slice){name, strlen(name)}) : GAIA_NO_COLUMN;
    if (column == GAIA_NO_COLUMN || table->has[column])
        return VOTABLE_NO_COLUMN;
    table->has[column] = true;
    return (int)column;
}

static bool begin_rows(void *context)
{
    gaia_votable *table = context;
    bool suffices = gaia_columns_suffice(table->has, &table->missing);
    table->has_table = table->has_table || suffices;
    return suffices;
}

static equant_status take_text(void *context, int column, text_slice cell, size_t line)
{
    gaia_votable *table = context;
    char shown[40];
    if (gaia_cell_read(cell, (gaia_column)column, &table->transit.cells[column]))
        return EQUANT_SUCCESS;
    return status_fail(EQUANT_ERROR_FORMAT,
                       "%s:%zu: %s is '%s', which is neither a number nor an array of at most %d",
                       table->input->path, line, gaia_column_name((gaia_column)column),
                       text_show(cell, shown, sizeof shown), GAIA_MOST_CCDS);
}

/* Arrays may also be written as text within a cell. */
static bool take_cell(void *context, const votable_field *field, const unsigned char *bytes,
                      size_t n)
{
    gaia_votable *table = context;
    gaia_cell *cell = &table->transit.cells[field->column];
    cell->n = 0;
    if (field->type == VOTABLE_CHAR && bytes != NULL)
        return gaia_cell_read((text_slice){(const char *)bytes, n}, (gaia_column)field->column,
                              cell);
    if (n > GAIA_MOST_CCDS || (bytes != NULL && !votable_type_is_number(field->type)))
        return false;
    for (size_t i = 0; i < n; i++) {
        votable_number value = votable_value(field->type, bytes, i);
        if (value.is_whole)
            gaia_cell_add_whole(cell, value.whole);
        else
            gaia_cell_add_real(cell, value.real);
    }
    if (n == 0)
        gaia_cell_add_missing(cell);
    return true;
}

static equant_status end_row(void *context, bool is_line, size_t number)
{
    gaia_votable *table = context;
    return gaia_source_add(&table->source, &table->transit, &(gaia_place){is_line, number});
}

/* ---- the file ---------------------------------------------------------- */

static void gaia_votable_close(void *state)
{
    gaia_votable *table = state;
    votable_reader_close(table->reader);
    gaia_source_free(&table->source);
    free(table);
}

static equant_status gaia_votable_open(const sky_input *input, void **state)
{
    gaia_votable *table = calloc(1, sizeof *table);
    FILE *stream = NULL;
    if (table == NULL)
        return status_out_of_memory();
    table->input = input;
    table->source.input = input;
    table->source.format = "Gaia DR4 epoch astrometry, VOTable";
    table->sink =
        (votable_sink){table, begin_table, take_field, begin_rows, take_text, take_cell, end_row};
    equant_status status = input_stream_open_in(input->archive, input->path, &stream);
    if (status == EQUANT_SUCCESS)
        status = votable_reader_open(stream, input->path, &table->sink, &table->reader);
    if (status != EQUANT_SUCCESS) {
        gaia_votable_close(table);
        return status;
    }
    *state = table;
    return EQUANT_SUCCESS;
}

static equant_status gaia_votable_step(void *state, bool *is_at_end)
{
    gaia_votable *table = state;
    equant_status status = votable_reader_step(table->reader, is_at_end);
    if (status != EQUANT_SUCCESS || !*is_at_end)
        return status;
    if (table->has_table)
        return gaia_source_end(&table->source);
    return status_fail(EQUANT_ERROR_FORMAT,
                       "%s: this VOTable has no table of epoch astrometry: there is no field %s",
                       table->input->path,
                       table->missing != NULL ? table->missing : "obs_time_tcb");
}

const sky_format gaia_votable_format = {.is = gaia_votable_is,
                                        .open = gaia_votable_open,
                                        .step = gaia_votable_step,
                                        .close = gaia_votable_close};

const sky_format other_votable_format = {.is = votable_reader_is,
                                         .is_guess = true,
                                         .open = gaia_votable_open,
                                         .step = gaia_votable_step,
                                         .close = gaia_votable_close};
