/* Signals of chains that are written down here: what is one planet is told once, whether its
 * frequency is known well or not, and two planets are two. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "inference/compare/count_priors.h"
#include "inference/compare/signals.h"

#define SPAN 400.0
enum { N_MOVES = 400 };

static const count_star star = {.span_days = SPAN};
static const slot_grid grid = {
    .star = &star, .n_bins = 1500, .first = 1.0 / SPAN, .step = 0.2 / SPAN};

/* One slot that is asked, with the planet at the first frequency, and another that has the second
 * one for certain, where that is not zero. */
static void tell(tally *kept, double frequency, double other)
{
    tally_move *move = &kept->moves[kept->n_moves++];
    *move = (tally_move){.first_place = kept->n_places,
                         .n_places = 1,
                         .first_other = kept->n_others,
                         .n_others = other > 0.0,
                         .off = 0.02};
    kept->places[kept->n_places++] = (tally_place){frequency, 0.98, 0.0};
    if (other > 0.0)
        kept->others[kept->n_others++] = other;
}

static tally empty_tally(void)
{
    tally made = {.moves = calloc(N_MOVES, sizeof *made.moves),
                  .places = calloc(N_MOVES, sizeof *made.places),
                  .others = calloc(N_MOVES, sizeof *made.others)};
    assert_true(made.moves && made.places && made.others);
    return made;
}

/* Signals of so many turns in the span, this many resolutions wide. */
static signals signals_of(double turns, double width, double other_turns)
{
    tally kept = empty_tally();
    const tally *tallies[] = {&kept};
    signals found;
    for (int i = 0; i < N_MOVES; i++)
        tell(&kept, (turns + width * ((i + 0.5) / N_MOVES - 0.5)) / SPAN, other_turns / SPAN);
    assert_int_equal(signals_find(&grid, 1, tallies, &found), EQUANT_SUCCESS);
    tally_free(&kept);
    return found;
}

static void a_planet_is_told_once(void **state)
{
    (void)state;
    for (double width = 0.1; width < 2.0; width += 0.3) {
        signals found = signals_of(20.3, width, 0.0);
        double sum = 0.0;
        for (size_t i = 0; i < found.n; i++)
            sum += found.list[i].probability;
        assert_true(sum < 0.98 + 1e-9);
        assert_true(found.list[0].probability > 0.49);
        if (width < 0.9)
            assert_true(fabs(found.list[0].probability - 0.98) < 1e-9);
    }
}

static void two_planets_are_two(void **state)
{
    (void)state;
    signals found = signals_of(20.3, 0.3, 23.4);
    assert_int_equal(found.n, 2);
    assert_true(found.list[0].probability > 0.9999);
    assert_true(fabs(found.list[1].probability - 0.98) < 1e-9);
}

/* The table of eccentricities against the roots that it stands for. */
static void check_quantiles(const char *eccentricity, double bound)
{
    const count_priors_request request = {.n_max = 1,
                                          .ratio = 1.0,
                                          .period_min_days = 1.0,
                                          .period_max_days = 10.0,
                                          .eccentricity = eccentricity,
                                          .k_min_m_s = 1.0,
                                          .k_max_m_s = 1.0};
    count_priors *priors = malloc(sizeof *priors);
    double before = 0.0;
    assert_non_null(priors);
    assert_int_equal(count_priors_make(&request, priors), EQUANT_SUCCESS);
    for (int i = 1; i < 5000; i++) {
        double share = i / 5000.0, e = count_priors_eccentricity(priors, share);
        assert_true(fabs(e - prior_density_quantile(&priors->eccentricity, share)) < bound);
        assert_true(e > before);
        before = e;
    }
    free(priors);
}

static void quantiles_are_those_of_the_prior(void **state)
{
    (void)state;
    check_quantiles("kipping", 1e-8);
    check_quantiles("uniform", 1e-12);
    check_quantiles("rayleigh(0.2)", 1e-6);
    check_quantiles("normal(0, 0.1)", 1e-6);
    check_quantiles("beta(2, 2, 0, 0.5)", 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_planet_is_told_once),
        cmocka_unit_test(two_planets_are_two),
        cmocka_unit_test(quantiles_are_those_of_the_prior),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
