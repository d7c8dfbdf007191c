/* The probability of a planet: near 1 for one that is there, below what is asked for where noise
 * makes as much of itself, and the two probabilities add up. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "equant.h"
#include "inference/select/aliases/planet_odds.h"

enum { N = 60 };
#define TWO_PI 6.283185307179586476925286766559

static bool is_unweighed; /* whether fits are to leave probabilities out */

static equant_fit *fit_star(double k_m_s, double false_alarm_max, double probability_min)
{
    double times[N], velocities[N], sigmas[N];
    for (int i = 0; i < N; i++) {
        times[i] = 2455000.0 + 7.3 * i + 2.1 * sin(3.7 * i * i);
        sigmas[i] = 2.0;
        velocities[i] = k_m_s * sin(TWO_PI * times[i] / 23.7) + 2.0 * M_SQRT2 * sin(11.3 * i * i);
    }
    equant_dataset *dataset;
    equant_fit *fit;
    assert_int_equal(
        equant_dataset_from_arrays(N, times, velocities, sigmas, NULL, 1, NULL, NULL, &dataset),
        EQUANT_SUCCESS);
    const equant_engine_options engine = {.struct_size = sizeof engine, .n_threads = 1};
    equant_fit_options options = {.struct_size = sizeof options,
                                  .engine = &engine,
                                  .max_planets = 1,
                                  .false_alarm_max = false_alarm_max,
                                  .probability_min = probability_min,
                                  .period_min_days = 5.0,
                                  .period_max_days = 300.0,
                                  .eccentricity_max = 0.3,
                                  .noise = "white",
                                  .no_probabilities = is_unweighed};
    bool is_refused = is_unweighed && probability_min > 0.0;
    fit = NULL;
    assert_int_equal(equant_fit_star(dataset, &options, &fit),
                     is_refused ? EQUANT_ERROR_INVALID_ARGUMENT : EQUANT_SUCCESS);
    equant_dataset_free(dataset);
    return fit;
}

static void planets_that_are_there(void **state)
{
    (void)state;
    equant_fit *fit = fit_star(6.0, 0.0, 0.0);
    equant_planet planet = {.struct_size = sizeof planet};
    assert_int_equal(equant_fit_n_planets(fit), 1);
    assert_int_equal(equant_fit_planet(fit, 0, &planet), EQUANT_SUCCESS);
    assert_true(planet.probability > 0.999);
    assert_true(planet.false_inclusion > 0.0 && planet.false_inclusion < 1e-3);
    equant_fit_free(fit);
}

/* What the false alarms let pass, because they are told to, the probability does not. */
static void planets_that_are_not(void **state)
{
    (void)state;
    equant_fit *fit = fit_star(0.0, 0.999, 0.95), *easy = fit_star(0.0, 0.999, 0.0);
    equant_planet candidate = {.struct_size = sizeof candidate}, taken = candidate;
    assert_int_equal(equant_fit_n_planets(fit), 0);
    assert_int_equal(equant_fit_candidate(fit, &candidate), EQUANT_SUCCESS);
    assert_true(candidate.probability < 0.95);
    if (equant_fit_n_planets(easy) == 1) { /* the BIC may still say no */
        assert_int_equal(candidate.refused_because, EQUANT_REFUSED_IMPROBABLE);
        assert_int_equal(equant_fit_planet(easy, 0, &taken), EQUANT_SUCCESS);
        assert_true(fabs(taken.probability - candidate.probability) < 1e-6);
    }
    equant_fit_free(fit);
    equant_fit_free(easy);
}

static void both_probabilities_keep_their_digits(void **state)
{
    (void)state;
    assert_true(fabs(planet_odds_probability(-80.0) / exp(-80.0) - 1.0) < 1e-12);
    assert_true(planet_odds_probability(80.0) == 1.0);
    assert_true(planet_odds_probability(0.0) == 0.5);
    assert_true(planet_odds_probability(-800.0) == 0.0);
    assert_true(isnan(planet_odds_probability(NAN)));
}

/* Three planets and one that is given, by all eight ways that they may be there or not: k planets
 * are k! times as many ways of the prior, which has every number as often. */
static void numbers_are_sums_over_all_ways(void **state)
{
    (void)state;
    const double odds[] = {1.0, 4.0, 9.0};
    const double log_odds[] = {log(1.0), log(4.0), INFINITY, log(9.0)};
    double numbers[5], there[4], absent[4], expected[5] = {0.0}, of[3] = {0.0}, total = 0.0;
    for (int way = 0; way < 8; way++) {
        double weight = 1.0;
        int n = 1;
        for (int i = 0; i < 3; i++)
            if (way >> i & 1) {
                weight *= odds[i];
                n++;
            }
        for (int k = 2; k <= n; k++)
            weight *= k;
        expected[n] += weight;
        total += weight;
        for (int i = 0; i < 3; i++)
            of[i] += way >> i & 1 ? weight : 0.0;
    }
    planet_odds_settle(4, log_odds, NULL, there, absent, numbers);
    for (int n = 0; n < 5; n++)
        assert_true(fabs(numbers[n] - expected[n] / total) < 1e-14);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(there[i + (i > 1)] - of[i] / total) < 1e-14);
        assert_true(fabs(absent[i + (i > 1)] - (1.0 - of[i] / total)) < 1e-14);
    }
    assert_true(there[2] == 1.0 && absent[2] == 0.0);
}

/* Among sure ones the last of n has n times its odds; small probabilities keep their digits. */
static void sure_planets_count(void **state)
{
    (void)state;
    const double log_odds[] = {60.0, -2.0, 80.0};
    double numbers[4], there[3], absent[3];
    planet_odds_settle(3, log_odds, NULL, there, absent, numbers);
    assert_true(fabs(there[1] - planet_odds_probability(planet_odds_of_one(-2.0, 3))) < 1e-12);
    assert_true(absent[2] > 0.0 && absent[2] < exp(-80.0));
    planet_odds_settle(0, log_odds, NULL, there, absent, numbers);
    assert_true(numbers[0] == 1.0);
}

/* Of four signals, the last one refused, the first and the third are a noise together: all sixteen
 * sets by hand. */
static void planets_that_go_together(void **state)
{
    (void)state;
    const double log_odds[] = {4.0, 1.5, 6.0, -0.5}, pair = -1.0;
    const planet_absences together = {
        .n = 1, .n_planets = 3, .models = {{.is_absent = {true, false, true}, .log_odds = pair}}};
    double expected[5] = {0.0}, of[4] = {0.0}, total = 0.0, numbers[5], there[4], absent[4];
    for (int set = 0; set < 16; set++) {
        double weight = 1.0, ways = 1.0;
        int n = 0;
        for (int i = 0; i < 4; i++)
            if (set >> i & 1) {
                weight *= exp(log_odds[i]);
                ways *= ++n;
            }
        if (set == 2)
            weight = exp(log_odds[0] + log_odds[1] + log_odds[2] + pair);
        expected[n] += weight * ways;
        total += weight * ways;
        for (int i = 0; i < 4; i++)
            of[i] += set >> i & 1 ? weight * ways : 0.0;
    }
    planet_odds_settle(4, log_odds, &together, there, absent, numbers);
    for (int i = 0; i < 4; i++)
        assert_true(fabs(there[i] - of[i] / total) < 1e-14 &&
                    fabs(absent[i] + there[i] - 1) < 1e-14);
    for (int n = 0; n < 5; n++)
        assert_true(fabs(numbers[n] - expected[n] / total) < 1e-14);
    double alone[4];
    planet_odds_settle(4, log_odds, NULL, alone, absent, numbers);
    assert_true(there[0] < alone[0] - 0.01 && there[2] < alone[2] - 0.01);
    planet_absences hopeless = together;
    hopeless.models[0].log_odds = -30.0;
    planet_odds_settle(4, log_odds, &hopeless, there, absent, numbers);
    assert_true(there[0] == alone[0]);
}

/* One planet at most was asked for: its probability is that of the number one. */
static void fits_know_how_many(void **state)
{
    (void)state;
    equant_fit *fit = fit_star(6.0, 0.0, 0.0), *none = fit_star(0.0, 0.0, 0.0);
    equant_planet planet = {.struct_size = sizeof planet}, candidate = planet;
    assert_int_equal(equant_fit_planet(fit, 0, &planet), EQUANT_SUCCESS);
    assert_int_equal(equant_fit_max_planets(fit), 1);
    assert_true(equant_fit_number_probability(fit, 1) == planet.probability);
    assert_true(equant_fit_number_probability(fit, 0) == planet.false_inclusion);
    assert_true(isnan(equant_fit_number_probability(fit, 2)));
    assert_int_equal(equant_fit_candidate(none, &candidate), EQUANT_SUCCESS);
    assert_int_equal(equant_fit_max_planets(none), 1);
    assert_true(equant_fit_number_probability(none, 1) == candidate.probability);
    assert_true(equant_fit_number_probability(none, 0) > 0.5);
    equant_fit_free(fit);
    equant_fit_free(none);
}

/* Nothing is known of probabilities that were left out, and the planets are the same. */
static void probabilities_are_left_out(void **state)
{
    (void)state;
    equant_fit *fit = fit_star(6.0, 0.0, 0.0);
    is_unweighed = true;
    equant_fit *plain = fit_star(6.0, 0.0, 0.0), *none = fit_star(0.0, 0.0, 0.0);
    assert_null(fit_star(6.0, 0.0, 0.5));
    is_unweighed = false;
    equant_planet planet = {.struct_size = sizeof planet}, same = planet, candidate = planet;
    assert_int_equal(equant_fit_planet(fit, 0, &planet), EQUANT_SUCCESS);
    assert_int_equal(equant_fit_n_planets(plain), 1);
    assert_int_equal(equant_fit_planet(plain, 0, &same), EQUANT_SUCCESS);
    assert_true(same.period_days == planet.period_days);
    assert_true(same.false_alarm == planet.false_alarm);
    assert_true(isnan(same.probability) && isnan(same.false_inclusion));
    assert_int_equal(equant_fit_n_aliases(plain, 0), 0);
    assert_true(isnan(equant_fit_number_probability(plain, 1)));
    assert_int_equal(equant_fit_candidate(none, &candidate), EQUANT_SUCCESS);
    assert_true(isnan(candidate.probability));
    assert_true(isnan(equant_fit_number_probability(none, 0)));
    equant_fit_free(fit);
    equant_fit_free(plain);
    equant_fit_free(none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planets_that_are_there),
        cmocka_unit_test(planets_that_are_not),
        cmocka_unit_test(both_probabilities_keep_their_digits),
        cmocka_unit_test(numbers_are_sums_over_all_ways),
        cmocka_unit_test(sure_planets_count),
        cmocka_unit_test(planets_that_go_together),
        cmocka_unit_test(fits_know_how_many),
        cmocka_unit_test(probabilities_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
