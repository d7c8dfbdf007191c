/* What a caller may ask of the readers: bad rows left out, columns by choice; and the columns by
 * which pipelines judge their own rows. */
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

#include "equant.h"

static equant_status read_with(const char *text, int skip_bad_rows, const char *columns,
                               equant_dataset **dataset)
{
    equant_dataset_options options = {.struct_size = sizeof options,
                                      .velocity_unit = EQUANT_UNIT_M_S,
                                      .skip_bad_rows = skip_bad_rows,
                                      .columns = columns};
    *dataset = NULL;
    return equant_dataset_from_text(text, strlen(text), "night.dat", &options, dataset);
}

static equant_dataset *must_read(const char *text, int skip_bad_rows, const char *columns)
{
    equant_dataset *dataset;
    if (read_with(text, skip_bad_rows, columns, &dataset) != EQUANT_SUCCESS)
        fail_msg("%s", equant_last_error());
    return dataset;
}

static void must_fail(const char *text, const char *columns, equant_status wanted,
                      const char *words)
{
    equant_dataset *dataset;
    assert_int_equal(read_with(text, 0, columns, &dataset), wanted);
    if (strstr(equant_last_error(), words) == NULL)
        fail_msg("'%s' is not in: %s", words, equant_last_error());
}

static void must_warn(const equant_dataset *dataset, const char *words)
{
    for (size_t i = 0; i < equant_dataset_n_warnings(dataset); i++)
        if (strstr(equant_dataset_warning(dataset, i), words) != NULL)
            return;
    fail_msg("no warning says: %s", words);
}

/* ---- bad rows ---------------------------------------------------------- */

static const char spoilt[] = "time,rv,rv_err,ins\n"
                             "1,5,1,a\n"
                             "2,nan,1,a\n"
                             "3,6,0,a\n"
                             "4,7\n"
                             "5,8,1,a\n"
                             "6,--,1,a\n"
                             "7,9,1,\n"
                             "8,9,,a\n";

static void bad_rows_are_errors_that_tell_the_way_out(void **state)
{
    (void)state;
    must_fail(spoilt, NULL, EQUANT_ERROR_FORMAT, "night.dat:3: the velocity is 'nan'");
    assert_non_null(strstr(equant_last_error(), "skip bad rows"));
    must_fail("time,rv,rv_err\n1,2,0\n", NULL, EQUANT_ERROR_FORMAT, "skip bad rows");
    must_fail("time,rv,rv_err\n1,2,1\n1,2\n", NULL, EQUANT_ERROR_FORMAT, "skip bad rows");
}

static void bad_rows_are_left_out_and_counted(void **state)
{
    (void)state;
    equant_dataset *dataset = must_read(spoilt, 1, NULL);
    assert_int_equal(equant_dataset_n_obs(dataset), 2);
    assert_true(equant_dataset_velocities_m_s(dataset)[1] == 8);
    must_warn(dataset,
              "night.dat: rows that cannot be used, left out: 6, lines 3, 4, 5, 7, 8, ...; "
              "in the first, the velocity is 'nan'");
    equant_dataset_free(dataset);
}

static void a_table_of_bad_rows_is_no_table(void **state)
{
    (void)state;
    equant_dataset *dataset;
    assert_int_equal(read_with("time rv err\n1 nan 1\n2 3 0\n", 1, NULL, &dataset),
                     EQUANT_ERROR_FORMAT);
    assert_non_null(strstr(equant_last_error(), "night.dat:2: no row can be used"));
}

static void bad_rows_of_arrays_are_left_out(void **state)
{
    (void)state;
    double time[] = {1, 2, NAN, 4}, velocity[] = {1, 2, 3, INFINITY}, error[] = {1, 0, 1, 1};
    equant_dataset_options options = {.struct_size = sizeof options, .skip_bad_rows = 1};
    equant_dataset *dataset = NULL;
    assert_int_equal(
        equant_dataset_from_arrays(4, time, velocity, error, NULL, 1, NULL, NULL, &dataset),
        EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(
        equant_dataset_from_arrays(4, time, velocity, error, NULL, 1, NULL, &options, &dataset),
        EQUANT_SUCCESS);
    assert_int_equal(equant_dataset_n_obs(dataset), 1);
    must_warn(dataset, "left out: 3; the first: row 1");
    equant_dataset_free(dataset);
    assert_int_equal(
        equant_dataset_from_arrays(1, time + 2, velocity, error, NULL, 1, NULL, &options, &dataset),
        EQUANT_ERROR_INVALID_ARGUMENT);
}

/* ---- columns by choice ------------------------------------------------- */

static const char unusual[] = "Obs,BJD - 2450000,V (m/s),unc,who,CaHK,dCaHK\n"
                              "1,5000.5,12.5,0.5,x,0.17,0.01\n"
                              "2,5001.5,13.5,0.75,y,0.18,0.02\n";

static void columns_are_chosen_by_name_and_number(void **state)
{
    (void)state;
    equant_dataset *dataset =
        must_read(unusual, 0, "time=2, rv=v, err=unc, instrument=who, s_index=CaHK, s_index_err=7");
    assert_true(equant_dataset_times_days(dataset)[0] == 5000.5);
    assert_true(equant_dataset_velocities_m_s(dataset)[1] == 13.5);
    assert_true(equant_dataset_uncertainties_m_s(dataset)[1] == 0.75);
    assert_string_equal(equant_dataset_instrument_name(dataset, 1), "y");
    const equant_indicator *s = equant_dataset_indicator(dataset, 0);
    assert_string_equal(s->name, "s_index");
    assert_true(s->values[1] == 0.18 && s->uncertainties[1] == 0.02);
    assert_int_equal(equant_dataset_n_ignored_columns(dataset), 1);
    assert_string_equal(equant_dataset_ignored_column(dataset, 0), "Obs");
    equant_dataset_free(dataset);
}

static void columns_without_names_are_chosen_by_number(void **state)
{
    (void)state;
    equant_dataset *dataset =
        must_read("7 0.5 12.5 100.5\n8 0.25 13.5 101.5\n", 0, "time=4,rv=3,err=2");
    assert_true(equant_dataset_times_days(dataset)[0] == 100.5);
    assert_true(equant_dataset_velocities_m_s(dataset)[0] == 12.5);
    assert_true(equant_dataset_uncertainties_m_s(dataset)[1] == 0.25);
    equant_dataset_free(dataset);
    must_fail("1 2 3 4\n", "time=2", EQUANT_ERROR_FORMAT, "choose 'rv' too");
    must_fail("1 2 3 4\n", "time=5", EQUANT_ERROR_FORMAT, "numbers go from 1 to 4");
}

static void a_chosen_velocity_is_the_one_taken(void **state)
{
    (void)state;
    const char text[] = "BJD,RV,e_RV,AVC,e_AVC\n1,2,3,4,5\n";
    equant_dataset *dataset = must_read(text, 0, "rv=RV,err=e_RV");
    assert_true(equant_dataset_velocities_m_s(dataset)[0] == 2);
    assert_true(equant_dataset_uncertainties_m_s(dataset)[0] == 3);
    assert_int_equal(equant_dataset_n_warnings(dataset), 0);
    equant_dataset_free(dataset);
}

static void choices_that_cannot_be_meant_are_refused(void **state)
{
    (void)state;
    const equant_status invalid = EQUANT_ERROR_INVALID_ARGUMENT;
    must_fail(unusual, "", invalid, "empty");
    must_fail(unusual, "time", invalid, "KEY=COLUMN");
    must_fail(unusual, "tiem=2", invalid, "'tiem' is no kind of column");
    must_fail(unusual, "time=", invalid, "no column stands behind");
    must_fail(unusual, "time=1,time=2", invalid, "two columns");
    must_fail(unusual, "time=1,rv=1", EQUANT_ERROR_FORMAT, "the same column");
    must_fail(unusual, "rv=w", EQUANT_ERROR_FORMAT, "night.dat:1: there is no column 'w' for 'rv'");
    must_fail("when,what,how\n1,2,3\n", "rv=2", EQUANT_ERROR_FORMAT, "choose the columns");
}

/* ---- what pipelines say of their rows ---------------------------------- */

static void rows_that_a_pipeline_distrusts_are_left_out(void **state)
{
    (void)state;
    static const char *const tables[] = {
        "rjd,rv,rv_err,drs_qc\n1,2,1,True\n2,3,1,False\n",
        "rjd,rv,rv_err,spectro_drs_qc\n1,2,1,1\n2,3,1,0\n",
        "date_bjd,rv,rv_err,drs_quality\n1,2,1,TRUE\n2,3,1,FALSE\n",
        "BJD;RV_mlc_nzp;e_RV_mlc_nzp;f_RV\n1;2;1;0\n2;3;1;32\n",
    };
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        equant_dataset *dataset = must_read(tables[i], 0, NULL);
        assert_int_equal(equant_dataset_n_obs(dataset), 1);
        must_warn(dataset, "marks as bad, left out: 1");
        equant_dataset_free(dataset);
    }
}

static void flags_without_a_meaning_keep_all_rows_and_are_named(void **state)
{
    (void)state;
    equant_dataset *dataset = must_read("bjd,rv,rv_err,flag\n1,2,1,0\n2,3,1,1\n", 0, NULL);
    assert_int_equal(equant_dataset_n_obs(dataset), 2);
    must_warn(dataset, "column 'flag' may tell good rows from bad");
    equant_dataset_free(dataset);
    dataset = must_read("bjd,rv,rv_err,flag\n1,2,1,0\n2,3,1,0\n", 0, NULL);
    assert_int_equal(equant_dataset_n_warnings(dataset), 0);
    equant_dataset_free(dataset);
}

/* ---- files without an end ---------------------------------------------- */

static void devices_without_an_end_are_refused(void **state)
{
    (void)state;
    const char *zero = "/dev/zero", *nothing = "/dev/null";
    equant_dataset *dataset = NULL;
    if (access(zero, R_OK) != 0)
        skip();
    assert_int_equal(equant_dataset_from_files(1, &zero, NULL, &dataset), EQUANT_ERROR_FORMAT);
    assert_non_null(strstr(equant_last_error(), "/dev/zero: this is a binary file"));
    assert_int_equal(equant_dataset_from_files(1, &nothing, NULL, &dataset), EQUANT_ERROR_FORMAT);
    char path[] = "endless_XXXXXX", *name = path;
    int file = mkstemp(path);
    assert_true(file >= 0);
    const char system[] = "Name star\nRV[] /dev/zero\n";
    assert_int_equal(write(file, system, sizeof system - 1), sizeof system - 1);
    close(file);
    equant_status status = equant_dataset_from_files(1, (const char *const *)&name, NULL, &dataset);
    unlink(path);
    assert_int_equal(status, EQUANT_ERROR_FORMAT);
    assert_non_null(strstr(equant_last_error(), "binary"));
}

/* ---- stars ------------------------------------------------------------- */

static const char survey[] = "host,star,time,rv,rv_err\n"
                             "x,007,1,5,1\n"
                             "x,007,2,6,1\n"
                             "x,7,3,7,1\n";

static equant_status read_star(const char *text, const char *star, const char *columns,
                               equant_dataset **dataset)
{
    equant_dataset_options options = {
        .struct_size = sizeof options, .star = star, .columns = columns};
    *dataset = NULL;
    return equant_dataset_from_text(text, strlen(text), "night.dat", &options, dataset);
}

static void the_rows_of_one_star_are_chosen(void **state)
{
    (void)state;
    static const struct {
        const char *star, *columns;
        size_t n_obs;
    } cases[] = {{"007", NULL, 2},
                 {"7", NULL, 1},
                 {NULL, "star=none", 3},
                 {NULL, "star=host", 3},
                 {"x", "star=host", 3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        equant_dataset *dataset;
        if (read_star(survey, cases[i].star, cases[i].columns, &dataset) != EQUANT_SUCCESS)
            fail_msg("case %zu: %s", i, equant_last_error());
        assert_int_equal(equant_dataset_n_obs(dataset), cases[i].n_obs);
        equant_dataset_free(dataset);
    }
}

static void stars_that_are_not_there_are_refused(void **state)
{
    (void)state;
    static const char unnamed[] = "time,rv,rv_err\n1,5,1\n";
    equant_dataset *dataset;
    assert_int_equal(read_star(survey, "8", NULL, &dataset), EQUANT_ERROR_FORMAT);
    assert_non_null(strstr(equant_last_error(), "night.dat: no row is of the star '8'"));
    assert_int_equal(read_star(unnamed, "8", NULL, &dataset), EQUANT_ERROR_FORMAT);
    assert_non_null(strstr(equant_last_error(), "no column names the star of each row"));
}

/* Rows may have names and numbers of their own. */
static void names_of_rows_are_no_stars(void **state)
{
    (void)state;
    equant_dataset *dataset;
    const char *text = "name,id,time,rv,rv_err\na.fits,1,1,5,1\nb.fits,2,2,5,1\nb.fits,3,3,5,1\n";
    if (read_star(text, NULL, NULL, &dataset) != EQUANT_SUCCESS)
        fail_msg("%s", equant_last_error());
    equant_dataset_free(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_rows_are_errors_that_tell_the_way_out),
        cmocka_unit_test(bad_rows_are_left_out_and_counted),
        cmocka_unit_test(a_table_of_bad_rows_is_no_table),
        cmocka_unit_test(bad_rows_of_arrays_are_left_out),
        cmocka_unit_test(columns_are_chosen_by_name_and_number),
        cmocka_unit_test(columns_without_names_are_chosen_by_number),
        cmocka_unit_test(a_chosen_velocity_is_the_one_taken),
        cmocka_unit_test(choices_that_cannot_be_meant_are_refused),
        cmocka_unit_test(rows_that_a_pipeline_distrusts_are_left_out),
        cmocka_unit_test(flags_without_a_meaning_keep_all_rows_and_are_named),
        cmocka_unit_test(the_rows_of_one_star_are_chosen),
        cmocka_unit_test(stars_that_are_not_there_are_refused),
        cmocka_unit_test(names_of_rows_are_no_stars),
        cmocka_unit_test(devices_without_an_end_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
