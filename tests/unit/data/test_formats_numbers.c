/* The parser of numbers against the C library's, to the last bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "data/text_number.h"

static void assert_reads(const char *text, double expected)
{
    double value = -1;
    if (!text_number_read((text_slice){text, strlen(text)}, &value))
        fail_msg("'%s' was not read", text);
    if (memcmp(&value, &expected, sizeof value) != 0)
        fail_msg("'%s' is %.17g, not %.17g", text, value, expected);
}

static void assert_refuses(const char *text)
{
    double value;
    if (text_number_read((text_slice){text, strlen(text)}, &value))
        fail_msg("'%s' was read as %.17g", text, value);
}

static void reads_all_spellings(void **state)
{
    (void)state;
    assert_reads("0", 0.0);
    assert_reads("-0", -0.0);
    assert_reads("+1.5", 1.5);
    assert_reads(".5", 0.5);
    assert_reads("5.", 5.0);
    assert_reads("1.5D+03", 1500.0);
    assert_reads("1.5d-3", 1.5e-3);
    assert_reads("1E5", 1e5);
    assert_reads("55198.80046232133736339165", 55198.80046232133736339165);
    assert_reads("0.1e-320", 0.1e-320);
    assert_reads("1e400", strtod("1e400", NULL));
    assert_reads("1e-99999999999999999999", 0.0);
    assert_reads("000000000000000000000000001", 1.0);
}

static void refuses_other_text(void **state)
{
    (void)state;
    static const char *const texts[] = {"",    "-",     "+",   ".",    "e5",  "1e",  "1e+", "1.2.3",
                                        "1,5", "1 5",   "0x1", "nan",  "inf", "1_0", "1f",  "--1",
                                        "1d",  "1e5.5", "１",  "1e5x", "+-1", " 1",  "1 "};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_refuses(texts[i]);
    char long_text[400];
    memset(long_text, '1', sizeof long_text);
    long_text[sizeof long_text - 1] = '\0';
    assert_refuses(long_text);
}

/* A fixed sequence of bits, the same on every run. */
static uint64_t next_bits(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state ^ (*state >> 29);
}

static void agrees_with_the_library_on_random_numbers(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 300000; i++) {
        char text[64];
        uint64_t bits = next_bits(&seed);
        double scale = (double)(next_bits(&seed) % 1000000) / 1e3;
        double any;
        memcpy(&any, &bits, sizeof any);
        if (any - any != 0)
            continue;
        static const char *const formats[] = {"%.17g", "%.6e", "%.20e", "%.15g"};
        snprintf(text, sizeof text, formats[i % 4], any);
        assert_reads(text, strtod(text, NULL));
        snprintf(text, sizeof text, "%.*f", i % 18, scale * (double)(int64_t)(bits >> 40));
        assert_reads(text, strtod(text, NULL));
    }
}

static void knows_small_integers(void **state)
{
    (void)state;
    int value;
    assert_true(text_number_read_small_integer((text_slice){"-12", 3}, &value));
    assert_int_equal(value, -12);
    assert_false(text_number_read_small_integer((text_slice){"12345", 5}, &value));
    assert_false(text_number_read_small_integer((text_slice){"1.0", 3}, &value));
    assert_false(text_number_read_small_integer((text_slice){"", 0}, &value));
    assert_false(text_number_read_small_integer((text_slice){"-", 1}, &value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_all_spellings),
        cmocka_unit_test(refuses_other_text),
        cmocka_unit_test(agrees_with_the_library_on_random_numbers),
        cmocka_unit_test(knows_small_integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
