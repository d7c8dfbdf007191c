/* What is believed of a period, against whole covariance matrices that share no code with it; and
 * what strategies make of that. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "statistics/noise_terms.h"
#include "strategies/strategies.h"
#include "strategies/time_gain.h"
#include "strategies/trial_summary.h"

#define TWO_PI 6.283185307179586

enum { N = 14, N_FREQUENCIES = 4 };
static const double amplitude = 0.7, rotation = 17.0, quality = 1.2, extra = 0.4, mix = 0.6;
static const double per_day[N_FREQUENCIES] = {0.0, 0.021, 0.053, 0.17};
static const double prior_of[N_FREQUENCIES] = {3.0, 1.0, 2.0, 0.5};
static const double offset_sd = 10.0, orbit_sd = 1.3;

/* An oscillator's covariance (Foreman-Mackey et al. 2017, equation 23). */
static double oscillator(double variance, double period, double q, double tau)
{
    double eta = sqrt(4.0 * q * q - 1.0) / (2.0 * q), w0 = TWO_PI / (period * eta);
    return variance * exp(-w0 * tau / (2.0 * q)) *
           (cos(eta * w0 * tau) + sin(eta * w0 * tau) / (2.0 * eta * q));
}

static double kernel(double tau)
{
    double variance = amplitude * amplitude / (1.0 + mix), second = 0.5 + quality;
    return oscillator(variance, rotation, second + extra, tau) +
           oscillator(mix * variance, 0.5 * rotation, second, tau);
}

static void make_data(double *times, double *values)
{
    for (size_t i = 0; i < N; i++) {
        times[i] = 2460000.0 + 3.1 * (double)i + 1.7 * sin(2.0 * (double)i);
        values[i] = 4.0 + 1.1 * cos(TWO_PI * 0.053 * times[i]) + 0.8 * sin(37.0 * (double)(i * i));
    }
}

/* Of all velocities together, under a frequency: noise, errors, offset and amplitudes. */
static double covariance_of(size_t frequency, const double *times, size_t i, size_t j, double error)
{
    double tau = fabs(times[i] - times[j]), w = TWO_PI * per_day[frequency];
    return kernel(tau) + (i == j ? error : 0.0) + offset_sd * offset_sd +
           (frequency > 0 ? orbit_sd * orbit_sd * cos(w * tau) : 0.0);
}

/* ln of the density of n velocities, of which the last is predicted: its mean and variance, too. */
static double dense(size_t frequency, size_t n, const double *times, const double *values,
                    double *mean, double *variance)
{
    double l[N][N], z[N], sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        double left = values[i];
        for (size_t j = 0; j <= i; j++) {
            double own = covariance_of(frequency, times, i, j, 0.81);
            for (size_t k = 0; k < j; k++)
                own -= l[i][k] * l[j][k];
            l[i][j] = i == j ? sqrt(own) : own / l[j][j];
            if (j < i)
                left -= l[i][j] * z[j];
        }
        z[i] = left / l[i][i];
        sum -= 0.5 * z[i] * z[i] + log(l[i][i]);
        *mean = values[i] - left;
        *variance = l[i][i] * l[i][i];
    }
    return sum;
}

static void open_belief(period_belief *belief)
{
    noise_process process = {.n_blocks = 0};
    const double values[] = {amplitude, rotation, quality, extra, mix};
    const period_prior prior = {N_FREQUENCIES, per_day, prior_of, offset_sd, orbit_sd};
    noise_terms_add(&process, NOISE_ROTATION, values, 1);
    assert_int_equal(period_belief_create(&prior, &process, belief), EQUANT_SUCCESS);
}

static void test_as_by_whole_matrices(void **state)
{
    (void)state;
    double times[N], values[N], means[N_FREQUENCIES], variances[N_FREQUENCIES];
    period_belief belief;
    make_data(times, values);
    open_belief(&belief);
    for (size_t n = 0; n < N; n++) {
        double sum = 0.0, weights[N_FREQUENCIES], mean, variance;
        if (n > 0)
            period_belief_predict(&belief, times[n], 0.81, means, variances);
        for (size_t f = 0; f < N_FREQUENCIES && n > 0; f++) {
            dense(f, n + 1, times, values, &mean, &variance);
            assert_true(fabs(means[f] - mean) < 1e-8);
            assert_true(fabs(variances[f] - variance) < 1e-8);
        }
        period_belief_take(&belief, times[n], values[n], 0.81);
        for (size_t f = 0; f < N_FREQUENCIES; f++) {
            weights[f] = prior_of[f] * exp(dense(f, n + 1, times, values, &mean, &variance));
            sum += weights[f];
        }
        for (size_t f = 0; f < N_FREQUENCIES; f++)
            assert_true(fabs(belief.probability[f] - weights[f] / sum) < 1e-9);
    }
    assert_int_equal(period_belief_best(&belief), 2);
    assert_true(fabs(period_belief_near(&belief, 0.053, 1e-6) - belief.probability[2]) < 1e-15);
    period_belief_free(&belief);
}

/* Two frequencies: what a value tells of which is right, by a sum over values; and of everything,
 * which is that and what it tells of amplitudes. */
static void test_gains(void **state)
{
    (void)state;
    double times[N], values[N], means[N_FREQUENCIES], variances[N_FREQUENCIES];
    period_belief belief;
    time_gain_room room;
    make_data(times, values);
    open_belief(&belief);
    for (size_t n = 0; n < N - 1; n++)
        period_belief_take(&belief, times[n], values[n], 1.0);
    belief.probability[0] = belief.probability[3] = 0.0;
    belief.probability[1] = 0.4;
    belief.probability[2] = 0.6;
    double noise = period_belief_predict(&belief, times[N - 1], 1.0, means, variances);
    double entropy = 0.0, within = 0.0;
    for (size_t f = 1; f <= 2; f++)
        within += belief.probability[f] * 0.5 * log(TWO_PI * exp(1.0) * variances[f]);
    for (double v = -40.0; v < 40.0; v += 0.01) {
        double density = 0.0;
        for (size_t f = 1; f <= 2; f++)
            density += belief.probability[f] / sqrt(TWO_PI * variances[f]) *
                       exp(-0.5 * (v - means[f]) * (v - means[f]) / variances[f]);
        entropy -= density > 0.0 ? 0.01 * density * log(density) : 0.0;
    }
    assert_int_equal(time_gain_room_create(belief.n, &room), EQUANT_SUCCESS);
    const double wanted[] = {entropy - 0.5 * log(TWO_PI * exp(1.0) * noise), entropy - within,
                             entropy - within};
    for (int k = 0; k < 3; k++) {
        double gain;
        time_gain_group((observing_strategy)(STRATEGY_EVERYTHING + k), &belief, &room);
        assert_int_equal(time_gain_at(&belief, times[N - 1], &room, &gain), EQUANT_SUCCESS);
        assert_true(fabs(gain - wanted[k]) < 1e-6);
    }
    time_gain_room_free(&room);
    period_belief_free(&belief);
}

/* ---- trials -------------------------------------------------------------------------------- */

enum { N_NIGHTS = 900, PER_NIGHT = 3, N_STARS = 6 };

static void make_nights(double *times)
{
    for (size_t i = 0; i < N_NIGHTS * PER_NIGHT; i++)
        times[i] = 2460000.4 + (double)(i / PER_NIGHT) + 0.1 * (double)(i % PER_NIGHT);
}

static trial_setting small_study(const double *times, size_t *ends)
{
    return (trial_setting){.n_times = N_NIGHTS * PER_NIGHT,
                           .time_days = times,
                           .n_nights = strategies_find_nights(N_NIGHTS * PER_NIGHT, times, ends),
                           .night_ends = ends,
                           .n_stars = N_STARS,
                           .n_first = 20,
                           .n_most = 30,
                           .amplitude = 2.0,
                           .rotation = 0.5,
                           .per_day_min = 1.0 / 30.0,
                           .per_day_max = 1.0 / 5.0,
                           .probability = 0.95,
                           .cadence_days = 5.0,
                           .ahead_days = 5.0,
                           .span_days = 400.0,
                           .seed = 3};
}

static void test_same_on_any_threads(void **state)
{
    (void)state;
    static double times[N_NIGHTS * PER_NIGHT];
    static size_t ends[N_NIGHTS * PER_NIGHT];
    strategy_trial one[N_STRATEGIES][N_STARS] = {{{0.0, 0, 0, 0, 0.0, 0.0}}},
                   two[N_STRATEGIES][N_STARS] = {{{0.0, 0, 0, 0, 0.0, 0.0}}};
    make_nights(times);
    const trial_setting setting = small_study(times, ends);
    assert_int_equal(setting.n_nights, N_NIGHTS);
    assert_int_equal(strategies_run(&setting, 1, one[0]), EQUANT_SUCCESS);
    assert_int_equal(strategies_run(&setting, 2, two[0]), EQUANT_SUCCESS);
    for (int k = 0; k < N_STRATEGIES; k++) {
        strategy_summary summary;
        double sum = 0.0;
        for (size_t star = 0; star < N_STARS; star++) {
            const strategy_trial *a = &one[k][star], *b = &two[k][star];
            assert_true(a->period_days == b->period_days && a->probability == b->probability &&
                        a->n_observations == b->n_observations && a->days == b->days);
            assert_true(a->period_days >= 5.0 && a->period_days <= 30.0);
            assert_true(a->is_answered ? a->probability >= 0.95 : a->probability < 0.95);
            assert_true(a->n_observations <= 30 && a->days <= 400.0);
            sum += a->is_answered ? (double)a->n_observations : 30.0;
        }
        assert_int_equal(trial_summary_make(&setting, one[k], one[STRATEGY_UNIFORM], &summary),
                         EQUANT_SUCCESS);
        assert_true(fabs(summary.mean_observations - sum / N_STARS) < 1e-12);
        assert_true(summary.n_answered >= 4); /* K is twice the error */
        assert_true(k != STRATEGY_UNIFORM || summary.saving == 0.0);
    }
}

/* More first observations than there are nights. */
static void test_too_few_nights(void **state)
{
    (void)state;
    static double times[N_NIGHTS * PER_NIGHT];
    static size_t ends[N_NIGHTS * PER_NIGHT];
    strategy_trial trials[N_STRATEGIES * N_STARS];
    make_nights(times);
    trial_setting setting = small_study(times, ends);
    setting.span_days = 2000.0;
    setting.n_first = 250;
    assert_int_equal(strategies_run(&setting, 1, trials), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(equant_last_error(), "too few nights"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_by_whole_matrices),
        cmocka_unit_test(test_gains),
        cmocka_unit_test(test_same_on_any_threads),
        cmocka_unit_test(test_too_few_nights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
