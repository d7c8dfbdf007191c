/* Coordinates of guides: the way back leads back, volumes are those of finite differences, and of
 * the prior periods and shapes are normal deviates. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "inference/sample/evidence/guide_space.h"
#include "unit/small_star.h"

enum { N_DRAWS = 4000, FEW = 50, PLACES = 7 /* of one planet, an offset and a jitter */ };

typedef struct study {
    equant_dataset *dataset;
    priors *priors;
    posterior_density *posterior;
} study;

static study open_study(const char *set, const orbit_basis *basis)
{
    study s = {.dataset = small_star(1)};
    priors_options wanted = {s.dataset, 1, 0, set, NULL};
    assert_int_equal(priors_create(&wanted, &s.priors), EQUANT_SUCCESS);
    posterior_density_options options = {
        .dataset = s.dataset, .n_planets = 1, .priors = s.priors, .basis = basis};
    assert_int_equal(posterior_density_create(&options, &s.posterior), EQUANT_SUCCESS);
    assert_int_equal(posterior_density_n_coordinates(s.posterior), PLACES);
    return s;
}

static void close_study(study *s)
{
    posterior_density_free(s->posterior);
    priors_free(s->priors);
    equant_dataset_free(s->dataset);
}

/* d (entered coordinate i) / d (coordinate j), by a small step to either side. */
static double slope(const posterior_density *posterior, const double *x, size_t i, size_t j)
{
    double low[PLACES], high[PLACES], step = 1e-5 * fmax(fabs(x[j]), 1e-3);
    memcpy(low, x, sizeof low);
    memcpy(high, x, sizeof high);
    low[j] -= step;
    high[j] += step;
    guide_space_enter(posterior, low);
    guide_space_enter(posterior, high);
    return (high[i] - low[i]) / (2.0 * step);
}

static void check_draw(const posterior_density *posterior, uint64_t index)
{
    double x[PLACES], entered[PLACES], back[PLACES];
    posterior_density_draw(posterior, 3, index, x);
    memcpy(entered, x, sizeof entered);
    double log_volume = guide_space_enter(posterior, entered);
    memcpy(back, entered, sizeof back);
    assert_true(fabs(guide_space_leave(posterior, back) - log_volume) < 1e-6);
    for (size_t i = 0; i < PLACES; i++)
        assert_true(fabs(back[i] - x[i]) <= 1e-9 * fmax(1.0, fabs(x[i])));
    for (size_t i = 0; i < PLACES; i++)
        if (i != 0 && i != 2 && i != 3)
            assert_true(entered[i] == x[i]);
    double shape = slope(posterior, x, 2, 2) * slope(posterior, x, 3, 3) -
                   slope(posterior, x, 2, 3) * slope(posterior, x, 3, 2);
    double volume = slope(posterior, x, 0, 0) * shape;
    assert_true(fabs(log(fabs(volume)) - log_volume) < 1e-3);
}

static void ways_and_volumes_agree(void **state)
{
    (void)state;
    const char *const sets[] = {NULL, "eprv3", "kipping"};
    const orbit_basis pair = {.has_linear_period = 1, .shape = SHAPE_PAIR};
    for (size_t s = 0; s < 3; s++)
        for (int has_basis = 0; has_basis < 2; has_basis++) {
            study own = open_study(sets[s], has_basis ? &pair : NULL);
            for (uint64_t i = 0; i < FEW; i++)
                check_draw(own.posterior, i);
            close_study(&own);
        }
}

static void of_the_prior_they_are_normal(void **state)
{
    (void)state;
    study s = open_study("eprv3", NULL);
    const size_t places[] = {0, 2, 3};
    double square[3] = {0.0}, fourth[3] = {0.0};
    for (uint64_t i = 0; i < N_DRAWS; i++) {
        double x[PLACES];
        posterior_density_draw(s.posterior, 4, i, x);
        guide_space_enter(s.posterior, x);
        for (size_t k = 0; k < 3; k++) {
            square[k] += pow(x[places[k]], 2.0) / N_DRAWS;
            fourth[k] += pow(x[places[k]], 4.0) / N_DRAWS;
        }
    }
    for (size_t k = 0; k < 3; k++) { /* within five standard errors */
        assert_true(fabs(square[k] - 1.0) < 5.0 * sqrt(2.0 / N_DRAWS));
        assert_true(fabs(fourth[k] - 3.0) < 5.0 * sqrt(96.0 / N_DRAWS));
    }
    close_study(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways_and_volumes_agree),
        cmocka_unit_test(of_the_prior_they_are_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
