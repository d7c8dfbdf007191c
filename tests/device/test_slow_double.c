/* Which kernels serve on GPUs where double precision is slow; no GPU is needed to say so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backends/cuda/cuda_device.h"

static void mixed_does_without_double_where_it_is_slow(void **state)
{
    (void)state;
    const int fast[] = {0, 2, 3, 8}, slow[] = {16, 24, 32, 64};
    for (size_t i = 0; i < sizeof fast / sizeof *fast; i++)
        assert_int_equal(device_precision(EQUANT_PRECISION_MIXED, fast[i]), EQUANT_PRECISION_MIXED);
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++)
        assert_int_equal(device_precision(EQUANT_PRECISION_MIXED, slow[i]), EQUANT_PRECISION_PAIR);
}

static void other_precisions_are_what_was_asked_for(void **state)
{
    (void)state;
    const equant_precision others[] = {EQUANT_PRECISION_DOUBLE, EQUANT_PRECISION_SINGLE,
                                       EQUANT_PRECISION_PAIR};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_int_equal(device_precision(others[i], 2), others[i]);
        assert_int_equal(device_precision(others[i], 64), others[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixed_does_without_double_where_it_is_slow),
        cmocka_unit_test(other_precisions_are_what_was_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
