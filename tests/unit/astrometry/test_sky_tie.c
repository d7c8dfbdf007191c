/* One orbit for the sky and the velocities, at all inclinations: no fit is worse than the true
 * orbit, none stays untied, and parallaxes and sizes scatter as much as they are said to. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"
#include "tied_star.h"
#include "quick.h"

enum { N_STARS = 60, N_IN_QUICK_RUN = 10 };

static void no_tied_fit_is_worse_than_the_true_orbit(void **state)
{
    (void)state;
    uint64_t n = quick_run() ? N_IN_QUICK_RUN : N_STARS;
    double of_parallax = 0.0, of_size = 0.0;
    size_t n_disagree = 0;
    for (uint64_t star = 0; star < n; star++) {
        tied_star own;
        equant_sky_summary summary;
        equant_sky_companion c;
        assert_int_equal(tied_star_make(star, n, &own), EQUANT_SUCCESS);
        assert_int_equal(tied_star_fit(&own, &summary, &c), EQUANT_SUCCESS);
        if (!(summary.chi_square <= own.chi_square) || !summary.is_tied)
            print_message("star %d: chi-square %.3f, of the true orbit %.3f\n", (int)star,
                          summary.chi_square, own.chi_square);
        assert_int_equal(summary.is_tied, 1);
        assert_true(summary.chi_square <= own.chi_square);
        n_disagree += summary.tie_chance < 1e-3;
        of_parallax += pow((summary.parallax_mas - own.parallax_mas) / summary.parallax_mas_err, 2);
        of_size += pow(log(c.a1_au * own.parallax_mas / own.a0_mas) * c.a1_au / c.a1_au_err, 2);
        tied_star_free(&own);
    }
    print_message("pulls: parallax %.3f, ln a1 %.3f; %d disagree\n", sqrt(of_parallax / (double)n),
                  sqrt(of_size / (double)n), (int)n_disagree);
    assert_true(sqrt(of_parallax / (double)n) < 1.3);
    assert_true(sqrt(of_size / (double)n) <
                1.5); /* errors of orbits beyond the data are no normal ones */
    assert_true(n_disagree <= 1);
}

/* Edge-on no inclination makes velocities half as large again: they are of something else, and that
 * is said. */
static void velocities_of_another_orbit_are_told(void **state)
{
    (void)state;
    tied_star own;
    equant_sky_fit *fit = NULL;
    equant_dataset *stretched = NULL;
    double larger[TIED_STAR_VELOCITIES];
    assert_int_equal(tied_star_make(30, N_STARS, &own), EQUANT_SUCCESS);
    for (size_t k = 0; k < TIED_STAR_VELOCITIES; k++)
        larger[k] = 1.5 * equant_dataset_velocities_m_s(own.velocities)[k];
    assert_int_equal(equant_dataset_from_arrays(TIED_STAR_VELOCITIES,
                                                equant_dataset_times_days(own.velocities), larger,
                                                equant_dataset_uncertainties_m_s(own.velocities),
                                                NULL, 0, NULL, NULL, &stretched),
                     EQUANT_SUCCESS);
    const equant_sky_fit_options options = {
        .struct_size = sizeof options, .no_jitter = 1, .velocities = stretched};
    assert_int_equal(equant_sky_fit_create(own.source, &options, &fit), EQUANT_SUCCESS);
    assert_non_null(strstr(equant_sky_fit_words(fit), "Sky and velocities disagree"));
    equant_sky_fit_free(fit);
    equant_dataset_free(stretched);
    tied_star_free(&own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_tied_fit_is_worse_than_the_true_orbit),
        cmocka_unit_test(velocities_of_another_orbit_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
