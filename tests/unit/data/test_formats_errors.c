/* Files that cannot be read: each is refused with a sentence that names file and
 * line and says what to do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "equant.h"

/* Reads a text that must fail, and gives the sentence. */
static const char *refusal(const char *text, size_t n)
{
    equant_dataset *dataset = NULL;
    equant_status status = equant_dataset_from_text(text, n, "night.dat", NULL, &dataset);
    assert_null(dataset);
    if (status != EQUANT_ERROR_FORMAT)
        fail_msg("status %d for: %s", (int)status, text);
    return equant_last_error();
}

static void assert_says(const char *sentence, const char *words)
{
    if (strstr(sentence, words) == NULL)
        fail_msg("'%s' does not say '%s'", sentence, words);
}

static void refuses_bad_rows(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"t rv err\n1 2 3\n4 5 0\n", "night.dat:3: the uncertainty is 0, but must be above zero"},
        {"t rv err\n1 2 3\n4 5 -1\n", "night.dat:3: the uncertainty is -1,"},
        {"t rv err\n4 5 1e-400\n", "night.dat:2: the uncertainty is 0,"},
        {"t rv err\n1 2 3\n\n4 nan 1\n", "night.dat:4: the velocity is 'nan'"},
        {"t rv err\nNaN 5 1\n", "night.dat:2: the time is 'NaN'"},
        {"t rv err\n4 5 -inf\n", "night.dat:2: the uncertainty is '-inf'"},
        {"t rv err\n4 5 1e999\n", "night.dat:2: the uncertainty '1e999' is too large"},
        {"t rv err\n4 five 1\n", "night.dat:2: 'five' is not a number, but stands where the"},
        {"t rv err\n4 0x10 1\n", "night.dat:2: '0x10' is not a number"},
        {"t rv err\n4 1_000 1\n", "night.dat:2: '1_000' is not a number"},
        {"t,rv,err\n4,,1\n", "night.dat:2: the velocity is missing"},
        {"t,rv,err,tel\n4,5,1,\n", "night.dat:2: the name of the instrument is missing"},
        {"t rv err\n4 5\n", "night.dat:2: this row has 2 cells where 3 belong"},
        {"t rv err\n4 5 6 7\n", "night.dat:2: this row has 4 cells where 3 belong"},
        {"1 2 3\n4 5\n", "night.dat:2: this row has 2 cells where 3 belong"},
        {"1 2\n3 4\n", "night.dat:1: this row has 2 cells; a row needs time, velocity and"},
        {"P,1, 39.8, 44.6\n", "'P' is not a number, but stands where the time belongs; a table"},
        {"2454000,5 1,5 0.5\n", "night.dat:1: '5 1' is not a number"},
        {"t,rv,err\n2454000,5,1,5,0,5\n", "; where commas are decimal signs, semicolons or tabs"},
        {"t;rv;err\n2454000,5;1,5;0,5\n2454001,5;x;0,5\n", "night.dat:3: 'x' is not a number"},
        {"time,rv,err\n2015-05-28T03:12:45,5,1\n",
         "night.dat:2: the time is a date, '2015-05-28T03:12:45'; days are counted here"},
        {"target;BJD;RV_mlc_nzp;e_RV_mlc_nzp\nA;1;2;1\nA;2;3;1\nB;2;3;1\n",
         "night.dat:4: this file has several stars: column 'target' says 'B' here and 'A' before; "
         "choose one star"},
        {"star,t,rv,err\nA,1,2,1\nB,2,3,1\n",
         "night.dat:3: this file has several stars: column 'star' says 'B' here and 'A' before"},
        {"t,rv,err,Object\n1,2,1,007\n2,3,1,7\n", "column 'Object' says '7' here and '007'"},
        {"name,t,rv,err\nA,1,2,1\nA,2,2,1\nB,1,3,1\nB,2,3,1\n",
         "night.dat:4: this file has several stars: column 'name' says 'B' here and 'A' before"},
        {"Byte-by-byte Description of file: x\n1 2 3\n",
         "night.dat:1: the description of bytes has no columns"},
        {"|  JD |  RV | e_RV |\n| d | m/s | m/s |\n| d   | m/s |  m/s |\n  1.5   2.5   0\n",
         "night.dat:4: the uncertainty is 0,"},
        {"BJD\tRV\te_RV\nd\tm/s\tm/s\n---\t---\t----\n1\t2\t3\n4\tnan\t6\n",
         "night.dat:5: the velocity is 'nan'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_says(refusal(cases[i].text, strlen(cases[i].text)), cases[i].words);
}

static void refuses_headers_without_the_needed_columns(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"system,star,method\nx,y,z\n", "night.dat:1: no column of times is named here (system, "
                                        "star, method); call it time, t, jd"},
        {"# a\ntime,mass,err\n1,2,3\n", "night.dat:2: no column of velocities is named here"},
        {"time rv\n1 2\n", "night.dat:1: no column of uncertainties is named here"},
        {"time rv_cms [cm/s] err\n1 2 3\n", "no column of velocities"},
        {"time rv[cm/s] err\n1 2 3\n", "the unit 'cm/s' of column 'rv[cm/s]' is neither m/s nor"},
        {"# %ECSV 1.0\n# ---\n# datatype:\n# - {name: t, unit: yr}\n# - {name: rv}\n"
         "# - {name: err}\nt rv err\n1 2 3\n",
         "night.dat:7: the unit of column 't' is 'yr'; times must be in days"},
        {"# %ECSV 1.0\n# ---\n# datatype:\n# - {name: t}\n# - {name: rv, unit: AU / d}\n"
         "# - {name: err}\nt rv err\n1 2 3\n",
         "the unit 'AU / d' of column 'rv' is neither m/s nor km/s"},
        {"time [yr],rv,err\n1,2,3\n", "the unit of column 'time [yr]' is 'yr'; times must be"},
        {"time rv err\n", "night.dat: there is a line of column names, but no rows follow it"},
        {"# time rv err\n\n", "night.dat: there are comments alone, and no rows of data"},
        {"epoch,object,rv,rv_err\n1,1,,\n", "night.dat: the table has no velocities of the star"},
        {"RV[] a.vels\n", "night.dat: a .sys names other files"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_says(refusal(cases[i].text, strlen(cases[i].text)), cases[i].words);
}

static void refuses_what_is_no_text(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t n;
        const char *words;
    } cases[] = {
        {"", 0, "the file is empty"},
        {" \r\n\t\n", 5, "the file is empty"},
        {"\xEF\xBB\xBF", 3, "comments alone"},
        {"\x1F\x8B\x08\x00", 4, "compressed with gzip; unpack it with gunzip"},
        {"BZh91AY", 7, "compressed with bzip2"},
        {"\xFD"
         "7zXZ\0",
         6, "compressed with xz"},
        {"\x28\xB5\x2F\xFD\0", 5, "compressed with zstd"},
        {"PK\x03\x04", 4, "zip archive or a spreadsheet"},
        {"SIMPLE  =                    T", 30, "FITS file; export its table as CSV or ECSV"},
        {"\x89HDF\r\n\x1A\n", 8, "HDF5 file; export its table"},
        {"\x93NUMPY", 6, "NumPy array"},
        {"%PDF-1.5", 8, "PDF document"},
        {"<?xml version", 13, "XML"},
        {"<!DOCTYPE html>", 15, "web page"},
        {"<html>", 6, "web page"},
        {"\xFF\xFE"
         "1\0",
         4, "UTF-16 text; save it as UTF-8"},
        {"1 2 3\n4 \0 6\n", 12, "binary file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_says(refusal(cases[i].bytes, cases[i].n), cases[i].words);
}

static void refuses_too_much(void **state)
{
    (void)state;
    enum { N = 1100 };
    char *text = malloc(N * 40), *end = text;
    assert_non_null(text);
    end += sprintf(end, "t,rv,err");
    for (int i = 0; i < N; i++)
        end += sprintf(end, ",c%d", i);
    end += sprintf(end, "\n1,2,3\n");
    assert_says(refusal(text, (size_t)(end - text)), "night.dat:1: 1103 columns are too many");
    end = text;
    for (int i = 0; i < N; i++)
        end += sprintf(end, "%d 2 3 name%d\n", i, i);
    assert_says(refusal(text, (size_t)(end - text)), "night.dat:1001: more than 1000 instruments");
    free(text);
}

/* ---- files ------------------------------------------------------------- */

static const char *refusal_of_file(const char *path, equant_status expected)
{
    equant_dataset *dataset = NULL;
    equant_status status = equant_dataset_from_files(1, &path, NULL, &dataset);
    assert_null(dataset);
    assert_int_equal(status, expected);
    return equant_last_error();
}

static void refuses_files_that_cannot_be_opened(void **state)
{
    (void)state;
    assert_says(refusal_of_file("no/such/file.csv", EQUANT_ERROR_IO),
                "no/such/file.csv: there is no such file; check its name and folder");
    char folder[] = "/tmp/equant_folder_XXXXXX";
    assert_non_null(mkdtemp(folder));
    assert_says(refusal_of_file(folder, EQUANT_ERROR_IO), ": this folder has no files");
    assert_int_equal(rmdir(folder), 0);
    assert_says(refusal_of_file("", EQUANT_ERROR_IO), "name of a file is empty");
}

static void refuses_a_system_whose_files_are_missing(void **state)
{
    (void)state;
    char folder[] = "/tmp/equant-test-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/star.sys", folder);
    static const struct {
        const char *text, *words;
        equant_status status;
    } cases[] = {
        {"Name x\nRV[] gone.vels\n", "star.sys:2: names ", EQUANT_ERROR_IO},
        {"TD[] gone.tds\n", "names no file of velocities", EQUANT_ERROR_FORMAT},
        {"RV[] star.sys\n", "which is a .sys itself", EQUANT_ERROR_FORMAT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        FILE *stream = fopen(path, "w");
        assert_non_null(stream);
        fputs(cases[i].text, stream);
        fclose(stream);
        assert_says(refusal_of_file(path, cases[i].status), cases[i].words);
    }
    unlink(path);
    rmdir(folder);
}

static void refuses_calls_that_cannot_be_meant(void **state)
{
    (void)state;
    const equant_status invalid = EQUANT_ERROR_INVALID_ARGUMENT;
    const char *null_path = NULL, *path = "x";
    equant_dataset *dataset = NULL;
    equant_dataset_options bad_unit = {.struct_size = sizeof bad_unit,
                                       .velocity_unit = (equant_unit)9};
    assert_int_equal(equant_dataset_from_files(0, &path, NULL, &dataset), invalid);
    assert_int_equal(equant_dataset_from_files(1, NULL, NULL, &dataset), invalid);
    assert_int_equal(equant_dataset_from_files(1, &null_path, NULL, &dataset), invalid);
    assert_int_equal(equant_dataset_from_files(1, &path, NULL, NULL), invalid);
    assert_int_equal(equant_dataset_from_files(1, &path, &bad_unit, &dataset), invalid);
    assert_int_equal(equant_dataset_from_text("1 2 3", 5, NULL, NULL, &dataset), invalid);
    assert_int_equal(equant_dataset_from_text(NULL, 5, "x", NULL, &dataset), invalid);
    assert_int_equal(equant_dataset_from_text("1 2 3", 5, "x", NULL, NULL), invalid);
    assert_int_equal(equant_dataset_from_text("1 2 3", 5, "x", &bad_unit, &dataset), invalid);
    assert_null(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_bad_rows),
        cmocka_unit_test(refuses_headers_without_the_needed_columns),
        cmocka_unit_test(refuses_what_is_no_text),
        cmocka_unit_test(refuses_too_much),
        cmocka_unit_test(refuses_files_that_cannot_be_opened),
        cmocka_unit_test(refuses_a_system_whose_files_are_missing),
        cmocka_unit_test(refuses_calls_that_cannot_be_meant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
