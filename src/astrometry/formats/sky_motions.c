/* Rows of the Hipparcos-Gaia Catalogue of Accelerations, by cfitsio. */
#include "equant.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/status_fail.h"

#ifndef EQUANT_HAVE_CFITSIO

equant_status equant_sky_motions_read(const char *path, int64_t id, equant_sky_motions *motions)
{
    (void)id;
    (void)motions;
    return status_fail(EQUANT_ERROR_UNAVAILABLE,
                       "%s: this build of equant has no cfitsio, and reads no FITS files; install "
                       "it (libcfitsio-dev) and build again",
                       path != NULL ? path : "");
}

#else

#include <inttypes.h>

#include "core/files/fits_input.h"

#define PLACE(member) offsetof(equant_sky_motions, member)

enum { ROWS_AT_ONCE = 1024 };

static const struct {
    const char *name;
    size_t place; /* of a double */
} columns[] = {
    {"gaia_ra", PLACE(ra_deg)},
    {"gaia_dec", PLACE(dec_deg)},
    {"parallax_gaia", PLACE(parallax_mas)},
    {"parallax_gaia_error", PLACE(parallax_err_mas)},
    {"pmra_hip", PLACE(hipparcos_mas_yr[0])},
    {"pmdec_hip", PLACE(hipparcos_mas_yr[1])},
    {"pmra_hip_error", PLACE(hipparcos_err_mas_yr[0])},
    {"pmdec_hip_error", PLACE(hipparcos_err_mas_yr[1])},
    {"pmra_pmdec_hip", PLACE(hipparcos_correlation)},
    {"pmra_hg", PLACE(long_mas_yr[0])},
    {"pmdec_hg", PLACE(long_mas_yr[1])},
    {"pmra_hg_error", PLACE(long_err_mas_yr[0])},
    {"pmdec_hg_error", PLACE(long_err_mas_yr[1])},
    {"pmra_pmdec_hg", PLACE(long_correlation)},
    {"pmra_gaia", PLACE(gaia_mas_yr[0])},
    {"pmdec_gaia", PLACE(gaia_mas_yr[1])},
    {"pmra_gaia_error", PLACE(gaia_err_mas_yr[0])},
    {"pmdec_gaia_error", PLACE(gaia_err_mas_yr[1])},
    {"pmra_pmdec_gaia", PLACE(gaia_correlation)},
    {"epoch_ra_hip", PLACE(hipparcos_epoch_yr[0])},
    {"epoch_dec_hip", PLACE(hipparcos_epoch_yr[1])},
    {"epoch_ra_gaia", PLACE(gaia_epoch_yr[0])},
    {"epoch_dec_gaia", PLACE(gaia_epoch_yr[1])},
    {"chisq", PLACE(chi_square)},
};

static int find_column(fitsfile *file, const char *name, int *code)
{
    int place = 0;
    char pattern[32];
    snprintf(pattern, sizeof pattern, "%s", name);
    fits_get_colnum(file, CASEINSEN, pattern, &place, code);
    return place;
}

/* The row with this number in a column; 0 where there is none. It reads some rows at a time: how
 * many there are, only the header says, and a file may be cut. */
static LONGLONG find_row(fitsfile *file, const char *column, int64_t id, LONGLONG n_rows, int *code)
{
    LONGLONG numbers[ROWS_AT_ONCE];
    int place = find_column(file, column, code), any;
    for (LONGLONG done = 0; done < n_rows && *code == 0; done += ROWS_AT_ONCE) {
        LONGLONG n = n_rows - done < ROWS_AT_ONCE ? n_rows - done : ROWS_AT_ONCE;
        fits_read_col(file, TLONGLONG, place, done + 1, 1, n, NULL, numbers, &any, code);
        for (LONGLONG i = 0; i < n && *code == 0; i++)
            if (numbers[i] == id)
                return done + i + 1;
    }
    return 0;
}

static void read_row(fitsfile *file, LONGLONG row, equant_sky_motions *motions, int *code)
{
    int any;
    LONGLONG hip = 0, gaia = 0;
    fits_read_col(file, TLONGLONG, find_column(file, "hip_id", code), row, 1, 1, NULL, &hip, &any,
                  code);
    fits_read_col(file, TLONGLONG, find_column(file, "gaia_source_id", code), row, 1, 1, NULL,
                  &gaia, &any, code);
    motions->hip_id = hip;
    motions->gaia_id = gaia;
    for (size_t i = 0; i < sizeof columns / sizeof columns[0] && *code == 0; i++)
        fits_read_col(file, TDOUBLE, find_column(file, columns[i].name, code), row, 1, 1, NULL,
                      (char *)motions + columns[i].place, &any, code);
}

static equant_status check_row(const char *path, LONGLONG row, const equant_sky_motions *motions)
{
    const double *errors[] = {motions->hipparcos_err_mas_yr, motions->long_err_mas_yr,
                              motions->gaia_err_mas_yr};
    const double *values[] = {motions->hipparcos_mas_yr, motions->long_mas_yr,
                              motions->gaia_mas_yr};
    const double correlations[] = {motions->hipparcos_correlation, motions->long_correlation,
                                   motions->gaia_correlation};
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 2; k++)
            if (!isfinite(values[i][k]) || !(errors[i][k] > 0) || isinf(errors[i][k]) ||
                !(fabs(correlations[i]) < 1))
                return status_fail(EQUANT_ERROR_FORMAT,
                                   "%s: row %lld: a proper motion has no finite value, no error "
                                   "above zero, or no correlation within -1 and 1",
                                   path, (long long)row);
    return EQUANT_SUCCESS;
}

/* Goes to the first table of the file, and finds the row that is wanted in it. */
static LONGLONG go_to_row(fitsfile *file, int64_t id, int *code, LONGLONG *n_rows)
{
    int kind;
    fits_movabs_hdu(file, 2, &kind, code);
    find_column(file, "pmra_hg", code);
    fits_get_num_rowsll(file, n_rows, code);
    if (*code != 0)
        return 0;
    if (id == 0)
        return *n_rows == 1 ? 1 : 0;
    LONGLONG row = find_row(file, "hip_id", id, *n_rows, code);
    return row != 0 || *code != 0 ? row : find_row(file, "gaia_source_id", id, *n_rows, code);
}

equant_status equant_sky_motions_read(const char *path, int64_t id, equant_sky_motions *motions)
{
    if (path == NULL || motions == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "reading proper motions needs the name of a file and a place for them");
    equant_status status = OPTIONS_CHECK(motions);
    if (status != EQUANT_SUCCESS)
        return status;
    fits_input disk;
    int code = 0;
    equant_sky_motions read = {.struct_size = sizeof read};
    LONGLONG n_rows = 0, row = 0;
    char words[FLEN_STATUS] = "";
    status = fits_input_open(NULL, path, &disk, &code);
    if (status != EQUANT_SUCCESS)
        return status;
    if (code == 0) {
        row = go_to_row(disk.file, id, &code, &n_rows);
        if (row > 0)
            read_row(disk.file, row, &read, &code);
    }
    fits_input_close(&disk);
    fits_get_errstatus(code, words);
    if (code == FILE_NOT_OPENED)
        return status_fail(EQUANT_ERROR_IO, "%s: cannot be read", path);
    if (code != 0)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: this is no Hipparcos-Gaia Catalogue of Accelerations: %s", path,
                           words);
    if (row == 0 && id == 0)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "%s: there are %lld stars in this catalogue; say which by its number",
                           path, (long long)n_rows);
    if (row == 0)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: there is no star with the Hipparcos or Gaia number %" PRId64, path,
                           id);
    status = check_row(path, row, &read);
    if (status == EQUANT_SUCCESS)
        OPTIONS_FILL(read, motions);
    return status;
}

#endif
