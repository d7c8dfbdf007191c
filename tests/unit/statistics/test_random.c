/* Random numbers: known answers, distributions, and draws that depend on nothing
 * but their address. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "statistics/random_draw.h"
#include "equant.h"
#include "unit/distribution_checks.h"

enum { N_DRAWS = 100000 };

static double draws[N_DRAWS], others[N_DRAWS];

static void assert_words(philox4x32_ctr_t words, uint32_t w0, uint32_t w1, uint32_t w2, uint32_t w3)
{
    assert_int_equal(words.v[0], w0);
    assert_int_equal(words.v[1], w1);
    assert_int_equal(words.v[2], w2);
    assert_int_equal(words.v[3], w3);
}

/* The three vectors that Random123 publishes for this generator. */
static void generator_gives_the_published_answers(void **state)
{
    (void)state;
    philox4x32_ctr_t zeros = {{0, 0, 0, 0}}, ones = {{~0u, ~0u, ~0u, ~0u}};
    philox4x32_ctr_t pi_counter = {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}};
    philox4x32_key_t no_key = {{0, 0}}, full_key = {{~0u, ~0u}};
    philox4x32_key_t pi_key = {{0xa4093822, 0x299f31d0}};
    assert_words(philox4x32(zeros, no_key), 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8);
    assert_words(philox4x32(ones, full_key), 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd);
    assert_words(philox4x32(pi_counter, pi_key), 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1);
}

/* The third vector again, now through our addresses: every bit of seed, block,
 * purpose and substream has its place. */
static void addresses_fill_key_and_counter(void **state)
{
    (void)state;
    random_stream stream = {
        .seed = 0x299f31d0a4093822, .purpose = 0x13198a2e, .substream = 0x03707344};
    random_uniforms pair = random_uniforms_at(stream, 0x85a308d3243f6a88);
    assert_true(pair.half[0] == ((double)(0x94fdccebd16cfe09 >> 12) + 0.5) * 0x1p-52);
    assert_true(pair.half[1] == ((double)(0x24126ea15001e420 >> 12) + 0.5) * 0x1p-52);

    double first_three[3];
    assert_int_equal(equant_random_uniform(0, 0, 0, 3, first_three), EQUANT_SUCCESS);
    assert_true(first_three[0] == ((double)(0xe169c58d6627e8d5 >> 12) + 0.5) * 0x1p-52);
    assert_true(first_three[1] == ((double)(0x9b00dbd8bc57ac4c >> 12) + 0.5) * 0x1p-52);
    random_stream plain = {.seed = 0, .purpose = 0, .substream = 0};
    assert_true(first_three[2] == random_uniforms_at(plain, 1).half[0]);
}

static void uniform_interval_is_open(void **state)
{
    (void)state;
    assert_true(random_uniform_from_bits(0) == 0x1p-53);
    assert_true(random_uniform_from_bits(UINT64_MAX) == 1.0 - 0x1p-53);
    assert_true(isfinite(random_normal_quantile(0x1p-53)));
    assert_true(random_normal_quantile(0x1p-53) == -random_normal_quantile(1.0 - 0x1p-53));
}

static void uniform_draws_are_uniform(void **state)
{
    (void)state;
    assert_int_equal(equant_random_uniform(1, 7, 0, N_DRAWS, draws), EQUANT_SUCCESS);
    double sum = 0.0, squares = 0.0, neighbours = 0.0;
    for (size_t i = 0; i < N_DRAWS; i++) {
        double x = draws[i] - 0.5;
        sum += x;
        squares += x * x;
        neighbours += x * (draws[(i + 1) % N_DRAWS] - 0.5);
    }
    /* Five standard errors of the mean, the variance and the covariance. */
    assert_true(fabs(sum / N_DRAWS) < 5.0 * sqrt(1.0 / 12.0 / N_DRAWS));
    assert_true(fabs(squares / N_DRAWS - 1.0 / 12.0) < 5.0 * sqrt(1.0 / 180.0 / N_DRAWS));
    assert_true(fabs(neighbours / N_DRAWS) < 5.0 / 12.0 / sqrt(N_DRAWS));
    assert_true(kolmogorov_distance(N_DRAWS, draws) < KOLMOGOROV_LIMIT);
}

static void normal_draws_are_normal(void **state)
{
    (void)state;
    assert_int_equal(equant_random_normal(2, 7, 0, N_DRAWS, draws), EQUANT_SUCCESS);
    double sums[4] = {0.0};
    for (size_t i = 0; i < N_DRAWS; i++) {
        double power = 1.0;
        for (int moment = 0; moment < 4; moment++)
            sums[moment] += power *= draws[i];
        draws[i] = 0.5 * erfc(-draws[i] / sqrt(2.0));
    }
    /* Moments 0, 1, 0, 3 have variances 1, 2, 15, 96 per draw. */
    assert_true(fabs(sums[0] / N_DRAWS) < 5.0 * sqrt(1.0 / N_DRAWS));
    assert_true(fabs(sums[1] / N_DRAWS - 1.0) < 5.0 * sqrt(2.0 / N_DRAWS));
    assert_true(fabs(sums[2] / N_DRAWS) < 5.0 * sqrt(15.0 / N_DRAWS));
    assert_true(fabs(sums[3] / N_DRAWS - 3.0) < 5.0 * sqrt(96.0 / N_DRAWS));
    assert_true(kolmogorov_distance(N_DRAWS, draws) < KOLMOGOROV_LIMIT);
}

/* Values by mpmath with 40 digits. */
static void normal_quantiles_are_accurate(void **state)
{
    (void)state;
    static const double table[][2] = {
        {0.5, 0.0},
        {0.25, -0.6744897501960817},
        {0.07, -1.4757910281791706},
        {0.975, 1.9599639845400538},
        {0.001, -3.0902323061678136},
        {1e-9, -5.9978070150076865},
        {1e-16, -8.222082216130435},
    };
    for (size_t row = 0; row < sizeof table / sizeof *table; row++) {
        double found = random_normal_quantile(table[row][0]);
        assert_true(fabs(found - table[row][1]) <= 1e-15 * fabs(table[row][1]));
    }
}

static void draws_do_not_depend_on_the_batch(void **state)
{
    (void)state;
    enum { N = 1000 };
    const uint64_t first = 0x1fffffff0u; /* the blocks cross 2^32 */
    for (int normal = 0; normal < 2; normal++) {
        equant_status (*draw)(uint64_t, uint32_t, uint64_t, size_t, double *) =
            normal ? equant_random_normal : equant_random_uniform;
        assert_int_equal(draw(3, 4, first, N, draws), EQUANT_SUCCESS);
        for (size_t start = 0, length = 1; start < N; start += length, length = length % 13 + 1) {
            size_t n = start + length > N ? N - start : length;
            assert_int_equal(draw(3, 4, first + start, n, others + start), EQUANT_SUCCESS);
        }
        assert_memory_equal(draws, others, N * sizeof *draws);
    }
}

static void streams_are_unrelated(void **state)
{
    (void)state;
    static const struct {
        uint64_t seed;
        uint32_t purpose;
    } neighbours[] = {{1, 0}, {1ull << 32, 0}, {0, 1}, {0, 1u << 31}};
    assert_int_equal(equant_random_uniform(0, 0, 0, N_DRAWS, draws), EQUANT_SUCCESS);
    for (size_t which = 0; which < sizeof neighbours / sizeof *neighbours; which++) {
        assert_int_equal(equant_random_uniform(neighbours[which].seed, neighbours[which].purpose, 0,
                                               N_DRAWS, others),
                         EQUANT_SUCCESS);
        double covariance = 0.0;
        for (size_t i = 0; i < N_DRAWS; i++)
            covariance += (draws[i] - 0.5) * (others[i] - 0.5);
        assert_true(fabs(covariance / N_DRAWS) < 5.0 / 12.0 / sqrt(N_DRAWS));
    }
}

static void requests_that_cannot_be_meant_are_refused(void **state)
{
    (void)state;
    double out[2] = {-1.0, -1.0};
    assert_int_equal(equant_random_uniform(0, 0, 0, 0, NULL), EQUANT_SUCCESS);
    assert_int_equal(equant_random_normal(0, 0, 0, 0, NULL), EQUANT_SUCCESS);
    assert_int_equal(equant_random_uniform(0, 0, 0, 1, NULL), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_true(strlen(equant_last_error()) > 0);
    assert_int_equal(equant_random_normal(0, 0, UINT64_MAX, 2, out), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_true(out[0] == -1.0 && out[1] == -1.0);
    assert_int_equal(equant_random_uniform(0, 0, UINT64_MAX, 1, out), EQUANT_SUCCESS);
    assert_true(out[0] > 0.0 && out[0] < 1.0 && out[1] == -1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generator_gives_the_published_answers),
        cmocka_unit_test(addresses_fill_key_and_counter),
        cmocka_unit_test(uniform_interval_is_open),
        cmocka_unit_test(uniform_draws_are_uniform),
        cmocka_unit_test(normal_draws_are_normal),
        cmocka_unit_test(normal_quantiles_are_accurate),
        cmocka_unit_test(draws_do_not_depend_on_the_batch),
        cmocka_unit_test(streams_are_unrelated),
        cmocka_unit_test(requests_that_cannot_be_meant_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
