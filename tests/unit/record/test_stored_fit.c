/* A fit that is written and read back is the same fit: all that callers can ask of it, and, written
 * again, every byte of its files. */
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "unit/comma_locale.h"
#include "unit/fitted_star.h"

static const char *const files[] = {"planets.ecsv",   "parameters.ecsv", "covariance.ecsv",
                                    "residuals.ecsv", "origin.json",     "fit.json"};
enum { N_FILES = sizeof files / sizeof files[0], PATH = 256 };

static void path_of(char path[PATH], const char *folder, const char *file)
{
    snprintf(path, PATH, "%.200s/%.40s", folder, file);
}

static char *contents_of(const char *folder, const char *file)
{
    char path[PATH];
    path_of(path, folder, file);
    FILE *stream = fopen(path, "r");
    char *text = calloc(1 << 20, 1);
    assert_true(stream && text);
    assert_true(fread(text, 1, (1 << 20) - 1, stream) > 0);
    fclose(stream);
    return text;
}

static void put_contents(const char *folder, const char *file, const char *text)
{
    char path[PATH];
    path_of(path, folder, file);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
}

static char *new_folder(char folder[PATH])
{
    snprintf(folder, PATH, "/tmp/equant-record-XXXXXX");
    assert_non_null(mkdtemp(folder));
    return folder;
}

static void remove_folder(const char *folder)
{
    char path[PATH];
    for (size_t i = 0; i < N_FILES; i++) {
        path_of(path, folder, files[i]);
        unlink(path);
    }
    assert_int_equal(rmdir(folder), 0);
}

/* ---- what a fit answers ---------------------------------------------------------------------- */

/* Files have angles in degrees: the last bit may be another. */
static void assert_same(double a, double b)
{
    if (!same(a, b) && !(fabs(a - b) <= DBL_EPSILON * fabs(a)))
        fail_msg("%.17g is not %.17g", a, b);
}

static void assert_same_doubles(const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!same(a[i], b[i]))
            fail_msg("%zu: %.17g is not %.17g", i, a[i], b[i]);
}

static void assert_same_planet(const equant_planet *a, const equant_planet *b)
{
    const double x[] = {a->period_days,
                        a->period_days_err,
                        a->k_m_s,
                        a->k_m_s_err,
                        a->eccentricity,
                        a->eccentricity_err,
                        a->omega_rad,
                        a->omega_rad_err,
                        a->m0_rad,
                        a->m0_rad_err,
                        a->t_peri,
                        a->t_peri_err,
                        a->t_conj,
                        a->t_conj_err,
                        a->m_sin_i_jupiter,
                        a->m_sin_i_jupiter_err,
                        a->a_au,
                        a->a_au_err,
                        a->false_alarm,
                        a->log_likelihood_gain,
                        a->delta_bic,
                        a->period_days_bound,
                        a->probability,
                        a->false_inclusion,
                        a->k_m_s_low,
                        a->k_m_s_high,
                        a->eccentricity_low,
                        a->eccentricity_high,
                        (double)a->at_limit,
                        (double)a->refused_because};
    const double y[] = {b->period_days,
                        b->period_days_err,
                        b->k_m_s,
                        b->k_m_s_err,
                        b->eccentricity,
                        b->eccentricity_err,
                        b->omega_rad,
                        b->omega_rad_err,
                        b->m0_rad,
                        b->m0_rad_err,
                        b->t_peri,
                        b->t_peri_err,
                        b->t_conj,
                        b->t_conj_err,
                        b->m_sin_i_jupiter,
                        b->m_sin_i_jupiter_err,
                        b->a_au,
                        b->a_au_err,
                        b->false_alarm,
                        b->log_likelihood_gain,
                        b->delta_bic,
                        b->period_days_bound,
                        b->probability,
                        b->false_inclusion,
                        b->k_m_s_low,
                        b->k_m_s_high,
                        b->eccentricity_low,
                        b->eccentricity_high,
                        (double)b->at_limit,
                        (double)b->refused_because};
    for (size_t i = 0; i < sizeof x / sizeof x[0]; i++)
        assert_same(x[i], y[i]);
}

static void assert_same_quantities(const equant_fit *a, const equant_fit *b)
{
    assert_int_equal(equant_fit_n_quantities(a), equant_fit_n_quantities(b));
    for (size_t i = 0; i < equant_fit_n_quantities(a); i++) {
        equant_fitted_quantity x = {.struct_size = sizeof x}, y = {.struct_size = sizeof y};
        assert_int_equal(equant_fit_quantity(a, i, &x), EQUANT_SUCCESS);
        assert_int_equal(equant_fit_quantity(b, i, &y), EQUANT_SUCCESS);
        assert_string_equal(x.name, y.name);
        assert_true(x.kind == y.kind && x.planet == y.planet && x.instrument == y.instrument);
        assert_same(x.value, y.value);
        assert_same(x.err, y.err);
    }
    assert_int_equal(equant_fit_n_candidate_quantities(a), equant_fit_n_candidate_quantities(b));
}

static void assert_same_noise(const equant_fit *a, const equant_fit *b)
{
    assert_int_equal(equant_fit_n_noise_parameters(a), equant_fit_n_noise_parameters(b));
    for (size_t i = 0; i < equant_fit_n_noise_parameters(a); i++) {
        equant_fitted_noise_parameter x = {.struct_size = sizeof x}, y = {.struct_size = sizeof y};
        assert_int_equal(equant_fit_noise_parameter(a, i, &x), EQUANT_SUCCESS);
        assert_int_equal(equant_fit_noise_parameter(b, i, &y), EQUANT_SUCCESS);
        assert_string_equal(x.term, y.term);
        assert_string_equal(x.name, y.name);
        assert_string_equal(x.unit, y.unit);
        assert_true(x.is_fixed == y.is_fixed && same(x.value, y.value) && same(x.err, y.err));
    }
    assert_int_equal(equant_fit_n_noise_trials(a), equant_fit_n_noise_trials(b));
    assert_int_equal(equant_fit_n_indicators(a), equant_fit_n_indicators(b));
    for (size_t i = 0; i < equant_fit_n_indicators(a); i++) {
        equant_fitted_indicator x = {.struct_size = sizeof x}, y = {.struct_size = sizeof y};
        assert_int_equal(equant_fit_indicator(a, i, &x), EQUANT_SUCCESS);
        assert_int_equal(equant_fit_indicator(b, i, &y), EQUANT_SUCCESS);
        assert_true(x.indicator == y.indicator && x.instrument == y.instrument);
        assert_true(same(x.slope_m_s, y.slope_m_s) && same(x.mean, y.mean));
        assert_true(same(x.deviation, y.deviation) && same(x.smoothing_days, y.smoothing_days));
    }
    assert_int_equal(equant_fit_n_indicator_trials(a), equant_fit_n_indicator_trials(b));
    assert_same(equant_fit_rotation_days(a, NULL), equant_fit_rotation_days(b, NULL));
}

static void assert_same_rivals(const equant_fit *a, const equant_fit *b)
{
    assert_int_equal(equant_fit_n_rivals(a), equant_fit_n_rivals(b));
    for (size_t i = 0; i < equant_fit_n_rivals(a); i++) {
        equant_fitted_rival x = {.struct_size = sizeof x}, y = {.struct_size = sizeof y};
        assert_int_equal(equant_fit_rival(a, i, &x), EQUANT_SUCCESS);
        assert_int_equal(equant_fit_rival(b, i, &y), EQUANT_SUCCESS);
        assert_true(x.period_days == y.period_days && x.is_of_candidate == y.is_of_candidate);
        assert_true(x.delta_lnl == y.delta_lnl && x.delta_score == y.delta_score);
        assert_true(x.n_outliers == y.n_outliers && x.trend == y.trend);
        assert_string_equal(x.sentence, y.sentence);
        assert_string_equal(x.noise, y.noise);
        assert_int_equal(x.n_planets, y.n_planets);
        assert_same_doubles(x.planets_days, y.planets_days, x.n_planets);
    }
}

static void assert_same_fit(const equant_fit *a, const equant_fit *b, size_t n_obs)
{
    size_t n = equant_model_n_parameters(equant_fit_model(a));
    assert_int_equal(equant_fit_n_planets(a), equant_fit_n_planets(b));
    assert_int_equal(n, equant_model_n_parameters(equant_fit_model(b)));
    assert_same_doubles(equant_fit_parameters(a), equant_fit_parameters(b), n);
    assert_same_doubles(equant_fit_covariance(a), equant_fit_covariance(b), n * n);
    assert_same_doubles(equant_fit_velocities_m_s(a), equant_fit_velocities_m_s(b), n_obs);
    assert_same_doubles(equant_fit_residuals_m_s(a), equant_fit_residuals_m_s(b), n_obs);
    assert_same_doubles(equant_fit_noise_m_s(a), equant_fit_noise_m_s(b), n_obs);
    assert_same_doubles(equant_fit_uncertainties_m_s(a), equant_fit_uncertainties_m_s(b), n_obs);
    for (size_t p = 0; p < equant_fit_n_planets(a); p++) {
        const equant_planet x = planet_of(a, p), y = planet_of(b, p);
        double x_err, y_err;
        assert_same_planet(&x, &y);
        assert_int_equal(equant_fit_letter(a, p), equant_fit_letter(b, p));
        assert_same(equant_fit_mass_jupiter(a, p, &x_err), equant_fit_mass_jupiter(b, p, &y_err));
        assert_same(x_err, y_err);
        assert_int_equal(equant_fit_n_aliases(a, p), equant_fit_n_aliases(b, p));
    }
    assert_int_equal(equant_fit_trend(a), equant_fit_trend(b));
    assert_int_equal(equant_fit_n_outliers(a), equant_fit_n_outliers(b));
    assert_int_equal(equant_fit_n_neighbours(a), equant_fit_n_neighbours(b));
    assert_string_equal(equant_fit_probabilities(a), equant_fit_probabilities(b));
    assert_same_quantities(a, b);
    assert_same_noise(a, b);
    assert_same_rivals(a, b);
}

/* ---- there and back -------------------------------------------------------------------------- */

static const equant_star sun = {
    .struct_size = sizeof sun, .mass = 1.1, .mass_err = 0.05, .luminosity = 0.9};

static equant_record_options record_of(const equant_star *star)
{
    static const char *const hints[] = {"A hint, \"quoted\".", "Another one."};
    return (equant_record_options){.struct_size = sizeof(equant_record_options),
                                   .star_name = "a star, b",
                                   .made_by = "equant fit \"a star.csv\"",
                                   .star = star,
                                   .threshold = 0.9,
                                   .n_hints = 2,
                                   .hints = hints};
}

/* What fit.json has to say in a case, so that it is one. */
static void there_and_back(const equant_dataset *dataset, const equant_fit_options *options,
                           const char *says)
{
    char first[PATH], second[PATH];
    equant_fit *made = fit(dataset, options), *read;
    equant_dataset *data;
    equant_origin *origin;
    const equant_record_options record = record_of(options->star);
    assert_int_equal(equant_fit_write(made, dataset, &record, new_folder(first)), EQUANT_SUCCESS);
    equant_status status = equant_fit_read(first, &read, &data, &origin);
    if (status != EQUANT_SUCCESS)
        fail_msg("%s", equant_last_error());
    assert_same_fit(made, read, equant_dataset_n_obs(dataset));
    assert_string_equal(equant_origin_version(origin), equant_version());
    assert_int_equal(
        equant_fit_write(read, data, equant_origin_options(origin), new_folder(second)),
        EQUANT_SUCCESS);
    for (size_t i = 0; i < N_FILES; i++) {
        char *a = contents_of(first, files[i]), *b = contents_of(second, files[i]);
        assert_string_equal(a, b);
        if (strcmp(files[i], "fit.json") == 0 && strstr(a, says) == NULL)
            fail_msg("there is no %s in\n%s", says, a);
        free(a);
        free(b);
    }
    remove_folder(first);
    remove_folder(second);
    equant_fit_free(made);
    equant_fit_free(read);
    equant_dataset_free(data);
    equant_origin_free(origin);
}

static equant_dataset *observed(size_t n_planets, const double *elements, double noise_m_s)
{
    const simulated_star star = {.seed = 3,
                                 .n_obs = 60,
                                 .first_day = 2455000.0,
                                 .span_days = 700.0,
                                 .n_planets = n_planets,
                                 .elements = elements,
                                 .noise_m_s = noise_m_s,
                                 .uncertainty_m_s = 1.0};
    return simulated_star_observe(&star);
}

static void planets_and_a_trend(void **state)
{
    (void)state;
    equant_dataset *dataset = observed(2, two_planets, 1.0);
    equant_fit_options options = quick();
    options.star = &sun;
    options.trend = EQUANT_TREND_QUADRATIC;
    there_and_back(dataset, &options, "\"quadratic_m_s_day2\": ");
    there_and_back(dataset, &options, "\"trace\": [");
    there_and_back(dataset, &options, "The best model without the planet of ");
    options.trend = EQUANT_TREND_LINEAR;
    options.star = NULL;
    options.n_planets = 2;
    there_and_back(dataset, &options, "\"quadratic_m_s_day2\": null");
    equant_dataset_free(dataset);
}

static void no_planet_but_a_candidate(void **state)
{
    (void)state;
    static const double weak[5] = {47.0, 1.0, 0.0, 4.0, 1.0};
    equant_dataset *dataset = observed(1, weak, 1.0);
    equant_fit_options options = quick();
    options.star = &sun;
    there_and_back(dataset, &options, "\"condition\": ");
    options.n_planets = -1;
    there_and_back(dataset, &options, "\"candidate\": null");
    equant_dataset_free(dataset);
}

/* One observation far off, and an indicator that the velocities follow. */
static equant_dataset *disturbed(void)
{
    equant_dataset *plain = observed(1, one_planet, 1.0), *made = NULL;
    size_t n = equant_dataset_n_obs(plain);
    double velocity[60], bisector[60];
    assert_int_equal(n, 60);
    for (size_t k = 0; k < n; k++) {
        bisector[k] = 10.0 * sin(1.7 * (double)k) + cos((double)(k * k));
        velocity[k] = equant_dataset_velocities_m_s(plain)[k] + bisector[k];
    }
    velocity[20] += 200.0;
    const char *const names[] = {"A", "B"};
    const equant_indicator indicator = {
        .struct_size = sizeof indicator, .name = "bis", .unit = "m/s", .values = bisector};
    const equant_dataset_options options = {.struct_size = sizeof options,
                                            .n_indicators = 1,
                                            .indicators = &indicator,
                                            .time_name = "BJD"};
    assert_int_equal(equant_dataset_from_arrays(n, equant_dataset_times_days(plain), velocity,
                                                equant_dataset_uncertainties_m_s(plain),
                                                equant_dataset_instruments(plain), 2, names,
                                                &options, &made),
                     EQUANT_SUCCESS);
    equant_dataset_free(plain);
    return made;
}

static void correlated_noise(void **state)
{
    (void)state;
    equant_dataset *dataset = disturbed();
    equant_fit_options options = quick();
    options.n_planets = 1;
    options.noise = "rotation(period=20:30, decay=60), slow@B";
    options.outliers = "auto";
    there_and_back(dataset, &options, "\"fixed\": true");
    options.noise = "auto";
    there_and_back(dataset, &options, "\"tried\": ");
    equant_dataset_free(dataset);
}

static void outliers_and_indicators(void **state)
{
    (void)state;
    equant_dataset *dataset = disturbed();
    equant_fit_options options = quick();
    options.n_planets = 1;
    options.outliers = "auto";
    there_and_back(dataset, &options, "\"widening_m_s\": ");
    options.noise = "auto";
    options.indicators = "bis";
    there_and_back(dataset, &options, "\"slope_m_s\": ");
    equant_dataset_free(dataset);
}

static void a_period_at_its_limit(void **state)
{
    (void)state;
    static const double slow[5] = {2500.0, 100.0, 0.1, 1.0, 1.0};
    equant_dataset *dataset = observed(1, slow, 1.0);
    equant_fit_options options = quick();
    options.period_max_days = 900.0;
    options.n_planets = 1;
    options.star = &sun;
    there_and_back(dataset, &options, "\"at_limit\": \"longest\"");
    equant_dataset_free(dataset);
}

static void where_the_point_is_a_comma(void **state)
{
    (void)state;
    if (!comma_locale_set())
        skip();
    planets_and_a_trend(state);
    setlocale(LC_ALL, "C");
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void refuse(const char *folder, const char *says)
{
    equant_fit *read = NULL;
    equant_dataset *data = NULL;
    assert_int_equal(equant_fit_read(folder, &read, &data, NULL), EQUANT_ERROR_FORMAT);
    if (strstr(equant_last_error(), says) == NULL)
        fail_msg("'%s' says nothing of '%s'", equant_last_error(), says);
    assert_true(read == NULL && data == NULL);
}

/* A file with `from` replaced, once, by `to`. */
static void refuse_changed(const char *folder, const char *file, const char *from, const char *to,
                           const char *says)
{
    char *text = contents_of(folder, file), *at = strstr(text, from);
    char *changed = calloc(1 << 20, 1);
    assert_true(at && changed);
    snprintf(changed, 1 << 20, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    put_contents(folder, file, changed);
    refuse(folder, says);
    put_contents(folder, file, text);
    free(text);
    free(changed);
}

static void damaged_files(void **state)
{
    (void)state;
    char folder[PATH], other[PATH];
    equant_dataset *dataset = observed(1, one_planet, 1.0), *more = observed(1, two_planets, 1.0);
    equant_fit_options options = quick();
    options.n_planets = 1;
    equant_fit *made = fit(dataset, &options), *second = fit(more, &options);
    assert_int_equal(equant_fit_write(made, dataset, NULL, new_folder(folder)), EQUANT_SUCCESS);
    assert_int_equal(equant_fit_write(second, more, NULL, new_folder(other)), EQUANT_SUCCESS);
    refuse_changed(folder, "fit.json", "\"chi2\": ", "\"chi2\": 1", "chi-square is");
    refuse_changed(folder, "fit.json", "\"t_ref\": ", "\"t_ref\": \"\", \"x\": ", "t_ref must be");
    refuse_changed(folder, "fit.json", "\"n_obs\": ", "\"n_obs\": 0.5, \"x\": ", "whole number");
    refuse_changed(folder, "fit.json", "\"hints\": []", "\"hints\": 3", "hints must be a list");
    refuse_changed(folder, "fit.json", "\"planets\": [", "\"planets\": 3, \"x\": [", "objects");
    refuse_changed(folder, "fit.json", "{\n", "{,\n", "fit.json:1: this is no JSON");
    refuse_changed(folder, "fit.json", "\"instruments\"", "\"x\"", "names no instruments");
    refuse_changed(folder, "parameters.ecsv", "\"period_days_1\"", "\"period_days_2\"", "one fit");
    refuse_changed(folder, "parameters.ecsv", "\"k_m_s_1\",", "\"k_m_s_1\",x", "is no number");
    refuse_changed(folder, "covariance.ecsv", "\nname", "\nsame", "covariance.ecsv:");
    refuse_changed(folder, "residuals.ecsv", "\n2455", "\n\"2455", "residuals.ecsv:");
    const char *const exchanged[] = {"residuals.ecsv", "parameters.ecsv"};
    for (size_t i = 0; i < 2; i++) {
        char *own = contents_of(folder, exchanged[i]), *theirs = contents_of(other, exchanged[i]);
        put_contents(folder, exchanged[i], theirs);
        refuse(folder, "not of one fit");
        put_contents(folder, exchanged[i], own);
        free(own);
        free(theirs);
    }
    equant_origin *origin;
    assert_int_equal(equant_origin_read("/nowhere", &origin), EQUANT_SUCCESS);
    assert_string_equal(equant_origin_version(origin), "");
    equant_origin_free(origin);
    remove_folder(folder);
    remove_folder(other);
    equant_fit_free(made);
    equant_fit_free(second);
    equant_dataset_free(dataset);
    equant_dataset_free(more);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planets_and_a_trend),   cmocka_unit_test(no_planet_but_a_candidate),
        cmocka_unit_test(correlated_noise),      cmocka_unit_test(outliers_and_indicators),
        cmocka_unit_test(a_period_at_its_limit), cmocka_unit_test(where_the_point_is_a_comma),
        cmocka_unit_test(damaged_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
