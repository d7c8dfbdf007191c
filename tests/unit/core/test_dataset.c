/* Data sets from arrays: what is kept, what is refused, and in which words. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/dataset.h"

static const double times[] = {2455010.5, 2455000.25, 2455010.5, 2455020.75};
static const double velocities[] = {10, -3, 11, 4};
static const double uncertainties[] = {1, 2, 1, 2};
static const int instruments[] = {0, 1, 1, 0};

static equant_dataset *make(const equant_dataset_options *options)
{
    equant_dataset *dataset = NULL;
    assert_int_equal(equant_dataset_from_arrays(4, times, velocities, uncertainties, instruments, 2,
                                                NULL, options, &dataset),
                     EQUANT_SUCCESS);
    return dataset;
}

static void sorts_by_time_and_keeps_the_order_of_equal_times(void **state)
{
    (void)state;
    equant_dataset *dataset = make(NULL);
    const double *t = equant_dataset_times_days(dataset);
    const double *v = equant_dataset_velocities_m_s(dataset);
    const double *s = equant_dataset_uncertainties_m_s(dataset);
    const int *i = equant_dataset_instruments(dataset);
    static const double sorted_velocities[] = {-3, 10, 11, 4};
    static const double sorted_uncertainties[] = {2, 1, 1, 2};
    static const int sorted_instruments[] = {1, 0, 1, 0};
    assert_int_equal(equant_dataset_n_obs(dataset), 4);
    for (size_t k = 0; k < 4; k++) {
        assert_true(k == 0 || t[k - 1] <= t[k]);
        assert_true(v[k] == sorted_velocities[k]);
        assert_true(s[k] == sorted_uncertainties[k]);
        assert_int_equal(i[k], sorted_instruments[k]);
    }
    equant_dataset_free(dataset);
}

static void names_and_counts_instruments(void **state)
{
    (void)state;
    equant_dataset *dataset = make(NULL);
    assert_int_equal(equant_dataset_n_instruments(dataset), 2);
    assert_string_equal(equant_dataset_instrument_name(dataset, 0), "instrument 1");
    assert_string_equal(equant_dataset_instrument_name(dataset, 1), "instrument 2");
    assert_null(equant_dataset_instrument_name(dataset, 2));
    assert_int_equal(equant_dataset_instrument_n_obs(dataset, 0), 2);
    assert_int_equal(equant_dataset_instrument_n_obs(dataset, 1), 2);
    assert_int_equal(equant_dataset_instrument_n_obs(dataset, 2), 0);
    assert_string_equal(equant_dataset_format(dataset), "");
    assert_int_equal(equant_dataset_unit(dataset), EQUANT_UNIT_M_S);
    assert_int_equal(equant_dataset_n_warnings(dataset), 0);
    assert_null(equant_dataset_warning(dataset, 0));
    equant_dataset_free(dataset);
}

static void takes_given_names_and_one_instrument_by_default(void **state)
{
    (void)state;
    static const char *const names[] = {"HIRES"};
    equant_dataset *dataset = NULL;
    assert_int_equal(equant_dataset_from_arrays(4, times, velocities, uncertainties, NULL, 1, names,
                                                NULL, &dataset),
                     EQUANT_SUCCESS);
    assert_int_equal(equant_dataset_n_instruments(dataset), 1);
    assert_string_equal(equant_dataset_instrument_name(dataset, 0), "HIRES");
    equant_dataset_free(dataset);
    assert_int_equal(equant_dataset_from_arrays(4, times, velocities, uncertainties, NULL, 0, NULL,
                                                NULL, &dataset),
                     EQUANT_SUCCESS);
    assert_string_equal(equant_dataset_instrument_name(dataset, 0), "instrument 1");
    equant_dataset_free(dataset);
}

static void warns_of_an_instrument_without_observations(void **state)
{
    (void)state;
    static const char *const names[] = {"A", "B", "IDLE"};
    equant_dataset *dataset = NULL;
    assert_int_equal(equant_dataset_from_arrays(4, times, velocities, uncertainties, instruments, 3,
                                                names, NULL, &dataset),
                     EQUANT_SUCCESS);
    assert_int_equal(equant_dataset_n_warnings(dataset), 1);
    assert_non_null(strstr(equant_dataset_warning(dataset, 0), "IDLE"));
    equant_dataset_free(dataset);
}

static void reference_time_is_the_weighted_mean_in_whole_days(void **state)
{
    (void)state;
    equant_dataset *dataset = make(NULL);
    /* (10.5 + 0.25 / 4 + 10.5 + 20.75 / 4) / 2.5 = 10.5 after 2455000: to even. */
    assert_true(equant_dataset_reference_time_days(dataset) == 2455010.0);
    equant_dataset_free(dataset);

    equant_dataset_options options = {
        .struct_size = sizeof options, .has_reference_time = 1, .reference_time_days = 2455001.125};
    dataset = make(&options);
    assert_true(equant_dataset_reference_time_days(dataset) == 2455001.125);
    equant_dataset_free(dataset);
}

static void reference_time_survives_extreme_numbers(void **state)
{
    (void)state;
    static const double far[] = {-1.5e308, 1.5e308}, v[] = {1, 2}, tiny[] = {1e-300, 1e300};
    equant_dataset *dataset = NULL;
    assert_int_equal(equant_dataset_from_arrays(2, far, v, tiny, NULL, 0, NULL, NULL, &dataset),
                     EQUANT_SUCCESS);
    assert_true(isfinite(equant_dataset_reference_time_days(dataset)));
    equant_dataset_free(dataset);
}

static void short_option_structs_mean_defaults(void **state)
{
    (void)state;
    equant_dataset_options options = {.struct_size =
                                          offsetof(equant_dataset_options, has_reference_time),
                                      .velocity_unit = EQUANT_UNIT_KM_S,
                                      .has_reference_time = 1,
                                      .reference_time_days = NAN};
    equant_dataset *dataset = make(&options);
    assert_int_equal(equant_dataset_unit(dataset), EQUANT_UNIT_KM_S);
    assert_true(equant_dataset_velocities_m_s(dataset)[0] == -3000);
    assert_true(equant_dataset_uncertainties_m_s(dataset)[0] == 2000);
    assert_true(equant_dataset_reference_time_days(dataset) == 2455010.0);
    equant_dataset_free(dataset);
}

typedef enum spoiled_column { TIME, VELOCITY, UNCERTAINTY } spoiled_column;

/* Four good rows with one value spoiled. */
static void refuse(spoiled_column column, size_t row, double value, const char *words)
{
    double columns[3][4];
    memcpy(columns[TIME], times, sizeof times);
    memcpy(columns[VELOCITY], velocities, sizeof velocities);
    memcpy(columns[UNCERTAINTY], uncertainties, sizeof uncertainties);
    columns[column][row] = value;
    equant_dataset *dataset = NULL;
    assert_int_equal(equant_dataset_from_arrays(4, columns[TIME], columns[VELOCITY],
                                                columns[UNCERTAINTY], NULL, 0, NULL, NULL,
                                                &dataset),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    assert_null(dataset);
    assert_string_equal(equant_last_error(), words);
}

static void refuses_rows_by_number(void **state)
{
    (void)state;
    refuse(TIME, 2, NAN, "row 2: the time is not a finite number");
    refuse(TIME, 0, INFINITY, "row 0: the time is not a finite number");
    refuse(VELOCITY, 1, -INFINITY, "row 1: the velocity is not a finite number");
    refuse(UNCERTAINTY, 3, NAN, "row 3: the uncertainty is not a finite number");
    refuse(UNCERTAINTY, 3, 0, "row 3: the uncertainty is 0, but must be above zero");
    refuse(UNCERTAINTY, 3, -1.5, "row 3: the uncertainty is -1.5, but must be above zero");
}

static void refuses_calls_that_cannot_be_meant(void **state)
{
    (void)state;
    static const int out_of_range[] = {0, 1, 2, 0}, negative[] = {0, -1, 0, 0};
    const double *t = times, *v = velocities, *s = uncertainties;
    const equant_status invalid = EQUANT_ERROR_INVALID_ARGUMENT;
    equant_dataset *d = NULL;
    assert_int_equal(equant_dataset_from_arrays(4, t, v, s, out_of_range, 2, NULL, NULL, &d),
                     invalid);
    assert_non_null(strstr(equant_last_error(), "row 2: instrument index 2"));
    assert_int_equal(equant_dataset_from_arrays(4, t, v, s, negative, 2, NULL, NULL, &d), invalid);
    assert_non_null(strstr(equant_last_error(), "row 1: instrument index -1"));
    assert_int_equal(equant_dataset_from_arrays(0, t, v, s, NULL, 0, NULL, NULL, &d), invalid);
    assert_int_equal(equant_dataset_from_arrays(4, NULL, v, s, NULL, 0, NULL, NULL, &d), invalid);
    assert_int_equal(equant_dataset_from_arrays(4, t, NULL, s, NULL, 0, NULL, NULL, &d), invalid);
    assert_int_equal(equant_dataset_from_arrays(4, t, v, NULL, NULL, 0, NULL, NULL, &d), invalid);
    assert_int_equal(equant_dataset_from_arrays(4, t, v, s, NULL, 0, NULL, NULL, NULL), invalid);
    assert_int_equal(equant_dataset_from_arrays(4, t, v, s, NULL, 2, NULL, NULL, &d), invalid);
    assert_int_equal(equant_dataset_from_arrays(4, t, v, s, instruments, 0, NULL, NULL, &d),
                     invalid);
    equant_dataset_options bad_unit = {.struct_size = sizeof bad_unit,
                                       .velocity_unit = (equant_unit)7};
    assert_int_equal(equant_dataset_from_arrays(4, t, v, s, NULL, 0, NULL, &bad_unit, &d), invalid);
    equant_dataset_options bad_time = {
        .struct_size = sizeof bad_time, .has_reference_time = 1, .reference_time_days = NAN};
    assert_int_equal(equant_dataset_from_arrays(4, t, v, s, NULL, 0, NULL, &bad_time, &d), invalid);
    assert_null(d);
    equant_dataset_free(NULL);
}

static void sorts_a_million_rows(void **state)
{
    (void)state;
    enum { N = 1000000 };
    double *t = malloc(N * sizeof *t), *ones = malloc(N * sizeof *ones);
    assert_non_null(t);
    assert_non_null(ones);
    for (size_t k = 0; k < N; k++) {
        t[k] = (double)((k * 7919) % 100003);
        ones[k] = 1;
    }
    equant_dataset *dataset = NULL;
    assert_int_equal(equant_dataset_from_arrays(N, t, t, ones, NULL, 0, NULL, NULL, &dataset),
                     EQUANT_SUCCESS);
    const double *sorted = equant_dataset_times_days(dataset);
    for (size_t k = 1; k < N; k++)
        assert_true(sorted[k - 1] <= sorted[k]);
    equant_dataset_free(dataset);
    free(t);
    free(ones);
}

static void demonstration_is_whole(void **state)
{
    (void)state;
    equant_dataset *dataset = NULL;
    assert_int_equal(equant_dataset_demonstration(&dataset), EQUANT_SUCCESS);
    assert_int_equal(equant_dataset_n_obs(dataset), 401);
    assert_int_equal(equant_dataset_n_instruments(dataset), 3);
    static const char *const names[] = {"k", "j", "a"};
    static const size_t counts[] = {52, 276, 73};
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(equant_dataset_instrument_name(dataset, i), names[i]);
        assert_int_equal(equant_dataset_instrument_n_obs(dataset, i), counts[i]);
    }
    assert_true(equant_dataset_times_days(dataset)[0] == 2450275.9700771);
    assert_true(equant_dataset_velocities_m_s(dataset)[0] == 10.865898802);
    equant_dataset_free(dataset);
    assert_int_equal(equant_dataset_demonstration(NULL), EQUANT_ERROR_INVALID_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_by_time_and_keeps_the_order_of_equal_times),
        cmocka_unit_test(names_and_counts_instruments),
        cmocka_unit_test(takes_given_names_and_one_instrument_by_default),
        cmocka_unit_test(warns_of_an_instrument_without_observations),
        cmocka_unit_test(reference_time_is_the_weighted_mean_in_whole_days),
        cmocka_unit_test(reference_time_survives_extreme_numbers),
        cmocka_unit_test(short_option_structs_mean_defaults),
        cmocka_unit_test(refuses_rows_by_number),
        cmocka_unit_test(refuses_calls_that_cannot_be_meant),
        cmocka_unit_test(sorts_a_million_rows),
        cmocka_unit_test(demonstration_is_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
