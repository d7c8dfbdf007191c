/* Evidences from draws: tails of weights against distributions of known shape, bridges and guides
 * against integrals that are known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "inference/sample/evidence/bridge.h"
#include "inference/sample/evidence/guided_evidence.h"
#include "inference/sample/evidence/mode_guide.h"
#include "inference/sample/evidence/pareto_tail.h"

enum { N = 20000, D = 3 };
#define TURN 6.283185307179586

static const random_stream numbers = {5, 77, 1};

static double uniform(uint64_t index)
{
    return random_uniforms_at(numbers, index).half[0];
}

static double normal(uint64_t index)
{
    return random_normal_quantile(uniform(index));
}

/* ---- tails --------------------------------------------------------------------- */

static void tails_have_their_shape(void **state)
{
    (void)state;
    static double weights[N];
    const double shapes[] = {0.3, 0.5, 0.9};
    for (size_t s = 0; s < 3; s++) {
        for (size_t i = 0; i < N; i++) /* Pareto's own distribution */
            weights[i] = -shapes[s] * log(uniform(i));
        assert_true(fabs(pareto_tail_shape(N, weights) - shapes[s]) < 0.1);
    }
    for (size_t i = 0; i < N; i++)
        weights[i] = log(uniform(i)); /* bounded: a shape of -1 */
    assert_true(pareto_tail_shape(N, weights) < -0.7);
    for (size_t i = 0; i < N; i++) /* nearly all alike, and an edge: no tail */
        weights[i] = i % 100 == 0 ? 0.5 - 0.5 * log(0.02 + uniform(i)) : 0.3 * uniform(i);
    assert_true(pareto_tail_shape(N, weights) <= 0.0);
    for (size_t i = 0; i < N; i++)
        weights[i] = 1.5;
    assert_true(pareto_tail_shape(N, weights) == -INFINITY);
    assert_true(isnan(pareto_tail_shape(20, weights)));
}

/* ---- bridges --------------------------------------------------------------------- */

/* p is 7 times a normal density, q one of another width. */
static void bridges_know_normal_densities(void **state)
{
    (void)state;
    static double of_p[N], of_q[N];
    for (size_t i = 0; i < N; i++) {
        double x = normal(i), y = 1.7 * normal(N + i);
        of_p[i] = log(7.0) - 0.5 * x * x + 0.5 * x * x / (1.7 * 1.7) + log(1.7);
        of_q[i] = log(7.0) - 0.5 * y * y + 0.5 * y * y / (1.7 * 1.7) + log(1.7);
    }
    assert_true(fabs(bridge_log_evidence(N, of_p, N, N, of_q) - log(7.0)) < 0.01);
    for (size_t i = 0; i < N; i++)
        of_q[i] = -INFINITY;
    assert_true(isnan(bridge_log_evidence(N, of_p, N, N, of_q)));
    assert_true(isnan(bridge_log_evidence(0, of_p, 0.0, N, of_q)));
}

/* ---- guides ----------------------------------------------------------------------- */

/* Two modes that a single Gaussian could not follow: a share of 0.3 and one of 0.7, the third
 * coordinate an angle, narrow in one and anywhere on the circle in the other. */
static double log_target(const double *x)
{
    double first = 0.0, second = 0.0, across = x[2] - 3.0;
    across -= TURN * rint(across / TURN);
    first = exp(-0.5 * (x[0] * x[0] + x[1] * x[1] + across * across / 0.01)) / 0.1 / pow(TURN, 1.5);
    second = exp(-0.5 * ((x[0] - 40.0) * (x[0] - 40.0) / 0.04 + (x[1] - x[0]) * (x[1] - x[0]))) /
             0.2 / (TURN * TURN);
    return log(0.3 * first + 0.7 * second);
}

static uint32_t draw_target(size_t i, double *x)
{
    uint64_t first = 10 * (uint64_t)i + 1000000;
    uint32_t mode = uniform(first) > 0.3;
    x[0] = mode ? 40.0 + 0.2 * normal(first + 1) : normal(first + 1);
    x[1] = mode ? x[0] + normal(first + 2) : normal(first + 2);
    x[2] = mode ? TURN * (uniform(first + 3) - 0.5) : 3.0 + 0.1 * normal(first + 3);
    x[2] -= TURN * rint(x[2] / TURN);
    return mode;
}

static mode_guide *make_guide(size_t n_draws, double *places, uint32_t *labels)
{
    static const unsigned char is_angle[D] = {0, 0, 1};
    mode_guide *guide = NULL;
    for (size_t i = 0; i < n_draws; i++)
        labels[i] = draw_target(i, places + D * i);
    const mode_guide_request request = {.n_coordinates = D,
                                        .is_angle = is_angle,
                                        .n_draws = n_draws,
                                        .coordinates = places,
                                        .n_modes = 2,
                                        .mode = labels};
    assert_int_equal(mode_guide_create(&request, &guide), EQUANT_SUCCESS);
    return guide;
}

static void guides_cover_all_modes(void **state)
{
    (void)state;
    static double places[D * N], of_p[N], of_q[N], scratch[2 * D];
    static uint32_t labels[N];
    mode_guide *guide = make_guide(N, places, labels);
    for (size_t i = 0; i < N; i++) {
        double x[D];
        mode_guide_draw(guide, numbers, 5000000 + i * (4 + D / 2), x, scratch);
        of_q[i] =
            isnan(x[2]) ? -INFINITY : log_target(x) - mode_guide_log_density(guide, x, scratch);
        draw_target(N + i, x);
        of_p[i] = log_target(x) - mode_guide_log_density(guide, x, scratch);
    }
    /* The target has the integral 1. */
    assert_true(fabs(bridge_log_evidence(N, of_p, N, N, of_q)) < 0.01);
    assert_true(pareto_tail_shape(N, of_q) < 0.5);
    mode_guide_free(guide);
}

/* A mode that the draws do not know shows in the tail of the weights: those of the few points that
 * get there are huge. */
static void lost_modes_are_noticed(void **state)
{
    (void)state;
    static double weights[N];
    for (size_t i = 0; i < N; i++) {
        double x = normal(i); /* the target is wider than the guide by half */
        weights[i] = -0.5 * x * x / 2.25 + 0.5 * x * x - log(1.5);
        weights[i] *= 4.0; /* in four dimensions alike */
    }
    assert_true(pareto_tail_shape(N, weights) > 0.7);
}

static void too_few_draws_make_no_guide(void **state)
{
    (void)state;
    static const unsigned char is_angle[D] = {0, 0, 1};
    const double two[2 * D] = {0.0, 1.0, 2.0, 1.0, 2.0, 3.0};
    const uint32_t labels[2] = {0, 0};
    mode_guide *guide = NULL;
    const mode_guide_request request = {.n_coordinates = D,
                                        .is_angle = is_angle,
                                        .n_draws = 2,
                                        .coordinates = two,
                                        .n_modes = 1,
                                        .mode = labels};
    assert_int_equal(mode_guide_create(&request, &guide), EQUANT_ERROR_UNAVAILABLE);
}

static void numbers_that_cannot_be_trusted_are_known(void **state)
{
    (void)state;
    assert_true(guided_evidence_is_sound(0.02, 0.1, 0.3));
    assert_false(guided_evidence_is_sound(0.02, 0.1, 0.71));
    assert_false(guided_evidence_is_sound(0.2, 0.5, 0.3));
    assert_false(guided_evidence_is_sound(0.4, NAN, NAN));
    assert_false(guided_evidence_is_sound(NAN, NAN, NAN));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tails_have_their_shape),
        cmocka_unit_test(bridges_know_normal_densities),
        cmocka_unit_test(guides_cover_all_modes),
        cmocka_unit_test(lost_modes_are_noticed),
        cmocka_unit_test(too_few_draws_make_no_guide),
        cmocka_unit_test(numbers_that_cannot_be_trusted_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
