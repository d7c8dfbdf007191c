/* Binary tables and tables of text of FITS, by cfitsio. */
#include "data/tables/fits_text.h"

#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"

bool fits_text_is(const char *head, size_t n_bytes)
{
    static const char beginning[] = "SIMPLE  =";
    return n_bytes >= sizeof beginning - 1 && memcmp(head, beginning, sizeof beginning - 1) == 0;
}

#ifndef EQUANT_HAVE_CFITSIO

equant_status fits_text_open(zip_archive *archive, const char *path, table_text *table,
                             fits_text **reader)
{
    (void)archive;
    (void)table;
    (void)reader;
    return status_fail(EQUANT_ERROR_UNAVAILABLE,
                       "%s: this is a FITS file, and this build of equant has no cfitsio; install "
                       "it (libcfitsio-dev) and build again, or take VOTable, ECSV or csv",
                       path);
}

equant_status fits_text_step(fits_text *reader, bool *is_at_end)
{
    (void)reader;
    *is_at_end = true;
    return EQUANT_SUCCESS;
}

void fits_text_close(fits_text *reader)
{
    (void)reader;
}

#else

#include "core/files/fits_input.h"

enum { MOST_COLUMNS = 1024, MOST_VALUES = 1 << 16, MOST_LETTERS = 1024 };

/* Nobody's value: whole numbers that the table has as missing. */
static const LONGLONG missing_whole = INT64_MIN;

typedef struct fits_column {
    int type;       /* of cfitsio */
    LONGLONG width; /* values of a cell; -1 where each cell has its own number */
} fits_column;

struct fits_text {
    const char *path;
    table_text *table;
    fits_input disk;
    fits_column columns[MOST_COLUMNS];
    LONGLONG row, n_rows;
    union {
        char flags[MOST_VALUES];
        LONGLONG whole[MOST_VALUES];
        double real[MOST_VALUES];
    } values;
};

static equant_status fail(const fits_text *reader, int code)
{
    char words[FLEN_STATUS] = "";
    fits_get_errstatus(code, words);
    if (reader->row > 0)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: row %lld: the FITS table cannot be read: %s; is the file whole?",
                           reader->path, (long long)reader->row, words);
    return status_fail(EQUANT_ERROR_FORMAT, "%s: this FITS file cannot be read: %s; is it whole?",
                       reader->path, words);
}

/* ---- the table --------------------------------------------------------- */

static void read_key(const fits_text *reader, const char *stem, int i, char value[FLEN_VALUE],
                     int *code)
{
    char key[FLEN_KEYWORD];
    value[0] = '\0';
    fits_make_keyn(stem, i, key, code);
    if (fits_read_key(reader->disk.file, TSTRING, key, value, NULL, code) == KEY_NO_EXIST)
        *code = 0;
}

/* The columns of the table at which the file stands; whether it is the one that is wanted. */
static bool take_columns(fits_text *reader, int *code)
{
    int n = 0;
    fits_get_num_cols(reader->disk.file, &n, code);
    fits_get_num_rowsll(reader->disk.file, &reader->n_rows, code);
    table_text_begin(reader->table);
    if (n > MOST_COLUMNS)
        return false;
    for (int i = 1; i <= n && *code == 0; i++) {
        char name[FLEN_VALUE], unit[FLEN_VALUE];
        fits_column *column = &reader->columns[i - 1];
        LONGLONG repeat = 0, bytes = 0;
        read_key(reader, "TTYPE", i, name, code);
        read_key(reader, "TUNIT", i, unit, code);
        fits_get_eqcoltypell(reader->disk.file, i, &column->type, &repeat, &bytes, code);
        column->width = column->type < 0 ? -1 : repeat;
        column->type = abs(column->type);
        table_text_column(reader->table, name, unit);
    }
    return *code == 0 && table_text_accept(reader->table);
}

static equant_status find_table(fits_text *reader)
{
    int code = 0, n_parts = 0, kind;
    fits_get_num_hdus(reader->disk.file, &n_parts, &code);
    for (int i = 2; i <= n_parts && code == 0; i++) {
        fits_movabs_hdu(reader->disk.file, i, &kind, &code);
        if (code == 0 && kind != IMAGE_HDU && take_columns(reader, &code))
            return EQUANT_SUCCESS;
    }
    if (code != 0)
        return fail(reader, code);
    if (fits_input_is_cut(&reader->disk, reader->path))
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: this FITS file is cut: it ends before what its headers announce; "
                           "get it again",
                           reader->path);
    return status_fail(
        EQUANT_ERROR_FORMAT,
        "%s: this FITS file has no table of velocities or epoch astrometry: no column is "
        "called rv, radial_velocity or vrad, or obs_time_tcb",
        reader->path);
}

void fits_text_close(fits_text *reader)
{
    if (reader == NULL)
        return;
    fits_input_close(&reader->disk);
    free(reader);
}

equant_status fits_text_open(zip_archive *archive, const char *path, table_text *table,
                             fits_text **reader)
{
    fits_text *made = calloc(1, sizeof *made);
    if (made == NULL)
        return status_out_of_memory();
    made->path = path;
    made->table = table;
    int code = 0;
    equant_status status = fits_input_open(archive, path, &made->disk, &code);
    if (status == EQUANT_SUCCESS)
        status = code == 0 ? find_table(made) : fail(made, code);
    if (status == EQUANT_SUCCESS)
        *reader = made;
    else
        fits_text_close(made);
    return status;
}

/* ---- rows -------------------------------------------------------------- */

static bool is_whole(int type)
{
    return type == TBYTE || type == TSBYTE || type == TSHORT || type == TUSHORT || type == TINT ||
           type == TUINT || type == TLONG || type == TULONG || type == TLONGLONG;
}

static void read_letters(fits_text *reader, int place, int *code)
{
    char letters[MOST_LETTERS + 1] = "", *cells[] = {letters};
    int any;
    fits_read_col(reader->disk.file, TSTRING, place, reader->row, 1, 1, NULL, cells, &any, code);
    letters[MOST_LETTERS] = '\0';
    table_text_word(reader->table, (text_slice){letters, strlen(letters)});
}

static void read_flags(fits_text *reader, int place, int type, LONGLONG n, int *code)
{
    char none = 2;
    int any;
    fits_read_col(reader->disk.file, type, place, reader->row, 1, n, &none, reader->values.flags,
                  &any, code);
    for (LONGLONG i = 0; i < n; i++) {
        char flag = reader->values.flags[i];
        const char *word = flag == 1 ? "true" : flag == 0 ? "false" : n > 1 ? "null" : "";
        table_text_between(reader->table, (size_t)i, (size_t)n);
        table_text_word(reader->table, (text_slice){word, strlen(word)});
    }
}

static void read_whole(fits_text *reader, int place, LONGLONG n, int *code)
{
    LONGLONG none = missing_whole;
    int any;
    fits_read_col(reader->disk.file, TLONGLONG, place, reader->row, 1, n, &none,
                  reader->values.whole, &any, code);
    for (LONGLONG i = 0; i < n; i++) {
        table_text_between(reader->table, (size_t)i, (size_t)n);
        if (reader->values.whole[i] != missing_whole)
            table_text_whole(reader->table, reader->values.whole[i]);
        else if (n > 1)
            table_text_word(reader->table, (text_slice){"null", 4});
    }
}

static void read_real(fits_text *reader, int place, bool is_single, LONGLONG n, int *code)
{
    int any;
    fits_read_col(reader->disk.file, TDOUBLE, place, reader->row, 1, n, NULL, reader->values.real,
                  &any, code);
    for (LONGLONG i = 0; i < n; i++) {
        table_text_between(reader->table, (size_t)i, (size_t)n);
        table_text_real(reader->table, reader->values.real[i], is_single);
    }
}

static equant_status read_cell(fits_text *reader, int place, int *code)
{
    const fits_column *column = &reader->columns[place - 1];
    LONGLONG n = column->width, offset;
    table_text_begin_cell(reader->table);
    if (n < 0)
        fits_read_descriptll(reader->disk.file, place, reader->row, &n, &offset, code);
    if (*code != 0 || n == 0)
        return EQUANT_SUCCESS;
    if (column->type == TSTRING) {
        if (n <= MOST_LETTERS)
            read_letters(reader, place, code);
        return EQUANT_SUCCESS;
    }
    if (n < 0 || n > MOST_VALUES)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: row %lld: column %d has %lld values; no series is so long",
                           reader->path, (long long)reader->row, place, (long long)n);
    if (column->type == TLOGICAL || column->type == TBIT)
        read_flags(reader, place, column->type, n, code);
    else if (is_whole(column->type))
        read_whole(reader, place, n, code);
    else if (column->type == TFLOAT || column->type == TDOUBLE)
        read_real(reader, place, column->type == TFLOAT, n, code);
    else
        return EQUANT_SUCCESS; /* complex numbers are of no use */
    table_text_between(reader->table, (size_t)n, (size_t)n);
    return EQUANT_SUCCESS;
}

equant_status fits_text_step(fits_text *reader, bool *is_at_end)
{
    int code = 0;
    *is_at_end = reader->row == reader->n_rows;
    if (*is_at_end)
        return EQUANT_SUCCESS;
    reader->row++;
    equant_status status = EQUANT_SUCCESS;
    for (int i = 1; i <= (int)reader->table->n_columns && status == EQUANT_SUCCESS && code == 0;
         i++)
        status = read_cell(reader, i, &code);
    if (status != EQUANT_SUCCESS)
        return status;
    if (code != 0)
        return fail(reader, code);
    table_text_end_row(reader->table);
    return reader->table->lines.has_failed ? status_out_of_memory() : EQUANT_SUCCESS;
}
#endif
