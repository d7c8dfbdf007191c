/* Masses from transit times alone: Kepler-9 (Borsato et al. 2019) and TRAPPIST-1 (Agol et al.
 * 2021).
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "equant.h"
#include "shared_data.h"

enum { MOST = 600 };
static const double earths_per_sun = 332946.05, suns_per_jupiter = 1.0 / 1047.5655;

typedef struct rows {
    size_t n;
    int planet[MOST], number[MOST];
    double time[MOST], error[MOST];
} rows;

/* Of lines that begin with number, time, error, or, where planet is 0, planet before them. */
static void read_rows(const char *path, int planet, const char *format, rows *into)
{
    char line[512];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (into->n < MOST && fgets(line, sizeof line, file)) {
        size_t k = into->n;
        int n_read = planet
                         ? sscanf(line, format, &into->number[k], &into->time[k], &into->error[k])
                         : sscanf(line, format, &into->planet[k], &into->number[k], &into->time[k],
                                  &into->error[k]);
        if (planet)
            into->planet[k] = planet;
        into->n += n_read == (planet ? 3 : 4);
    }
    fclose(file);
}

static equant_interacting_fit *fit_rows(const rows *data, double star_mass,
                                        equant_interacting_summary *summary)
{
    equant_transits *transits = NULL;
    equant_interacting_fit *fit = NULL;
    assert_int_equal(equant_transits_from_arrays(data->n, data->planet, data->number, data->time,
                                                 data->error, &transits),
                     EQUANT_SUCCESS);
    const equant_interacting_options options = {
        .struct_size = sizeof options, .star_mass = star_mass, .transits = transits};
    assert_int_equal(equant_interacting_fit_create(NULL, 0, NULL, &options, &fit), EQUANT_SUCCESS);
    *summary = (equant_interacting_summary){.struct_size = sizeof *summary};
    assert_int_equal(equant_interacting_fit_summarize(fit, summary), EQUANT_SUCCESS);
    printf("%zu transits: chi-square %.1f, rms %.1f s\n", summary->n_transits,
           summary->chi_square_transits, summary->rms_transits_s);
    equant_transits_free(transits);
    return fit;
}

/* Masses within so many of the published errors. */
static void check_masses(const equant_interacting_fit *fit, size_t n, double units_per_jupiter,
                         const double published[][2])
{
    assert_int_equal(equant_interacting_fit_n_planets(fit), n);
    for (size_t p = 0; p < n; p++) {
        equant_interacting_planet planet = {.struct_size = sizeof planet};
        assert_int_equal(equant_interacting_fit_planet(fit, p, &planet), EQUANT_SUCCESS);
        double mass = planet.mass_jupiter * units_per_jupiter;
        printf("%c: %.4f +- %.4f, published %.4f +- %.4f\n", 'a' + planet.label, mass,
               planet.mass_jupiter_err * units_per_jupiter, published[p][0], published[p][1]);
        assert_true(fabs(mass - published[p][0]) < published[p][1]);
    }
}

static void test_kepler_9(void **state)
{
    (void)state;
    static rows data;
    static const double published[2][2] = {{0.1370, 0.006}, {0.0943, 0.004}}; /* Jupiters */
    static const char *const files[2] = {"dynamics/kepler9/NB2_observations.dat",
                                         "dynamics/kepler9/NB3_observations.dat"};
    equant_interacting_summary summary;
    for (int k = 0; k < 2; k++) {
        const char *path = shared_file(files[k]);
        if (path == NULL)
            skip();
        read_rows(path, k + 1, "%d %lf %lf", &data);
    }
    equant_interacting_fit *fit = fit_rows(&data, 1.03, &summary);
    assert_true(summary.chi_square_transits < 1.6 * (double)data.n);
    check_masses(fit, 2, 1.0, published);
    equant_interacting_fit_free(fit);
}

static void test_trappist_1(void **state)
{
    (void)state;
    static rows data;
    static const double published[7][2] = {{1.374, 0.069}, {1.308, 0.056}, {0.388, 0.012},
                                           {0.692, 0.022}, {1.039, 0.031}, {1.321, 0.038},
                                           {0.326, 0.020}}; /* Earths */
    equant_interacting_summary summary;
    const char *path = shared_file("dynamics/trappist1/T1_timings_20191203.txt");
    if (path == NULL)
        skip();
    read_rows(path, 0, "%d,%d,%lf,%lf", &data);
    assert_int_equal(data.n, 447);
    equant_interacting_fit *fit = fit_rows(&data, 0.0898, &summary);
    assert_true(summary.chi_square_transits < 679.0);
    check_masses(fit, 7, earths_per_sun * suns_per_jupiter, published);
    equant_interacting_fit_free(fit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kepler_9),
                                       cmocka_unit_test(test_trappist_1)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
