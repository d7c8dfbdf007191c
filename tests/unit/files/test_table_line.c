/* Cells of a line of a table: delimiters, quotes, and what is counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "files/table_line.h"

enum { MOST = 8 };

/* A line, its delimiter and its cells, as RFC 4180 has them where the delimiter is a comma. */
static const struct {
    const char *line;
    char delimiter;
    const char *cells[MOST];
} cases[] = {
    {"a,b,c", ',', {"a", "b", "c"}},
    {"a, b ,\tc", ',', {"a", "b", "c"}},
    {"\"a, b\",c", ',', {"a, b", "c"}},
    {"c,\"a, b\"", ',', {"c", "a, b"}},
    {"c, \"a; b, d\" ,e", ',', {"c", "a; b, d", "e"}},
    {"'a, b',c", ',', {"a, b", "c"}},
    {"\"say \"\"a, b\"\"\",c", ',', {"say \"a, b\"", "c"}},
    {"Barnard's star,c", ',', {"Barnard's star", "c"}},
    {"a,5\",c", ',', {"a", "5\"", "c"}},
    {"\"\",,x,", ',', {"", "", "x", ""}},
    {"HD 1234 b,2.5", ',', {"HD 1234 b", "2.5"}},
    {"\"a;b\";c,d;e", ',', {"a;b;c", "d;e"}},
    {"a;b c;\"d;e\"", ';', {"a", "b c", "d;e"}},
    {"a\tb c\t", '\t', {"a", "b c", ""}},
    {"  1  2.5\t3 ", '\t', {"1  2.5", "3"}},
    {"  1  2.5 \"3 4\" ", ' ', {"1", "2.5", "3 4"}},
    {"\"a, b\" c", ' ', {"a, b", "c"}},
    {"", ' ', {NULL}},
    {"\"open, a,b", ' ', {"open, a,b"}},
};

static void lines_are_cut_into_their_cells(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[64], *cursor = line;
        const char *cell;
        size_t n = 0;
        snprintf(line, sizeof line, "%s", cases[i].line);
        assert_int_equal(table_line_delimiter(line), cases[i].delimiter);
        size_t n_counted = table_line_count(line, cases[i].delimiter);
        while ((cell = table_line_cell(&cursor, cases[i].delimiter)) != NULL) {
            assert_non_null(cases[i].cells[n]);
            assert_string_equal(cell, cases[i].cells[n]);
            n++;
        }
        assert_null(cases[i].cells[n]);
        assert_int_equal(n, n_counted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_are_cut_into_their_cells)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
