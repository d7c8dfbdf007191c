/* A scan behind correlated noise: the background and the peaks of a star that turns, against
 * generalised least squares with dense matrices that are made here. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "inference/search/planet_scan.h"
#include "oracle/random_system.h"
#include "unit/studied_star.h"

enum { N = 120, MOST_COLUMNS = 12 };
#define TWO_PI 6.283185307179586476925286766559
#define ROTATION_DAYS 24.0
#define PLANET_DAYS 10.3
#define PLANET_M_S 4.0
#define AMPLITUDE_M_S 12.0
#define SPAN_DAYS 300.0

/* An oscillator of ten periods' decay; night by night, one instrument. */
static const noise_process process = {
    .n_blocks = 1,
    .n_states = 2,
    .block = {{.kind = NOISE_BLOCK_DAMPED,
               .a = AMPLITUDE_M_S * AMPLITUDE_M_S,
               .b = AMPLITUDE_M_S * AMPLITUDE_M_S * 0.01,
               .c = 0.01,
               .q = TWO_PI * TWO_PI / (ROTATION_DAYS * ROTATION_DAYS)}}};

typedef struct noisy_star {
    equant_dataset *dataset;
    double time[N], variance[N], lower[N][N], indicator[N];
    noise_factor factor;
    study star;
    solution background;
} noisy_star;

static double covariance(double tau)
{
    double w = TWO_PI / ROTATION_DAYS;
    return AMPLITUDE_M_S * AMPLITUDE_M_S * exp(-0.01 * tau) *
           (cos(w * tau) + 0.01 * sin(w * tau) / w);
}

static void decompose(noisy_star *made)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) {
            double sum = covariance(made->time[i] - made->time[j]);
            sum += i == j ? made->variance[i] : 0.0;
            for (int k = 0; k < j; k++)
                sum -= made->lower[i][k] * made->lower[j][k];
            made->lower[i][j] = i == j ? sqrt(sum) : sum / made->lower[j][j];
        }
}

/* Normal numbers enough for this, by the sum of twelve. */
static double normal(random_system *random)
{
    double sum = 0.0;
    for (int i = 0; i < 12; i++)
        sum += random_system_between(random, -0.5, 0.5);
    return sum;
}

static void make_star(uint64_t seed, noisy_star *made)
{
    random_system random = {seed};
    double velocity[N], sigma[N], white[N];
    memset(made, 0, sizeof *made);
    for (int k = 0; k < N; k++) {
        made->time[k] = SPAN_DAYS * (k + random_system_between(&random, 0.0, 0.9)) / N;
        sigma[k] = random_system_between(&random, 0.7, 1.4);
        made->variance[k] = sigma[k] * sigma[k];
        made->indicator[k] = sin(0.37 * k) + random_system_between(&random, -1.0, 1.0);
        white[k] = normal(&random);
    }
    decompose(made);
    for (int k = 0; k < N; k++) {
        velocity[k] = 20.0 + PLANET_M_S * cos(TWO_PI * made->time[k] / PLANET_DAYS + 1.0) +
                      3.0 * made->indicator[k];
        for (int j = 0; j <= k; j++)
            velocity[k] += made->lower[k][j] * white[j];
    }
    assert_int_equal(equant_dataset_from_arrays(N, made->time, velocity, sigma, NULL, 1, NULL, NULL,
                                                &made->dataset),
                     EQUANT_SUCCESS);
    const noise_factor_rows rows = {.n = N, .time_days = made->time};
    assert_int_equal(noise_factor_create(N, 2, false, &made->factor), EQUANT_SUCCESS);
    assert_true(noise_factor_make(&made->factor, &process, &rows, made->variance));
    study_star(&made->star, made->dataset, 2.0, 100.0);
    assert_int_equal(solution_create(&made->star, &made->background), EQUANT_SUCCESS);
}

static void free_star(noisy_star *made)
{
    solution_free(&made->background);
    study_free(&made->star);
    noise_factor_free(&made->factor);
    equant_dataset_free(made->dataset);
}

static void whiten(const noisy_star *star, double *column)
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++)
            column[i] -= star->lower[i][j] * column[j];
        column[i] /= star->lower[i][i];
    }
}

/* Chi-square of the velocities under the covariance, with n columns fitted. */
static double chi_square(const noisy_star *star, int n, double columns[MOST_COLUMNS][N])
{
    double y[N], chi = 0.0;
    memcpy(y, equant_dataset_velocities_m_s(star->dataset), sizeof y);
    whiten(star, y);
    for (int c = 0; c <= n; c++) {
        double *column = c < n ? columns[c] : y;
        if (c < n)
            whiten(star, column);
        for (int pass = 0; pass < 2; pass++)
            for (int o = 0; o < c; o++) {
                double along = 0.0;
                for (int k = 0; k < N; k++)
                    along += columns[o][k] * column[k];
                for (int k = 0; k < N; k++)
                    column[k] -= along * columns[o][k];
            }
        chi = 0.0;
        for (int k = 0; k < N; k++)
            chi += column[k] * column[k];
        for (int k = 0; c < n && k < N; k++)
            column[k] /= sqrt(chi);
    }
    return chi;
}

/* An offset and the indicator. */
static int background_columns(const noisy_star *star, double columns[MOST_COLUMNS][N])
{
    for (int k = 0; k < N; k++) {
        columns[0][k] = 1.0;
        columns[1][k] = star->indicator[k];
    }
    return 2;
}

static base_terms terms_of(const noisy_star *star)
{
    return (base_terms){.factor = &star->factor, .n_columns = 1, .columns = star->indicator};
}

static void backgrounds_are_those_of_generalised_least_squares(void **state)
{
    (void)state;
    static noisy_star star;
    static double columns[MOST_COLUMNS][N];
    make_star(1, &star);
    base_columns base;
    const base_terms terms = terms_of(&star);
    assert_int_equal(base_columns_create(&star.star, &star.background, 0, &terms, &base),
                     EQUANT_SUCCESS);
    assert_int_equal(base.n, 2);
    double expected = chi_square(&star, background_columns(&star, columns), columns);
    assert_true(fabs(base.chi_square / expected - 1.0) < 1e-9);
    assert_ptr_equal(base.factor, &star.factor);
    base_columns_free(&base);

    /* A column that is there already adds nothing. */
    base_terms twice = terms;
    double same[2][N];
    memcpy(same[0], star.indicator, sizeof same[0]);
    for (int k = 0; k < N; k++)
        same[1][k] = 5.0 - 2.0 * star.indicator[k];
    twice.n_columns = 2;
    twice.columns = same[0];
    assert_int_equal(base_columns_create(&star.star, &star.background, 0, &twice, &base),
                     EQUANT_SUCCESS);
    assert_int_equal(base.n, 2);
    base_columns_free(&base);
    free_star(&star);
}

static void as_if_white_weighs_by_the_diagonal(void **state)
{
    (void)state;
    static noisy_star star;
    make_star(2, &star);
    base_columns base;
    base_terms terms = terms_of(&star);
    terms.as_if_white = true;
    assert_int_equal(base_columns_create(&star.star, &star.background, 0, &terms, &base),
                     EQUANT_SUCCESS);
    assert_null(base.factor);
    for (int k = 0; k < N; k++) {
        double expected = 1.0 / sqrt(covariance(0.0) + star.variance[k]);
        assert_true(fabs(base.root_weight[k] / expected - 1.0) < 1e-14);
    }
    base_columns_free(&base);
    free_star(&star);
}

static size_t highest(const planet_scan *scan)
{
    size_t bin;
    assert_int_equal(planet_scan_peaks(scan, 1, &bin), 1);
    return bin;
}

/* White noise takes the rotation of the star for a planet; under its covariance the planet is
 * what stands out, and by what dense matrices say. */
static void planets_stand_out_from_rotation(void **state)
{
    (void)state;
    static noisy_star star;
    static double columns[MOST_COLUMNS][N];
    for (uint64_t seed = 10; seed < 14; seed++) {
        make_star(seed, &star);
        const base_terms terms = terms_of(&star);
        scan_grid grid = scan_grid_make(SPAN_DAYS, 2.0, 100.0, 0.5);
        planet_scan white, scan;
        assert_int_equal(
            planet_scan_create(&star.star, &star.background, 0, NULL, &grid, "scanning", &white),
            EQUANT_SUCCESS);
        assert_int_equal(
            planet_scan_create(&star.star, &star.background, 0, &terms, &grid, "scanning", &scan),
            EQUANT_SUCCESS);
        double turning = white.best[highest(&white)].frequency_per_day;
        assert_true(fabs(turning - 1.0 / ROTATION_DAYS) < 3.0 / SPAN_DAYS);
        backend_scan_node best = scan.best[highest(&scan)];
        assert_true(fabs(best.frequency_per_day - 1.0 / PLANET_DAYS) < 1.0 / SPAN_DAYS);

        backend_scan_node circle = scan.circular[planet_scan_bin(&grid, best.frequency_per_day)];
        int n = background_columns(&star, columns);
        double without = chi_square(&star, n, columns);
        n = background_columns(&star, columns);
        for (int k = 0; k < N; k++) {
            columns[n][k] = cos(TWO_PI * circle.frequency_per_day * star.time[k]);
            columns[n + 1][k] = sin(TWO_PI * circle.frequency_per_day * star.time[k]);
        }
        double fall = without - chi_square(&star, n + 2, columns);
        assert_true(fabs(circle.improvement / fall - 1.0) < 1e-4);
        assert_true(best.improvement >= circle.improvement);
        planet_scan_free(&white);
        planet_scan_free(&scan);
        free_star(&star);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(backgrounds_are_those_of_generalised_least_squares),
        cmocka_unit_test(as_if_white_weighs_by_the_diagonal),
        cmocka_unit_test(planets_stand_out_from_rotation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
