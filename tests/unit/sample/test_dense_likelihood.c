/* Noise with a covariance of all observations, fixed or sampled: against Cholesky's factor of the
 * covariance as it is written, against the white case, and against the values of the evidence
 * challenge of Nelson et al. (2020). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "inference/sample/target/posterior_density.h"
#include "noise/noise_tridiagonal.h"
#include "shared_data.h"
#include "statistics/noise_terms.h"
#include "unit/small_star.h"

static const double pi = 3.14159265358979323846;
/* The process as papers write it, and the same in words. */
typedef struct quasi_periodic {
    double amplitude_m_s, period_days, width, decay_days;
} quasi_periodic;

static const quasi_periodic of_challenge = {1.7320508075688772, 20, 0.5, 50};
static const char *const challenge_term =
    "qp(amplitude=1.7320508075688772,period=20,width=0.5,decay=50)";

enum { N = SMALL_STAR_N_OBS };

static noise_tridiagonal *create_noise(const quasi_periodic *covariance,
                                       const equant_dataset *dataset)
{
    noise_tridiagonal *noise = NULL;
    noise_process process = {.n_blocks = 0};
    const double *sigma = equant_dataset_uncertainties_m_s(dataset);
    const double values[] = {covariance->amplitude_m_s, covariance->period_days,
                             covariance->decay_days, covariance->width};
    const noise_factor_rows rows = {.n = N, .time_days = equant_dataset_times_days(dataset)};
    double variances[N];
    for (int k = 0; k < N; k++)
        variances[k] = sigma[k] * sigma[k];
    noise_terms_add(&process, NOISE_QP, values, 0);
    assert_int_equal(noise_tridiagonal_create(&process, &rows, variances, &noise), EQUANT_SUCCESS);
    return noise;
}

/* The posterior of a star beside noise in words. */
static posterior_density *create_posterior(const equant_dataset *dataset, const char *noise,
                                           size_t n_planets, int marginalise, int n_threads)
{
    priors_options wanted = {dataset, n_planets, 0, "eprv3", noise};
    priors *set = NULL;
    posterior_density *made = NULL;
    assert_int_equal(priors_create(&wanted, &set), EQUANT_SUCCESS);
    equant_engine_options engine = {.struct_size = sizeof engine, .n_threads = n_threads};
    posterior_density_options options = {.dataset = dataset,
                                         .n_planets = n_planets,
                                         .priors = set,
                                         .engine = &engine,
                                         .marginalise_offsets = marginalise};
    assert_int_equal(posterior_density_create(&options, &made), EQUANT_SUCCESS);
    assert_null(posterior_density_evaluator(made));
    priors_free(set);
    return made;
}

/* The parameters of the challenge's noise, behind all others of a set. */
static void write_challenge(double *noise)
{
    memcpy(noise, (double[]){1.7320508075688772, 20, 50, 0.5}, 4 * sizeof *noise);
}

/* ln L of residuals by Cholesky's factors of the covariance as it is written; `variance`, [N], is
 * added to the squares of the uncertainties. */
static double expected_with(const quasi_periodic *covariance, const equant_dataset *dataset,
                            const double *residuals, const double *variance)
{
    static double factor[N][N], z[N];
    const double *t = equant_dataset_times_days(dataset);
    const double *sigma = equant_dataset_uncertainties_m_s(dataset);
    double sum = 0;
    for (int j = 0; j < N; j++) {
        z[j] = residuals[j];
        for (int k = 0; k <= j; k++) {
            double dt = t[j] - t[k],
                   across = sin(pi * dt / covariance->period_days) / covariance->width;
            double value = pow(covariance->amplitude_m_s, 2) *
                           exp(-0.5 * (across * across + pow(dt / covariance->decay_days, 2)));
            if (j == k)
                value += sigma[j] * sigma[j] + variance[j];
            for (int i = 0; i < k; i++)
                value -= factor[j][i] * factor[k][i];
            factor[j][k] = j == k ? sqrt(value) : value / factor[k][k];
        }
        for (int i = 0; i < j; i++)
            z[j] -= factor[j][i] * z[i];
        z[j] /= factor[j][j];
        sum -= 0.5 * z[j] * z[j] + log(factor[j][j]) + 0.5 * log(2 * pi);
    }
    return sum;
}

static double expected_log_likelihood(const quasi_periodic *covariance,
                                      const equant_dataset *dataset, const double *residuals,
                                      double jitter)
{
    double variance[N];
    for (int k = 0; k < N; k++)
        variance[k] = jitter * jitter;
    return expected_with(covariance, dataset, residuals, variance);
}

static void likelihoods_are_those_of_the_covariance(void **state)
{
    (void)state;
    const quasi_periodic kernels[] = {
        of_challenge, {30, 7.3, 0.2, 1000}, {100, 100, 3, 1e4}, {0, 1, 1, 1}};
    const double jitters[] = {0, 0.3, 5, 1e3};
    equant_dataset *dataset = small_star(1);
    for (size_t i = 0; i < 4; i++) {
        noise_tridiagonal *noise = create_noise(&kernels[i], dataset);
        double residuals[4][N], work[4 * N], value[4], alone;
        for (int n = 0; n < 4; n++)
            for (int k = 0; k < N; k++)
                residuals[n][k] = 4 * cos(0.9 * k * k) + 0.3 * n;
        noise_tridiagonal_log_likelihood(noise, false, 4, residuals[0], jitters, work, value);
        for (int n = 0; n < 4; n++) {
            double expected =
                expected_log_likelihood(&kernels[i], dataset, residuals[n], jitters[n]);
            assert_true(fabs(value[n] - expected) < 1e-8);
            noise_tridiagonal_log_likelihood(noise, false, 1, residuals[n], &jitters[n], work,
                                             &alone);
            assert_true(alone == value[n]);
        }
        noise_tridiagonal_free(noise);
    }
    equant_dataset_free(dataset);
}

static void the_offset_is_integrated_out(void **state)
{
    (void)state;
    equant_dataset *dataset = small_star(1);
    posterior_density *given = create_posterior(dataset, challenge_term, 0, 0, 1);
    posterior_density *marginal = create_posterior(dataset, challenge_term, 0, 1, 1);
    enum { STEPS = 401 };
    static double sets[STEPS][6], value[STEPS];
    double jitter = 7, best = -INFINITY, sum = 0, step = 0.1, integral;
    for (int i = 0; i < STEPS; i++) {
        sets[i][0] = 5000 + step * (i - STEPS / 2);
        sets[i][1] = jitter;
        write_challenge(sets[i] + 2);
    }
    assert_int_equal(posterior_density_log_likelihood(given, STEPS, sets[0], value),
                     EQUANT_SUCCESS);
    for (int i = 0; i < STEPS; i++)
        best = fmax(best, value[i]);
    for (int i = 0; i < STEPS; i++)
        sum += exp(value[i] - best);
    assert_int_equal(posterior_density_log_likelihood(marginal, 1, sets[0] + 1, &integral),
                     EQUANT_SUCCESS);
    assert_true(fabs(integral - (best + log(sum * step / 2000))) < 1e-9);
    posterior_density_free(given);
    posterior_density_free(marginal);
    equant_dataset_free(dataset);
}

/* The term qp, all of whose parameters change from set to set, beside nights of one instrument. */
static void a_sampled_covariance_is_that_of_each_set(void **state)
{
    (void)state;
    enum { SETS = 9, WIDTH = 9 }; /* offsets, jitters, an amplitude of nights, qp */
    equant_dataset *dataset = small_star(2);
    const double *v = equant_dataset_velocities_m_s(dataset);
    const int *made_by = equant_dataset_instruments(dataset);
    posterior_density *p = create_posterior(dataset, "qp,night@second", 0, 0, 1),
                      *threads = create_posterior(dataset, "qp,night@second", 0, 0, 3);
    assert_int_equal(posterior_density_n_parameters(p), WIDTH);
    assert_string_equal(posterior_density_parameter_name(p, 5), "qp_amplitude_m_s");
    double sets[SETS][WIDTH], value[SETS], of_threads[SETS];
    for (uint64_t i = 0; i < SETS; i++) {
        double x[WIDTH];
        posterior_density_draw(p, 3, i, x);
        assert_true(isfinite(posterior_density_prepare(p, x, sets[i])));
    }
    sets[4][6] = -1; /* no covariance has this period */
    assert_int_equal(posterior_density_log_likelihood(p, SETS, sets[0], value), EQUANT_SUCCESS);
    assert_int_equal(posterior_density_log_likelihood(threads, SETS, sets[0], of_threads),
                     EQUANT_SUCCESS);
    assert_memory_equal(value, of_threads, sizeof value);
    for (int i = 0; i < SETS; i++) {
        const double *set = sets[i];
        const quasi_periodic kernel = {set[5], set[6], set[8], set[7]};
        double residuals[N], variance[N];
        for (int k = 0; k < N; k++) {
            residuals[k] = v[k] - set[made_by[k]];
            variance[k] = pow(set[2 + made_by[k]], 2); /* of one row; its nights hold one each */
            if (made_by[k] == 1)
                variance[k] += pow(set[4], 2);
        }
        if (i == 4)
            assert_true(value[i] == -INFINITY);
        else
            assert_true(fabs(value[i] - expected_with(&kernel, dataset, residuals, variance)) <
                        1e-8 * fabs(value[i]));
    }
    posterior_density_free(p);
    posterior_density_free(threads);
    equant_dataset_free(dataset);
}

/* Coordinates are those of offset and jitter alone. */
static void fixed_terms_share_a_covariance(void **state)
{
    (void)state;
    equant_dataset *dataset = small_star(1);
    posterior_density *p = create_posterior(dataset, challenge_term, 0, 0, 1);
    const double *v = equant_dataset_velocities_m_s(dataset);
    double set[6] = {5003, 2.5}, residuals[N], value;
    write_challenge(set + 2);
    for (int k = 0; k < N; k++)
        residuals[k] = v[k] - set[0];
    assert_int_equal(posterior_density_n_coordinates(p), 2);
    assert_int_equal(posterior_density_n_parameters(p), 6);
    assert_int_equal(posterior_density_log_likelihood(p, 1, set, &value), EQUANT_SUCCESS);
    assert_true(fabs(value - expected_log_likelihood(&of_challenge, dataset, residuals, 2.5)) <
                1e-8);
    posterior_density_free(p);
    equant_dataset_free(dataset);
}

static void neither_batches_nor_threads_change_a_bit(void **state)
{
    (void)state;
    enum { SETS = 1100 }; /* more than are in memory at a time */
    static double sets[SETS][11], reference[SETS], value[SETS];
    equant_dataset *dataset = small_star(1);
    posterior_density *one = create_posterior(dataset, challenge_term, 1, 0, 1);
    posterior_density *three = create_posterior(dataset, challenge_term, 1, 0, 3);
    for (size_t i = 0; i < SETS; i++) {
        double x[7];
        posterior_density_draw(one, 8, i, x);
        posterior_density_prepare(one, x, sets[i]);
    }
    sets[7][0] = NAN;
    assert_int_equal(posterior_density_log_likelihood(one, SETS, sets[0], reference),
                     EQUANT_SUCCESS);
    assert_int_equal(posterior_density_log_likelihood(three, SETS, sets[0], value), EQUANT_SUCCESS);
    assert_memory_equal(value, reference, sizeof value);
    for (size_t i = 0; i < SETS; i += 13) {
        assert_int_equal(posterior_density_log_likelihood(three, 1, sets[i], value),
                         EQUANT_SUCCESS);
        assert_true(value[0] == reference[i]);
    }
    assert_true(reference[7] == -INFINITY && isfinite(reference[8]));
    posterior_density_free(one);
    posterior_density_free(three);
    equant_dataset_free(dataset);
}

/* A data set of the challenge; NULL where it is not there. */
static equant_dataset *read_challenge(const char *file)
{
    char name[256];
    snprintf(name, sizeof name, "eprv3/%s", file);
    const char *path = shared_file(name);
    equant_dataset_options unit = {.struct_size = sizeof unit, .velocity_unit = EQUANT_UNIT_M_S};
    equant_dataset *dataset = NULL;
    if (path == NULL)
        return NULL;
    assert_int_equal(equant_dataset_from_files(1, &path, &unit, &dataset), EQUANT_SUCCESS);
    assert_int_equal(equant_dataset_n_obs(dataset), 200);
    return dataset;
}

/* Without planets, with offset and jitter integrated out: the jitter by the rule of Simpson over
 * its coordinate, ln(1 + s) from 0 to ln 100. */
static double log10_evidence(const equant_dataset *dataset)
{
    enum { NODES = 1001 };
    static double value[NODES], sets[NODES][5];
    double log_prior[NODES], step = log(100) / (NODES - 1), best = -INFINITY, sum = 0;
    posterior_density *p = create_posterior(dataset, challenge_term, 0, 1, 1);
    assert_int_equal(posterior_density_n_coordinates(p), 1);
    for (int i = 0; i < NODES; i++) {
        double x = i * step;
        log_prior[i] = posterior_density_prepare(p, &x, sets[i]);
        assert_true(isfinite(log_prior[i]));
    }
    assert_int_equal(posterior_density_log_likelihood(p, NODES, sets[0], value), EQUANT_SUCCESS);
    for (int i = 0; i < NODES; i++)
        best = fmax(best, value[i]);
    for (int i = 0; i < NODES; i++) {
        double weight = i == 0 || i == NODES - 1 ? 1 : i % 2 == 1 ? 4 : 2;
        sum += weight * step / 3 * exp(log_prior[i] + value[i] - best);
    }
    posterior_density_free(p);
    return (best + log(sum)) / log(10);
}

/* Nelson et al. (2020): ln L without planets, at two offsets and a jitter for each set, and the
 * evidence. */
static void the_evidence_challenge_agrees(void **state)
{
    (void)state;
    const struct {
        const char *file;
        double offset, jitter, log_likelihood, log_likelihood_at_zero, log10_evidence;
    } cases[] = {
        {"rvs_0001.txt", -0.728509750583953064, 2.08717785347551521, -477.199687239, -477.932407311,
         -211.97739},
        {"rvs_0002.txt", 6.53665406348636679, 1.71886843613598783, -442.938443624, -506.288309991,
         -197.10976},
        {"rvs_0003.txt", -8.69753669161968901, 0.994907921829712771, -379.804965902, -503.529750381,
         -169.64447},
    };
    for (size_t i = 0; i < 3; i++) {
        equant_dataset *dataset = read_challenge(cases[i].file);
        if (!dataset)
            skip();
        posterior_density *p = create_posterior(dataset, challenge_term, 0, 0, 1);
        double sets[2][6] = {{cases[i].offset, cases[i].jitter}, {0, cases[i].jitter}};
        double value[2], evidence = log10_evidence(dataset);
        write_challenge(sets[0] + 2);
        write_challenge(sets[1] + 2);
        assert_int_equal(posterior_density_log_likelihood(p, 2, sets[0], value), EQUANT_SUCCESS);
        printf("%s: ln L off by %.1e and %.1e, log10 Z by %.1e\n", cases[i].file,
               value[0] - cases[i].log_likelihood, value[1] - cases[i].log_likelihood_at_zero,
               evidence - cases[i].log10_evidence);
        assert_true(fabs(value[0] - cases[i].log_likelihood) < 1e-8);
        assert_true(fabs(value[1] - cases[i].log_likelihood_at_zero) < 1e-8);
        assert_true(fabs(evidence - cases[i].log10_evidence) < 1e-5);
        posterior_density_free(p);
        equant_dataset_free(dataset);
    }
}

static void offsets_are_not_integrated_out_of_noise_that_changes(void **state)
{
    (void)state;
    const struct {
        const char *noise;
        size_t n_instruments;
    } wrong[] = {{"qp", 1}, {challenge_term, 2}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        equant_dataset *dataset = small_star(wrong[i].n_instruments);
        priors_options wanted = {dataset, 0, 0, NULL, wrong[i].noise};
        priors *set = NULL;
        posterior_density *p = NULL;
        assert_int_equal(priors_create(&wanted, &set), EQUANT_SUCCESS);
        posterior_density_options options = {
            .dataset = dataset, .priors = set, .marginalise_offsets = 1};
        assert_int_equal(posterior_density_create(&options, &p), EQUANT_ERROR_INVALID_ARGUMENT);
        assert_null(p);
        priors_free(set);
        equant_dataset_free(dataset);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(likelihoods_are_those_of_the_covariance),
        cmocka_unit_test(the_offset_is_integrated_out),
        cmocka_unit_test(a_sampled_covariance_is_that_of_each_set),
        cmocka_unit_test(fixed_terms_share_a_covariance),
        cmocka_unit_test(neither_batches_nor_threads_change_a_bit),
        cmocka_unit_test(the_evidence_challenge_agrees),
        cmocka_unit_test(offsets_are_not_integrated_out_of_noise_that_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
