/* Numbers as text where the decimal sign is a comma. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/decimal_text.h"
#include "core/status_fail.h"
#include "equant.h"
#include "unit/comma_locale.h"

static void a_point_whatever_the_locale(void **state)
{
    (void)state;
    if (!comma_locale_set())
        skip();
    char text[32], native[32], *end;
    snprintf(native, sizeof native, "%.1f", 0.5);
    decimal_text_print(text, sizeof text, "%.17g", 1.25);
    double value = decimal_text_read("2.75e3 rest", &end);
    status_fail(EQUANT_ERROR_FORMAT, "not %g", 0.5);
    char after[32];
    snprintf(after, sizeof after, "%.1f", 0.5);
    setlocale(LC_ALL, "C");
    assert_string_equal(native, "0,5");
    assert_string_equal(after, "0,5"); /* the caller's locale is as it was */
    assert_string_equal(text, "1.25");
    assert_true(value == 2750.0);
    assert_string_equal(end, " rest");
    assert_string_equal(equant_last_error(), "not 0.5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_point_whatever_the_locale)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
