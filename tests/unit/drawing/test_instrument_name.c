/* Short names of instruments for keys of figures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "equant.h"
#include "stars/instrument_name.h"

enum { N = 8 };

static void test_short_names(void **state)
{
    (void)state;
    static const char *const names[N] = {"HARPS",
                                         "HIRES (HD80606_4_KECK)",
                                         "HAMILTON ECHELLE SPECTROGRAPH",
                                         "HIRES (HD80606_5_KECK)",
                                         "HD41248_HARPS_TERRA",
                                         "spectrograph-of-tower-5",
                                         "a long name of a tower",
                                         "ELODIE (its only file)"};
    static const char *const wanted[N] = {"HARPS",
                                          "HIRES 1",
                                          "HAMILTON",
                                          "HIRES 2",
                                          "HARPS_TERRA",
                                          "spectrograph-of-tower-5",
                                          "a long name of a tower",
                                          "ELODIE"};
    const double times[N] = {1, 2, 3, 4, 5, 6, 7, 8}, ones[N] = {1, 1, 1, 1, 1, 1, 1, 1};
    const int32_t instruments[N] = {0, 1, 2, 3, 4, 5, 6, 7};
    equant_dataset *dataset = NULL;
    assert_int_equal(equant_dataset_from_arrays(N, times, ones, ones, instruments, N,
                                                (const char **)names, NULL, &dataset),
                     EQUANT_SUCCESS);
    for (size_t i = 0; i < N; i++)
        assert_string_equal(instrument_name_short(dataset, i).text, wanted[i]);
    equant_dataset_free(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_short_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
