/* Priors as texts, as sets with names, and from files. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "inference/priors/prior_text.h"
#include "inference/sample/target/model_priors.h"
#include "inference/sample/target/priors_file.h"
#include "unit/comma_locale.h"
#include "unit/small_star.h"

/* ---- texts ------------------------------------------------------------------- */

static void assert_same(const prior_density *a, const prior_density *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_true(a->first == b->first && a->second == b->second && a->lower == b->lower &&
                a->upper == b->upper && a->log_scale == b->log_scale);
}

static void texts_are_read(void **state)
{
    (void)state;
    const struct {
        const char *text;
        prior_density expected;
    } cases[] = {
        {"fixed(0.5)", prior_density_fixed(0.5)},
        {" -3e1 ", prior_density_fixed(-30)},
        {"uniform(-1, 1e3)", prior_density_uniform(-1, 1000)},
        {"log-uniform( 1.25 ,10000 )", prior_density_log_uniform(1.25, 1e4)},
        {"modified-log-uniform(1,999)", prior_density_modified_log_uniform(1, 0, 999)},
        {"ford-gregory(1, 2129, 1)", prior_density_falling_limit(1, 2129, 1)},
        {"normal(4.2, 0.1)", prior_density_normal(4.2, 0.1, 0, 9)},
        {"normal (4.2, 0.1, 4, inf)", prior_density_normal(4.2, 0.1, 4, INFINITY)},
        {"beta(0.867, 3.03)", prior_density_beta(0.867, 3.03, 0, 1)},
        {"beta(2, 3, 0.1, 0.9)", prior_density_beta(2, 3, 0.1, 0.9)},
        {"rayleigh(0.2)", prior_density_rayleigh(0.2, 0, 9)},
        {"rayleigh(0.2, 0, 1)", prior_density_rayleigh(0.2, 0, 1)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        prior_density made, again;
        char text[PRIOR_TEXT_SIZE], complaint[PRIOR_COMPLAINT_SIZE];
        assert_true(prior_text_read(cases[i].text, 0, 9, &made, complaint));
        assert_same(&made, &cases[i].expected);
        prior_text_write(&made, text);
        assert_true(prior_text_read(text, -1, 1, &again, complaint));
        assert_same(&made, &again);
    }
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    const char *const texts[] = {"",
                                 "   ",
                                 "gauss(1, 2)",
                                 "uniform",
                                 "uniform()",
                                 "uniform(1)",
                                 "uniform(1,2,3)",
                                 "uniform(1 2)",
                                 "uniform(1,2",
                                 "uniform(1,2) x",
                                 "uniform(a,b)",
                                 "uniform(2, 1)",
                                 "uniform(1, nan)",
                                 "log-uniform(0,1)",
                                 "normal(0,1,2)",
                                 "normal(0,1,2,3,4)",
                                 "normal(0,0)",
                                 "fixed(inf)",
                                 "fixed",
                                 "nan",
                                 "rayleigh(1, 2)",
                                 "beta(1,1,0,2)",
                                 "Uniform(0,1)",
                                 "(1,2)",
                                 "1 2"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        prior_density made = prior_density_fixed(77);
        char complaint[PRIOR_COMPLAINT_SIZE];
        if (prior_text_read(texts[i], 0, 1, &made, complaint))
            fail_msg("\"%s\" passes for a prior", texts[i]);
        assert_true(made.first == 77 && complaint[0] != '\0');
    }
}

static void complaints_say_how_it_is_written(void **state)
{
    (void)state;
    prior_density made;
    char complaint[PRIOR_COMPLAINT_SIZE];
    assert_false(prior_text_read("beta(1)", 0, 1, &made, complaint));
    assert_string_equal(complaint,
                        "should read beta(alpha, beta) or beta(alpha, beta, lower, upper)");
    assert_false(prior_text_read("ford-gregory(1)", 0, 1, &made, complaint));
    assert_string_equal(complaint, "should read ford-gregory(knee, upper, period)");
    assert_false(prior_text_read("gauss(0, 1)", 0, 1, &made, complaint));
    assert_memory_equal(complaint, "is no prior: there are fixed, uniform, log-uniform, ", 52);
    assert_false(prior_text_read("normal(0, -1)", 0, 1, &made, complaint));
    assert_memory_equal(complaint, "is no density: ", 15);
}

/* Where the decimal sign is a comma, files still have points. */
static void locales_change_nothing(void **state)
{
    (void)state;
    comma_locale_set();
    prior_density made;
    char text[PRIOR_TEXT_SIZE], complaint[PRIOR_COMPLAINT_SIZE];
    assert_true(prior_text_read("uniform(0.5, 1.5)", 0, 1, &made, complaint));
    prior_text_write(&made, text);
    setlocale(LC_ALL, "C");
    assert_true(made.lower == 0.5 && made.upper == 1.5);
    assert_string_equal(text, "uniform(0.5, 1.5)");
}

/* ---- sets --------------------------------------------------------------------- */

static priors *create(const equant_dataset *dataset, size_t n_planets, int trend_order,
                      const char *name)
{
    priors_options options = {dataset, n_planets, trend_order, name, NULL};
    priors *set = NULL;
    assert_int_equal(priors_create(&options, &set), EQUANT_SUCCESS);
    return set;
}

static const prior_density *named(const priors *set, const char *name)
{
    for (size_t i = 0; i < priors_n_columns(set); i++)
        if (strcmp(priors_column_name(set, i), name) == 0)
            return priors_of_column(set, i);
    fail_msg("there is no column %s", name);
    return NULL;
}

static void every_set_is_proper(void **state)
{
    (void)state;
    equant_dataset *dataset = small_star(2);
    size_t n = 0;
    for (; priors_set_name(n); n++) {
        assert_non_null(priors_set_description(n));
        priors *set = create(dataset, 3, 2, priors_set_name(n));
        assert_int_equal(priors_n_columns(set), 5 * 3 + 2 + 2 + 2);
        for (size_t i = 0; i < priors_n_columns(set); i++)
            assert_true(prior_density_is_proper(priors_of_column(set, i)));
        priors_free(set);
    }
    assert_true(n >= 4);
    assert_null(priors_set_description(n));
    priors_free(NULL);
    equant_dataset_free(dataset);
}

static void the_reference_is_that_of_ford_and_gregory(void **state)
{
    (void)state;
    equant_dataset *dataset = small_star(2);
    priors *set = create(dataset, 1, 1, NULL);
    const prior_density expected[] = {
        prior_density_log_uniform(1, 365250), prior_density_falling_limit(1, 2129, 1),
        prior_density_uniform(0, 1), prior_density_uniform(0, 6.283185307179586)};
    for (size_t i = 0; i < 4; i++)
        assert_same(priors_of_column(set, i), &expected[i]);
    const prior_density *offset = named(set, "offset_m_s_1");
    assert_true(fabs(offset->upper - offset->lower - 2 * 2129) < 1e-9);
    assert_true(fabs(0.5 * (offset->upper + offset->lower) - 5000) < 15);
    const prior_density *jitter = named(set, "jitter_m_s_2");
    assert_true(jitter->kind == PRIOR_MODIFIED_LOG_UNIFORM && jitter->upper == 2129);
    const double *time = equant_dataset_times_days(dataset);
    double span = time[SMALL_STAR_N_OBS - 1] - time[0];
    assert_true(fabs(named(set, "trend_m_s_day")->upper * span - 2129) < 1e-9);
    priors_free(set);
    equant_dataset_free(dataset);
}

static void priors_change_by_name(void **state)
{
    (void)state;
    equant_dataset *dataset = small_star(2);
    priors *set = create(dataset, 2, 2, "kipping");
    assert_int_equal(priors_change(set, "period_days", "log-uniform(2, 20)"), EQUANT_SUCCESS);
    assert_int_equal(priors_change(set, "period_days_2", "normal(50, 1)"), EQUANT_SUCCESS);
    assert_true(named(set, "period_days_1")->upper == 20);
    assert_true(named(set, "period_days_2")->first == 50 &&
                named(set, "period_days_2")->lower == 0);
    assert_int_equal(priors_change(set, "eccentricity_1", "normal(0.1, 0.3)"), EQUANT_SUCCESS);
    assert_true(named(set, "eccentricity_1")->upper == 1);
    assert_int_equal(priors_change(set, "omega_rad_1", "normal(3, 0.5)"), EQUANT_SUCCESS);
    assert_true(fabs(named(set, "omega_rad_1")->upper - 3 - 3.14159265358979) < 1e-13);
    assert_int_equal(priors_change(set, "trend_m_s_day", "0"), EQUANT_SUCCESS);
    assert_int_equal(named(set, "trend_m_s_day")->kind, PRIOR_FIXED);
    assert_int_equal(named(set, "trend_m_s_day2")->kind, PRIOR_UNIFORM);
    assert_int_equal(priors_change(set, "jitter_m_s", "fixed(0)"), EQUANT_SUCCESS);
    assert_int_equal(named(set, "jitter_m_s_2")->kind, PRIOR_FIXED);
    priors_free(set);
    equant_dataset_free(dataset);
}

static void priors_that_cannot_be_are_refused(void **state)
{
    (void)state;
    const char *const wrong[][2] = {{"period_days_3", "uniform(1, 2)"},
                                    {"period", "uniform(1, 2)"},
                                    {"period_days", "uniform(-1, 2)"},
                                    {"period_days", "0"},
                                    {"period_days", "ford-gregory(1, 2, 3)"},
                                    {"k_m_s", "uniform(-1, 2)"},
                                    {"k_m_s_1", "normal(0, 1, -5, 5)"},
                                    {"eccentricity", "uniform(0, 1.5)"},
                                    {"eccentricity", "1"},
                                    {"eccentricity", "normal(0.5, 0.1, 0, inf)"},
                                    {"omega_rad", "uniform(0, 7)"},
                                    {"omega_rad", "rayleigh(1, 0, 2)"},
                                    {"m0_rad", "normal(0, 1, -9, 9)"},
                                    {"jitter_m_s", "uniform(-1, 1)"},
                                    {"jitter_m_s_1", "-1"},
                                    {"offset_m_s", "what"}};
    equant_dataset *dataset = small_star(2);
    priors *set = create(dataset, 2, 0, NULL);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (priors_change(set, wrong[i][0], wrong[i][1]) != EQUANT_ERROR_INVALID_ARGUMENT)
            fail_msg("%s may be %s", wrong[i][0], wrong[i][1]);
        assert_non_null(strstr(equant_last_error(), wrong[i][0]));
    }
    priors *none = NULL;
    priors_options options = {dataset, 1, 0, "jeffreys", NULL};
    assert_int_equal(priors_create(&options, &none), EQUANT_ERROR_INVALID_ARGUMENT);
    options = (priors_options){dataset, 1, 5, NULL, NULL};
    assert_int_equal(priors_create(&options, &none), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_null(none);
    priors_free(set);
    equant_dataset_free(dataset);
}

/* ---- files --------------------------------------------------------------------- */

static char path[] = "/tmp/equant-priors-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

/* Reads `text` as a file of priors of two planets, two instruments and a linear trend. */
static equant_status read_text(const char *text, const equant_dataset *dataset, priors **made)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    priors_options options = {dataset, 2, 1, NULL, NULL};
    *made = NULL;
    equant_status status = priors_file_read(path, &options, made);
    if (status == EQUANT_ERROR_UNAVAILABLE)
        skip();
    return status;
}

static void files_are_read(void **state)
{
    (void)state;
    equant_dataset *dataset = small_star(2);
    priors *set = NULL;
    assert_int_equal(read_text("# priors of a test\n"
                               "set: eprv3\n"
                               "every_planet:\n"
                               "  eccentricity: beta(0.867, 3.03)\n"
                               "  k_m_s: uniform(0, 50)\n"
                               "planets:\n"
                               "  - period_days: normal(20.9, 0.1)\n"
                               "    k_m_s: uniform(0, 20)\n"
                               "  - period_days: log-uniform(30, 300)\n"
                               "  - period_days: log-uniform(300, 3000)\n"
                               "every_instrument:\n"
                               "  jitter_m_s: uniform(0, 10)\n"
                               "instruments:\n"
                               "  - name: second\n"
                               "    offset_m_s: normal(-20, 5)\n"
                               "trend_m_s_day: 0\n"
                               "trend_m_s_day2: 0\n",
                               dataset, &set),
                     EQUANT_SUCCESS);
    assert_true(named(set, "period_days_1")->first == 20.9);
    assert_true(named(set, "period_days_2")->lower == 30);
    assert_true(named(set, "k_m_s_1")->upper == 20 && named(set, "k_m_s_2")->upper == 50);
    assert_int_equal(named(set, "eccentricity_2")->kind, PRIOR_BETA);
    assert_true(named(set, "offset_m_s_1")->upper == 1000); /* of the set */
    assert_int_equal(named(set, "offset_m_s_2")->kind, PRIOR_NORMAL);
    assert_true(named(set, "jitter_m_s_1")->upper == 10 && named(set, "jitter_m_s_2")->upper == 10);
    assert_int_equal(named(set, "trend_m_s_day")->kind, PRIOR_FIXED);
    priors_free(set);
    equant_dataset_free(dataset);
}

static void nearly_empty_files_are_read(void **state)
{
    (void)state;
    const char *const texts[] = {"set: kipping\n", "{}\n", "planets: []\n"};
    equant_dataset *dataset = small_star(2);
    for (size_t i = 0; i < 3; i++) {
        priors *set = NULL;
        assert_int_equal(read_text(texts[i], dataset, &set), EQUANT_SUCCESS);
        priors_free(set);
    }
    equant_dataset_free(dataset);
}

static void wrong_files_are_named(void **state)
{
    (void)state;
    const struct {
        const char *text, *expected;
        int line;
    } cases[] = {
        {"set: kipping\nplanet:\n  k_m_s: 3\n", "did you mean 'planets'", 2},
        {"set: kipping\nevery_planet:\n  period: uniform(1, 2)\n", "every_planet has no 'period'",
         3},
        {"planets: 3\n", "planets should be a list", 1},
        {"planets:\n  - 3\n", "keys with values", 2},
        {"- 3\n", "keys with values", 1},
        {"", "empty", 1},
        {"# no priors yet\n", "empty", 1},
        {"set: [1, 2]\n", "set should be one value", 1},
        {"planets: [{k_m_s: 3\n", "this is no YAML", 2},
        {"set: kipping\nset: eprv3\n", "already there in line 1", 2},
        {"set: kipping\n---\nset: eprv3\n", "another begins here", 2},
        {"set: &a kipping\ntrend_m_s_day: *a\n", "no anchors", 2},
        {"instruments:\n  - jitter_m_s: uniform(0, 1)\n", "no 'name'", 2},
        {"noise:\n  - parameter: mep_width\n", "no 'prior'", 2},
        {"set: jeffreys\n", "jeffreys", 1},
        {"every_planet:\n  k_m_s: uniform(3)\n", "k_m_s_1", 2},
        {"instruments:\n  - name: third\n", "third", 2},
        {"planets:\n  - {}\n  - eccentricity: uniform(0, 2)\n", "eccentricity_2", 3},
        {"\x01\x02\xff\xfe", "", 1},
    };
    equant_dataset *dataset = small_star(2);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        priors *set = NULL;
        char place[100];
        equant_status status = read_text(cases[i].text, dataset, &set);
        snprintf(place, sizeof place, "%s:%d: ", path, cases[i].line);
        if (status != EQUANT_ERROR_FORMAT && status != EQUANT_ERROR_INVALID_ARGUMENT)
            fail_msg("case %zu: %s", i, equant_status_name(status));
        if (strncmp(equant_last_error(), place, strlen(place)) != 0 ||
            !strstr(equant_last_error() + strlen(path), cases[i].expected))
            fail_msg("case %zu: %s", i, equant_last_error());
        assert_null(set);
    }
    equant_dataset_free(dataset);
}

/* The ranges of a fit become densities, and what is said of them wins. */
static void noise_has_priors(void **state)
{
    (void)state;
    equant_dataset *dataset = small_star(2);
    priors_options options = {dataset, 1, 0, NULL, "rotation(period=20:30, width=0.5), night"};
    priors *set = NULL;
    assert_int_equal(priors_create(&options, &set), EQUANT_SUCCESS);
    const struct {
        const char *name, *text;
    } expected[] = {{"mep_period_days", "log-uniform(20, 30)"},
                    {"mep_decay_days", "turns(1, 4)"},
                    {"mep_width", "fixed(0.5)"}};
    size_t first = parameter_layout_first(priors_layout(set), TERM_NOISE);
    assert_string_equal(priors_column_name(set, first), "night_amplitude_m_s");
    for (size_t i = 0; i < 3; i++) {
        char text[PRIOR_TEXT_SIZE];
        prior_text_write(priors_of_column(set, first + 2 + i), text);
        assert_string_equal(priors_column_name(set, first + 2 + i), expected[i].name);
        assert_string_equal(text, expected[i].text);
    }
    assert_int_equal(priors_change(set, "mep_decay_days", "turns(2, 3)"), EQUANT_SUCCESS);
    assert_int_equal(priors_change(set, "mep_width", "turns(2, 3)"), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(priors_change(set, "mep_width", "fixed(0)"), EQUANT_ERROR_INVALID_ARGUMENT);
    priors_free(set);
    equant_dataset_free(dataset);
}

static void missing_files_are_named(void **state)
{
    (void)state;
    equant_dataset *dataset = small_star(2);
    priors_options options = {dataset, 2, 1, NULL, NULL};
    priors *set = NULL;
    equant_status status = priors_file_read("/nowhere/priors.yaml", &options, &set);
    assert_true(status == EQUANT_ERROR_IO || status == EQUANT_ERROR_UNAVAILABLE);
    assert_non_null(strstr(equant_last_error(), "/nowhere/priors.yaml"));
    equant_dataset_free(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_read),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(complaints_say_how_it_is_written),
        cmocka_unit_test(locales_change_nothing),
        cmocka_unit_test(every_set_is_proper),
        cmocka_unit_test(the_reference_is_that_of_ford_and_gregory),
        cmocka_unit_test(priors_change_by_name),
        cmocka_unit_test(priors_that_cannot_be_are_refused),
        cmocka_unit_test(files_are_read),
        cmocka_unit_test(nearly_empty_files_are_read),
        cmocka_unit_test(wrong_files_are_named),
        cmocka_unit_test(noise_has_priors),
        cmocka_unit_test(missing_files_are_named),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
