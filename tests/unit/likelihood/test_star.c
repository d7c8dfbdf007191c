/* A star that is known from elsewhere: what can be, and what follows from it. */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <setjmp.h>

#include <cmocka.h>

#include "equant.h"

#define STAR(...) (&(equant_star){.struct_size = sizeof(equant_star), __VA_ARGS__})

static void impossible_stars_are_refused(void **state)
{
    (void)state;
    const struct {
        const equant_star *star;
        const char *part;
    } wrong[] = {
        {STAR(.mass = -1.0), "mass must be positive"},
        {STAR(.mass = NAN), "mass must be positive"},
        {STAR(.radius = INFINITY), "radius must be positive"},
        {STAR(.mass = 1.0, .mass_err = -0.1), "error of a star's mass must be positive"},
        {STAR(.mass_err = 0.1), "needs the mass itself"},
        {STAR(.mass = 1.0, .luminosity_err = 0.1), "needs the luminosity itself"},
        {STAR(.temperature_k = 5000.0, .temperature_err_k = 4000.0), "more than half"},
        {&(equant_star){.mass = 1.0}, "struct_size"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(equant_star_check(wrong[i].star), EQUANT_ERROR_INVALID_ARGUMENT);
        assert_non_null(strstr(equant_last_error(), wrong[i].part));
        double value = 7.0;
        assert_int_equal(equant_star_derive(wrong[i].star, &value, NULL, NULL, NULL),
                         EQUANT_ERROR_INVALID_ARGUMENT);
        assert_true(value == 7.0);
    }
    assert_int_equal(equant_star_check(NULL), EQUANT_SUCCESS);
    assert_int_equal(equant_star_check(STAR(.mass = 1.0, .mass_err = 0.1)), EQUANT_SUCCESS);
}

/* The Sun has the density and luminosity of the Sun; errors add as those of products do. */
static void luminosity_and_density_follow(void **state)
{
    (void)state;
    double luminosity, luminosity_err, density, density_err;
    assert_int_equal(
        equant_star_derive(STAR(.mass = 1.0, .mass_err = 0.03, .radius = 1.0, .radius_err = 0.01,
                                .temperature_k = 5772.0, .temperature_err_k = 57.72),
                           &luminosity, &luminosity_err, &density, &density_err),
        EQUANT_SUCCESS);
    assert_true(fabs(luminosity - 1.0) < 1e-12);
    assert_true(fabs(luminosity_err - sqrt(0.02 * 0.02 + 0.04 * 0.04)) < 1e-12);
    assert_true(fabs(density - 1.41) < 1e-3);
    assert_true(fabs(density_err / density - sqrt(0.03 * 0.03 + 0.03 * 0.03)) < 1e-12);
    /* A luminosity that is given counts before one that follows. */
    assert_int_equal(equant_star_derive(STAR(.radius = 1.0, .temperature_k = 5772.0,
                                             .luminosity = 0.703, .luminosity_err = 0.017),
                                        &luminosity, &luminosity_err, &density, &density_err),
                     EQUANT_SUCCESS);
    assert_true(fabs(luminosity - 0.703) < 1e-15 && fabs(luminosity_err - 0.017) < 1e-15);
    assert_true(isnan(density) && isnan(density_err));
    assert_int_equal(equant_star_derive(NULL, &luminosity, NULL, NULL, NULL), EQUANT_SUCCESS);
    assert_true(isnan(luminosity));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impossible_stars_are_refused),
        cmocka_unit_test(luminosity_and_density_follow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
