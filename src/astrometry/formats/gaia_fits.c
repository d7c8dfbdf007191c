/* Gaia's epoch astrometry as a binary table of FITS, by cfitsio. */
#include "astrometry/formats/sky_format.h"

#include <stdlib.h>
#include <string.h>

#include "astrometry/formats/gaia_source.h"
#include "core/status_fail.h"
#include "data/tables/fits_text.h"

/* Tables of velocities are FITS files, too. */
static bool gaia_fits_is(const char *head, size_t n_bytes)
{
    return fits_text_is(head, n_bytes) && gaia_columns_are_in(head, n_bytes);
}

#ifndef EQUANT_HAVE_CFITSIO

static equant_status gaia_fits_open(const sky_input *input, void **state)
{
    (void)state;
    return status_fail(EQUANT_ERROR_UNAVAILABLE,
                       "%s: this is a FITS file, and this build of equant has no cfitsio; install "
                       "it (libcfitsio-dev) and build again, or take VOTable, ECSV or csv",
                       input->path);
}

const sky_format gaia_fits_format = {.is = gaia_fits_is, .open = gaia_fits_open};

const sky_format other_fits_format = {.is = fits_text_is, .is_guess = true, .open = gaia_fits_open};

#else

#include "core/files/fits_input.h"

typedef struct gaia_fits {
    const sky_input *input;
    fits_input disk;
    fitsfile *file;            /* of `disk` */
    int place[GAIA_N_COLUMNS]; /* of each column, counted from 1; 0: none */
    int type[GAIA_N_COLUMNS];
    LONGLONG width[GAIA_N_COLUMNS]; /* values of a cell; -1 where each cell has its own number */
    LONGLONG row, n_rows;
    bool has_motions; /* the file is something else that is known */
    gaia_source source;
    gaia_transit transit;
} gaia_fits;

/* Nobody's value: whole numbers that the table has as missing. */
static const LONGLONG missing_whole = INT64_MIN;

static equant_status fail(const gaia_fits *reader, int code)
{
    char words[FLEN_STATUS] = "";
    fits_get_errstatus(code, words);
    if (reader->row > 0)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: row %lld: the FITS table cannot be read: %s; is the file whole?",
                           reader->input->path, (long long)reader->row, words);
    return status_fail(EQUANT_ERROR_FORMAT, "%s: this FITS file cannot be read: %s; is it whole?",
                       reader->input->path, words);
}

/* ---- the table --------------------------------------------------------- */

/* Columns of the table at which the file stands; false when they are of something else. */
static bool take_columns(gaia_fits *reader, int *code)
{
    int n_columns = 0;
    bool has[GAIA_N_COLUMNS] = {false};
    const char *missing;
    memset(reader->place, 0, sizeof reader->place);
    fits_get_num_cols(reader->file, &n_columns, code);
    fits_get_num_rowsll(reader->file, &reader->n_rows, code);
    for (int i = 1; i <= n_columns && *code == 0; i++) {
        char key[FLEN_KEYWORD], name[FLEN_VALUE] = "";
        fits_make_keyn("TTYPE", i, key, code);
        if (fits_read_key(reader->file, TSTRING, key, name, NULL, code) == KEY_NO_EXIST)
            *code = 0; /* a column without a name */
        reader->has_motions = reader->has_motions || strcmp(name, "pmra_hg") == 0;
        gaia_column column = gaia_column_of(text_trim((text_slice){name, strlen(name)}));
        if (*code != 0 || column == GAIA_NO_COLUMN || has[column])
            continue;
        LONGLONG repeat = 0, bytes = 0;
        fits_get_eqcoltypell(reader->file, i, &reader->type[column], &repeat, &bytes, code);
        bool is_variable = reader->type[column] < 0;
        reader->type[column] = abs(reader->type[column]);
        reader->width[column] = is_variable ? -1 : repeat;
        reader->place[column] = i;
        has[column] = true;
    }
    return *code == 0 && gaia_columns_suffice(has, &missing);
}

static bool is_cut(const gaia_fits *reader)
{
    return fits_input_is_cut(&reader->disk, reader->input->path);
}

static equant_status fail_cut(const gaia_fits *reader)
{
    return status_fail(EQUANT_ERROR_FORMAT,
                       "%s: this FITS file is cut: it ends before what its headers announce; get "
                       "it again",
                       reader->input->path);
}

static equant_status find_table(gaia_fits *reader)
{
    int code = 0, n_parts = 0, kind;
    fits_get_num_hdus(reader->file, &n_parts, &code);
    for (int i = 2; i <= n_parts && code == 0; i++) {
        fits_movabs_hdu(reader->file, i, &kind, &code);
        if (code == 0 && kind == BINARY_TBL && take_columns(reader, &code))
            return reader->n_rows == 0 && is_cut(reader) ? fail_cut(reader) : EQUANT_SUCCESS;
    }
    if (code != 0)
        return fail(reader, code);
    if (is_cut(reader))
        return fail_cut(reader);
    return status_fail(EQUANT_ERROR_FORMAT, "%s: this FITS file has no table of epoch astrometry%s",
                       reader->input->path,
                       reader->has_motions ? ", but proper motions of the Hipparcos-Gaia Catalogue "
                                             "of Accelerations, which equant_sky_motions_read reads"
                                           : ": none with columns obs_time_tcb, centroid_pos_al, "
                                             "centroid_pos_error_al and scan_pos_angle");
}

static void gaia_fits_close(void *state)
{
    gaia_fits *reader = state;
    fits_input_close(&reader->disk);
    gaia_source_free(&reader->source);
    free(reader);
}

static equant_status gaia_fits_open(const sky_input *input, void **state)
{
    gaia_fits *reader = calloc(1, sizeof *reader);
    if (reader == NULL)
        return status_out_of_memory();
    reader->input = input;
    reader->source.input = input;
    reader->source.format = "Gaia DR4 epoch astrometry, FITS";
    int code = 0;
    equant_status status = fits_input_open(input->archive, input->path, &reader->disk, &code);
    reader->file = reader->disk.file;
    if (status == EQUANT_SUCCESS)
        status = code == 0 ? find_table(reader) : fail(reader, code);
    if (status == EQUANT_SUCCESS)
        *state = reader;
    else
        gaia_fits_close(reader);
    return status;
}

/* ---- rows -------------------------------------------------------------- */

static bool is_flag(int type)
{
    return type == TLOGICAL || type == TBIT;
}

static bool is_whole(int type)
{
    return type == TBYTE || type == TSBYTE || type == TSHORT || type == TUSHORT || type == TINT ||
           type == TUINT || type == TLONG || type == TULONG || type == TLONGLONG;
}

/* Whole numbers as such: they have more digits than a double. */
static void read_cell(gaia_fits *reader, gaia_column column, LONGLONG n, int *code)
{
    gaia_cell *cell = &reader->transit.cells[column];
    int place = reader->place[column], type = reader->type[column], any;
    union {
        char flags[GAIA_MOST_CCDS];
        LONGLONG whole[GAIA_MOST_CCDS];
        double real[GAIA_MOST_CCDS];
    } values = {{0}};
    cell->n = 0;
    if (n == 0) {
        gaia_cell_add_missing(cell);
        return;
    }
    if (is_flag(type)) {
        char none = 0;
        fits_read_col(reader->file, type, place, reader->row, 1, n, &none, values.flags, &any,
                      code);
        for (LONGLONG i = 0; i < n; i++)
            gaia_cell_add_whole(cell, values.flags[i] == 1);
    } else if (is_whole(type)) {
        LONGLONG none = missing_whole;
        fits_read_col(reader->file, TLONGLONG, place, reader->row, 1, n, &none, values.whole, &any,
                      code);
        for (LONGLONG i = 0; i < n; i++)
            if (values.whole[i] == missing_whole)
                gaia_cell_add_missing(cell);
            else
                gaia_cell_add_whole(cell, values.whole[i]);
    } else {
        fits_read_col(reader->file, TDOUBLE, place, reader->row, 1, n, NULL, values.real, &any,
                      code);
        for (LONGLONG i = 0; i < n; i++)
            gaia_cell_add_real(cell, values.real[i]);
    }
}

static equant_status gaia_fits_step(void *state, bool *is_at_end)
{
    gaia_fits *reader = state;
    int code = 0;
    *is_at_end = reader->row == reader->n_rows;
    if (*is_at_end)
        return gaia_source_end(&reader->source);
    reader->row++;
    for (int i = 0; i < GAIA_N_COLUMNS && code == 0; i++) {
        LONGLONG n = reader->width[i], offset;
        if (reader->place[i] == 0)
            continue;
        if (n < 0)
            fits_read_descriptll(reader->file, reader->place[i], reader->row, &n, &offset, &code);
        if (code == 0 && (n < 0 || n > GAIA_MOST_CCDS))
            return status_fail(EQUANT_ERROR_FORMAT,
                               "%s: row %lld: %s has %lld values; a transit has ten CCDs",
                               reader->input->path, (long long)reader->row,
                               gaia_column_name((gaia_column)i), (long long)n);
        if (code == 0)
            read_cell(reader, (gaia_column)i, n, &code);
    }
    if (code != 0)
        return fail(reader, code);
    gaia_place place = {false, (size_t)reader->row};
    return gaia_source_add(&reader->source, &reader->transit, &place);
}

const sky_format gaia_fits_format = {
    .is = gaia_fits_is, .open = gaia_fits_open, .step = gaia_fits_step, .close = gaia_fits_close};

const sky_format other_fits_format = {.is = fits_text_is,
                                      .is_guess = true,
                                      .open = gaia_fits_open,
                                      .step = gaia_fits_step,
                                      .close = gaia_fits_close};
#endif
