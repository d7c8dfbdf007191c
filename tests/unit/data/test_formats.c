/* Every format that equant reads, on small made-up files (tests/fixtures/formats),
 * and how several files become one data set. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "equant.h"
#include "unit/comma_locale.h"

static const char *fixture(const char *name)
{
    static char paths[4][4096];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/tests/fixtures/formats/%s", getenv("EQUANT_SOURCE"), name);
    return path;
}

static equant_dataset *read_files(size_t n, const char *const *paths)
{
    equant_dataset *dataset = NULL;
    equant_status status = equant_dataset_from_files(n, paths, NULL, &dataset);
    if (status != EQUANT_SUCCESS)
        fail_msg("%s", equant_last_error());
    return dataset;
}

static equant_dataset *read_text(const char *text)
{
    equant_dataset *dataset = NULL;
    if (equant_dataset_from_text(text, strlen(text), "night.dat", NULL, &dataset) != EQUANT_SUCCESS)
        fail_msg("%s", equant_last_error());
    return dataset;
}

/* "A, B": the names of all instruments. */
static const char *instruments_of(const equant_dataset *dataset)
{
    static char names[1024];
    names[0] = '\0';
    for (size_t i = 0; i < equant_dataset_n_instruments(dataset); i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "",
                 equant_dataset_instrument_name(dataset, i));
    }
    return names;
}

static bool has_warning(const equant_dataset *dataset, const char *words)
{
    for (size_t i = 0; i < equant_dataset_n_warnings(dataset); i++)
        if (strstr(equant_dataset_warning(dataset, i), words) != NULL)
            return true;
    return false;
}

/* What each fixture holds; velocities and uncertainties of the first row in time. */
static const struct expectation {
    const char *file, *format;
    size_t n_obs;
    equant_unit unit;
    const char *instruments;
    size_t n_warnings;
    double time_days, velocity_m_s, uncertainty_m_s;
} expectations[] = {
    {"radvel.csv", "RadVel table", 3, EQUANT_UNIT_M_S, "k, j", 0, 2455000.25, -3.25, 1.25},
    {"radvel_blanks.txt", "RadVel table", 2, EQUANT_UNIT_M_S, "j, k", 0, 2455000.25, -3.25, 1.25},
    {"radvel_index.csv", "RadVel table", 3, EQUANT_UNIT_M_S, "radvel_index", 0, 2364.8, 6.9, 1.5},
    {"rvsearch.csv", "RadVel table", 2, EQUANT_UNIT_M_S, "j, k", 0, 2453238.75, 113.3, 0.93},
    {"systemic_m_s.vels", "Systemic .vels", 2, EQUANT_UNIT_M_S, "SPECTRA", 0, 2450546.125, -56.3,
     2.3},
    {"systemic_km_s.vels", "Systemic .vels", 3, EQUANT_UNIT_KM_S, "ECHELLE", 0, 2450546.125, -5600,
     12},
    {"systemic.sys", "Systemic .sys", 5, EQUANT_UNIT_M_S, "SPECTRA, ECHELLE", 0, 2450546.125, -56.3,
     2.3},
    {"rdb_tabs.rdb", "rdb table", 2, EQUANT_UNIT_M_S, "ESPRESSO 18, ESPRESSO 19", 1, 55000.5, 1.5,
     0.9},
    {"rdb_blanks.rdb", "rdb table", 2, EQUANT_UNIT_M_S, "rdb_blanks", 1, 54775.8, 32.5, 2.2},
    {"rdb_types.rdb", "rdb table", 2, EQUANT_UNIT_M_S, "rdb_types", 1, 54775.8, 32.5, 2.2},
    {"units_in_header.dat", "rdb table", 2, EQUANT_UNIT_KM_S, "units_in_header", 0, 52948.5, 35540,
     1.2},
    {"plain_three.dat", "plain columns", 3, EQUANT_UNIT_M_S, "plain_three", 2, 2454000.5, 1.25,
     0.75},
    {"plain_instrument_km_s.dat", "plain columns", 3, EQUANT_UNIT_KM_S, "CORALIE, HARPS", 2,
     2457804.5, 1258.03, 23.89},
    {"orvara.dat", "orvara table", 3, EQUANT_UNIT_M_S, "0, 1", 0, 2451121.5, 29.8, 4.6},
    {"orvara_bare.dat", "orvara table", 3, EQUANT_UNIT_M_S, "0, 1, 2", 2, 2451121.5, 29.8, 4.6},
    {"orbitize.csv", "orbitize table", 2, EQUANT_UNIT_KM_S, "L, K", 2, 47047.5, 270.71, 0.81},
    {"orbitize_commas.csv", "orbitize table", 2, EQUANT_UNIT_KM_S, "orbitize_commas", 0, 47047.5,
     270.71, 0.81},
    {"pyorbit.dat", "PyORBIT table", 3, EQUANT_UNIT_M_S, "0, 1", 1, 57972.5, -3403.9, 2.5},
    {"pyorbit_bare.dat", "PyORBIT table", 3, EQUANT_UNIT_M_S, "0, 1", 2, 57972.5, -3403.9, 2.5},
    {"carmenes.csv", "CARMENES table", 2, EQUANT_UNIT_M_S, "carmenes", 2, 2457400.5, 2.75, 1.25},
    {"blanks.ecsv", "ECSV", 2, EQUANT_UNIT_KM_S, "MY SPECTRUM, OTHER", 0, 2458000.5, 39250, 15.5},
    {"commas.ecsv", "ECSV", 2, EQUANT_UNIT_M_S, "commas", 0, 2458000.5, 39.25, 1.5},
    {"terra.dat", "named columns", 2, EQUANT_UNIT_M_S, "terra", 1, 52937.7, -6.13, 0.36},
    {"bom_semicolon.csv", "named columns", 2, EQUANT_UNIT_M_S, "bom_semicolon", 0, 4999.5, -1250,
     2.5},
    {"unit_in_name.csv", "named columns", 2, EQUANT_UNIT_KM_S, "unit_in_name", 0, 2455000.5, 10500,
     250},
    {"vizier.tsv", "VizieR table", 2, EQUANT_UNIT_M_S, "HARPS, HIRES", 0, 2455000.25, -3.25, 1.25},
    {"vizier_semicolons.txt", "VizieR table", 2, EQUANT_UNIT_KM_S, "vizier_semicolons", 0,
     2455000.25, -3250, 125},
    {"units_second_line.csv", "named columns", 2, EQUANT_UNIT_M_S, "units_second_line", 0,
     2455000.25, -3.25, 1.25},
    {"aas_table.txt", "AAS machine-readable table", 3, EQUANT_UNIT_M_S, "H, K", 0, 2455000.25,
     -3.25, 1.25},
    {"ipac.tbl", "IPAC table", 2, EQUANT_UNIT_M_S, "ECHELLE", 0, 2455000.25, -3.25, 1.25},
    {"rvbank.csv", "HARPS-RVBank table", 2, EQUANT_UNIT_M_S, "rvbank", 3, 2455000.25, -3.25, 1.25},
    {"drs.rdb", "DRS table", 2, EQUANT_UNIT_KM_S, "drs", 2, 54775.8, 32500, 1.25},
    {"decimal_comma.csv", "named columns", 2, EQUANT_UNIT_M_S, "decimal_comma", 1, 2455000.25,
     -3.25, 1.25},
    {"decimal_comma_tabs.dat", "plain columns", 2, EQUANT_UNIT_M_S, "HARPS, HIRES", 3, 2455000.25,
     -3.25, 1.25},
    {"dace.csv", "named columns", 2, EQUANT_UNIT_M_S, "HARPS03, HARPS15", 3, 55000.25, -3.25, 1.25},
    {"gaia_velocities.dat", "Gaia epoch velocities", 3, EQUANT_UNIT_KM_S, "gaia_velocities", 1,
     2457010.25, -33250, 1250},
    {"inline_comment.dat", "named columns", 2, EQUANT_UNIT_M_S, "inline_comment", 1, 55000.5, 1.5,
     0.9},
};

static void reads_every_format(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof expectations / sizeof expectations[0]; i++) {
        const struct expectation *expected = &expectations[i];
        const char *path = fixture(expected->file);
        equant_dataset *dataset = read_files(1, &path);
        print_message("%s\n", expected->file);
        assert_string_equal(equant_dataset_format(dataset), expected->format);
        assert_int_equal(equant_dataset_n_obs(dataset), expected->n_obs);
        assert_int_equal(equant_dataset_unit(dataset), expected->unit);
        assert_string_equal(instruments_of(dataset), expected->instruments);
        assert_int_equal(equant_dataset_n_warnings(dataset), expected->n_warnings);
        assert_true(equant_dataset_times_days(dataset)[0] == expected->time_days);
        assert_true(fabs(equant_dataset_velocities_m_s(dataset)[0] - expected->velocity_m_s) <
                    1e-9);
        assert_true(fabs(equant_dataset_uncertainties_m_s(dataset)[0] - expected->uncertainty_m_s) <
                    1e-9);
        equant_dataset_free(dataset);
    }
}

static void options_force_unit_and_reference_time(void **state)
{
    (void)state;
    const char *path = fixture("systemic_km_s.vels");
    equant_dataset_options options = {.struct_size = sizeof options,
                                      .velocity_unit = EQUANT_UNIT_M_S,
                                      .has_reference_time = 1,
                                      .reference_time_days = 2450000};
    equant_dataset *dataset = NULL;
    assert_int_equal(equant_dataset_from_files(1, &path, &options, &dataset), EQUANT_SUCCESS);
    assert_int_equal(equant_dataset_unit(dataset), EQUANT_UNIT_M_S);
    assert_true(equant_dataset_velocities_m_s(dataset)[0] == -5.6);
    assert_true(equant_dataset_reference_time_days(dataset) == 2450000);
    equant_dataset_free(dataset);
}

/* ---- units from numbers ------------------------------------------------ */

static void guesses_the_unit_from_the_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        equant_unit unit;
    } cases[] = {
        {"1 20.758 0.002\n2 20.747 0.001\n", EQUANT_UNIT_KM_S},      /* precise, in km/s */
        {"1 -45.2 0.02\n2 60.1 0.02\n", EQUANT_UNIT_KM_S},           /* a binary */
        {"1 22.34 0.06\n2 22.35 0.3\n3 22.3 0.2", EQUANT_UNIT_KM_S}, /* a faint star */
        {"1 0.34 0.1\n2 -0.35 0.12\n", EQUANT_UNIT_M_S},             /* a very good spectrograph */
        {"1 -3403.9 2.5\n2 -3392.7 5.0\n", EQUANT_UNIT_M_S},         /* absolute, in m/s */
        {"1 35340.1 0.2\n2 35342.7 0.2\n", EQUANT_UNIT_M_S},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        equant_dataset *dataset = read_text(cases[i].text);
        assert_int_equal(equant_dataset_unit(dataset), cases[i].unit);
        assert_true(has_warning(dataset, cases[i].unit == EQUANT_UNIT_KM_S ? "give the unit m/s"
                                                                           : "give the unit km/s"));
        equant_dataset_free(dataset);
    }
}

static void doubts_units_but_keeps_what_the_file_says(void **state)
{
    (void)state;
    equant_dataset *dataset = read_text("# value_units = M/S\n1 31.18 0.0018\n2 31.17 0.0015\n");
    assert_int_equal(equant_dataset_unit(dataset), EQUANT_UNIT_M_S);
    assert_true(has_warning(dataset, "give the unit km/s"));
    equant_dataset_free(dataset);

    dataset = read_text("# value_units = KM/S\n1 -17.5 2.9\n2 18.5 2.8\n");
    assert_int_equal(equant_dataset_unit(dataset), EQUANT_UNIT_KM_S);
    assert_true(has_warning(dataset, "give the unit m/s"));
    equant_dataset_free(dataset);

    dataset = read_text("# value_units = KM/S\n1 82.91 1.8\n2 82.92 1.7\n3 82.93 1.9\n");
    assert_true(has_warning(dataset, "are both columns in the same unit?"));
    equant_dataset_free(dataset);
}

/* ---- several files ----------------------------------------------------- */

static void several_files_are_several_instruments(void **state)
{
    (void)state;
    const char *paths[] = {fixture("plain_three.dat"), fixture("systemic_km_s.vels")};
    equant_dataset *dataset = read_files(2, paths);
    assert_int_equal(equant_dataset_n_obs(dataset), 6);
    assert_string_equal(instruments_of(dataset), "plain_three, ECHELLE");
    assert_string_equal(equant_dataset_format(dataset), "plain columns + Systemic .vels");
    assert_int_equal(equant_dataset_unit(dataset), EQUANT_UNIT_M_S);
    assert_true(equant_dataset_velocities_m_s(dataset)[0] == -5600);
    equant_dataset_free(dataset);
}

static void names_in_columns_are_shared_between_files(void **state)
{
    (void)state;
    const char *paths[] = {fixture("radvel.csv"), fixture("rvsearch.csv")};
    equant_dataset *dataset = read_files(2, paths);
    assert_string_equal(instruments_of(dataset), "k, j");
    assert_int_equal(equant_dataset_instrument_n_obs(dataset, 0), 3);
    assert_int_equal(equant_dataset_instrument_n_obs(dataset, 1), 2);
    equant_dataset_free(dataset);
}

static void numbers_in_columns_belong_to_their_file(void **state)
{
    (void)state;
    const char *paths[] = {fixture("orvara.dat"), fixture("pyorbit.dat")};
    equant_dataset *dataset = read_files(2, paths);
    assert_string_equal(instruments_of(dataset),
                        "0 (orvara), 1 (orvara), 0 (pyorbit), 1 (pyorbit)");
    equant_dataset_free(dataset);
}

static void files_with_one_name_are_told_apart(void **state)
{
    (void)state;
    const char *path = fixture("systemic_braces.sys");
    equant_dataset *dataset = read_files(1, &path);
    assert_string_equal(instruments_of(dataset),
                        "SPECTRA (systemic_m_s), SPECTRA (systemic_m_s, 2)");
    assert_true(has_warning(dataset, "files of transit times, left out: 1"));
    assert_true(has_warning(dataset, "given more than once"));
    equant_dataset_free(dataset);
}

static void formats_are_named_once_each(void **state)
{
    (void)state;
    static const struct {
        const char *first, *second, *format;
    } cases[] = {
        {"radvel.csv", "rvsearch.csv", "RadVel table"},
        {"systemic.sys", "systemic_braces.sys", "Systemic .sys"},
        {"systemic.sys", "radvel.csv", "Systemic .sys + RadVel table"},
        {"systemic_km_s.vels", "systemic.sys", "Systemic .vels + Systemic .sys"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *paths[] = {fixture(cases[i].first), fixture(cases[i].second)};
        equant_dataset *dataset = read_files(2, paths);
        assert_string_equal(equant_dataset_format(dataset), cases[i].format);
        equant_dataset_free(dataset);
    }
}

static void different_zero_points_of_time_are_said(void **state)
{
    (void)state;
    static const struct {
        const char *first, *second;
        bool is_said;
    } cases[] = {
        {"radvel.csv", "terra.dat", true},          /* JD and JD - 2400000 */
        {"orbitize.csv", "orvara.dat", true},       /* MJD and JD */
        {"systemic.sys", "radvel_index.csv", true}, /* JD and JD - 2450000, across a .sys */
        {"terra.dat", "radvel_index.csv", true},    /* JD - 2400000 and JD - 2450000 */
        {"radvel.csv", "rvsearch.csv", false},      /* JD in both */
        {"terra.dat", "rdb_tabs.rdb", false},       /* JD - 2400000 in both */
        {"old_plates.dat", "radvel.csv", false},    /* JD in both, 84 years apart, and one slip */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *paths[] = {fixture(cases[i].first), fixture(cases[i].second)};
        equant_dataset *dataset = read_files(2, paths);
        print_message("%s and %s\n", cases[i].first, cases[i].second);
        assert_int_equal(has_warning(dataset, "convert one of the two files"), cases[i].is_said);
        equant_dataset_free(dataset);
    }
}

static void the_files_furthest_apart_in_time_are_named_once(void **state)
{
    (void)state;
    const char *paths[] = {fixture("radvel.csv"), fixture("terra.dat"), fixture("rvsearch.csv"),
                           fixture("radvel_index.csv")};
    char start[8192];
    snprintf(start, sizeof start, "%s: its times lie around 2364.9, those of %s around 2455010.5",
             paths[3], paths[0]);
    equant_dataset *dataset = read_files(4, paths);
    size_t n_said = 0;
    for (size_t i = 0; i < equant_dataset_n_warnings(dataset); i++)
        n_said += strstr(equant_dataset_warning(dataset, i), "its times lie around") != NULL;
    assert_int_equal(n_said, 1);
    assert_true(has_warning(dataset, start));
    equant_dataset_free(dataset);
}

/* ---- texts ------------------------------------------------------------- */

static void line_ends_of_every_system_are_read(void **state)
{
    (void)state;
    static const char *const texts[] = {"t,rv,err\n1,2,3\n4,5,6\n", "t,rv,err\r\n1,2,3\r\n4,5,6",
                                        "t,rv,err\r1,2,3\r4,5,6\r",
                                        "\n\n t , rv , err ,\n\n1,2,3,\n  \n4,5,6,,\n\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        equant_dataset *dataset = read_text(texts[i]);
        assert_int_equal(equant_dataset_n_obs(dataset), 2);
        assert_true(equant_dataset_uncertainties_m_s(dataset)[1] == 6);
        equant_dataset_free(dataset);
    }
}

static void further_columns_of_numbers_are_no_instruments(void **state)
{
    (void)state;
    equant_dataset *dataset = read_text("1 2 3 45\n2 3 4 57\n3 4 5 51\n");
    assert_int_equal(equant_dataset_n_instruments(dataset), 1);
    assert_true(has_warning(dataset, "further columns are left out"));
    equant_dataset_free(dataset);
}

static void a_choice_between_columns_is_said(void **state)
{
    (void)state;
    equant_dataset *dataset = read_text("bjd,rv,vrad,err\n1,2,9,1\n2,3,9,1\n");
    assert_true(equant_dataset_velocities_m_s(dataset)[0] == 2);
    assert_true(has_warning(dataset, "columns 'rv' and 'vrad' mean the same; 'rv' was taken"));
    equant_dataset_free(dataset);
}

static void names_that_cannot_be_printed_are_mended(void **state)
{
    (void)state;
    equant_dataset *dataset = read_text("1 2 3 H\xC3\x89RAULT\n2 3 4 \xFF\x01\n");
    assert_string_equal(instruments_of(dataset), "H\xC3\x89RAULT, ??");
    equant_dataset_free(dataset);
}

static void quotes_in_names_are_read_as_they_are_written(void **state)
{
    (void)state;
    equant_dataset *dataset =
        read_text("time,mnvel,errvel,tel\n1,2,3,\"a\"\"b\"\n2,3,4,\"c\"\"\"\n3,4,5,d\n");
    assert_string_equal(instruments_of(dataset), "a\"b, c\", d");
    equant_dataset_free(dataset);
}

static void the_locale_of_the_caller_does_not_matter(void **state)
{
    (void)state;
    comma_locale_set();
    /* Few digits take the parser's short way, many digits the C library's. */
    equant_dataset *dataset = read_text("t rv[m/s] err\n1.5 2.25 0.123456789012345678901234\n");
    setlocale(LC_ALL, "C");
    assert_true(equant_dataset_times_days(dataset)[0] == 1.5);
    assert_true(equant_dataset_uncertainties_m_s(dataset)[0] == 0.123456789012345678901234);
    equant_dataset_free(dataset);
}

static void a_million_rows_load_quickly(void **state)
{
    (void)state;
    enum { N = 1000000 };
    char *text = malloc(N * 48), *end = text;
    assert_non_null(text);
    for (int k = 0; k < N; k++)
        end += sprintf(end, "%d.%06d %d.%03d 1.%02d i%d\n", 2450000 + k / 100, k, k % 50, k % 999,
                       k % 97, k % 7);
    equant_dataset *dataset = NULL;
    clock_t start = clock();
    assert_int_equal(equant_dataset_from_text(text, (size_t)(end - text), "big", NULL, &dataset),
                     EQUANT_SUCCESS);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    print_message("%d rows in %.2f s\n", N, seconds);
    assert_int_equal(equant_dataset_n_obs(dataset), N);
    assert_int_equal(equant_dataset_n_instruments(dataset), 7);
    equant_dataset_free(dataset);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_format),
        cmocka_unit_test(options_force_unit_and_reference_time),
        cmocka_unit_test(guesses_the_unit_from_the_numbers),
        cmocka_unit_test(doubts_units_but_keeps_what_the_file_says),
        cmocka_unit_test(several_files_are_several_instruments),
        cmocka_unit_test(names_in_columns_are_shared_between_files),
        cmocka_unit_test(numbers_in_columns_belong_to_their_file),
        cmocka_unit_test(files_with_one_name_are_told_apart),
        cmocka_unit_test(formats_are_named_once_each),
        cmocka_unit_test(different_zero_points_of_time_are_said),
        cmocka_unit_test(the_files_furthest_apart_in_time_are_named_once),
        cmocka_unit_test(line_ends_of_every_system_are_read),
        cmocka_unit_test(further_columns_of_numbers_are_no_instruments),
        cmocka_unit_test(a_choice_between_columns_is_said),
        cmocka_unit_test(names_that_cannot_be_printed_are_mended),
        cmocka_unit_test(quotes_in_names_are_read_as_they_are_written),
        cmocka_unit_test(the_locale_of_the_caller_does_not_matter),
        cmocka_unit_test(a_million_rows_load_quickly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
