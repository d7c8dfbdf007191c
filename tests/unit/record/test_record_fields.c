/* The record of a fit: its table of fields is complete, docs/record.md lists it, and fit.json has
 * what it says and nothing else, in its order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "text/json_walk.h"
#include "unit/fitted_star.h"

static equant_record_field field_at(size_t index)
{
    equant_record_field field = {.struct_size = sizeof field};
    assert_int_equal(equant_record_field_at(index, &field), EQUANT_SUCCESS);
    return field;
}

static bool is_group(equant_record_kind kind)
{
    return kind == EQUANT_RECORD_OBJECT || kind == EQUANT_RECORD_LIST ||
           kind == EQUANT_RECORD_MEMBERS;
}

static void fields_are_described(void **state)
{
    (void)state;
    equant_record_field none = {.struct_size = sizeof none};
    size_t n = equant_n_record_fields();
    assert_true(n > 100);
    for (size_t i = 0; i < n; i++) {
        equant_record_field own = field_at(i);
        assert_true(own.path[0] != '\0' && own.meaning[0] != '\0');
        assert_true(strcmp(own.file, "fit.json") == 0 || strcmp(own.file, "origin.json") == 0);
        assert_true(own.unit[0] == '\0' || own.kind == EQUANT_RECORD_NUMBER ||
                    own.kind == EQUANT_RECORD_NUMBERS);
    }
    assert_int_equal(equant_record_field_at(n, &none), EQUANT_ERROR_INVALID_ARGUMENT);
}

static char *read_all(const char *path)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = calloc(1 << 20, 1);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

/* A row of the page: | `path` | unit | meaning |. */
static void fields_are_on_their_page(void **state)
{
    (void)state;
    char path[4096], row[512];
    snprintf(path, sizeof path, "%s/docs/record.md", getenv("EQUANT_SOURCE"));
    char *page = read_all(path);
    for (size_t i = 0; i < equant_n_record_fields(); i++) {
        equant_record_field own = field_at(i);
        snprintf(row, sizeof row, "\n| `%s` | %s | %s |\n", own.path, own.unit, own.meaning);
        if (strstr(page, row) == NULL)
            fail_msg("docs/record.md lacks the row%s", row);
    }
    size_t n = 0;
    for (char *at = strstr(page, "\n## "); at && (at = strstr(at, "\n| `")); at++)
        n++;
    if (n != equant_n_record_fields())
        fail_msg("docs/record.md has %zu rows for %zu fields", n, equant_n_record_fields());
    free(page);
}

/* What fit.json has: whether each field of the table was seen. */
struct seen {
    size_t n;
    bool fields[1024];
};

/* "noise.terms[0].parameters.period.value" is a case of "noise.terms[].parameters.*.value"; an
 * index behind a path is an element of its list. */
static bool is_case_of(const char *path, const char *pattern)
{
    while (*pattern != '\0') {
        if (*pattern == '*') {
            path += strcspn(path, ".");
        } else if (pattern[0] == '[') {
            if (*path != '[')
                return false;
            path += strcspn(path, "]") + 1;
            pattern++;
        } else if (*path++ != *pattern) {
            return false;
        }
        pattern++;
    }
    return *path == '\0' || (*path == '[' && strchr(path, ']')[1] == '\0');
}

static void note(const char *path, struct seen *seen)
{
    bool is_known = false;
    for (size_t i = 0; i < seen->n; i++) {
        equant_record_field own = field_at(i);
        if (strcmp(own.file, "fit.json") == 0 && !is_group(own.kind) &&
            is_case_of(path, own.path)) {
            seen->fields[i] = is_known = true;
        }
    }
    if (!is_known)
        fail_msg("fit.json has %s, which is in no row of the table", path);
}

static void note_number(const char *path, double value, void *context)
{
    (void)value;
    note(path, context);
}

static void note_string(const char *path, const char *value, void *context)
{
    (void)value;
    note(path, context);
}

static void note_boolean(const char *path, bool value, void *context)
{
    (void)value;
    note(path, context);
}

static void look_at(const equant_dataset *dataset, const equant_fit_options *options,
                    struct seen *seen)
{
    const char *const hints[] = {"A hint."};
    const equant_record_options record = {
        .struct_size = sizeof record, .n_hints = 1, .hints = hints};
    const struct json_listener listener = {note_number, note_string, seen, note_boolean};
    equant_fit *made = fit(dataset, options);
    char *text = NULL;
    size_t n;
    assert_int_equal(equant_fit_text(made, dataset, &record, &text, &n), EQUANT_SUCCESS);
    assert_int_equal(strlen(text), n);
    assert_int_equal(json_walk(text, &listener), 0);
    equant_fit_text_free(text);
    equant_fit_free(made);
}

/* Fits of which each knows something that others do not. */
static void files_have_the_fields(void **state)
{
    (void)state;
    static struct seen seen;
    seen.n = equant_n_record_fields();
    assert_true(seen.n < sizeof seen.fields / sizeof seen.fields[0]);
    const simulated_star simulated = {.seed = 3,
                                      .n_obs = 60,
                                      .first_day = 2455000.0,
                                      .span_days = 700.0,
                                      .n_planets = 2,
                                      .elements = two_planets,
                                      .noise_m_s = 1.0,
                                      .uncertainty_m_s = 1.0};
    equant_dataset *dataset = simulated_star_observe(&simulated);
    equant_fit_options options = quick();
    const equant_star star = {.struct_size = sizeof star, .mass = 1.0, .mass_err = 0.05};
    options.star = &star;
    options.trend = EQUANT_TREND_QUADRATIC;
    look_at(dataset, &options, &seen);
    options.noise = "rotation, night";
    options.n_planets = 1;
    look_at(dataset, &options, &seen);
    equant_dataset_free(dataset);
    const char *const sure[] = {"planets[].period_days",
                                "planets[].omega_deg_err",
                                "planets[].fap",
                                "planets[].m_sin_i_jupiter",
                                "planets[].is_candidate",
                                "instruments[].offset_m_s",
                                "trend.quadratic_m_s_day2_err",
                                "n_fitted",
                                "hints",
                                "end",
                                "noise.terms[].parameters.*.value",
                                "noise.rotation_days",
                                "noise.tried[].delta_bic",
                                "models[].bic"};
    for (size_t s = 0; s < sizeof sure / sizeof sure[0]; s++)
        for (size_t i = 0; i < seen.n; i++) {
            equant_record_field own = field_at(i);
            if (strcmp(own.path, sure[s]) == 0 && !seen.fields[i])
                fail_msg("no fit.json has %s", own.path);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_described),
        cmocka_unit_test(fields_are_on_their_page),
        cmocka_unit_test(files_have_the_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
