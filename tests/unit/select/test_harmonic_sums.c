/* Sums of columns with the harmonics of a frequency: against sums over the observations in long
 * double. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "inference/select/orbits/harmonic_sums.h"
#include "inference/select/orbits/fft.h"
#include "oracle/random_system.h"

enum { MOST_ROWS = 700, N_COLUMNS = 11 };

static const long double circle = 6.283185307179586476925286766559L;

typedef struct table {
    size_t n_obs, n;
    double time[MOST_ROWS], weight[MOST_ROWS], numbers[N_COLUMNS][MOST_ROWS];
    const double *columns[N_COLUMNS];
} table;

static void draw_table(random_system *random, size_t n_obs, size_t n, table *made)
{
    made->n_obs = n_obs;
    made->n = n;
    for (size_t k = 0; k < n_obs; k++) {
        made->time[k] = random_system_between(random, -900.0, 900.0);
        made->weight[k] = random_system_between(random, 0.1, 2.0);
    }
    made->time[0] = 0.0;    /* at the edge of the first cell */
    made->time[1] = -1e-18; /* which rounding takes for a whole turn */
    for (size_t j = 0; j < n; j++) {
        made->columns[j] = made->numbers[j];
        for (size_t k = 0; k < n_obs; k++)
            made->numbers[j][k] = random_system_between(random, -1.0, 1.0);
    }
}

/* The largest error of a column's sums over that of its absolute values. */
static double largest_error(const table *of, double frequency, size_t column,
                            const harmonic_sums *found)
{
    long double largest = 0.0L, scale = 0.0L;
    for (size_t k = 0; k < of->n_obs; k++)
        scale += fabsl((long double)of->columns[column][k] * of->weight[k]);
    for (size_t h = 0; h <= found->most; h++) {
        long double re = 0.0L, im = 0.0L;
        for (size_t k = 0; k < of->n_obs; k++) {
            long double turns = (long double)frequency * of->time[k];
            long double angle = circle * (long double)h * (turns - floorl(turns));
            re += of->columns[column][k] * (long double)of->weight[k] * cosl(angle);
            im += of->columns[column][k] * (long double)of->weight[k] * sinl(angle);
        }
        size_t place = h * found->n_packs + column / DOUBLE8, lane = column % DOUBLE8;
        largest = fmaxl(largest, hypotl(found->re[place][lane] - re, found->im[place][lane] - im));
    }
    return (double)(largest / scale);
}

static void sums_are_those_of_the_observations(void **state)
{
    (void)state;
    static const size_t harmonics[] = {0, 1, 4, 21, 60, 340}, rows[] = {2, 9, 700},
                        widths[] = {1, 2, 11};
    static table drawn;
    random_system random = {5};
    double worst = 0.0;
    for (size_t i = 0; i < sizeof harmonics / sizeof *harmonics; i++)
        for (size_t j = 0; j < sizeof rows / sizeof *rows; j++) {
            weighted_columns of;
            draw_table(&random, rows[j], widths[(i + j) % 3], &drawn);
            assert_int_equal(weighted_columns_create(drawn.n_obs, drawn.n, drawn.time, drawn.weight,
                                                     drawn.columns, &of),
                             EQUANT_SUCCESS);
            double frequency = random_system_between(&random, 0.001, 1.1);
            harmonic_sums found;
            assert_int_equal(harmonic_sums_find(&of, frequency, harmonics[i], &found),
                             EQUANT_SUCCESS);
            for (size_t column = 0; column < of.n; column++)
                worst = fmax(worst, largest_error(&drawn, frequency, column, &found));
            harmonic_sums_free(&found);
            weighted_columns_free(&of);
        }
    printf("largest error of a sum, over that of the absolute values: %.1e\n", worst);
    assert_true(worst < 1e-8);
}

static void transforms_are_plain_sums(void **state)
{
    (void)state;
    enum { MOST = 64 };
    static double re[MOST][DOUBLE8], im[MOST][DOUBLE8];
    random_system random = {6};
    for (size_t n = 1; n <= MOST; n *= 2) {
        fft transform;
        assert_int_equal(fft_create(n, &transform), EQUANT_SUCCESS);
        for (size_t m = 0; m < n; m++)
            for (size_t lane = 0; lane < DOUBLE8; lane++) {
                transform.re[transform.place[m]][lane] = re[m][lane] =
                    random_system_between(&random, -1.0, 1.0);
                transform.im[transform.place[m]][lane] = im[m][lane] =
                    random_system_between(&random, -1.0, 1.0);
            }
        fft_run(&transform);
        for (size_t j = 0; j < n; j++)
            for (size_t lane = 0; lane < DOUBLE8; lane++) {
                long double x = 0.0L, y = 0.0L;
                for (size_t m = 0; m < n; m++) {
                    long double angle = circle * (long double)(m * j % n) / (long double)n;
                    x += re[m][lane] * cosl(angle) - im[m][lane] * sinl(angle);
                    y += re[m][lane] * sinl(angle) + im[m][lane] * cosl(angle);
                }
                assert_float_equal(transform.re[j][lane], (double)x, 1e-13);
                assert_float_equal(transform.im[j][lane], (double)y, 1e-13);
            }
        fft_free(&transform);
    }
}

/* Twiddle factors beyond the shared table are made for the transform. */
static void long_transforms_have_twiddles_of_their_own(void **state)
{
    (void)state;
    fft short_one, long_one;
    assert_int_equal(fft_create(64, &short_one), EQUANT_SUCCESS);
    assert_int_equal(fft_create(32768, &long_one), EQUANT_SUCCESS);
    const fft_twiddles shared = short_one.twiddles, own = long_one.twiddles;
    assert_null(shared.own);
    assert_non_null(own.own);
    for (size_t i = 1; i < 64; i++) {
        assert_true(own.re[i] == shared.re[i]);
        assert_true(own.im[i] == shared.im[i]);
    }
    fft_free(&short_one);
    fft_free(&long_one);
}

static void grids_are_powers_of_two(void **state)
{
    (void)state;
    assert_int_equal(fft_length(1), 1);
    assert_int_equal(fft_length(12), 16);
    assert_int_equal(fft_length(64), 64);
    assert_int_equal(fft_length(4095), 4096);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_those_of_the_observations),
        cmocka_unit_test(transforms_are_plain_sums),
        cmocka_unit_test(long_transforms_have_twiddles_of_their_own),
        cmocka_unit_test(grids_are_powers_of_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
