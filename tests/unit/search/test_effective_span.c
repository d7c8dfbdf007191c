/* The effective time base under correlated noise: against sums over a dense inverse, in the limit
 * of white noise, and by counting how often noise itself is taken for a planet. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"
#include "inference/search/effective_span.h"
#include "inference/search/significance.h"
#include "unit/studied_star.h"

enum { N = 60 };
#define TWO_PI 6.283185307179586476925286766559

static double times[N], variances[N], lower[N][N], inverse[N][N];

/* A damped oscillation, a Matern 3/2 and nothing else; amplitudes may be zero. */
static noise_process process_of(double amplitude)
{
    double a = amplitude * amplitude, w = TWO_PI / 17.0;
    return (noise_process){.n_blocks = 2,
                           .n_states = 4,
                           .block = {{.a = a, .b = 0.05 * a, .c = 0.05, .q = w * w},
                                     {.a = 0.5 * a, .b = 0.005 * a, .c = 0.01}}};
}

static double covariance(double amplitude, double tau)
{
    double a = amplitude * amplitude, w = TWO_PI / 17.0;
    return a * exp(-0.05 * tau) * (cos(w * tau) + 0.05 * sin(w * tau) / w) +
           0.5 * a * exp(-0.01 * tau) * (1.0 + 0.01 * tau);
}

/* Nights in pairs, over four hundred days, and so irregular that no frequency of a test repeats
 * another; dense matrices beside the factor. */
static void make(double amplitude, noise_factor *factor)
{
    for (int k = 0; k < N; k++) {
        double pair = 13.0 * (k / 2) + 5.5 * sin(97.0 * (k / 2) * (k / 2));
        times[k] = 2450000.0 + pair + (0.6 + 0.5 * sin(31.0 * k)) * (k % 2);
        variances[k] = 1.0 + 0.5 * cos(0.9 * k);
    }
    const noise_process process = process_of(amplitude);
    const noise_factor_rows rows = {.n = N, .time_days = times};
    assert_int_equal(noise_factor_create(N, 4, false, factor), EQUANT_SUCCESS);
    assert_true(noise_factor_make(factor, &process, &rows, variances));
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) {
            double sum = covariance(amplitude, times[i] - times[j]) + (i == j ? variances[i] : 0.0);
            for (int k = 0; k < j; k++)
                sum -= lower[i][k] * lower[j][k];
            lower[i][j] = i == j ? sqrt(sum) : sum / lower[j][j];
        }
    for (int column = 0; column < N; column++) { /* L L' x = e */
        double x[N];
        for (int i = 0; i < N; i++) {
            x[i] = i == column;
            for (int j = 0; j < i; j++)
                x[i] -= lower[i][j] * x[j];
            x[i] /= lower[i][i];
        }
        for (int i = N - 1; i >= 0; i--) {
            for (int j = i + 1; j < N; j++)
                x[i] -= lower[j][i] * x[j];
            x[i] /= lower[i][i];
            inverse[i][column] = x[i];
        }
    }
}

static void spans_are_sums_over_the_inverse(void **state)
{
    (void)state;
    const double amplitudes[] = {0.0, 0.5, 3.0, 20.0};
    for (size_t a = 0; a < sizeof amplitudes / sizeof *amplitudes; a++) {
        noise_factor factor;
        make(amplitudes[a], &factor);
        for (double f = 0.003; f < 2.0; f *= 1.37) {
            double q = 0.0, s = 0.0, m = 0.0, r = 0.0;
            for (int i = 0; i < N; i++)
                for (int j = 0; j < N; j++) {
                    double ti = times[i] - 2450200.0, tj = times[j] - 2450200.0;
                    double angle = TWO_PI * f * (tj - ti);
                    q += inverse[i][j] * cos(angle);
                    s += inverse[i][j] * cos(angle) * tj;
                    m += inverse[i][j] * sin(angle) * tj;
                    r += ti * inverse[i][j] * cos(angle) * tj;
                }
            double expected = 2.0 * sqrt(0.5 * TWO_PI * (r / q - (s * s + m * m) / (q * q)));
            effective_span found;
            assert_int_equal(effective_span_create(&factor, times, f, 1.5 * f, &found),
                             EQUANT_SUCCESS);
            assert_true(fabs(found.days[0] / expected - 1.0) < 1e-8);
            assert_true(effective_span_near(&found, 0.5 * f) == found.days[0]);
        }
        noise_factor_free(&factor);
    }
}

static void white_noise_has_one_span(void **state)
{
    (void)state;
    noise_factor factor;
    double weights[N];
    make(0.0, &factor);
    for (int k = 0; k < N; k++)
        weights[k] = 1.0 / variances[k];
    double expected = false_alarm_effective_span(N, times, weights);
    effective_span spans;
    assert_int_equal(effective_span_create(&factor, times, 0.001, 3.0, &spans), EQUANT_SUCCESS);
    for (double f = 1e-4; f < 100.0; f *= 3.0)
        assert_true(fabs(effective_span_near(&spans, f) / expected - 1.0) < 1e-10);
    assert_true(fabs(effective_span_mean(&spans, 0.1, 2.0) / expected - 1.0) < 1e-10);
    noise_factor_free(&factor);
}

/* The published average over frequencies from 0 to f_max: cosines become sin x / x. It leaves out
 * the change of length, and is an average of other things; where noise is mild both agree. */
static void the_mean_is_near_the_published_average(void **state)
{
    (void)state;
    noise_factor factor;
    effective_span spans;
    const double f_max = 0.9;
    make(1.0, &factor);
    double q = 0.0, s = 0.0, r = 0.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double ti = times[i] - 2450200.0, tj = times[j] - 2450200.0;
            double x = TWO_PI * f_max * (ti - tj), share = x == 0.0 ? 1.0 : sin(x) / x;
            q += inverse[i][j] * share;
            s += inverse[i][j] * share * tj;
            r += ti * inverse[i][j] * share * tj;
        }
    double published = 2.0 * sqrt(0.5 * TWO_PI * (r / q - s * s / (q * q)));
    assert_int_equal(effective_span_create(&factor, times, 0.001, f_max, &spans), EQUANT_SUCCESS);
    double mean = effective_span_mean(&spans, 0.001, f_max);
    assert_true(fabs(mean / published - 1.0) < 0.02);
    noise_factor_free(&factor);
}

/* ---- false alarms ------------------------------------------------------------ */

enum { N_DRAWS = 10000 };

/* Draws of the process, each with the largest fall of chi-square under its own covariance by a
 * circle of any frequency in a band: white numbers, since whitening takes L away again. */
static void largest_falls(const noise_factor *factor, double first, double last, double *largest)
{
    static double draws[N][N_DRAWS], state[3 * 5], on[2][N_DRAWS];
    assert_int_equal(equant_random_normal(7, 0, 0, N * N_DRAWS, draws[0]), EQUANT_SUCCESS);
    memset(largest, 0, N_DRAWS * sizeof *largest);
    for (double f = first; f < last; f += 0.0003) {
        double columns[N][2], square[2] = {0.0, 0.0}, along = 0.0;
        for (int k = 0; k < N; k++) {
            columns[k][0] = cos(TWO_PI * f * times[k]);
            columns[k][1] = sin(TWO_PI * f * times[k]);
        }
        noise_factor_whiten(factor, 2, columns[0], state);
        for (int c = 0; c < 2; c++) {
            for (int k = 0; k < N; k++)
                columns[k][c] -= c == 1 ? along * columns[k][0] : 0.0;
            for (int k = 0; k < N; k++)
                square[c] += columns[k][c] * columns[k][c];
            for (int k = 0; k < N; k++) {
                columns[k][c] /= sqrt(square[c]);
                along += c == 0 ? columns[k][0] * columns[k][1] : 0.0;
            }
        }
        memset(on, 0, sizeof on);
        for (int k = 0; k < N; k++)
            for (int d = 0; d < N_DRAWS; d++) {
                on[0][d] += columns[k][0] * draws[k][d];
                on[1][d] += columns[k][1] * draws[k][d];
            }
        for (int d = 0; d < N_DRAWS; d++)
            largest[d] = fmax(largest[d], on[0][d] * on[0][d] + on[1][d] * on[1][d]);
    }
}

static void noise_is_taken_for_a_planet_as_often_as_said(void **state)
{
    (void)state;
    static double largest[N_DRAWS];
    const double first = 0.02, last = 0.12; /* the rotation in the middle */
    noise_factor factor;
    effective_span spans;
    make(3.0, &factor);
    assert_int_equal(effective_span_create(&factor, times, first, last, &spans), EQUANT_SUCCESS);
    const false_alarm_band band = {.width_per_day = last - first,
                                   .effective_span_days = effective_span_mean(&spans, first, last)};
    const false_alarm_search search = {.n_bands = 1, .bands = &band};
    largest_falls(&factor, first, last, largest);
    for (double probability = 0.2; probability > 0.01; probability *= 0.5) {
        double level = 2.0 * false_alarm_level(&search, probability), above = 0.0;
        for (int d = 0; d < N_DRAWS; d++)
            above += largest[d] > level;
        double share = above / N_DRAWS, error = sqrt(probability / N_DRAWS);
        print_message("false alarms: %.4f said, %.4f counted\n", probability, share);
        assert_true(share < probability + 3.0 * error); /* it is an upper bound, and close */
        assert_true(share > 0.75 * probability - 3.0 * error);
    }
    noise_factor_free(&factor);
}

/* ---- how a star is judged ------------------------------------------------------ */

static void significance_takes_the_spans_of_its_bands(void **state)
{
    (void)state;
    const double planet[5] = {12.0, 6.0, 0.1, 1.0, 2.0};
    equant_dataset *dataset = simulate_star(3, 80, 700.0, 1, planet, 1.5);
    study star;
    solution background;
    study_star(&star, dataset, 2.0, 300.0);
    assert_int_equal(solution_create(&star, &background), EQUANT_SUCCESS);
    background.set[2] = background.set[3] = 0.0; /* no jitter */
    double variance[80];
    const double *sigma = equant_dataset_uncertainties_m_s(dataset);
    for (int k = 0; k < 80; k++)
        variance[k] = sigma[k] * sigma[k];
    scan_grid grid = scan_grid_make(700.0, 2.0, 300.0, 0.6);
    significance white, same, other;
    const noise_factor_rows rows = {.n = 80, .time_days = equant_dataset_times_days(dataset)};
    for (int amplitude = 0; amplitude <= 4; amplitude += 4) {
        noise_factor factor;
        const noise_process process = process_of(amplitude);
        assert_int_equal(noise_factor_create(80, 4, false, &factor), EQUANT_SUCCESS);
        assert_true(noise_factor_make(&factor, &process, &rows, variance));
        const base_terms terms = {.factor = &factor, .n_columns = 2};
        assert_int_equal(
            significance_create(&star, &grid, &background, &terms, amplitude > 0 ? &other : &same),
            EQUANT_SUCCESS);
        noise_factor_free(&factor);
    }
    assert_int_equal(significance_create(&star, &grid, &background, NULL, &white), EQUANT_SUCCESS);
    assert_int_equal(white.n_bands, same.n_bands);
    assert_int_equal(same.n_columns, 2);
    for (size_t b = 0; b < same.n_bands; b++) {
        double span = white.effective_span_days;
        assert_true(white.bands[b].effective_span_days == 0.0);
        assert_true(fabs(same.bands[b].effective_span_days / span - 1.0) < 1e-9);
        assert_true(other.bands[b].effective_span_days > 0.5 * span);
        assert_true(other.bands[b].effective_span_days < 2.0 * span);
    }
    false_alarm_search by_weights = significance_search(&white, 3);
    false_alarm_search by_factor = significance_search(&same, 3);
    assert_true(fabs(false_alarm_probability(&by_weights, 20.0) /
                         false_alarm_probability(&by_factor, 20.0) -
                     1.0) < 1e-8);
    solution_free(&background);
    study_free(&star);
    equant_dataset_free(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spans_are_sums_over_the_inverse),
        cmocka_unit_test(white_noise_has_one_span),
        cmocka_unit_test(the_mean_is_near_the_published_average),
        cmocka_unit_test(noise_is_taken_for_a_planet_as_often_as_said),
        cmocka_unit_test(significance_takes_the_spans_of_its_bands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
