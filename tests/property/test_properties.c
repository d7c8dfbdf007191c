/* What must hold whatever the implementation: symmetries of Kepler's equation
 * and of the model, each on every backend and in every way of computing. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "conformance/engines.h"
#include "equant.h"
#include "oracle/random_system.h"
#include "property/property_star.h"

enum { N_PAIRS = 3001, N_OBS = 53 };

static const double two_pi = 6.283185307179586;

/* Three planets of moderate eccentricity, for which velocities move by at most
 * about ten K per radian of mean anomaly; two offsets follow. */
static const double planets[] = {64,  40,  0.3,   1.0, 2.0, 17.25, 9,  0.6, -2.0,
                                 5.0, 900, 120.0, 0.1, 0.5, 4.0,   30, -12};

/* Rounding unit of the greater part of the arithmetic. */
static double unit_of(const equant_engine_options *options)
{
    return engines_is_double(options) ? 0x1p-53 : 0x1p-24;
}

/* Unit with which mean anomalies come out: single loses turns since t_ref, and
 * Danby's iteration stops at its tolerance. */
static double mean_unit_of(const equant_engine_options *options)
{
    double unit = unit_of(options);
    if (options->precision == EQUANT_PRECISION_SINGLE)
        unit *= 500;
    if (options->solver == EQUANT_SOLVER_DANBY)
        unit += engines_is_double(options) ? options->danby_tolerance : 1e-6;
    return unit;
}

/* Runs a check for every backend and way of computing. */
static void for_every_engine(void (*check)(const equant_engine_options *))
{
    for (size_t b = 0; b < engines_n_backends(); b++) {
        for (size_t way = 0; way < ENGINES_N_WAYS; way++) {
            equant_engine_options options = engines_way(engines_backend(b), way);
            options.n_threads = 1;
            check(&options);
        }
    }
}

static void assert_near(double a, double b, double tolerance, const char *what,
                        const equant_engine_options *options)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%s: %s: %.17g and %.17g differ by %.3g, allowed %.3g", engines_name(options),
                 what, a, b, fabs(a - b), tolerance);
}

/* Kepler's equation. */

typedef struct pair_set {
    double mean[N_PAIRS], e[N_PAIRS], eccentric[N_PAIRS], sine[N_PAIRS], cosine[N_PAIRS];
} pair_set;

static pair_set first, second;

static void draw_pairs(double e_max)
{
    random_system random = {31};
    for (size_t k = 0; k < N_PAIRS; k++) {
        first.mean[k] = random_system_between(&random, -10, 10);
        first.e[k] = random_system_between(&random, 0, e_max);
    }
    second = first;
}

static void solve_pairs(const equant_engine_options *options, pair_set *set)
{
    trial_require(equant_kepler_solve(N_PAIRS, set->mean, set->e, options, set->eccentric,
                                      set->sine, set->cosine),
                  "equant_kepler_solve");
}

static void check_odd(const equant_engine_options *options)
{
    draw_pairs(1);
    for (size_t k = 0; k < N_PAIRS; k++)
        second.mean[k] = -first.mean[k];
    solve_pairs(options, &first);
    solve_pairs(options, &second);
    for (size_t k = 0; k < N_PAIRS; k++)
        if (first.eccentric[k] != -second.eccentric[k] || first.sine[k] != -second.sine[k] ||
            first.cosine[k] != second.cosine[k])
            fail_msg("%s: M = +-%.17g, e = %.17g: E = %.17g and %.17g", engines_name(options),
                     first.mean[k], first.e[k], first.eccentric[k], second.eccentric[k]);
}

static void eccentric_anomaly_is_odd(void **state)
{
    (void)state;
    for_every_engine(check_odd);
}

static void check_period_of_solver(const equant_engine_options *options)
{
    draw_pairs(0.9);
    for (size_t k = 0; k < N_PAIRS; k++)
        second.mean[k] = first.mean[k] + two_pi;
    solve_pairs(options, &first);
    solve_pairs(options, &second);
    /* M up to 16.3 in the unit of phase, magnified by at most 1/(1 - e). */
    double tolerance = 16.3 * 4 * (unit_of(options) + mean_unit_of(options)) / (1 - 0.9);
    for (size_t k = 0; k < N_PAIRS; k++) {
        assert_near(second.eccentric[k], first.eccentric[k] + two_pi, tolerance, "E of M + 2 pi",
                    options);
        assert_near(second.sine[k], first.sine[k], tolerance, "sin E of M + 2 pi", options);
        assert_near(second.cosine[k], first.cosine[k], tolerance, "cos E of M + 2 pi", options);
    }
}

static void a_turn_of_mean_is_a_turn_of_eccentric_anomaly(void **state)
{
    (void)state;
    for_every_engine(check_period_of_solver);
}

static void check_circular_solver(const equant_engine_options *options)
{
    draw_pairs(0);
    for (size_t k = 0; k < N_PAIRS; k++)
        second.e[k] = 1e-12;
    solve_pairs(options, &first);
    solve_pairs(options, &second);
    double tolerance = 16 * unit_of(options);
    for (size_t k = 0; k < N_PAIRS; k++) {
        assert_near(first.eccentric[k], first.mean[k], tolerance, "E of e = 0", options);
        assert_near(first.sine[k], sin(first.mean[k]), tolerance, "sin E of e = 0", options);
        assert_near(first.cosine[k], cos(first.mean[k]), tolerance, "cos E of e = 0", options);
        assert_near(second.eccentric[k], first.eccentric[k], 1e-12 + tolerance, "E of e -> 0",
                    options);
    }
}

static void circular_orbits_are_the_limit_of_small_eccentricity(void **state)
{
    (void)state;
    for_every_engine(check_circular_solver);
}

/* The model. */

/* Slack for velocities of these planets, of chi-square beside it. */
static double velocity_slack(const equant_engine_options *options)
{
    return 160 * 32 * (unit_of(options) + mean_unit_of(options));
}

static void assert_same_answer(const star *s, const star_answer *a, const star_answer *b,
                               const char *what, const equant_engine_options *options)
{
    double slack = velocity_slack(options), chi_slack = 0;
    for (size_t k = 0; k < s->n_obs; k++) {
        assert_near(a->residual[k], b->residual[k], 2 * slack, what, options);
        chi_slack +=
            2 * (2 * fabs(a->residual[k]) + 2 * slack) * slack / (s->sigma[k] * s->sigma[k]);
    }
    chi_slack += 64 * unit_of(options) * a->chi_square;
    assert_near(a->chi_square, b->chi_square, chi_slack, what, options);
    assert_near(a->log_likelihood, b->log_likelihood, chi_slack, what, options);
}

static void check_period_in_time(const equant_engine_options *options)
{
    star s = star_draw(1, N_OBS, 2);
    equant_model_options model = star_model(&s, 1, EQUANT_NUISANCE_GIVEN);
    const double parameters[] = {64, 40, 0.3, 1, 2, 30, -12};
    star_answer now = star_evaluate(&s, &model, options, parameters);
    for (size_t k = 0; k < s.n_obs; k++)
        s.time[k] += 64;
    star_answer later = star_evaluate(&s, &model, options, parameters);
    assert_same_answer(&s, &now, &later, "one period later", options);
    double turned[7];
    memcpy(turned, parameters, sizeof turned);
    turned[3] -= two_pi;
    turned[4] += two_pi;
    star_answer around = star_evaluate(&s, &model, options, turned);
    assert_same_answer(&s, &later, &around, "angles a turn away", options);
}

static void velocities_are_periodic(void **state)
{
    (void)state;
    for_every_engine(check_period_in_time);
}

static void check_epoch(const equant_engine_options *options)
{
    star s = star_draw(2, N_OBS, 2);
    equant_model_options model = star_model(&s, 3, EQUANT_NUISANCE_GIVEN);
    star_answer early = star_evaluate(&s, &model, options, planets);
    for (size_t k = 0; k < s.n_obs; k++)
        s.time[k] += 2450000;
    s.reference_time += 2450000;
    star_answer late = star_evaluate(&s, &model, options, planets);
    if (memcmp(&early, &late, sizeof early) != 0)
        fail_msg("%s: an exact shift of all times changes the results", engines_name(options));
}

static void only_time_from_the_reference_counts(void **state)
{
    (void)state;
    for_every_engine(check_epoch);
}

static void check_circular_velocity(const equant_engine_options *options)
{
    star s = star_draw(3, N_OBS, 1);
    equant_model_options model = star_model(&s, 1, EQUANT_NUISANCE_GIVEN);
    double parameters[] = {64, 40, 0, 1, 2, 30};
    star_answer circular = star_evaluate(&s, &model, options, parameters);
    for (size_t k = 0; k < s.n_obs; k++) {
        /* Answers are in order of time. The period is a power of two, so the
         * phase is exact. */
        size_t place = 0;
        for (size_t j = 0; j < s.n_obs; j++)
            place += s.time[j] < s.time[k];
        double turns = (s.time[k] - s.reference_time) / 64;
        double expected = 30 + 40 * cos(two_pi * (turns - rint(turns)) + 2 + 1);
        assert_near(circular.velocity[place], expected, velocity_slack(options), "circular orbit",
                    options);
    }
    parameters[2] = 1e-9;
    star_answer nearly = star_evaluate(&s, &model, options, parameters);
    for (size_t k = 0; k < s.n_obs; k++)
        assert_near(nearly.velocity[k], circular.velocity[k], 40 * 4e-9 + velocity_slack(options),
                    "nearly circular orbit", options);
}

static void circular_velocities_are_cosines(void **state)
{
    (void)state;
    for_every_engine(check_circular_velocity);
}

static void check_planet_order(const equant_engine_options *options)
{
    star s = star_draw(4, N_OBS, 2);
    equant_model_options model = star_model(&s, 3, EQUANT_NUISANCE_GIVEN);
    star_answer straight = star_evaluate(&s, &model, options, planets);
    static const int orders[][3] = {{0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (size_t i = 0; i < 5; i++) {
        double parameters[17];
        memcpy(parameters, planets, sizeof parameters);
        for (int p = 0; p < 3; p++)
            memcpy(parameters + 5 * p, planets + 5 * orders[i][p], 5 * sizeof(double));
        star_answer other = star_evaluate(&s, &model, options, parameters);
        assert_same_answer(&s, &straight, &other, "planets in another order", options);
    }
}

static void planets_may_come_in_any_order(void **state)
{
    (void)state;
    for_every_engine(check_planet_order);
}

/* A data set is sorted, so with distinct times the order given changes no bit. */
static void check_observation_order(const equant_engine_options *options)
{
    star s = star_draw(5, N_OBS, 2), shuffled = s;
    random_system random = {6};
    for (size_t k = s.n_obs - 1; k > 0; k--) {
        size_t j = random_system_below(&random, k + 1);
        star old = shuffled;
        shuffled.time[k] = old.time[j], shuffled.time[j] = old.time[k];
        shuffled.velocity[k] = old.velocity[j], shuffled.velocity[j] = old.velocity[k];
        shuffled.sigma[k] = old.sigma[j], shuffled.sigma[j] = old.sigma[k];
        shuffled.instrument[k] = old.instrument[j], shuffled.instrument[j] = old.instrument[k];
    }
    equant_model_options model = star_model(&s, 3, EQUANT_NUISANCE_SOLVED);
    star_answer straight = star_evaluate(&s, &model, options, planets);
    star_answer other = star_evaluate(&shuffled, &model, options, planets);
    if (memcmp(&straight, &other, sizeof straight) != 0)
        fail_msg("%s: the order of observations changes the results", engines_name(options));
}

static void observations_may_come_in_any_order(void **state)
{
    (void)state;
    for_every_engine(check_observation_order);
}

/* Velocities, uncertainties, K and offsets times a power of two: no rounding
 * changes, so neither may any bit of chi-square. */
static void check_scaling(const equant_engine_options *options)
{
    star s = star_draw(7, N_OBS, 2);
    double parameters[17];
    memcpy(parameters, planets, sizeof parameters);
    for (int solved = 0; solved < 2; solved++) {
        star big = s;
        double scaled[17];
        memcpy(scaled, parameters, sizeof scaled);
        for (size_t k = 0; k < s.n_obs; k++)
            big.velocity[k] *= 16, big.sigma[k] *= 16;
        for (int p = 0; p < 3; p++)
            scaled[5 * p + 1] *= 16;
        scaled[15] *= 16, scaled[16] *= 16;
        equant_model_options model =
            star_model(&s, 3, solved ? EQUANT_NUISANCE_SOLVED : EQUANT_NUISANCE_GIVEN);
        star_answer small = star_evaluate(&s, &model, options, parameters);
        star_answer large = star_evaluate(&big, &model, options, scaled);
        bool exact = small.chi_square == large.chi_square &&
                     16 * small.linear[0] == large.linear[0] &&
                     16 * small.linear[1] == large.linear[1];
        for (size_t k = 0; k < s.n_obs; k++)
            exact = exact && 16 * small.velocity[k] == large.velocity[k] &&
                    16 * small.residual[k] == large.residual[k];
        if (!exact)
            fail_msg("%s: scaling by 16 is not exact (%s offsets): chi-square %.17g and %.17g",
                     engines_name(options), solved ? "solved" : "given", small.chi_square,
                     large.chi_square);
    }
}

static void scaling_by_a_power_of_two_is_exact(void **state)
{
    (void)state;
    for_every_engine(check_scaling);
}

static void check_offset_shift(const equant_engine_options *options)
{
    star s = star_draw(8, N_OBS, 2), shifted = s;
    for (size_t k = 0; k < s.n_obs; k++)
        shifted.velocity[k] += s.instrument[k] ? 128 : -256;
    equant_model_options model = star_model(&s, 3, EQUANT_NUISANCE_SOLVED);
    star_answer before = star_evaluate(&s, &model, options, planets);
    star_answer after = star_evaluate(&shifted, &model, options, planets);
    assert_same_answer(&s, &before, &after, "data shifted, offsets solved", options);
    double slack = 2 * velocity_slack(options);
    assert_near(after.linear[0], before.linear[0] - 256, slack, "offset 1", options);
    assert_near(after.linear[1], before.linear[1] + 128, slack, "offset 2", options);
}

static void solved_offsets_absorb_shifts(void **state)
{
    (void)state;
    for_every_engine(check_offset_shift);
}

/* A star that recedes at 131 km/s: what no single-precision number could hold
 * beside a residual must have left before anything is narrowed. */
static void check_systemic_velocity(const equant_engine_options *options)
{
    const double systemic = 131072;
    star s = star_draw(13, N_OBS, 2), receding = s;
    for (size_t k = 0; k < s.n_obs; k++)
        receding.velocity[k] += systemic;
    double slack = 2 * velocity_slack(options) + 8 * 0x1p-53 * systemic;
    for (int solved = 0; solved < 2; solved++) {
        equant_model_options model =
            star_model(&s, 3, solved ? EQUANT_NUISANCE_SOLVED : EQUANT_NUISANCE_GIVEN);
        double parameters[17];
        memcpy(parameters, planets, sizeof parameters);
        star_answer near = star_evaluate(&s, &model, options, parameters);
        parameters[15] += systemic, parameters[16] += systemic;
        star_answer far = star_evaluate(&receding, &model, options, parameters);
        for (size_t k = 0; k < s.n_obs; k++)
            assert_near(far.residual[k], near.residual[k], slack, "receding star", options);
        assert_near(far.chi_square, near.chi_square,
                    16 * slack * sqrt(near.chi_square) + 64 * unit_of(options) * near.chi_square,
                    "chi-square of a receding star", options);
    }
}

static void systemic_velocity_costs_no_precision(void **state)
{
    (void)state;
    for_every_engine(check_systemic_velocity);
}

static void check_trend_absorbed(const equant_engine_options *options)
{
    const double slope = 0.0625, curvature = 0x1p-17;
    star s = star_draw(9, N_OBS, 2), bent = s;
    for (size_t k = 0; k < s.n_obs; k++) {
        double time = s.time[k] - s.reference_time;
        bent.velocity[k] += slope * time + curvature * time * time;
    }
    equant_model_options model = star_model(&s, 3, EQUANT_NUISANCE_SOLVED);
    model.trend = EQUANT_TREND_QUADRATIC;
    star_answer before = star_evaluate(&s, &model, options, planets);
    star_answer after = star_evaluate(&bent, &model, options, planets);
    assert_same_answer(&s, &before, &after, "data bent, trend solved", options);
    double slack = 4 * velocity_slack(options);
    assert_near(after.linear[2], before.linear[2] + slope, slack / 1000, "slope", options);
    assert_near(after.linear[3], before.linear[3] + curvature, slack / 1e6, "curvature", options);
}

static void solved_trends_absorb_trends(void **state)
{
    (void)state;
    for_every_engine(check_trend_absorbed);
}

/* What is solved for is the best: any other value given is worse. */
static void check_solved_is_best(const equant_engine_options *options)
{
    star s = star_draw(10, N_OBS, 2);
    equant_model_options solved = star_model(&s, 3, EQUANT_NUISANCE_SOLVED);
    equant_model_options given = star_model(&s, 3, EQUANT_NUISANCE_GIVEN);
    star_answer best = star_evaluate(&s, &solved, options, planets);
    double parameters[17];
    memcpy(parameters, planets, sizeof parameters);
    memcpy(parameters + 15, best.linear, 2 * sizeof(double));
    star_answer same = star_evaluate(&s, &given, options, parameters);
    assert_same_answer(&s, &best, &same, "solved offsets, then given", options);
    for (int i = 0; i < 4; i++) {
        double moved[17];
        memcpy(moved, parameters, sizeof moved);
        moved[15 + i / 2] += i % 2 ? 1 : -1;
        assert_true(star_evaluate(&s, &given, options, moved).chi_square > best.chi_square);
    }
}

static void solved_offsets_are_the_best(void **state)
{
    (void)state;
    for_every_engine(check_solved_is_best);
}

static void check_solvers_agree(const equant_engine_options *options)
{
    star s = star_draw(11, N_OBS, 2);
    equant_model_options model = star_model(&s, 3, EQUANT_NUISANCE_GIVEN);
    equant_engine_options danby = *options;
    danby.solver = EQUANT_SOLVER_DANBY;
    danby.danby_tolerance = engines_is_double(options) ? 1e-14 : 1e-6;
    star_answer a = star_evaluate(&s, &model, options, planets);
    star_answer b = star_evaluate(&s, &model, &danby, planets);
    assert_same_answer(&s, &a, &b, "fast and danby", &danby);
}

static void solvers_agree(void **state)
{
    (void)state;
    for_every_engine(check_solvers_agree);
}

static void check_one_observation(const equant_engine_options *options)
{
    star s = star_draw(12, 1, 1);
    equant_model_options model = star_model(&s, 3, EQUANT_NUISANCE_SOLVED);
    star_answer answer = star_evaluate(&s, &model, options, planets);
    double slack = velocity_slack(options);
    assert_near(answer.residual[0], 0, slack, "residual of one observation", options);
    assert_near(answer.chi_square, 0, slack * slack, "chi-square of one observation", options);
    assert_near(answer.velocity[0], s.velocity[0], slack, "velocity of one observation", options);
}

static void one_observation_is_matched_by_its_offset(void **state)
{
    (void)state;
    for_every_engine(check_one_observation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eccentric_anomaly_is_odd),
        cmocka_unit_test(a_turn_of_mean_is_a_turn_of_eccentric_anomaly),
        cmocka_unit_test(circular_orbits_are_the_limit_of_small_eccentricity),
        cmocka_unit_test(velocities_are_periodic),
        cmocka_unit_test(only_time_from_the_reference_counts),
        cmocka_unit_test(circular_velocities_are_cosines),
        cmocka_unit_test(planets_may_come_in_any_order),
        cmocka_unit_test(observations_may_come_in_any_order),
        cmocka_unit_test(scaling_by_a_power_of_two_is_exact),
        cmocka_unit_test(solved_offsets_absorb_shifts),
        cmocka_unit_test(systemic_velocity_costs_no_precision),
        cmocka_unit_test(solved_trends_absorb_trends),
        cmocka_unit_test(solved_offsets_are_the_best),
        cmocka_unit_test(solvers_agree),
        cmocka_unit_test(one_observation_is_matched_by_its_offset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
