/* The number of rows that the header of a FITS table announces is no size of memory: a file that
 * announces more rows than it has is refused, whatever their number. */
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

enum { CARD = 80, BLOCK = 2880 };

static void put_cards(FILE *file, size_t n, const char *const *cards)
{
    size_t used = 0;
    for (size_t i = 0; i < n; i++, used += CARD)
        fprintf(file, "%-*s", CARD, cards[i]);
    for (; used % BLOCK != 0; used++)
        fputc(' ', file);
}

/* A table of the columns hip_id and pmra_hg that announces this number of rows, and has two blocks
 * of them. */
static void write_table(const char *path, const char *n_rows)
{
    char announced[CARD + 1];
    snprintf(announced, sizeof announced, "NAXIS2  = %20s", n_rows);
    const char *const primary[] = {
        "SIMPLE  =                    T", "BITPIX  =                    8",
        "NAXIS   =                    0", "EXTEND  =                    T", "END"};
    const char *const table[] = {"XTENSION= 'BINTABLE'",
                                 "BITPIX  =                    8",
                                 "NAXIS   =                    2",
                                 "NAXIS1  =                   16",
                                 announced,
                                 "PCOUNT  =                    0",
                                 "GCOUNT  =                    1",
                                 "TFIELDS =                    2",
                                 "TTYPE1  = 'hip_id  '",
                                 "TFORM1  = 'K       '",
                                 "TTYPE2  = 'pmra_hg '",
                                 "TFORM2  = 'D       '",
                                 "END"};
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    put_cards(file, sizeof primary / sizeof *primary, primary);
    put_cards(file, sizeof table / sizeof *table, table);
    for (int i = 0; i < 2 * BLOCK; i++)
        fputc('A', file);
    assert_int_equal(fclose(file), 0);
}

static void more_rows_than_there_are_is_refused(void **state)
{
    (void)state;
    /* 2^61 + 1, of which eight bytes each are eight bytes in all; a file without an end; and one
     * that is cut. */
    static const char *const n_rows[] = {"2305843009213693953", "9223372036854775807", "1000000",
                                         "361"};
    char path[] = "/tmp/equant-motions-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    for (size_t i = 0; i < sizeof n_rows / sizeof *n_rows; i++) {
        equant_sky_motions motions = {.struct_size = sizeof motions};
        write_table(path, n_rows[i]);
        equant_status status = equant_sky_motions_read(path, 42, &motions);
        assert_int_not_equal(status, EQUANT_SUCCESS);
        if (status != EQUANT_ERROR_UNAVAILABLE)
            assert_non_null(strstr(equant_last_error(), path));
    }
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_rows_than_there_are_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
