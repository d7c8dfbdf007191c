/* The evidence of circles that GPUs compute, on the processor: against exact products of their
 * columns beside the same rest of a model, and against the sums in single that processors propose
 * by. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"
#include "inference/compare/background.h"
#include "inference/compare/slot_sums.h"
#include "statistics/circle_evidence.h"

enum { N_OBS = 60, MOST_STRIDE = 1 + 5 * CIRCLE_MOST_STATES };
#define TURN 6.283185307179586

static equant_dataset *make_data(void)
{
    double time[N_OBS], velocity[N_OBS], sigma[N_OBS];
    equant_dataset *made = NULL;
    for (int k = 0; k < N_OBS; k++) {
        time[k] = 2450000.0 + 3.3 * k + 0.4 * sin(5.0 * k);
        sigma[k] = 1.0 + 0.2 * (k % 3);
        velocity[k] = 4.0 * cos(TURN * time[k] / 17.3) + 2.0 * sin(1.7 * k);
    }
    assert_int_equal(
        equant_dataset_from_arrays(N_OBS, time, velocity, sigma, NULL, 1, NULL, NULL, &made),
        EQUANT_SUCCESS);
    return made;
}

/* The noise as rows for circles. */
static circle_noise rows_of(const count_noise *noise, double *rows)
{
    const noise_factor *factor = &noise->factor;
    size_t n = noise->is_white ? 0 : factor->n_states;
    circle_noise made = {.stride = 1, .rows = rows};
    if (!noise->is_white)
        made = (circle_noise){.n_states = n,
                              .n_blocks = factor->n_blocks,
                              .stride = 1 + 2 * n + factor->propagator_size,
                              .block_states = factor->block_states,
                              .rows = rows};
    memset(rows, 0, N_OBS * made.stride * sizeof *rows);
    for (size_t k = 0; k < N_OBS; k++) {
        double *to = rows + k * made.stride;
        *to++ = noise->is_white ? sqrt(noise->weight[k]) : factor->root_weight[k];
        if (noise->is_white || k == 0)
            continue;
        memcpy(to, factor->w + (k - 1) * n, n * sizeof *to);
        memcpy(to + n, factor->u + k * n, n * sizeof *to);
        memcpy(to + 2 * n, factor->propagators + k * factor->propagator_size,
               factor->propagator_size * sizeof *to);
    }
    if (!noise->is_white) /* the first row is seen, but nothing has entered the states before it */
        memcpy(rows + 1 + n, factor->u, n * sizeof *rows);
    return made;
}

static double by_columns(const count_star *star, const count_priors *priors, count_noise *noise,
                         const background *rest, double frequency)
{
    double columns[2 * N_OBS];
    for (size_t k = 0; k < N_OBS; k++) {
        columns[k] = cos(TURN * frequency * star->time_days[k]);
        columns[N_OBS + k] = sin(TURN * frequency * star->time_days[k]);
    }
    return orbit_products_evidence(background_products(rest, noise, columns), priors->n_scales,
                                   priors->scales, NULL);
}

static void compare(const char *words)
{
    equant_dataset *dataset = make_data();
    count_star star;
    count_priors priors;
    count_noise noise;
    background rest;
    slot_grid grid;
    slot_sums sums;
    const count_star_request request = {.dataset = dataset, .noise = words};
    const count_priors_request wanted = {.n_max = 2,
                                         .ratio = 1.0,
                                         .period_min_days = 3.0,
                                         .period_max_days = 300.0,
                                         .k_min_m_s = 0.5,
                                         .k_max_m_s = 20.0};
    assert_int_equal(count_star_create(&request, &star), EQUANT_SUCCESS);
    assert_int_equal(count_priors_make(&wanted, &priors), EQUANT_SUCCESS);
    assert_int_equal(count_noise_create(&star, &noise), EQUANT_SUCCESS);
    assert_int_equal(background_create(&star, 2, &rest), EQUANT_SUCCESS);
    assert_int_equal(slot_grid_create(&star, &priors, &grid), EQUANT_SUCCESS);
    assert_int_equal(slot_sums_create(&grid, &priors, &sums), EQUANT_SUCCESS);
    double *place = calloc(star.n_noise + 1, sizeof *place), planet[2 * N_OBS],
           *rows = malloc(N_OBS * MOST_STRIDE * sizeof *rows), precision[32];
    for (size_t i = 0; i < star.n_noise; i++)
        place[i] = 0.3;
    assert_true(count_noise_move(&noise, place));
    background_clear(&rest);
    for (size_t k = 0; k < N_OBS; k++) {
        planet[k] = cos(TURN * star.time_days[k] / 40.0);
        planet[N_OBS + k] = sin(TURN * star.time_days[k] / 40.0);
    }
    background_add(&rest, planet, 3.0);
    assert_true(background_solve(&rest, &noise));
    size_t n_columns = rest.n + 1;
    double *columns = malloc(N_OBS * n_columns * sizeof *columns);
    for (size_t k = 0; k < N_OBS; k++)
        for (size_t j = 0; j < n_columns; j++)
            columns[k * n_columns + j] =
                j == 0 ? rest.residual[k] : rest.solved[(j - 1) * N_OBS + k];
    for (size_t i = 0; i < priors.n_scales; i++)
        precision[i] = 1.0 / (priors.scales[i] * priors.scales[i]);
    const circle_data data = {N_OBS, star.time_days, priors.n_scales, precision};
    const circle_noise given = rows_of(&noise, rows);
    assert_int_equal(slot_sums_take_noise(&sums, &noise), EQUANT_SUCCESS);
    assert_int_equal(slot_sums_run(&sums, &noise, &rest), EQUANT_SUCCESS);
    for (size_t b = 0; b < grid.n_bins; b += 7) {
        double frequency = slot_grid_middle(&grid, b), square[3], exponent, factor;
        circle_evidence_square(&data, &given, frequency, square);
        circle_evidence_find(&data, frequency, n_columns, columns, square, &exponent, &factor);
        double found = exponent + log(factor), single = sums.exponent[b] + log(sums.factor[b]),
               exact = by_columns(&star, &priors, &noise, &rest, frequency);
        assert_true(fabs(found - exact) < 1e-10 * fmax(1.0, fabs(exact)));
        assert_true(fabs(single - exact) < 1e-3 * fmax(1.0, fabs(exact)));
    }
    free(columns);
    free(rows);
    free(place);
    slot_sums_free(&sums);
    slot_grid_free(&grid);
    background_free(&rest);
    count_noise_free(&noise);
    count_star_free(&star);
    equant_dataset_free(dataset);
}

static void circles_in_white_noise(void **state)
{
    (void)state;
    compare(NULL);
}

static void circles_in_noise_that_remembers(void **state)
{
    (void)state;
    compare("rotation");
    compare("night,slow");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(circles_in_white_noise),
        cmocka_unit_test(circles_in_noise_that_remembers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
