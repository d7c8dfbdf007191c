/* Hipparcos: the three kinds of files, errors that are inflated, and the repair of files whose last
 * residuals repeat. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/astrometry/sky_file.h"

#define HEAD(numbers, counts, var)                                                                 \
    "# This file contains residual records\n#\n# HIP    MCE    NRES NC isol_n SCE  F2     F1\n"    \
    "# " numbers "\n# Hp      B-V    VarAnn NOB NR\n# " counts "\n"                                \
    "# RAdeg DEdeg Plx\n# 1 2 3 4 5 .1 .1 .1 .1 .1 --- --- --- --- --- --- --- --- --- --- "       \
    "--- --- " var "\n#\n# IORB   EPOCH    PARF    CPSI    SPSI     RES   SRES\n"
#define SCANS                                                                                      \
    "   133 -1.0000  0.6262  1.0000  0.0000   -0.50   1.00\n"                                      \
    "   134  0.5000  0.6262  0.6000 -0.8000    0.25   2.00\n"                                      \
    "   135  1.0000  0.6262  0.0000  1.0000    0.25  -1.00\n"

static void scans_of_2014(void **state)
{
    (void)state;
    sky_file file = sky_file_read(HEAD("27321 27251 3 1 5 0 0.00 0", "3.9 0.1 0 3 1", "---") SCANS);
    equant_sky_rows rows = {.struct_size = sizeof rows};
    if (file.status != EQUANT_SUCCESS)
        fail_msg("%s", equant_last_error());
    assert_int_equal(file.is_recognised, 1);
    equant_astrometry_rows(file.sources[0], &rows);
    assert_int_equal(rows.n_rows, 2);
    assert_true(rows.time_days[0] == -365.25);
    /* RES, and the catalogue's parallax of 3 mas and motion of 4 and 5 mas/yr */
    assert_float_equal(rows.abscissa_mas[0], -0.5 + 3 * 0.6262 - 4, 1e-14);
    assert_float_equal(rows.abscissa_mas[1], 0.25 + 3 * 0.6262 + 0.5 * (4 * 0.6 - 5 * 0.8), 1e-14);
    assert_int_equal(equant_astrometry_lacks_parallax(file.sources[0]), 0);
    /* CPSI is the share of right ascension */
    assert_float_equal(sin(rows.angle_rad[0]), 1, 1e-15);
    assert_float_equal(sin(rows.angle_rad[1]), 0.6, 1e-12);
    assert_float_equal(cos(rows.angle_rad[1]), -0.8, 1e-12);
    assert_true(rows.uncertainty_mas[1] == 2);
    assert_true(equant_astrometry_reference_jd(file.sources[0]) == 2448349.0625);
    assert_string_equal(equant_astrometry_name(file.sources[0]), "HIP 27321");
    assert_true(sky_file_says(file.sources[0], "left out: 1 of 3 scans"));
    assert_true(sky_file_says(file.sources[0], "multiplied by 1.0000"));
    sky_file_free(&file);
}

static void errors_follow_the_goodness_of_fit(void **state)
{
    (void)state;
    static const char text[] =
        "  100    99   8 1   5    0  3.00  0           \n"
        " 1 -1.0 0.1 1.0 0.0 0.5 1.0\n 1 -0.9 0.1 1.0 0.0 0.5 1.0\n 1 -0.8 0.1 1.0 0.0 0.5 1.0\n"
        " 1 -0.7 0.1 1.0 0.0 0.5 1.0\n 1 -0.6 0.1 1.0 0.0 0.5 1.0\n 1 -0.5 0.1 1.0 0.0 0.5 1.0\n"
        " 1 -0.4 0.1 1.0 0.0 0.5 1.0\n 1 -0.3 0.1 1.0 0.0 0.5 1.0\n";
    sky_file file = sky_file_read(text);
    equant_sky_rows rows = {.struct_size = sizeof rows};
    assert_int_equal(file.status, EQUANT_SUCCESS);
    equant_astrometry_rows(file.sources[0], &rows);
    /* nu = 3: (3 sqrt(2/27) + 1 - 2/27)^1.5 */
    assert_float_equal(rows.uncertainty_mas[0], pow(3 * sqrt(2 / 27.0) + 25 / 27.0, 1.5), 1e-14);
    /* a file of 2007 does not tell its catalogue's solution */
    assert_true(rows.abscissa_mas[0] == 0.5);
    assert_int_equal(equant_astrometry_lacks_parallax(file.sources[0]), 1);
    sky_file_free(&file);
    equant_sky_reading options = {.struct_size = sizeof options, .keep_uncertainties = 1};
    file = sky_file_read_bytes(text, sizeof text - 1, &options);
    equant_astrometry_rows(file.sources[0], &rows);
    assert_true(rows.uncertainty_mas[0] == 1);
    sky_file_free(&file);
    options.catalogue_parallax_mas = 20;
    file = sky_file_read_bytes(text, sizeof text - 1, &options);
    equant_astrometry_rows(file.sources[0], &rows);
    assert_float_equal(rows.abscissa_mas[0], 0.5 + 20 * 0.1, 1e-14);
    assert_int_equal(equant_astrometry_lacks_parallax(file.sources[0]), 0);
    sky_file_free(&file);
    options.catalogue_parallax_mas = -20;
    file = sky_file_read_bytes(text, sizeof text - 1, &options);
    assert_int_equal(file.status, EQUANT_ERROR_INVALID_ARGUMENT);
    /* Stochastic solutions: 0.8^2 = 1 - 0.6^2. */
    file = sky_file_read(HEAD("1 1 3 1 1 0 0.00 0", "3.9 0.1 0 3 1", "0.6") SCANS);
    equant_astrometry_rows(file.sources[0], &rows);
    assert_float_equal(rows.uncertainty_mas[0], 0.8, 1e-14);
    assert_true(sky_file_says(file.sources[0], "dispersion of 0.6 mas"));
    sky_file_free(&file);
}

static void another_star_is_not_in_the_file(void **state)
{
    (void)state;
    static const char text[] = HEAD("27321 27251 3 1 5 0 0.00 0", "3.9 0.1 0 3 1", "---") SCANS;
    equant_sky_reading options = {.struct_size = sizeof options, .source_id = 27321};
    sky_file file = sky_file_read_bytes(text, sizeof text - 1, &options);
    assert_int_equal(file.n, 1);
    sky_file_free(&file);
    options.source_id = 27322;
    file = sky_file_read_bytes(text, sizeof text - 1, &options);
    assert_int_equal(file.status, EQUANT_ERROR_FORMAT);
    assert_non_null(strstr(equant_last_error(), "there is no source 27322"));
}

static void cut_files_are_refused(void **state)
{
    (void)state;
    sky_file_refuse(HEAD("27321 27251 4 1 5 0 0.00 0", "3.9 0.1 0 4 1", "---") SCANS,
                    "says that there are 4 scans, and there are 3");
    sky_file_refuse(HEAD("27321 27251 3 1 5 0 0.00 0", "3.9 0.1 0 3 1", "---") SCANS "133 -1.0",
                    ":14: a scan of Hipparcos has seven numbers");
}

/* ---- the repair -------------------------------------------------------- */

enum { N_SCANS = 60, N_LOST = 3 };

/* Residuals orthogonal to the five parameters, by taking those out one after another. */
static void make_orthogonal(double columns[5][N_SCANS], double residual[N_SCANS], size_t n)
{
    for (size_t i = 0; i < 5; i++) {
        for (size_t k = 0; k < i; k++) {
            double dot = 0;
            for (size_t r = 0; r < n; r++)
                dot += columns[i][r] * columns[k][r];
            for (size_t r = 0; r < n; r++)
                columns[i][r] -= dot * columns[k][r];
        }
        double square = 0, dot = 0;
        for (size_t r = 0; r < n; r++)
            square += columns[i][r] * columns[i][r];
        for (size_t r = 0; r < n; r++)
            dot += (columns[i][r] /= sqrt(square)) * residual[r];
        for (size_t r = 0; r < n; r++)
            residual[r] -= dot * columns[i][r];
    }
}

static void scans_that_lost_their_residuals_are_found(void **state)
{
    (void)state;
    static const size_t lost[N_LOST] = {4, 31, 32};
    static char text[16384];
    double epoch[N_SCANS], angle[N_SCANS], columns[5][N_SCANS], residual[N_SCANS];
    size_t kept[N_SCANS], n = 0;
    uint32_t bits = 7;
    for (size_t i = 0; i < N_SCANS; i++) {
        epoch[i] = -1.2 + 3.0 * (double)i / N_SCANS;
        angle[i] = round(1e4 * sin(2.4 * (double)i)) / 1e4;
        if (i != lost[0] && i != lost[1] && i != lost[2])
            kept[n++] = i;
    }
    for (size_t r = 0; r < n; r++) {
        double east = cos(angle[kept[r]]), north = sin(angle[kept[r]]), t = epoch[kept[r]];
        const double terms[5] = {0.6 * cos(6.3 * t), east, north, t * east, t * north};
        for (size_t i = 0; i < 5; i++)
            columns[i][r] = terms[i];
        bits = bits * 1664525u + 1013904223u;
        residual[r] = 4.0 * ((double)(bits >> 8) / (1 << 24) - 0.5);
    }
    make_orthogonal(columns, residual, n);
    size_t used = (size_t)snprintf(text, sizeof text, "%s",
                                   HEAD("7 7 60 1 5 0 0.00 0", "3.9 0.1 0 57 0", "---"));
    for (size_t i = 0; i < N_SCANS; i++) /* the last three residuals are there twice */
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "%6d %9.6f %9.6f %9.6f %9.6f %7.2f %6.2f\n", 1, epoch[i],
                                 0.6 * cos(6.3 * epoch[i]), cos(angle[i]), sin(angle[i]),
                                 residual[i < n ? i : i - N_LOST], 1.0);
    sky_file file = sky_file_read(text);
    equant_sky_rows rows = {.struct_size = sizeof rows};
    if (file.status != EQUANT_SUCCESS)
        fail_msg("%s", equant_last_error());
    equant_astrometry_rows(file.sources[0], &rows);
    assert_int_equal(rows.n_rows, n);
    assert_true(sky_file_says(file.sources[0], "repaired: the last 3 residuals"));
    for (size_t r = 0; r < n; r++)
        assert_float_equal(rows.time_days[r], 365.25 * epoch[kept[r]], 1e-3);
    sky_file_free(&file);
}

static void abscissae_of_1997(void **state)
{
    (void)state;
    static const char text[] =
        "IH1   :     3850             Hipparcos Catalogue (HIP) identifier \n"
        "IH5   :       10.00          Trigonometric parallax pi (mas)\n"
        "IH6   :        2.00          Proper motion in right ascension mu_alpha* (mas/year)\n"
        "IH7   :       -3.00          Proper motion in declination mu_delta (mas/year)\n"
        "IH8   : 5                    Code for adopted solution (5, 7, 9, C, O, V, X, -)\n"
        "IH9   :        4             Number of following abscissae records, N_A\n"
        "ABCISSAE\nA1  | |IA3    |IA4    |IA5    |IA6    |IA7    |IA8     |IA9    |IA10 \n"
        " 442|F| 0.6000|-0.8000|-0.5000|-0.6000| 0.8000|    2.00|   1.00|0.500\n"
        " 442|N| 0.6000|-0.8000|-0.5000|-0.6000| 0.8000|    5.00|   2.00|0.500\n"
        " 500|F| 0.8000| 0.6000|-0.5000| 0.4000| 0.3000|    1.00|   1.50|     \n"
        " 501|f| 0.8000| 0.6000|-0.5000| 0.4000| 0.3000|    1.00|   1.50|     \n";
    sky_file file = sky_file_read(text);
    equant_sky_rows rows = {.struct_size = sizeof rows};
    if (file.status != EQUANT_SUCCESS)
        fail_msg("%s", equant_last_error());
    equant_astrometry_rows(file.sources[0], &rows);
    assert_int_equal(rows.n_rows, 2);
    assert_float_equal(rows.time_days[0], -365.25, 1e-9);
    assert_float_equal(rows.time_days[1], 0.5 * 365.25, 1e-9);
    assert_float_equal(tan(rows.angle_rad[0]), -0.75, 1e-12);
    /* variances 1 and 4, covariance 1: all weight is on the first */
    assert_float_equal(rows.abscissa_mas[0], 2 - 5 - 2 * 0.6 - 3 * 0.8, 1e-12);
    assert_float_equal(rows.abscissa_mas[1], 1 - 5 + 0.5 * (2 * 0.8 - 3 * 0.6), 1e-12);
    assert_int_equal(equant_astrometry_lacks_parallax(file.sources[0]), 0);
    assert_float_equal(rows.uncertainty_mas[0], 1, 1e-14);
    assert_true(sky_file_says(file.sources[0], "1 pairs of both consortia"));
    assert_true(sky_file_says(file.sources[0], "left out: 1 of 4 abscissae"));
    sky_file_free(&file);
    sky_file_refuse("IH1   :  3850 x\nA1  | |IA3\n 442|F| 0.6\n", ":3: an abscissa of Hipparcos");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scans_of_2014),
        cmocka_unit_test(errors_follow_the_goodness_of_fit),
        cmocka_unit_test(another_star_is_not_in_the_file),
        cmocka_unit_test(cut_files_are_refused),
        cmocka_unit_test(scans_that_lost_their_residuals_are_found),
        cmocka_unit_test(abscissae_of_1997),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
