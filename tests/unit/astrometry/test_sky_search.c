/* The search for an orbit on the sky: false alarms against formulas in closed form, gains of the
 * joint scan against quadruple precision, and the derivatives of solutions against differences. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "astrometry/orbit/joint_scan.h"
#include "astrometry/orbit/sky_false_alarm.h"
#include "oracle/quad_sky.h"
#include "oracle/random_system.h"

enum { ROWS = 60, VELOCITIES = 12 };

/* Circles have W z^1.5 exp(-z) and the tail of chi-square at one frequency; a wider band and larger
 * eccentricities make every gain less surprising. */
static void false_alarms_of_circles(void **state)
{
    (void)state;
    const sky_band circles = {0.1, 0.0}, ellipses = {0.1, 0.8};
    sky_false_alarm search = {.effective_span_days = 1000.0, .n_bands = 1, .bands = &circles};
    for (double z = 20.0; z < 100.0; z += 7.0) {
        double expected = (100.0 * pow(z, 1.5) + z + 1.0) * exp(-z);
        search.bands = &circles;
        double found = sky_false_alarm_probability(&search, z);
        assert_true(fabs(found / expected - 1.0) < 1e-9);
        search.bands = &ellipses;
        assert_true(sky_false_alarm_probability(&search, z) > 2.0 * found);
        search.n_rows = 50; /* a noise level that is fitted */
        search.n_base = 5;
        assert_true(sky_false_alarm_probability(&search, z) > found);
        search.n_rows = search.n_base = 0;
        assert_true(fabs(sky_false_alarm_columns(2, 0, 0, z) / exp(-z) - 1.0) < 1e-9);
        assert_true(fabs(sky_false_alarm_columns(4, 0, 0, z) / ((1.0 + z) * exp(-z)) - 1.0) < 1e-9);
    }
    assert_true(sky_false_alarm_probability(&search, 0.0) == 1.0);
    search.n_rows = 10;
    search.n_base = 5;
    assert_true(sky_false_alarm_probability(&search, 50.0) == 1.0); /* too few to say */
}

typedef struct made_up {
    double time[ROWS], value[ROWS], error[ROWS], angle[ROWS], parallax[ROWS];
    double when[VELOCITIES], velocity[VELOCITIES], velocity_error[VELOCITIES];
    equant_astrometry *source;
    equant_dataset *velocities;
    sky_data data;
    sky_design design;
    sky_refiner refiner;
} made_up;

static void make(made_up *own, random_system *random, bool has_velocities)
{
    for (int k = 0; k < ROWS; k++) {
        own->time[k] = random_system_between(random, -900.0, 900.0);
        own->angle[k] = random_system_between(random, 0.0, 6.28);
        own->error[k] = random_system_between(random, 0.05, 0.2);
        own->parallax[k] = sin(own->time[k] / 58.0) * sin(own->angle[k]);
        own->value[k] = random_system_between(random, -1.0, 1.0);
    }
    for (int k = 0; k < VELOCITIES; k++) {
        own->when[k] = EQUANT_SKY_GAIA_JD + random_system_between(random, -900.0, 900.0);
        own->velocity[k] = random_system_between(random, -100.0, 100.0);
        own->velocity_error[k] = 10.0;
    }
    const equant_sky_rows rows = {.struct_size = sizeof rows,
                                  .n_rows = ROWS,
                                  .time_days = own->time,
                                  .abscissa_mas = own->value,
                                  .uncertainty_mas = own->error,
                                  .angle_rad = own->angle,
                                  .parallax_factor = own->parallax};
    const sky_model model = {.order = 1, .has_parallax = true};
    own->velocities = NULL;
    assert_int_equal(equant_astrometry_create(&rows, EQUANT_SKY_GAIA_JD, NULL, &own->source), 0);
    if (has_velocities)
        assert_int_equal(equant_dataset_from_arrays(VELOCITIES, own->when, own->velocity,
                                                    own->velocity_error, NULL, 0, NULL, NULL,
                                                    &own->velocities),
                         0);
    assert_int_equal(sky_data_create(own->source, true, own->velocities, &own->data), 0);
    assert_int_equal(sky_design_create(&own->data, &model, &own->design), 0);
    assert_int_equal(sky_refiner_create(&own->design, &own->refiner), 0);
}

static void unmake(made_up *own)
{
    sky_refiner_free(&own->refiner);
    sky_design_free(&own->design);
    sky_data_free(&own->data);
    equant_dataset_free(own->velocities);
    equant_astrometry_free(own->source);
}

static void gains_are_those_of_the_oracle(void **state)
{
    (void)state;
    static made_up own;
    static sky_solution base;
    random_system random = {21};
    make(&own, &random, false);
    const sky_limits limits = {100.0, 4000.0, 0.95, 0.0};
    const sky_grid grid = sky_grid_make(own.data.span_days, &limits);
    sky_scan_node *best = malloc(grid.n_bins * sizeof *best);
    double columns[5 * ROWS];
    base = sky_solution_make(&own.data, &own.design.model, 0);
    assert_int_equal(sky_refine_shapes(&own.refiner, &limits, &base), EQUANT_SUCCESS);
    assert_int_equal(joint_scan_run(&own.refiner, &grid, 2, best), EQUANT_SUCCESS);
    memcpy(columns, own.design.base, sizeof columns);
    const quad_sky_source oracle = {.n_rows = ROWS,
                                    .n_base = 5,
                                    .time_days = own.data.time_days,
                                    .abscissa_mas = own.data.value,
                                    .uncertainty_mas = own.data.uncertainty,
                                    .angle_rad = own.data.rows.angle_rad,
                                    .base = columns};
    for (size_t bin = 0; bin < grid.n_bins; bin += 7) {
        double gain = quad_sky_gain(&oracle, best[bin].frequency_per_day, best[bin].eccentricity,
                                    best[bin].m0_rad, NULL);
        assert_true(fabs(best[bin].gain / gain - 1.0) < 1e-3); /* places are interpolated */
    }
    free(best);
    unmake(&own);
}

/* Of every parameter, tied to the velocities and not. */
static void derivatives_are_those_of_differences(void **state)
{
    (void)state;
    static made_up own;
    static sky_solution solution, moved;
    random_system random = {34};
    make(&own, &random, true);
    size_t n = own.design.n_rows;
    for (int turn = 0; turn < 20; turn++) {
        solution = sky_solution_make(&own.data, &own.design.model, 1);
        solution.is_tied = turn % 2;
        solution.has_scale = turn % 2 && turn >= 10;
        solution.side[0] = turn % 4 < 2 ? 1.0 : -1.0;
        size_t n_parameters = sky_solution_n_parameters(&solution);
        double *columns = malloc(n_parameters * n * sizeof *columns), up[2 * ROWS], down[2 * ROWS];
        for (size_t j = 0; j < n_parameters; j++)
            solution.value[j] = random_system_between(&random, 0.3, 2.0);
        double *shape = solution.value + sky_solution_shape(&solution, 0);
        shape[0] = random_system_between(&random, 5.5, 7.0);
        shape[1] = random_system_between(&random, -0.5, 0.5);
        shape[2] = random_system_between(&random, 0.1, 0.5);
        sky_design_fill(&own.design, &solution, n_parameters, columns, NULL);
        for (size_t j = 0; j < n_parameters; j++) {
            double step = 1e-6;
            moved = solution;
            moved.value[j] += step;
            sky_design_fill(&own.design, &moved, 0, NULL, up);
            moved.value[j] -= 2.0 * step;
            sky_design_fill(&own.design, &moved, 0, NULL, down);
            double largest = 0.0, miss = 0.0, size = 1.0;
            for (size_t k = 0; k < n; k++) {
                double by = (down[k] - up[k]) / (2.0 * step);
                largest = fmax(largest, fabs(by));
                size = fmax(size, fabs(up[k]));
                miss = fmax(miss, fabs(by - columns[j * n + k]));
            }
            assert_true(miss <= 1e-5 * largest + 1e-9 * size);
        }
        free(columns);
    }
    unmake(&own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(false_alarms_of_circles),
        cmocka_unit_test(gains_are_those_of_the_oracle),
        cmocka_unit_test(derivatives_are_those_of_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
