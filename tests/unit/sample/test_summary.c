/* The table of a posterior: against draws whose quantiles are known, angles across zero. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "inference/sample/draws/summary.h"

enum { N_POPULATIONS = 2, N_STEPS = 50, N_WALKERS = 10, N_COLUMNS = 7 };
enum { N_DRAWS = N_POPULATIONS * N_STEPS * N_WALKERS };
#define PI 3.14159265358979323846
#define T_REF 2450000.0

static quantities_shape one_planet(int trend_order)
{
    return (quantities_shape){.layout = parameter_layout_all_given(1, 1, trend_order, 1)};
}

/* The draws go through the cells of (0, 1) in a scrambled order, the same one in all columns. */
static double share(size_t draw)
{
    return ((double)(draw * 387 % N_DRAWS) + 0.5) / N_DRAWS;
}

typedef void parameter_maker(double share_below, double parameters[N_COLUMNS]);

static draws *made_draws(parameter_maker *make)
{
    const draws_shape shape = {N_POPULATIONS, N_WALKERS, N_COLUMNS, 1};
    draws *kept;
    assert_int_equal(draws_create(&shape, &kept), EQUANT_SUCCESS);
    for (size_t s = 0; s < N_STEPS; s++) {
        double parameters[N_POPULATIONS * N_WALKERS][N_COLUMNS];
        double log_likelihood[N_POPULATIONS * N_WALKERS];
        const double log_prior[N_POPULATIONS * N_WALKERS] = {0.0};
        for (size_t row = 0; row < N_POPULATIONS * N_WALKERS; row++) {
            double below = share(s * N_POPULATIONS * N_WALKERS + row);
            make(below, parameters[row]);
            log_likelihood[row] = -fabs(below - 0.4);
        }
        assert_int_equal(draws_append(kept, s, parameters[0], log_likelihood, log_prior),
                         EQUANT_SUCCESS);
    }
    return kept;
}

static summary *made_summary(const summary_request *request)
{
    summary *made = NULL;
    assert_int_equal(summary_create(request, &made), EQUANT_SUCCESS);
    return made;
}

static const summary_row *row_of(const summary *made, const char *name)
{
    for (size_t r = 0; r < made->n_rows; r++)
        if (strcmp(made->rows[r].what.name, name) == 0)
            return &made->rows[r];
    fail_msg("there is no row %s", name);
    return NULL;
}

/* Uniform, exponential, across zero, constant. */
static void make_known(double below, double parameters[N_COLUMNS])
{
    const double set[N_COLUMNS] = {
        10.0 + below,      -log(below), 0.1,          fmod(2.0 * PI + below - 0.3, 2.0 * PI),
        PI + 0.01 * below, 5.0,         below * below};
    memcpy(parameters, set, sizeof set);
}

static void known_distributions_have_their_quantiles(void **state)
{
    (void)state;
    draws *kept = made_draws(make_known);
    summary_request request = {.draws = kept, .shape = one_planet(0), .reference_time_days = T_REF};
    summary *made = made_summary(&request);
    assert_int_equal(made->n_rows, quantities_n_rows(&request.shape));
    assert_string_equal(made->rows[0].what.name, "period_days_1");
    assert_string_equal(made->rows[0].what.entry.kind->info.unit, "d");

    const summary_row *period = row_of(made, "period_days_1");
    assert_float_equal(period->median, 10.5, 1e-3);
    assert_float_equal(period->low, 10.158655, 1e-3);
    assert_float_equal(period->high, 10.841345, 1e-3);
    assert_float_equal(period->best, 10.4, 1e-3);
    assert_int_equal(period->what.planet, 1);
    assert_true(period->quality.rhat < 1.05 && period->quality.ess_bulk > 300.0);

    const summary_row *k = row_of(made, "k_m_s_1");
    assert_float_equal(k->median, log(2.0), 2e-3);
    assert_true(k->mode > 0.0 && k->mode < 0.1); /* its density is highest at zero */

    const summary_row *omega = row_of(made, "omega_rad_1");
    assert_float_equal(omega->median, 0.2, 2e-3);
    assert_float_equal(omega->low, -0.141345, 2e-3);
    assert_float_equal(omega->high, 0.541345, 2e-3);
    assert_float_equal(omega->best, 0.1, 2e-3);

    assert_true(row_of(made, "offset_m_s_1")->quality.is_constant);
    assert_float_equal(row_of(made, "offset_m_s_1")->low, 5.0, 0.0);
    assert_int_equal(row_of(made, "jitter_m_s_1")->what.instrument, 1);
    assert_int_equal(row_of(made, "lambda_rad_1")->what.planet, 1);

    /* Half a period away from the reference time, and yet one heap. */
    const summary_row *pericentre = row_of(made, "t_peri_1");
    assert_true(pericentre->high - pericentre->low < 0.5);
    assert_float_equal(fabs(pericentre->median - T_REF), 5.25, 0.1);
    summary_free(made);
    draws_free(kept);
    summary_free(NULL);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    draws *kept = made_draws(make_known);
    summary_request request = {.draws = kept, .shape = one_planet(0), .n_threads = 1};
    summary *one = made_summary(&request);
    request.n_threads = 2;
    summary *two = made_summary(&request);
    for (size_t r = 0; r < one->n_rows; r++) {
        assert_string_equal(one->rows[r].what.name, two->rows[r].what.name);
        assert_memory_equal(&one->rows[r].median, &two->rows[r].median, 5 * sizeof(double));
    }
    summary_free(one);
    summary_free(two);
    draws_free(kept);
}

static void nothing_cannot_be_summarised(void **state)
{
    (void)state;
    const draws_shape shape = {N_POPULATIONS, N_WALKERS, N_COLUMNS, 1};
    draws *kept;
    assert_int_equal(draws_create(&shape, &kept), EQUANT_SUCCESS);
    summary_request request = {.draws = kept, .shape = one_planet(0)};
    summary *none = NULL;
    assert_int_equal(summary_create(&request, &none), EQUANT_ERROR_INVALID_ARGUMENT);
    draws_free(kept);
    kept = made_draws(make_known);
    request.draws = kept;
    request.shape = one_planet(2);
    assert_int_equal(summary_create(&request, &none), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_null(none);
    draws_free(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_distributions_have_their_quantiles),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(nothing_cannot_be_summarised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
