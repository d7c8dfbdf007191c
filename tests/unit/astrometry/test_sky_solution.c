/* Solutions without companions: what was put in comes out, errors are those of scatter, columns
 * that nothing determines are named, jitter is found; and the five parameters of Gaia BH3 are those
 * that others find. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "oracle/random_system.h"
#include "real_data/sky_tables.h"

enum { ROWS = 120 };

static double normal(random_system *random)
{
    double sum = -6.0;
    for (int k = 0; k < 12; k++)
        sum += random_system_uniform(random);
    return sum;
}

typedef struct scans {
    double time[ROWS], value[ROWS], error[ROWS], angle[ROWS], parallax[ROWS], colour[ROWS];
    equant_sky_rows rows;
} scans;

/* Five years of scans of a star whose parameters are given in the order of the columns. */
static void make(scans *own, random_system *random, size_t n, const double truth[16], double noise)
{
    for (size_t k = 0; k < n; k++) {
        double years = own->time[k] = random_system_between(random, -2.5, 2.5),
               angle = random_system_between(random, 0, 6.28);
        own->time[k] = 365.25 * years;
        own->angle[k] = angle;
        own->error[k] = random_system_between(random, 0.05, 0.2);
        own->parallax[k] =
            0.9 * sin(6.2831853 * years) * sin(angle) + 0.5 * cos(6.2831853 * years) * cos(angle);
        own->colour[k] = 0.1 * random_system_between(random, -1.0, 1.0);
        double ra = truth[0] + truth[3] * years + truth[5] * years * years / 2 +
                    truth[7] * pow(years, 3) / 6;
        double dec = truth[1] + truth[4] * years + truth[6] * years * years / 2 +
                     truth[8] * pow(years, 3) / 6;
        own->value[k] = ra * sin(angle) + dec * cos(angle) + truth[2] * own->parallax[k] -
                        truth[9] * own->colour[k];
        for (int h = 0; h < 3; h++)
            own->value[k] += truth[10 + 2 * h] * cos((3 + 2 * h) * angle) +
                             truth[11 + 2 * h] * sin((3 + 2 * h) * angle);
        own->value[k] += hypot(own->error[k], noise) * (noise < 0.0 ? 0.0 : normal(random));
    }
    own->rows = (equant_sky_rows){.struct_size = sizeof(equant_sky_rows),
                                  .n_rows = n,
                                  .time_days = own->time,
                                  .abscissa_mas = own->value,
                                  .uncertainty_mas = own->error,
                                  .angle_rad = own->angle,
                                  .parallax_factor = own->parallax,
                                  .colour_factor = own->colour};
}

/* What a solution tells, by its getters. */
typedef struct told {
    size_t n_rows, n_columns;
    const char *name[18];
    double value[18], error[18], jitter_mas, chi_square;
} told;

static equant_status ask(const equant_astrometry *source, const equant_sky_solve_options *options,
                         told *solution)
{
    equant_sky_solution *found = NULL;
    equant_sky_solution_summary summary = {.struct_size = sizeof summary};
    equant_sky_column column = {.struct_size = sizeof column};
    equant_status status = equant_sky_solve(source, options, &found);
    if (status != EQUANT_SUCCESS)
        return status;
    assert_int_equal(equant_sky_solution_summarize(found, &summary), EQUANT_SUCCESS);
    *solution = (told){.n_rows = summary.n_rows,
                       .n_columns = equant_sky_solution_n_columns(found),
                       .jitter_mas = summary.jitter_mas,
                       .chi_square = summary.chi_square};
    const size_t n = solution->n_columns;
    const double *covariance = equant_sky_solution_covariance(found);
    for (size_t j = 0; j < n; j++) {
        assert_int_equal(equant_sky_solution_column(found, j, &column), EQUANT_SUCCESS);
        solution->name[j] = column.name;
        solution->value[j] = column.value;
        solution->error[j] = column.error;
        assert_true(sqrt(covariance[j * n + j]) == column.error);
        assert_true(covariance[j] == covariance[j * n]);
    }
    assert_int_equal(equant_sky_solution_column(found, n, &column), EQUANT_ERROR_INVALID_ARGUMENT);
    equant_sky_solution_free(found);
    return status;
}

static equant_status solve(const equant_sky_rows *rows, const equant_sky_solve_options *options,
                           told *solution)
{
    equant_astrometry *source;
    assert_int_equal(equant_astrometry_create(rows, EQUANT_SKY_GAIA_JD, NULL, &source), 0);
    equant_status status = ask(source, options, solution);
    equant_astrometry_free(source);
    return status;
}

static const double truth[16] = {12.3,  -4.5, 7.8,  100.0, -50.0, 0.3,  -0.2, 0.1,
                                 -0.05, 0.01, 0.04, -0.03, 0.02,  0.01, 0.05, -0.06};

static void all_columns_are_found_again(void **state)
{
    (void)state;
    random_system random = {1};
    static scans own;
    told solution;
    const equant_sky_solve_options options = {
        .struct_size = sizeof options, .n_motion = 9, .n_harmonics = 3};
    make(&own, &random, ROWS, truth, -1.0);
    assert_int_equal(solve(&own.rows, &options, &solution), EQUANT_SUCCESS);
    assert_int_equal(solution.n_columns, 16);
    assert_string_equal(solution.name[2], "parallax");
    assert_string_equal(solution.name[15], "sin7");
    for (size_t j = 0; j < 16; j++) /* the prior of the colour pulls a little */
        assert_true(fabs(solution.value[j] - truth[j]) < 0.2 * solution.error[j] + 1e-9);
    assert_true(solution.chi_square < 0.1);
}

static void errors_are_those_of_the_scatter(void **state)
{
    (void)state;
    random_system random = {2};
    static scans own;
    double sum = 0.0, sum_jitter = 0.0;
    int n = 0;
    const equant_sky_solve_options options = {
        .struct_size = sizeof options, .n_motion = 7, .no_colour = 1, .with_jitter = 1};
    double calm[16] = {0.0};
    for (int turn = 0; turn < 300; turn++) {
        told solution;
        make(&own, &random, ROWS, calm, 0.3);
        assert_int_equal(solve(&own.rows, &options, &solution), EQUANT_SUCCESS);
        assert_int_equal(solution.n_columns, 7);
        for (size_t j = 0; j < 7; j++, n++)
            sum += pow(solution.value[j] / solution.error[j], 2);
        sum_jitter += solution.jitter_mas * solution.jitter_mas;
    }
    assert_true(fabs(sum / n - 1.0) < 0.1);
    assert_true(fabs(sum_jitter / 300 / 0.09 - 1.0) < 0.04); /* not lowered by the parameters */
}

static void what_nothing_determines_is_named(void **state)
{
    (void)state;
    random_system random = {3};
    static scans own;
    told solution;
    make(&own, &random, ROWS, truth, 0.0);
    for (size_t k = 0; k < ROWS; k++)
        own.angle[k] = 1.0; /* one direction: East and North are the same */
    assert_int_equal(solve(&own.rows, NULL, &solution), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(equant_last_error(), "dec"));
    make(&own, &random, 4, truth, 0.0);
    assert_int_equal(solve(&own.rows, NULL, &solution), EQUANT_ERROR_INVALID_ARGUMENT);
    const equant_sky_solve_options six = {.struct_size = sizeof six, .n_motion = 6};
    assert_int_equal(solve(&own.rows, &six, &solution), EQUANT_ERROR_INVALID_ARGUMENT);
    const equant_sky_solve_options four = {.struct_size = sizeof four, .n_harmonics = 4};
    assert_int_equal(solve(&own.rows, &four, &solution), EQUANT_ERROR_INVALID_ARGUMENT);
}

/* Without factors there is no parallax to be had. */
static void no_factors_no_parallax(void **state)
{
    (void)state;
    random_system random = {4};
    static scans own;
    told solution;
    make(&own, &random, ROWS, truth, 0.0);
    own.rows.parallax_factor = own.rows.colour_factor = NULL;
    assert_int_equal(solve(&own.rows, NULL, &solution), EQUANT_SUCCESS);
    assert_int_equal(solution.n_columns, 4);
    assert_string_equal(solution.name[2], "pm_ra");
}

/* Five parameters of 599 CCDs as a separate program found them. */
static void five_parameters_of_bh3(void **state)
{
    (void)state;
    static const double expected[5] = {1.50624, -0.03341, 0.71520, -30.29679, -148.62246};
    const equant_sky_solve_options options = {.struct_size = sizeof options, .as_ccds = 1};
    told solution;
    equant_astrometry *source = sky_table_bh3();
    if (source == NULL) {
        print_message("skipped: the table of Gaia BH3 is not here\n");
        skip();
    }
    assert_int_equal(ask(source, &options, &solution), EQUANT_SUCCESS);
    equant_astrometry_free(source);
    assert_int_equal(solution.n_rows, 599);
    for (int j = 0; j < 5; j++)
        assert_true(fabs(solution.value[j] - expected[j]) < 1.01e-5);
    assert_true(fabs(solution.chi_square / 594.0 - 3090.339) < 1.01e-3);
    assert_true(fabs(solution.chi_square - 1835661.0) < 1.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_columns_are_found_again),
        cmocka_unit_test(errors_are_those_of_the_scatter),
        cmocka_unit_test(what_nothing_determines_is_named),
        cmocka_unit_test(no_factors_no_parallax),
        cmocka_unit_test(five_parameters_of_bh3),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
