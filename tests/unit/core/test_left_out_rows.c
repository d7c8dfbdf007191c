/* Observations left out by their times: which, how they are counted, and what becomes of the
 * instruments; some rows of a data set by themselves. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"

enum { N = 40 };

/* Half days in reverse order, the three first of the year by another instrument. */
static equant_status make(const equant_dataset_options *options, equant_dataset **dataset)
{
    double times[N], velocities[N], uncertainties[N], values[N];
    int instruments[N];
    const char *const names[] = {"late", "early"};
    for (int k = 0; k < N; k++) {
        times[k] = 0.5 * (N - 1 - k);
        velocities[k] = 100.0 + times[k];
        uncertainties[k] = 1.0 + times[k];
        values[k] = 10.0 * times[k];
        instruments[k] = times[k] < 1.5 ? 1 : 0;
    }
    equant_dataset_options own = *options;
    const equant_indicator indicator = {
        .struct_size = sizeof indicator, .name = "s_index", .values = values};
    own.n_indicators = 1;
    own.indicators = &indicator;
    *dataset = NULL;
    return equant_dataset_from_arrays(N, times, velocities, uncertainties, instruments, 2, names,
                                      &own, dataset);
}

/* Every row is whole: its columns are those of its time. */
static void assert_whole(const equant_dataset *dataset)
{
    const double *times = equant_dataset_times_days(dataset);
    const equant_indicator *indicator = equant_dataset_indicator(dataset, 0);
    for (size_t k = 0; k < equant_dataset_n_obs(dataset); k++) {
        int instrument = equant_dataset_instruments(dataset)[k];
        const char *name = equant_dataset_instrument_name(dataset, (size_t)instrument);
        assert_true(k == 0 || times[k] > times[k - 1]);
        assert_true(equant_dataset_velocities_m_s(dataset)[k] == 100.0 + times[k]);
        assert_true(equant_dataset_uncertainties_m_s(dataset)[k] == 1.0 + times[k]);
        assert_true(indicator->values[k] == 10.0 * times[k]);
        assert_string_equal(name, times[k] < 1.5 ? "early" : "late");
    }
}

static void spans_and_transits_are_left_out_and_counted(void **state)
{
    (void)state;
    const equant_time_span spans[] = {{2.0, 3.0}, {18.0, INFINITY}};
    const equant_transit_times transit = {3.0, -2.5, 24.0};
    const equant_dataset_options options = {.struct_size = sizeof options,
                                            .n_left_out_times = 2,
                                            .left_out_times = spans,
                                            .n_left_out_transits = 1,
                                            .left_out_transits = &transit};
    equant_dataset *dataset;
    assert_int_equal(make(&options, &dataset), EQUANT_SUCCESS);
    assert_whole(dataset);
    /* An oracle of whole numbers: times are halves, transits 0.5 + 3 n, plus or minus a half. */
    size_t n_kept = 0, n_in_transit = 0;
    for (int halves = 0; halves < N; halves++) {
        int is_in_span = (halves >= 4 && halves <= 6) || halves >= 36;
        int is_in_transit = (halves + 6) % 6 <= 2;
        n_in_transit += is_in_transit && !is_in_span;
        if (!is_in_span && !is_in_transit)
            assert_true(equant_dataset_times_days(dataset)[n_kept++] == 0.5 * halves);
    }
    assert_int_equal(equant_dataset_n_obs(dataset), n_kept);
    assert_int_equal(equant_dataset_n_left_out(dataset), N - n_kept);
    /* The instrument of times 0, 0.5 and 1 has none left. */
    assert_int_equal(equant_dataset_n_instruments(dataset), 1);
    char counted[200];
    snprintf(counted, sizeof counted,
             "observations left out: %zu of 40, transits of 24 hours, every 3 days, one at -2.5",
             n_in_transit);
    assert_int_equal(equant_dataset_n_warnings(dataset), 3);
    assert_string_equal(equant_dataset_warning(dataset, 0),
                        "observations left out: 3 of 40, times from 2 to 3");
    assert_string_equal(equant_dataset_warning(dataset, 1),
                        "observations left out: 4 of 40, times from 18 on");
    assert_string_equal(equant_dataset_warning(dataset, 2), counted);
    equant_dataset_free(dataset);
}

static void what_leaves_nothing_out_is_told(void **state)
{
    (void)state;
    const equant_time_span span = {-INFINITY, -1.0};
    const equant_transit_times transit = {3.0, 2400000.5, 1.0};
    const equant_dataset_options options = {.struct_size = sizeof options,
                                            .n_left_out_times = 1,
                                            .left_out_times = &span,
                                            .n_left_out_transits = 1,
                                            .left_out_transits = &transit};
    equant_dataset *dataset;
    assert_int_equal(make(&options, &dataset), EQUANT_SUCCESS);
    assert_int_equal(equant_dataset_n_instruments(dataset), 2);
    assert_non_null(strstr(equant_dataset_warning(dataset, 0), "2399981 days away from the data"));
    assert_string_equal(equant_dataset_warning(dataset, 1),
                        "no observation is left out by times up to -1");
    equant_dataset_free(dataset);
}

static void refuse(const equant_dataset_options *options, const char *words)
{
    equant_dataset *dataset;
    assert_int_equal(make(options, &dataset), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_null(dataset);
    if (strstr(equant_last_error(), words) == NULL)
        fail_msg("'%s' is not in: %s", words, equant_last_error());
}

static void what_cannot_be_meant_is_refused(void **state)
{
    (void)state;
    const equant_time_span spans[] = {{3.0, 2.0}, {NAN, 2.0}, {-INFINITY, INFINITY}};
    const equant_transit_times transits[] = {
        {0.0, 1.0, 1.0}, {3.0, NAN, 1.0}, {3.0, 1.0, 72.0}, {3.0, 1.0, 0.0}, {INFINITY, 1.0, 1.0}};
    equant_dataset_options options = {.struct_size = sizeof options, .n_left_out_times = 1};
    refuse(&options, "their array is NULL");
    for (int i = 0; i < 3; i++) {
        options.left_out_times = &spans[i];
        refuse(&options, i < 2 ? "cannot be left out" : "no observation is left: all 40");
    }
    options = (equant_dataset_options){.struct_size = sizeof options, .n_left_out_transits = 1};
    refuse(&options, "their array is NULL");
    for (int i = 0; i < 5; i++) {
        options.left_out_transits = &transits[i];
        refuse(&options, "cannot be left out");
    }
}

static void a_data_set_is_cut_afterwards(void **state)
{
    (void)state;
    const equant_dataset_options options = {.struct_size = sizeof options,
                                            .has_reference_time = 1,
                                            .reference_time_days = 7.25,
                                            .time_name = "BJD"};
    const equant_time_span span = {4.0, 5.0};
    const size_t rows[] = {0, 1, 2, 39}, twice[] = {3, 3}, beyond[] = {40};
    equant_dataset *whole, *cut = NULL, *again = NULL;
    assert_int_equal(make(&options, &whole), EQUANT_SUCCESS);
    assert_int_equal(equant_dataset_without(whole, 1, &span, 0, NULL, &cut), EQUANT_SUCCESS);
    assert_whole(cut);
    assert_int_equal(equant_dataset_n_obs(cut), 37);
    assert_true(equant_dataset_reference_time_days(cut) == 7.25);
    assert_string_equal(equant_dataset_time_name(cut), "BJD");
    const equant_time_span other = {8.0, 8.0};
    assert_int_equal(equant_dataset_without(cut, 1, &other, 0, NULL, &again), EQUANT_SUCCESS);
    assert_int_equal(equant_dataset_n_left_out(again), 4);
    assert_int_equal(equant_dataset_n_warnings(again), 2);
    equant_dataset_free(again);
    equant_dataset_free(cut);
    assert_int_equal(equant_dataset_select(whole, 4, rows, &cut), EQUANT_SUCCESS);
    assert_whole(cut);
    assert_int_equal(equant_dataset_n_obs(cut), 4);
    assert_int_equal(equant_dataset_n_instruments(cut), 2);
    equant_dataset_free(cut);
    assert_int_equal(equant_dataset_select(whole, 0, rows, &cut), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_dataset_select(whole, 2, twice, &cut), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(equant_dataset_select(whole, 1, beyond, &cut), EQUANT_ERROR_INVALID_ARGUMENT);
    equant_dataset_free(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spans_and_transits_are_left_out_and_counted),
        cmocka_unit_test(what_leaves_nothing_out_is_told),
        cmocka_unit_test(what_cannot_be_meant_is_refused),
        cmocka_unit_test(a_data_set_is_cut_afterwards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
