/* Activity indicators: from the columns of files and from arrays into the data set, through
 * sorting and merging. */
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

static equant_dataset *read_text(const char *text)
{
    equant_dataset_options options = {.struct_size = sizeof options,
                                      .velocity_unit = EQUANT_UNIT_M_S};
    equant_dataset *dataset = NULL;
    if (equant_dataset_from_text(text, strlen(text), "night.dat", &options, &dataset) !=
        EQUANT_SUCCESS)
        fail_msg("%s", equant_last_error());
    return dataset;
}

static const equant_indicator *find(const equant_dataset *dataset, const char *name)
{
    for (size_t i = 0; i < equant_dataset_n_indicators(dataset); i++)
        if (strcmp(equant_dataset_indicator(dataset, i)->name, name) == 0)
            return equant_dataset_indicator(dataset, i);
    fail_msg("there is no indicator %s", name);
    return NULL;
}

static void indicators_are_kept_with_their_errors_and_sorted_along(void **state)
{
    (void)state;
    equant_dataset *dataset =
        read_text("rjd,rv,rv_err,s_mw,sig_s,rhk,rhk_err,note\n"
                  "3,30,1,0.3,0.03,-4.9,0.1,c\n1,10,1,0.1,0.01,nan,nan,a\n2,20,1,0.2,0,-4.8,,b\n");
    assert_int_equal(equant_dataset_n_indicators(dataset), 2);
    const equant_indicator *s = find(dataset, "s_index"), *rhk = find(dataset, "log_rhk");
    assert_string_equal(rhk->label, "log R'HK");
    assert_true(s->values[0] == 0.1 && s->values[1] == 0.2 && s->values[2] == 0.3);
    assert_true(s->uncertainties[0] == 0.01 && isnan(s->uncertainties[1]));
    assert_true(isnan(rhk->values[0]) && isnan(rhk->uncertainties[0]));
    assert_true(rhk->values[1] == -4.8 && isnan(rhk->uncertainties[1]));
    assert_true(rhk->values[2] == -4.9 && rhk->uncertainties[2] == 0.1);
    assert_int_equal(equant_dataset_n_ignored_columns(dataset), 1);
    assert_string_equal(equant_dataset_ignored_column(dataset, 0), "note");
    assert_null(equant_dataset_indicator(dataset, 2));
    assert_null(equant_dataset_ignored_column(dataset, 1));
    equant_dataset_free(dataset);
}

static void headings_of_the_field_are_known(void **state)
{
    (void)state;
    static const char *const headings[][2] = {
        {"S-index", "s_index"},
        {"svalue", "s_index"},
        {"S_MW", "s_index"},
        {"log R'HK", "log_rhk"},
        {"logRHK", "log_rhk"},
        {"Halpha", "h_alpha"},
        {"haindex", "h_alpha"},
        {"NaD1", "na_d1"},
        {"NaD2", "na_d2"},
        {"naindex", "na_d"},
        {"caindex", "ca_ii"},
        {"FWHM_DRS", "fwhm"},
        {"FWHM.proxy2", "fwhm"},
        {"spectro_ccf_fwhm", "fwhm"},
        {"BIS.proxy1", "bis"},
        {"bis_span", "bis"},
        {"spectro_ccf_bispan", "bis"},
        {"CONTRAST_DRS", "contrast"},
        {"CRX", "crx"},
        {"dLW", "dlw"},
        {"spectro_analysis_smw", "s_index"},
    };
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, "t,rv,err,%s\n1,2,1,1500\n", headings[i][0]);
        equant_dataset *dataset = read_text(text);
        if (equant_dataset_n_indicators(dataset) != 1)
            fail_msg("%s is not known", headings[i][0]);
        assert_string_equal(equant_dataset_indicator(dataset, 0)->name, headings[i][1]);
        equant_dataset_free(dataset);
    }
}

/* Velocities of one part of the spectrum less those of another are no indicators, whatever their
 * numbers look like. */
static void differences_of_apertures_are_no_indicators(void **state)
{
    (void)state;
    static const char *const tables[] = {
        "Time RV eRV BIS.proxy1 FWHM.proxy2 Sindex.proxy3 c3AP2-1.proxy4 3AP3-2.proxy7 "
        "9AP9-8.proxy20\n54527.5 5.3 1.5 -10.7 7.065 0.313 0.56 2.46 -4.4\n"
        "54530.6 13.2 1.6 -8.9 7.063 0.292 1.72 2.64 6.6\n",
        "Time RV eRV BIS FWHM S-index C3AP2-1 3AP2-1 6AP6-5\n"
        "54527.5 5.3 1.5 -10.7 7.065 0.313 0.56 2.46 -4.4\n"
        "54530.6 13.2 1.6 -8.9 7.063 0.292 1.72 NA 6.6\n",
    };
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        equant_dataset *dataset = read_text(tables[i]);
        assert_int_equal(equant_dataset_n_obs(dataset), 2);
        assert_int_equal(equant_dataset_n_indicators(dataset), 3);
        assert_true(find(dataset, "bis")->values[0] == -10.7);
        assert_true(fabs(find(dataset, "fwhm")->values[1] - 7063.0) < 1e-9);
        assert_true(find(dataset, "s_index")->values[1] == 0.292);
        assert_int_equal(equant_dataset_n_ignored_columns(dataset), 3);
        assert_true(equant_dataset_velocities_m_s(dataset)[1] == 13.2 &&
                    equant_dataset_uncertainties_m_s(dataset)[1] == 1.6);
        equant_dataset_free(dataset);
    }
}

static void errors_of_the_field_are_known(void **state)
{
    (void)state;
    static const char *const errors[] = {
        "e_FWHM",   "FWHM_err", "sig_fwhm", "fwhm_error",
        "err_fwhm", "sfwhm",    "eFWHM",    "spectro_ccf_fwhm_err"};
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, "t,rv,err,fwhm,%s\n1,2,1,1500,2\n", errors[i]);
        equant_dataset *dataset = read_text(text);
        if (find(dataset, "fwhm")->uncertainties[0] != 2)
            fail_msg("%s is not known", errors[i]);
        equant_dataset_free(dataset);
    }
}

static void widths_and_spans_become_m_s(void **state)
{
    (void)state;
    static const struct {
        const char *header, *cells;
        double fwhm, bis;
        size_t n_warnings;
    } tables[] = {
        {"fwhm [km/s],bis [m/s]", "7,-25", 7000, -25, 0},
        {"fwhm [m/s],bis [km/s]", "7000,-0.025", 7000, -25, 0},
        {"fwhm,bis", "7,-25", 7000, -25, 1},
        {"fwhm,bis", "7000,-0.03125", 7000, -31.25, 1},
        {"fwhm,bis", "7000,-25", 7000, -25, 0},
    };
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, "t,rv,err,%s\n1,2,1,%s\n", tables[i].header, tables[i].cells);
        equant_dataset *dataset = read_text(text);
        assert_true(fabs(find(dataset, "fwhm")->values[0] - tables[i].fwhm) < 1e-9);
        assert_true(fabs(find(dataset, "bis")->values[0] - tables[i].bis) < 1e-9);
        assert_string_equal(find(dataset, "bis")->unit, "m/s");
        assert_int_equal(equant_dataset_n_warnings(dataset), tables[i].n_warnings);
        equant_dataset_free(dataset);
    }
}

static void columns_without_any_number_are_no_indicators(void **state)
{
    (void)state;
    equant_dataset *dataset = read_text("t,rv,err,svalue\n1,2,1,\\nodata\n2,3,1,--\n");
    assert_int_equal(equant_dataset_n_indicators(dataset), 0);
    equant_dataset_free(dataset);
}

static void files_are_merged_with_what_each_has(void **state)
{
    (void)state;
    static const char *const texts[] = {"t rv err bis fwhm\n3 1 1 10 5000\n1 2 1 11 5001\n",
                                        "t rv err bis s_index\n2 3 1 12 0.2\n"};
    char names[2][32] = {"merged_a_XXXXXX", "merged_b_XXXXXX"};
    const char *paths[2] = {names[0], names[1]};
    for (size_t i = 0; i < 2; i++) {
        int file = mkstemp(names[i]);
        assert_true(file >= 0);
        assert_int_equal(write(file, texts[i], strlen(texts[i])), strlen(texts[i]));
        close(file);
    }
    equant_dataset *dataset = NULL;
    equant_status status = equant_dataset_from_files(2, paths, NULL, &dataset);
    unlink(names[0]);
    unlink(names[1]);
    assert_int_equal(status, EQUANT_SUCCESS);
    const equant_indicator *bis = find(dataset, "bis"), *fwhm = find(dataset, "fwhm"),
                           *s = find(dataset, "s_index");
    assert_true(bis->values[0] == 11 && bis->values[1] == 12 && bis->values[2] == 10);
    assert_true(fwhm->values[0] == 5001 && isnan(fwhm->values[1]) && fwhm->values[2] == 5000);
    assert_true(isnan(s->values[0]) && s->values[1] == 0.2 && isnan(s->values[2]));
    equant_dataset_free(dataset);
}

static void arrays_bring_indicators(void **state)
{
    (void)state;
    double time[] = {2, 1, 3}, velocity[] = {20, 10, NAN}, error[] = {1, 1, 1};
    double values[] = {0.2, NAN, 0.3}, errors[] = {0.02, 0.01, 0.03};
    equant_indicator indicators[] = {{.struct_size = sizeof(equant_indicator),
                                      .name = "s_index",
                                      .values = values,
                                      .uncertainties = errors},
                                     {.name = "flux", .unit = "mmag", .values = time}};
    equant_dataset_options options = {.struct_size = sizeof options,
                                      .skip_bad_rows = 1,
                                      .n_indicators = 2,
                                      .indicators = indicators};
    equant_dataset *dataset = NULL;
    assert_int_equal(
        equant_dataset_from_arrays(3, time, velocity, error, NULL, 1, NULL, &options, &dataset),
        EQUANT_SUCCESS);
    const equant_indicator *s = find(dataset, "s_index"), *flux = find(dataset, "flux");
    assert_true(isnan(s->values[0]) && isnan(s->uncertainties[0]));
    assert_true(s->values[1] == 0.2 && s->uncertainties[1] == 0.02);
    assert_string_equal(s->label, "S index");
    assert_string_equal(flux->unit, "mmag");
    assert_true(flux->values[0] == 1 && flux->values[1] == 2 && isnan(flux->uncertainties[0]));
    equant_dataset_free(dataset);
    indicators[1].name = "s_index";
    assert_int_equal(
        equant_dataset_from_arrays(3, time, velocity, error, NULL, 1, NULL, &options, &dataset),
        EQUANT_ERROR_INVALID_ARGUMENT);
    indicators[1].name = "";
    assert_int_equal(
        equant_dataset_from_arrays(3, time, velocity, error, NULL, 1, NULL, &options, &dataset),
        EQUANT_ERROR_INVALID_ARGUMENT);
}

/* Rows by the hundreds, so that columns grow while an indicator is there and before it is. */
static void long_tables_keep_every_row(void **state)
{
    (void)state;
    enum { N = 2000, ROW = 40 };
    char *text = malloc(N * ROW + 100);
    size_t used = (size_t)sprintf(text, "t rv err bis\n");
    for (int k = 0; k < N; k++)
        used += (size_t)sprintf(text + used, "%d %d 1 %d\n", N - k, k, 10 * k);
    equant_dataset *dataset = read_text(text);
    for (int k = 0; k < N; k++)
        assert_true(find(dataset, "bis")->values[k] ==
                    10 * equant_dataset_velocities_m_s(dataset)[k]);
    equant_dataset_free(dataset);
    free(text);
}

/* As tables of DACE have them, with 0 and -99999, and those of HIRES, with -1. */
static void numbers_that_stand_for_none_are_missing(void **state)
{
    (void)state;
    equant_dataset *dataset =
        read_text("rjd,rv,rv_err,s_mw,rhk,rhk_err,ha,bis,fwhm,na\n"
                  "1,10,1,0,0,1,-1,0,-99999,0.2\n2,20,1,0,-4.9,1,0.03,-1,6000,0.2\n"
                  "3,30,1,0,-99999,1,0.04,999,999999,0\n4,40,1,0,-4.8,1,0,5,6999,-0.1\n"
                  "5,50,1,0,-4.7,1,0.05,-9999,7000,0.3\n");
    const equant_indicator *rhk = find(dataset, "log_rhk"), *ha = find(dataset, "h_alpha"),
                           *bis = find(dataset, "bis"), *fwhm = find(dataset, "fwhm"),
                           *na = find(dataset, "na_d");
    assert_int_equal(equant_dataset_n_indicators(dataset), 5); /* no S index at all */
    assert_true(isnan(rhk->values[0]) && isnan(rhk->uncertainties[0]) && isnan(rhk->values[2]));
    assert_true(rhk->values[1] == -4.9 && rhk->uncertainties[1] == 1 && rhk->values[4] == -4.7);
    assert_true(isnan(ha->values[0]) && isnan(ha->values[3]) && ha->values[2] == 0.04);
    /* Spans have either sign, and may be 0 or -1. */
    assert_true(bis->values[0] == 0 && bis->values[1] == -1 && isnan(bis->values[2]));
    assert_true(isnan(bis->values[4]) && bis->values[3] == 5);
    assert_true(isnan(fwhm->values[0]) && isnan(fwhm->values[2]) && fwhm->values[4] == 7000);
    /* Where others are negative, zero is a value. */
    assert_true(na->values[2] == 0 && na->values[3] == -0.1);
    size_t n_told = 0;
    for (size_t i = 0; i < equant_dataset_n_warnings(dataset); i++)
        n_told += strstr(equant_dataset_warning(dataset, i), "taken as missing") != NULL;
    assert_int_equal(n_told, 5);
    equant_dataset_free(dataset);
}

/* A width of 999 m/s among others like it is one. */
static void numbers_within_the_others_are_kept(void **state)
{
    (void)state;
    equant_dataset *dataset = read_text("rjd,rv,rv_err,fwhm,bis\n1,10,1,990,-2000\n"
                                        "2,20,1,999,-999\n3,30,1,1010,5\n");
    assert_true(find(dataset, "fwhm")->values[1] == 999);
    assert_true(find(dataset, "bis")->values[1] == -999);
    equant_dataset_free(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indicators_are_kept_with_their_errors_and_sorted_along),
        cmocka_unit_test(headings_of_the_field_are_known),
        cmocka_unit_test(differences_of_apertures_are_no_indicators),
        cmocka_unit_test(errors_of_the_field_are_known),
        cmocka_unit_test(widths_and_spans_become_m_s),
        cmocka_unit_test(columns_without_any_number_are_no_indicators),
        cmocka_unit_test(files_are_merged_with_what_each_has),
        cmocka_unit_test(arrays_bring_indicators),
        cmocka_unit_test(long_tables_keep_every_row),
        cmocka_unit_test(numbers_that_stand_for_none_are_missing),
        cmocka_unit_test(numbers_within_the_others_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
