/* The mixture that walkers follow: what it draws has the density that it says, whatever the order
 * of planets, and what was saved goes on as it was. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "inference/sample/evidence/walker_guide.h"
#include "unit/small_star.h"

enum { N_DRAWS = 20000, PLACES = 12 /* of two planets, an offset and a jitter */, N_WALKERS = 40 };

typedef struct study {
    equant_dataset *dataset;
    priors *priors;
    posterior_density *posterior;
    walker_guide *guide;
} study;

static walker_guide_options options_of(const posterior_density *posterior)
{
    return (walker_guide_options){.density = posterior,
                                  .shape = {.n_populations = 2,
                                            .n_walkers = N_WALKERS,
                                            .n_parameters = PLACES,
                                            .n_planets = 2},
                                  .n_planets = 2,
                                  .span_days = 100.0,
                                  .n_threads = 1};
}

static study open_study(void)
{
    study s = {.dataset = small_star(1)};
    priors_options wanted = {s.dataset, 2, 0, "eprv3", NULL};
    assert_int_equal(priors_create(&wanted, &s.priors), EQUANT_SUCCESS);
    posterior_density_options options = {.dataset = s.dataset, .n_planets = 2, .priors = s.priors};
    assert_int_equal(posterior_density_create(&options, &s.posterior), EQUANT_SUCCESS);
    const walker_guide_options guide = options_of(s.posterior);
    assert_int_equal(walker_guide_create(&guide, &s.guide), EQUANT_SUCCESS);
    return s;
}

static void close_study(study *s)
{
    walker_guide_free(s->guide);
    posterior_density_free(s->posterior);
    priors_free(s->priors);
    equant_dataset_free(s->dataset);
}

/* Walkers of the prior, but the first planet, whichever that is, near 10 or near 30 days. */
static void see(study *s, walker_guide *guide, uint64_t n_steps)
{
    static double parameters[2 * N_WALKERS * PLACES];
    static const double zeros[2 * N_WALKERS];
    for (uint64_t step = 0; step < n_steps; step++) {
        for (uint64_t i = 0; i < (uint64_t)2 * N_WALKERS; i++) {
            double x[PLACES];
            posterior_density_draw(s->posterior, 9, step * 2 * N_WALKERS + i, x);
            double period = i % 3 == 0 ? 30.0 : 10.0;
            x[i % 2 == 0 ? 0 : 5] = log(period) + 1e-3 * (double)(i % 7);
            (void)posterior_density_prepare(s->posterior, x, parameters + i * PLACES);
        }
        assert_int_equal(walker_guide_see(guide, step, parameters, zeros, zeros), EQUANT_SUCCESS);
    }
}

static int is_near_ten_days(double log_period)
{
    return fabs(log_period - log(10.0)) < 0.02;
}

/* The mean of prior / density over what is drawn is the integral of the prior; over those near a
 * mode, it is what the prior has there: periods are log-uniform from 1.25 to 10,000 days. */
static void draws_have_the_density(void **state)
{
    (void)state;
    study s = open_study();
    assert_null(walker_guide_moves(s.guide));
    see(&s, s.guide, 20);
    assert_int_equal(walker_guide_renew(s.guide), EQUANT_SUCCESS);
    const sampler_guide *moves = walker_guide_moves(s.guide);
    assert_non_null(moves);
    random_stream stream = {3, RANDOM_PURPOSE_MOVES, 1};
    double sum = 0.0, of_mode = 0.0, n_unsorted = 0.0, parameters[PLACES], x[PLACES];
    for (uint64_t i = 0; i < N_DRAWS; i++) {
        if (!moves->draw(moves->context, stream, i << 14, x))
            continue;
        n_unsorted += x[0] > x[5];
        double log_prior = posterior_density_prepare(s.posterior, x, parameters);
        if (!(log_prior > -INFINITY))
            continue;
        double weight = exp(log_prior - moves->log_density(moves->context, x)) / N_DRAWS;
        sum += weight;
        of_mode += is_near_ten_days(x[0]) || is_near_ten_days(x[5]) ? weight : 0.0;
    }
    double share = 0.04 / log(8000.0);
    assert_true(fabs(of_mode / (1.0 - pow(1.0 - share, 2.0)) - 1.0) < 0.15);
    assert_true(fabs(sum - 1.0) < 0.15); /* four standard errors: weights are 20 at most */
    assert_true(n_unsorted > 0.3 * N_DRAWS && n_unsorted < 0.6 * N_DRAWS);

    double turned[PLACES];
    memcpy(turned, x + 5, 5 * sizeof *x);
    memcpy(turned + 5, x, 5 * sizeof *x);
    memcpy(turned + 10, x + 10, 2 * sizeof *x);
    assert_true(fabs(moves->log_density(moves->context, x) -
                     moves->log_density(moves->context, turned)) < 1e-9);
    close_study(&s);
}

static void what_was_saved_goes_on(void **state)
{
    (void)state;
    study s = open_study();
    see(&s, s.guide, 20);
    assert_int_equal(walker_guide_renew(s.guide), EQUANT_SUCCESS);
    see(&s, s.guide, 3);
    size_t n_bytes = walker_guide_bytes(s.guide);
    char *blob = malloc(n_bytes);
    assert_non_null(blob);
    walker_guide_save(s.guide, blob);

    walker_guide *other = NULL;
    const walker_guide_options options = options_of(s.posterior);
    assert_int_equal(walker_guide_create(&options, &other), EQUANT_SUCCESS);
    assert_int_equal(walker_guide_restore(other, blob, n_bytes), EQUANT_SUCCESS);
    random_stream stream = {3, RANDOM_PURPOSE_MOVES, 1};
    for (int round = 0; round < 2; round++) {
        const sampler_guide *a = walker_guide_moves(s.guide), *b = walker_guide_moves(other);
        assert_true(!a == !b);
        for (uint64_t i = 0; a && i < 100; i++) {
            double x[PLACES] = {0.0}, y[PLACES] = {0.0};
            bool is_drawn = a->draw(a->context, stream, i << 14, x);
            assert_int_equal(is_drawn, b->draw(b->context, stream, i << 14, y));
            if (is_drawn)
                assert_memory_equal(x, y, sizeof x);
        }
        assert_int_equal(walker_guide_renew(s.guide), EQUANT_SUCCESS);
        assert_int_equal(walker_guide_renew(other), EQUANT_SUCCESS);
    }
    assert_int_equal(walker_guide_restore(other, blob, n_bytes - 1), EQUANT_ERROR_FORMAT);
    assert_int_equal(walker_guide_restore(other, blob, 4), EQUANT_ERROR_FORMAT);
    walker_guide_free(other);
    free(blob);
    close_study(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_have_the_density),
        cmocka_unit_test(what_was_saved_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
