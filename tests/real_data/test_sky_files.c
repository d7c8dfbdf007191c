/* Files of astrometry as their makers published them: counts that were found otherwise, and one
 * table in five serialisations, to the bit. Skipped where the shared data are not there. */
#define _GNU_SOURCE /* nftw */
#include <ftw.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"
#include "shared_data.h"

/* The only source of a file of the shared data; the test is skipped where it or a library is not
 * there. */
static equant_astrometry *read_only(const char *name)
{
    const char *path = shared_file(name);
    if (path == NULL)
        skip();
    equant_astrometry **sources = NULL;
    size_t n = 0;
    equant_status status = equant_astrometry_read(path, NULL, &sources, &n);
    if (status == EQUANT_ERROR_UNAVAILABLE) {
        print_message("SKIP: %s\n", equant_last_error());
        skip();
    }
    if (status != EQUANT_SUCCESS)
        fail_msg("%s", equant_last_error());
    assert_int_equal(n, 1);
    assert_int_equal(equant_astrometry_recognises(path), 1);
    equant_astrometry *source = sources[0];
    sources[0] = NULL;
    equant_astrometry_free_all(sources, n);
    return source;
}

static void check_counts(const char *name, size_t n_rows, size_t n_transits)
{
    equant_astrometry *source = read_only(name), *means = NULL;
    equant_sky_rows rows = {.struct_size = sizeof rows};
    equant_astrometry_rows(source, &rows);
    assert_int_equal(rows.n_rows, n_rows);
    assert_int_equal(equant_astrometry_n_transits(source), n_transits);
    assert_int_equal(equant_astrometry_transits(source, &means), 0);
    equant_astrometry_rows(means, &rows);
    assert_int_equal(rows.n_rows, n_transits);
    equant_astrometry_free(means);
    equant_astrometry_free(source);
}

static void gaia_bh3(void **state)
{
    (void)state;
    check_counts("gaia/bh3/epochast.dat", 599, 71);
}

static void gaia_4(void **state)
{
    (void)state;
    check_counts("gaia/gaia4/gaia4_epoch_astrometry.csv", 824, 93);
}

static void serialisations_are_one_table(void **state)
{
    (void)state;
    static const char *const endings[] = {"ecsv", "fits", "xml", "votplain.xml"};
    equant_astrometry *first = read_only("gaia/dr4_serialisations/epoch_astrometry_1.csv");
    equant_sky_rows a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
    equant_astrometry_rows(first, &a);
    assert_int_equal(equant_astrometry_n_transits(first), 77);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        char name[128];
        snprintf(name, sizeof name, "gaia/dr4_serialisations/epoch_astrometry_1.%s", endings[i]);
        equant_astrometry *other = read_only(name);
        equant_astrometry_rows(other, &b);
        assert_int_equal(a.n_rows, b.n_rows);
        assert_memory_equal(a.time_days, b.time_days, a.n_rows * sizeof(double));
        assert_memory_equal(a.abscissa_mas, b.abscissa_mas, a.n_rows * sizeof(double));
        assert_memory_equal(a.uncertainty_mas, b.uncertainty_mas, a.n_rows * sizeof(double));
        assert_memory_equal(a.angle_rad, b.angle_rad, a.n_rows * sizeof(double));
        assert_memory_equal(a.parallax_factor, b.parallax_factor, a.n_rows * sizeof(double));
        assert_memory_equal(a.colour_factor, b.colour_factor, a.n_rows * sizeof(double));
        assert_memory_equal(a.transit, b.transit, a.n_rows * sizeof(int64_t));
        assert_true(equant_astrometry_source_id(other) == equant_astrometry_source_id(first));
        equant_astrometry_free(other);
    }
    equant_astrometry_free(first);
}

/* ---- Hipparcos: the catalogue's own solution --------------------------- */

/* Solves the normal equations of five parameters; `inverse` becomes their covariance. */
static void solve_five(const equant_sky_rows *rows, double solution[5], double inverse[5][5])
{
    double normal[5][10] = {{0}}, right[5] = {0};
    for (size_t k = 0; k < rows->n_rows; k++) {
        double t = rows->time_days[k] / 365.25, s = sin(rows->angle_rad[k]);
        double c = cos(rows->angle_rad[k]), weight = pow(rows->uncertainty_mas[k], -2);
        const double row[5] = {s, c, rows->parallax_factor[k], t * s, t * c};
        for (size_t i = 0; i < 5; i++) {
            right[i] += weight * row[i] * rows->abscissa_mas[k];
            for (size_t j = 0; j < 5; j++)
                normal[i][j] += weight * row[i] * row[j];
        }
    }
    for (size_t i = 0; i < 5; i++)
        normal[i][5 + i] = 1;
    for (size_t i = 0; i < 5; i++) {
        double pivot = normal[i][i];
        for (size_t j = 0; j < 10; j++)
            normal[i][j] /= pivot;
        for (size_t k = 0; k < 5; k++) {
            double factor = k == i ? 0 : normal[k][i];
            for (size_t j = 0; j < 10; j++)
                normal[k][j] -= factor * normal[i][j];
        }
    }
    for (size_t i = 0; i < 5; i++) {
        solution[i] = 0;
        for (size_t j = 0; j < 5; j++) {
            inverse[i][j] = normal[i][5 + j];
            solution[i] += inverse[i][j] * right[j];
        }
    }
}

/* Parallax and proper motion of the catalogue, by the head of the file. */
static void read_catalogue(const char *name, double solution[5])
{
    char line[1024] = "";
    FILE *file = fopen(shared_file(name), "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL && strncmp(line, "# RAdeg ", 8) != 0)
        ;
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    solution[0] = solution[1] = 0;
    assert_int_equal(
        sscanf(line, "# %*f %*f %lf %lf %lf", &solution[2], &solution[3], &solution[4]), 3);
}

/* The catalogue's solution comes out again, and the errors are those of the catalogue. */
static void check_catalogue(const char *name, size_t n_rows, const double errors[5])
{
    equant_astrometry *source = read_only(name);
    equant_sky_rows rows = {.struct_size = sizeof rows};
    double solution[5], covariance[5][5], catalogue[5];
    read_catalogue(name, catalogue);
    equant_astrometry_rows(source, &rows);
    assert_int_equal(rows.n_rows, n_rows);
    solve_five(&rows, solution, covariance);
    for (size_t i = 0; i < 5; i++) {
        assert_float_equal(solution[i], catalogue[i], 0.02);
        assert_float_equal(sqrt(covariance[i][i]), errors[i], 0.01);
    }
    equant_astrometry_free(source);
}

static void beta_pictoris(void **state)
{
    (void)state;
    check_catalogue("hipparcos/H027321.d", 111, (double[5]){.10, .11, .12, .11, .15});
}

/* Stars whose files lost one to six residuals. */
static void repaired_stars(void **state)
{
    (void)state;
    check_catalogue("hipparcos/2014/H018907.d", 93, (double[5]){.18, .09, .19, .25, .17});
    check_catalogue("hipparcos/2014/H044050.d", 71, (double[5]){.61, .45, .76, .86, .57});
    check_catalogue("hipparcos/2014/H001550.d", 149, (double[5]){.37, .41, .61, .53, .50});
    check_catalogue("hipparcos/2014/H094312.d", 108, (double[5]){7.24, 3.32, 7.36, 9.20, 5.38});
    check_catalogue("hipparcos/2014/H037515.d", 210, (double[5]){.53, .68, .97, .58, .97});
}

/* Numbers that astropy shows of the same row. */
static void accelerations_of_hd_4747(void **state)
{
    (void)state;
    const char *path = shared_file("astrometry/hd4747/HGCA_vDR3_FAKE_7p.fits");
    if (path == NULL)
        skip();
    equant_sky_motions motions = {.struct_size = sizeof motions};
    equant_status status = equant_sky_motions_read(path, 3850, &motions);
    if (status == EQUANT_ERROR_UNAVAILABLE) {
        print_message("SKIP: %s\n", equant_last_error());
        skip();
    }
    assert_int_equal(status, EQUANT_SUCCESS);
    assert_true(motions.hip_id == 3850 && motions.gaia_id == 2348830516542653824);
    assert_float_equal(motions.hipparcos_mas_yr[0], 516.689, 1e-3);
    assert_float_equal(motions.long_mas_yr[1], 125.43058, 1e-5);
    assert_float_equal(motions.gaia_err_mas_yr[0], 0.04458796, 1e-8);
    assert_float_equal(motions.gaia_correlation, 0.6602571, 1e-7);
    assert_float_equal(motions.gaia_epoch_yr[1], 2015.81591797, 1e-8);
    assert_float_equal(motions.parallax_mas, 53.052628, 1e-6);
    assert_int_equal(equant_sky_motions_read(path, 2348830516542653824, &motions), 0);
    assert_true(motions.hip_id == 3850);
    assert_int_equal(equant_sky_motions_read(path, 0, &motions), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(equant_last_error(), "there are 2 stars"));
    assert_int_equal(equant_sky_motions_read(path, 2, &motions), EQUANT_ERROR_FORMAT);
    equant_astrometry **sources = NULL;
    size_t n = 0;
    assert_int_equal(equant_astrometry_read(path, NULL, &sources, &n), EQUANT_ERROR_FORMAT);
    assert_non_null(strstr(equant_last_error(), "equant_sky_motions_read"));
}

/* ---- files of velocities ----------------------------------------------- */

static size_t n_velocity_files;

static int check_velocity_file(const char *path, const struct stat *about, int kind,
                               struct FTW *place)
{
    static const char *const astrometry[] = {"/gaia/", "/hipparcos/", "/astrometry/"};
    (void)about;
    (void)place;
    for (size_t i = 0; i < sizeof astrometry / sizeof astrometry[0]; i++)
        if (strstr(path, astrometry[i]) != NULL)
            return 0;
    if (kind != FTW_F)
        return 0;
    n_velocity_files++;
    if (equant_astrometry_recognises(path))
        fail_msg("%s is taken for astrometry", path);
    return 0;
}

static void velocities_are_not_taken_for_astrometry(void **state)
{
    (void)state;
    const char *shared = shared_file(""), *source = getenv("EQUANT_SOURCE");
    char fixtures[1024];
    snprintf(fixtures, sizeof fixtures, "%s/tests/fixtures", source != NULL ? source : ".");
    nftw(fixtures, check_velocity_file, 8, FTW_PHYS);
    if (shared != NULL)
        nftw(shared, check_velocity_file, 8, FTW_PHYS);
    print_message("%zu files of velocities and others\n", n_velocity_files);
    if (n_velocity_files == 0)
        skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaia_bh3),
        cmocka_unit_test(gaia_4),
        cmocka_unit_test(serialisations_are_one_table),
        cmocka_unit_test(beta_pictoris),
        cmocka_unit_test(repaired_stars),
        cmocka_unit_test(accelerations_of_hd_4747),
        cmocka_unit_test(velocities_are_not_taken_for_astrometry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
