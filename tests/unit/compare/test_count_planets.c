/* The number of planets and false inclusion probabilities against plain sums over all orbits of
 * small problems. The sums share no code with the library: covariances are dense matrices with the
 * amplitudes in them, Kepler's equation is solved by bisection. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"
#include "inference/compare/population.h"
#include "quick.h"

enum { N_OBS = 24, N_SCALES = 4 };
#define TURN 6.283185307179586
#define SPAN 30.0

/* ---- the star ------------------------------------------------------------- */

/* A linear congruence is random enough for data. */
static double next_number(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) / 16777216.0;
}

static double next_normal(uint32_t *state)
{
    double sum = 0.0;
    for (int i = 0; i < 12; i++)
        sum += next_number(state);
    return sum - 6.0;
}

typedef struct small_data {
    double time[N_OBS], velocity[N_OBS], sigma[N_OBS];
} small_data;

static small_data make_data(double k1, double k2, double sigma)
{
    small_data made;
    uint32_t state = 20u;
    for (int i = 0; i < N_OBS; i++) {
        made.time[i] = 2450000.0 + SPAN * (i + 0.7 * next_number(&state)) / N_OBS;
        made.sigma[i] = sigma * (0.8 + 0.4 * next_number(&state));
        double t = made.time[i] - 2450000.0;
        made.velocity[i] = 3.0 + k1 * cos(TURN * t / 6.1 + 0.3) + k2 * sin(TURN * t / 3.7) +
                           made.sigma[i] * next_normal(&state);
    }
    return made;
}

static equant_dataset *dataset_of(const small_data *data)
{
    equant_dataset *made = NULL;
    assert_int_equal(equant_dataset_from_arrays(N_OBS, data->time, data->velocity, data->sigma,
                                                NULL, 1, NULL, NULL, &made),
                     EQUANT_SUCCESS);
    return made;
}

/* ---- plain sums ----------------------------------------------------------- */

/* ln L of velocities whose covariance is diag(variance) + 1 1' width^2 + tau^2 (x x' + y y') of
 * each planet. */
typedef struct plain_planet {
    double x[N_OBS], y[N_OBS], tau;
} plain_planet;

static double plain_log_likelihood(const small_data *data, double width, double jitter,
                                   int n_planets, const plain_planet *const *planets)
{
    double c[N_OBS][N_OBS], z[N_OBS], mean = 0.0, weights = 0.0, sum = 0.0;
    for (int i = 0; i < N_OBS; i++) {
        double w = 1.0 / (data->sigma[i] * data->sigma[i]);
        mean += w * data->velocity[i];
        weights += w;
    }
    mean /= weights;
    for (int i = 0; i < N_OBS; i++)
        for (int j = 0; j <= i; j++) {
            c[i][j] = width * width;
            if (i == j)
                c[i][j] += data->sigma[i] * data->sigma[i] + jitter * jitter;
            for (int p = 0; p < n_planets; p++)
                c[i][j] +=
                    planets[p]->tau * planets[p]->tau *
                    (planets[p]->x[i] * planets[p]->x[j] + planets[p]->y[i] * planets[p]->y[j]);
        }
    for (int j = 0; j < N_OBS; j++) {
        for (int k = 0; k < j; k++)
            c[j][j] -= c[j][k] * c[j][k];
        c[j][j] = sqrt(c[j][j]);
        for (int i = j + 1; i < N_OBS; i++) {
            for (int k = 0; k < j; k++)
                c[i][j] -= c[i][k] * c[j][k];
            c[i][j] /= c[j][j];
        }
        z[j] = data->velocity[j] - mean;
        for (int k = 0; k < j; k++)
            z[j] -= c[j][k] * z[k];
        z[j] /= c[j][j];
        sum += z[j] * z[j] + 2.0 * log(c[j][j]) + log(TURN);
    }
    return -0.5 * sum;
}

/* True anomaly of a mean one, by bisection of Kepler's equation. */
static void plain_orbit(const small_data *data, double frequency, double e, double m0,
                        plain_planet *made)
{
    for (int i = 0; i < N_OBS; i++) {
        double m = fmod(TURN * frequency * (data->time[i] - 2450015.0) + m0, TURN);
        double low = m - 1.0, high = m + 1.0;
        for (int step = 0; step < 50; step++) {
            double middle = 0.5 * (low + high);
            if (middle - e * sin(middle) < m)
                low = middle;
            else
                high = middle;
        }
        double anomaly = 0.5 * (low + high), r = 1.0 - e * cos(anomaly);
        made->x[i] = (cos(anomaly) - e) / r;
        made->y[i] = sqrt(1.0 - e * e) * sin(anomaly) / r;
    }
}

/* Kipping's density up to 0.97: eccentricities that have equal shares of it. */
static void plain_eccentricities(int n, double *e)
{
    enum { STEPS = 200000 };
    double total = 0.0, sum = 0.0;
    int next = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < STEPS; i++) {
            double u = pow(0.97, 0.867) * (i + 0.5) / STEPS, x = pow(u, 1.0 / 0.867);
            double mass = pow(1.0 - x, 2.03);
            if (pass == 0) {
                total += mass;
                continue;
            }
            sum += mass;
            if (next < n && sum >= total * (next + 0.5) / n)
                e[next++] = x;
        }
}

/* The same of a Rayleigh distribution of 0.3. */
static void plain_rayleigh(int n, double *e)
{
    const double below = -expm1(-0.5 * 0.97 * 0.97 / 0.09); /* 0.97 */
    for (int i = 0; i < n; i++)
        e[i] = 0.3 * sqrt(-2.0 * log1p(-below * (i + 0.5) / n));
}

/* ---- what the chains say --------------------------------------------------- */

typedef struct chains {
    count_star star;
    count_priors priors;
    slot_space space;
    population one;
    equant_dataset *dataset;
} chains;

/* Without a prior of jitters there are none. */
static void chains_run(const small_data *data, const count_priors_request *wanted,
                       const char *prior_jitter, size_t n_sweeps, size_t n_slots, chains *made)
{
    made->dataset = dataset_of(data);
    count_star_request star = {
        .dataset = made->dataset, .no_jitter = !prior_jitter, .prior_jitter = prior_jitter};
    assert_int_equal(count_star_create(&star, &made->star), EQUANT_SUCCESS);
    assert_int_equal(count_priors_make(wanted, &made->priors), EQUANT_SUCCESS);
    assert_int_equal(slot_space_create(&made->star, &made->priors, &made->space), EQUANT_SUCCESS);
    assert_int_equal(population_create(&made->space, 11u, 0, &made->one), EQUANT_SUCCESS);
    for (size_t i = 0; i < n_sweeps; i++)
        assert_int_equal(population_sweep(&made->one, n_slots, i >= n_sweeps / 10), EQUANT_SUCCESS);
}

static void chains_free(chains *made)
{
    population_free(&made->one);
    slot_space_free(&made->space);
    count_star_free(&made->star);
    equant_dataset_free(made->dataset);
}

static double chains_n(const chains *made, size_t n)
{
    return made->one.tally.of_n[n] / (double)made->one.tally.n_moves;
}

static double chains_fip(const chains *made, double low, double high)
{
    const tally_range range = {low, high};
    return tally_absent(&made->one.tally, 1, &range) / (double)made->one.tally.n_moves;
}

/* ---- tests ------------------------------------------------------------------ */

static count_priors_request usual_request(size_t n_max, const char *eccentricity)
{
    return (count_priors_request){.n_max = n_max,
                                  .ratio = 1.0,
                                  .period_min_days = 2.5,
                                  .period_max_days = 12.0,
                                  .eccentricity = eccentricity,
                                  .k_min_m_s = 0.5,
                                  .k_max_m_s = 4.0};
}

/* The lower end of cell i of n cells of equal shares. */
static double edge(int i, int n)
{
    return pow(12.0 / 2.5, (double)i / n) / 12.0;
}

/* Circles, none to two of them. */
static void circles_are_counted_as_by_quadrature(void **state)
{
    (void)state;
    enum { N_F = 120 };
    small_data data = make_data(1.15, 0.9, 1.0);
    count_priors_request request = usual_request(2, "circular");
    chains made;
    chains_run(&data, &request, NULL, 12000, 2, &made);
    static plain_planet planets[N_F * N_SCALES];
    double frequency[N_F], width = made.star.width_m_s, z[3] = {1.0, 0.0, 0.0};
    double near_one = 0.0, none = plain_log_likelihood(&data, width, 0.0, 0, NULL);
    for (int i = 0; i < N_F; i++) { /* of equal shares */
        frequency[i] = pow(12.0 / 2.5, (i + 0.5) / N_F) / 12.0;
        for (int s = 0; s < N_SCALES; s++) {
            plain_orbit(&data, frequency[i], 0.0, 0.0, &planets[i * N_SCALES + s]);
            planets[i * N_SCALES + s].tau = ldexp(0.5, s);
        }
    }
    const double low = edge(48, N_F), high = edge(60, N_F);
    for (int i = 0; i < N_F * N_SCALES; i++) {
        const plain_planet *pair[2] = {&planets[i], NULL};
        bool is_near = frequency[i / N_SCALES] > low && frequency[i / N_SCALES] < high;
        double one = exp(plain_log_likelihood(&data, width, 0.0, 1, pair) - none);
        z[1] += one / (N_F * N_SCALES);
        near_one += is_near ? one / (N_F * N_SCALES) : 0.0;
        for (int j = 0; j <= i; j++) {
            pair[1] = &planets[j];
            bool too = is_near || (frequency[j / N_SCALES] > low && frequency[j / N_SCALES] < high);
            double two = (i == j ? 1.0 : 2.0) *
                         exp(plain_log_likelihood(&data, width, 0.0, 2, pair) - none) /
                         ((double)N_F * N_SCALES * N_F * N_SCALES);
            z[2] += two;
            near_one += too ? two : 0.0;
        }
    }
    double total = z[0] + z[1] + z[2];
    print_message("P(n) by sums %.4f %.4f %.4f, by chains %.4f %.4f %.4f; FIP %.4f %.4f\n",
                  z[0] / total, z[1] / total, z[2] / total, chains_n(&made, 0), chains_n(&made, 1),
                  chains_n(&made, 2), 1.0 - near_one / total, chains_fip(&made, low, high));
    for (size_t n = 0; n <= 2; n++)
        assert_true(fabs(chains_n(&made, n) - z[n] / total) < 0.01);
    assert_true(fabs(chains_fip(&made, low, high) - (1.0 - near_one / total)) < 0.01);
    chains_free(&made);
}

/* One eccentric planet or none. */
static void check_orbits(const char *prior, void (*eccentricities)(int n, double *e))
{
    enum { N_F = 90, N_E = 12, N_M = 16 };
    small_data data = make_data(1.0, 0.8, 1.0);
    count_priors_request request = usual_request(1, prior);
    chains made;
    chains_run(&data, &request, NULL, 500, 1, &made);
    double e[N_E], width = made.star.width_m_s, sum = 0.0, near = 0.0;
    double none = plain_log_likelihood(&data, width, 0.0, 0, NULL);
    const double low = edge(36, N_F), high = edge(45, N_F);
    eccentricities(N_E, e);
    for (int i = 0; i < N_F; i++)
        for (int j = 0; j < N_E * N_M; j++)
            for (int s = 0; s < N_SCALES; s++) {
                plain_planet planet;
                const plain_planet *one = &planet;
                double frequency = pow(12.0 / 2.5, (i + 0.5) / N_F) / 12.0;
                plain_orbit(&data, frequency, e[j / N_M], TURN * (j % N_M) / N_M, &planet);
                planet.tau = ldexp(0.5, s);
                double share = exp(plain_log_likelihood(&data, width, 0.0, 1, &one) - none) /
                               ((double)N_F * N_E * N_M * N_SCALES);
                sum += share;
                near += frequency > low && frequency < high ? share : 0.0;
            }
    double planet = sum / (1.0 + sum), fip = 1.0 - near / (1.0 + sum);
    print_message("%s: P(1) by sums %.4f, by chains %.4f; FIP %.4f %.4f\n", prior, planet,
                  chains_n(&made, 1), fip, chains_fip(&made, low, high));
    assert_true(fabs(chains_n(&made, 1) - planet) < 0.01);
    assert_true(fabs(chains_fip(&made, low, high) - fip) < 0.01);
    chains_free(&made);
}

static void orbits_are_counted_as_by_quadrature(void **state)
{
    (void)state;
    QUICK_RUN_LEAVES_THIS_OUT();
    check_orbits("kipping", plain_eccentricities);
    check_orbits("rayleigh(0.3)", plain_rayleigh);
}

/* One circle or none, with a jitter whose prior is uniform in ln(s + 1) up to a limit. */
static void check_jitters(const char *prior, double limit)
{
    enum { N_F = 90, N_J = 80 };
    small_data data = make_data(1.2, 0.0, 0.8);
    count_priors_request request = usual_request(1, "circular");
    chains made;
    chains_run(&data, &request, prior, 16000, 1, &made);
    double width = made.star.width_m_s, zero = 0.0, one = 0.0;
    double reference = plain_log_likelihood(&data, width, 1.0, 0, NULL);
    static plain_planet planets[N_F];
    for (int i = 0; i < N_F; i++)
        plain_orbit(&data, pow(12.0 / 2.5, (i + 0.5) / N_F) / 12.0, 0.0, 0.0, &planets[i]);
    for (int j = 0; j < N_J; j++) { /* the rest of a wide prior explains nothing */
        double share = limit > 100.0 ? 0.35 : 1.0;
        double jitter = expm1(share * (j + 0.5) / N_J * log1p(limit));
        zero += exp(plain_log_likelihood(&data, width, jitter, 0, NULL) - reference);
        for (int i = 0; i < N_F; i++)
            for (int s = 0; s < N_SCALES; s++) {
                const plain_planet *planet = &planets[i];
                planets[i].tau = ldexp(0.5, s);
                one += exp(plain_log_likelihood(&data, width, jitter, 1, &planet) - reference) /
                       (N_F * N_SCALES);
            }
    }
    double expected = one / (zero + one);
    print_message("P(1) with a jitter up to %g m/s by sums %.4f, by chains %.4f\n", limit, expected,
                  chains_n(&made, 1));
    assert_true(fabs(chains_n(&made, 1) - expected) < 0.01);
    chains_free(&made);
}

static void jitters_are_integrated_as_by_quadrature(void **state)
{
    (void)state;
    check_jitters("modified-log-uniform(1, 2129)", 2129.0);
    check_jitters("modified-log-uniform(1, 0.6)", 0.6);
}

/* Data that say nothing give the priors back: of n, periods and eccentricities. */
static void without_data_the_priors_come_back(void **state)
{
    (void)state;
    QUICK_RUN_LEAVES_THIS_OUT();
    small_data data = make_data(0.0, 0.0, 1e6);
    memset(data.velocity, 0, sizeof data.velocity);
    count_priors_request request = usual_request(3, "kipping");
    request.ratio = 0.5;
    request.period_min_days = 6.0;
    chains made;
    enum { N_SWEEPS = 8000 };
    double count[4] = {0.0}, low_f = 0.0, low_e = 0.0, high_e = 0.0, planets = 0.0, phase = 0.0;
    chains_run(&data, &request, NULL, 1, 1, &made);
    for (int i = 0; i < N_SWEEPS; i++) {
        assert_int_equal(population_sweep(&made.one, 2, true), EQUANT_SUCCESS);
        count[population_n_planets(&made.one)] += 1.0 / N_SWEEPS;
        for (size_t j = 0; j < 3; j++) {
            const population_planet *slot = &made.one.slots[j];
            if (!slot->is_there)
                continue;
            planets += 1.0;
            low_f += slot->orbit.frequency < sqrt(1.0 / (6.0 * 12.0));
            low_e += slot->orbit.eccentricity < count_priors_eccentricity(&made.priors, 0.5);
            high_e += slot->orbit.eccentricity < count_priors_eccentricity(&made.priors, 0.9);
            phase += sin(slot->orbit.m0) > 0.0;
        }
    }
    print_message("n %.3f %.3f %.3f %.3f, f %.3f, e %.3f %.3f, M0 %.3f\n", count[0], count[1],
                  count[2], count[3], low_f / planets, low_e / planets, high_e / planets,
                  phase / planets);
    for (int n = 0; n < 4; n++) {
        double expected = pow(0.5, n) / 1.875;
        assert_true(fabs(count[n] - expected) < 0.025);
        assert_true(fabs(chains_n(&made, (size_t)n) - expected) < 0.025);
    }
    assert_true(fabs(low_f / planets - 0.5) < 0.025);
    assert_true(fabs(low_e / planets - 0.5) < 0.025);
    assert_true(fabs(high_e / planets - 0.9) < 0.02);
    assert_true(fabs(phase / planets - 0.5) < 0.025);
    chains_free(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(circles_are_counted_as_by_quadrature),
        cmocka_unit_test(orbits_are_counted_as_by_quadrature),
        cmocka_unit_test(jitters_are_integrated_as_by_quadrature),
        cmocka_unit_test(without_data_the_priors_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
