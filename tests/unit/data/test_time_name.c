/* What times are called: from headings, from descriptions, from the caller; for several files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "equant.h"

static const char *name_in(const char *text, const char *columns, const char *given)
{
    static char name[8];
    equant_dataset_options options = {.struct_size = sizeof options,
                                      .velocity_unit = EQUANT_UNIT_M_S,
                                      .columns = columns,
                                      .time_name = given};
    equant_dataset *dataset = NULL;
    if (equant_dataset_from_text(text, strlen(text), "night.dat", &options, &dataset) !=
        EQUANT_SUCCESS)
        fail_msg("%s", equant_last_error());
    snprintf(name, sizeof name, "%s", equant_dataset_time_name(dataset));
    equant_dataset_free(dataset);
    return name;
}

static void headings_name_their_times(void **state)
{
    (void)state;
    static const struct {
        const char *heading, *name;
    } cases[] = {
        {"time", "JD"},        {"t", "JD"},     {"jd", "JD"},           {"rjd", "JD"},
        {"BJD", "BJD"},        {"bjd", "BJD"},  {"BJD_TDB", "BJD"},     {"BJD-2450000", "BJD"},
        {"bjd2450000", "BJD"}, {"jdb", "BJD"},  {"btjd", "BJD"},        {"obj_date_bjd", "BJD"},
        {"Time (BJD)", "BJD"}, {"HJD", "HJD"},  {"HJD_2400000", "HJD"}, {"mjd", "MJD"},
        {"Time [MJD]", "MJD"}, {"JD_UTC", "JD"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, "%s,rv,err\n1,2,3\n2,3,4\n", cases[i].heading);
        assert_string_equal(name_in(text, NULL, NULL), cases[i].name);
    }
    assert_string_equal(name_in("1 2 3\n2 3 4\n", NULL, NULL), "JD");
    assert_string_equal(name_in("# bjd rv err\n1 2 3\n2 3 4\n", NULL, NULL), "BJD");
    assert_string_equal(name_in("a,HJD,bjd,rv,err\n1,1,1,2,3\n", "time=HJD", NULL), "HJD");
}

static void descriptions_of_ecsv_name_them_too(void **state)
{
    (void)state;
    static const char text[] = "# %%ECSV 1.0\n# ---\n# delimiter: ','\n# datatype:\n"
                               "# - {name: %s, unit: d, datatype: float64, description: '%s'}\n"
                               "# - {name: rv, unit: m / s, datatype: float64}\n"
                               "# - {name: err, unit: m / s, datatype: float64}\n"
                               "%s,rv,err\n1,2,3\n";
    char table[400];
    snprintf(table, sizeof table, text, "time", "BJD", "time");
    assert_string_equal(name_in(table, NULL, NULL), "BJD");
    snprintf(table, sizeof table, text, "time", "when the shutter opened", "time");
    assert_string_equal(name_in(table, NULL, NULL), "JD");
    snprintf(table, sizeof table, text, "mjd", "not the BJD", "mjd");
    assert_string_equal(name_in(table, NULL, NULL), "MJD");
}

static void the_caller_names_them_first(void **state)
{
    (void)state;
    assert_string_equal(name_in("1 2 3\n2 3 4\n", NULL, "bjd_tdb"), "BJD");
    assert_string_equal(name_in("mjd,rv,err\n1,2,3\n", NULL, "JD"), "JD");
    const double ones[] = {1, 1};
    equant_dataset_options options = {.struct_size = sizeof options, .time_name = "HJD"};
    equant_dataset *dataset = NULL;
    assert_int_equal(
        equant_dataset_from_arrays(2, ones, ones, ones, NULL, 1, NULL, &options, &dataset),
        EQUANT_SUCCESS);
    assert_string_equal(equant_dataset_time_name(dataset), "HJD");
    equant_dataset_free(dataset);
    options.time_name = "o'clock";
    assert_int_equal(
        equant_dataset_from_arrays(2, ones, ones, ones, NULL, 1, NULL, &options, &dataset),
        EQUANT_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(equant_last_error(), "times are called JD, BJD, HJD or MJD"));
    options.struct_size = offsetof(equant_dataset_options, time_name); /* an older caller */
    assert_int_equal(
        equant_dataset_from_arrays(2, ones, ones, ones, NULL, 1, NULL, &options, &dataset),
        EQUANT_SUCCESS);
    assert_string_equal(equant_dataset_time_name(dataset), "JD");
    equant_dataset_free(dataset);
}

static void write_file(const char *path, const char *heading)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fprintf(stream, "%s,rv,err\n1,2,3\n", heading);
    fclose(stream);
}

static void files_that_differ_leave_the_usual_name(void **state)
{
    (void)state;
    static const struct {
        const char *one, *other, *name;
    } cases[] = {{"bjd", "BJD_TDB", "BJD"}, {"bjd", "hjd", "JD"},  {"bjd", "time", "JD"},
                 {"time", "bjd", "JD"},     {"time", "mjd", "JD"}, {"mjd", "mjd", "MJD"}};
    char folder[] = "/tmp/equant-time-name-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char one[80], other[80];
    snprintf(one, sizeof one, "%s/one.csv", folder);
    snprintf(other, sizeof other, "%s/other.csv", folder);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_file(one, cases[i].one);
        write_file(other, cases[i].other);
        equant_dataset_options options = {.struct_size = sizeof options,
                                          .velocity_unit = EQUANT_UNIT_M_S};
        equant_dataset *dataset = NULL;
        assert_int_equal(
            equant_dataset_from_files(2, (const char *const[]){one, other}, &options, &dataset),
            EQUANT_SUCCESS);
        assert_string_equal(equant_dataset_time_name(dataset), cases[i].name);
        equant_dataset_free(dataset);
    }
    unlink(one);
    unlink(other);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headings_name_their_times),
        cmocka_unit_test(descriptions_of_ecsv_name_them_too),
        cmocka_unit_test(the_caller_names_them_first),
        cmocka_unit_test(files_that_differ_leave_the_usual_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
