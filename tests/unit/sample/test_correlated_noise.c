/* Correlated noise: against a decomposition of the whole covariance, against the white case, and
 * against the values of the evidence challenge of Nelson et al. (2020). */
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
#include "shared_data.h"
#include "unit/small_star.h"

static const double pi = 3.14159265358979323846;
static const correlated_noise_covariance of_challenge = {1.7320508075688772, 20, 0.5, 50};

enum { N = SMALL_STAR_N_OBS };

static correlated_noise *create_noise(const correlated_noise_covariance *covariance,
                                      const equant_dataset *dataset)
{
    correlated_noise *noise = NULL;
    equant_status status = correlated_noise_create(covariance, dataset, &noise);
    if (status == EQUANT_ERROR_UNAVAILABLE)
        skip();
    assert_int_equal(status, EQUANT_SUCCESS);
    return noise;
}

/* The posterior of a star without or with planets under correlated noise. */
static posterior_density *create_posterior(const equant_dataset *dataset,
                                           const correlated_noise *noise, size_t n_planets,
                                           int marginalise, int n_threads)
{
    priors_options wanted = {dataset, n_planets, 0, "eprv3", NULL};
    priors *set = NULL;
    posterior_density *made = NULL;
    assert_int_equal(priors_create(&wanted, &set), EQUANT_SUCCESS);
    equant_engine_options engine = {.struct_size = sizeof engine, .n_threads = n_threads};
    posterior_density_options options = {.dataset = dataset,
                                         .n_planets = n_planets,
                                         .priors = set,
                                         .engine = &engine,
                                         .marginalise_offsets = marginalise,
                                         .noise = noise};
    assert_int_equal(posterior_density_create(&options, &made), EQUANT_SUCCESS);
    priors_free(set);
    return made;
}

/* ln L of residuals by Cholesky's factors of the covariance as it is written. */
static double expected_log_likelihood(const correlated_noise_covariance *covariance,
                                      const equant_dataset *dataset, const double *residuals,
                                      double jitter)
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
                value += sigma[j] * sigma[j] + jitter * jitter;
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

static void likelihoods_are_those_of_the_covariance(void **state)
{
    (void)state;
    const correlated_noise_covariance kernels[] = {
        of_challenge, {30, 7.3, 0.2, 1000}, {100, 100, 3, 1e4}, {0, 1, 1, 1}};
    const double jitters[] = {0, 0.3, 5, 1e3};
    equant_dataset *dataset = small_star(1);
    for (size_t i = 0; i < 4; i++) {
        correlated_noise *noise = create_noise(&kernels[i], dataset);
        for (size_t n = 0; n < 4; n++) {
            double residuals[N], rotated[N];
            for (int k = 0; k < N; k++)
                residuals[k] = 4 * cos(0.9 * k * k) + 0.3 * (double)n;
            correlated_noise_rotate(noise, 1, residuals, rotated);
            double value = correlated_noise_log_likelihood(noise, rotated, jitters[n]);
            double expected = expected_log_likelihood(&kernels[i], dataset, residuals, jitters[n]);
            assert_true(fabs(value - expected) < 1e-8);
        }
        correlated_noise_free(noise);
    }
    equant_dataset_free(dataset);
}

/* Without a kernel both ways are the same. */
static void no_amplitude_is_white_noise(void **state)
{
    (void)state;
    const correlated_noise_covariance none = {0, 1, 1, 1};
    equant_dataset *dataset = small_star(1);
    correlated_noise *noise = create_noise(&none, dataset);
    for (int marginalise = 0; marginalise < 2; marginalise++) {
        posterior_density *white = create_posterior(dataset, NULL, 1, marginalise, 1);
        posterior_density *flat = create_posterior(dataset, noise, 1, marginalise, 1);
        for (uint64_t draw = 0; draw < 20; draw++) {
            double x[7], set[7], value[2];
            posterior_density_draw(white, 4, draw, x);
            assert_true(isfinite(posterior_density_prepare(white, x, set)));
            assert_int_equal(posterior_density_log_likelihood(white, 1, set, &value[0]),
                             EQUANT_SUCCESS);
            assert_int_equal(posterior_density_log_likelihood(flat, 1, set, &value[1]),
                             EQUANT_SUCCESS);
            assert_true(fabs(value[0] - value[1]) < 1e-10 * fabs(value[0]));
        }
        posterior_density_free(white);
        posterior_density_free(flat);
    }
    correlated_noise_free(noise);
    equant_dataset_free(dataset);
}

static void the_offset_is_integrated_out(void **state)
{
    (void)state;
    equant_dataset *dataset = small_star(1);
    correlated_noise *noise = create_noise(&of_challenge, dataset);
    posterior_density *given = create_posterior(dataset, noise, 0, 0, 1);
    posterior_density *marginal = create_posterior(dataset, noise, 0, 1, 1);
    enum { STEPS = 401 };
    static double sets[STEPS][2], value[STEPS];
    double jitter = 7, best = -INFINITY, sum = 0, step = 0.1, integral;
    for (int i = 0; i < STEPS; i++) {
        sets[i][0] = 5000 + step * (i - STEPS / 2);
        sets[i][1] = jitter;
    }
    assert_int_equal(posterior_density_log_likelihood(given, STEPS, sets[0], value),
                     EQUANT_SUCCESS);
    for (int i = 0; i < STEPS; i++)
        best = fmax(best, value[i]);
    for (int i = 0; i < STEPS; i++)
        sum += exp(value[i] - best);
    assert_int_equal(posterior_density_log_likelihood(marginal, 1, &jitter, &integral),
                     EQUANT_SUCCESS);
    assert_true(fabs(integral - (best + log(sum * step / 2000))) < 1e-9);
    posterior_density_free(given);
    posterior_density_free(marginal);
    correlated_noise_free(noise);
    equant_dataset_free(dataset);
}

static void neither_batches_nor_threads_change_a_bit(void **state)
{
    (void)state;
    enum { SETS = 1100 }; /* more than are in memory at a time */
    static double sets[SETS][7], reference[SETS], value[SETS];
    equant_dataset *dataset = small_star(1);
    correlated_noise *noise = create_noise(&of_challenge, dataset);
    posterior_density *one = create_posterior(dataset, noise, 1, 0, 1);
    posterior_density *three = create_posterior(dataset, noise, 1, 0, 3);
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
    correlated_noise_free(noise);
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
static double log10_evidence(const equant_dataset *dataset, const correlated_noise *noise)
{
    enum { NODES = 1001 };
    static double value[NODES], jitter[NODES];
    double log_prior[NODES], step = log(100) / (NODES - 1), best = -INFINITY, sum = 0;
    posterior_density *p = create_posterior(dataset, noise, 0, 1, 1);
    assert_int_equal(posterior_density_n_coordinates(p), 1);
    for (int i = 0; i < NODES; i++) {
        double x = i * step;
        log_prior[i] = posterior_density_prepare(p, &x, &jitter[i]);
        assert_true(isfinite(log_prior[i]));
    }
    assert_int_equal(posterior_density_log_likelihood(p, NODES, jitter, value), EQUANT_SUCCESS);
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
        correlated_noise *noise = create_noise(&of_challenge, dataset);
        posterior_density *p = create_posterior(dataset, noise, 0, 0, 1);
        const double sets[2][2] = {{cases[i].offset, cases[i].jitter}, {0, cases[i].jitter}};
        double value[2], evidence = log10_evidence(dataset, noise);
        assert_int_equal(posterior_density_log_likelihood(p, 2, sets[0], value), EQUANT_SUCCESS);
        printf("%s: ln L off by %.1e and %.1e, log10 Z by %.1e\n", cases[i].file,
               value[0] - cases[i].log_likelihood, value[1] - cases[i].log_likelihood_at_zero,
               evidence - cases[i].log10_evidence);
        assert_true(fabs(value[0] - cases[i].log_likelihood) < 1e-8);
        assert_true(fabs(value[1] - cases[i].log_likelihood_at_zero) < 1e-8);
        assert_true(fabs(evidence - cases[i].log10_evidence) < 1e-5);
        posterior_density_free(p);
        correlated_noise_free(noise);
        equant_dataset_free(dataset);
    }
}

static void wrong_requests_are_refused(void **state)
{
    (void)state;
    const correlated_noise_covariance kernels[] = {
        {-1, 20, 0.5, 50}, {NAN, 20, 0.5, 50}, {1, 0, 0.5, 50},
        {1, 20, 0, 50},    {1, 20, 0.5, 0},    {INFINITY, 20, 0.5, 50},
        {1, NAN, 0.5, 50}, {1, 20, NAN, 50},   {1, 20, 0.5, -INFINITY}};
    equant_dataset *dataset = small_star(2);
    correlated_noise *noise = create_noise(&of_challenge, dataset), *none = NULL;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        assert_int_equal(correlated_noise_create(&kernels[i], dataset, &none),
                         EQUANT_ERROR_INVALID_ARGUMENT);
    priors_options wanted = {dataset, 0, 0, NULL, NULL};
    priors *set = NULL;
    posterior_density *p = NULL;
    assert_int_equal(priors_create(&wanted, &set), EQUANT_SUCCESS);
    posterior_density_options options = {.dataset = dataset, .priors = set, .noise = noise};
    assert_int_equal(posterior_density_create(&options, &p), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_null(none);
    assert_null(p);
    priors_free(set);
    correlated_noise_free(noise);
    correlated_noise_free(NULL);
    equant_dataset_free(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(likelihoods_are_those_of_the_covariance),
        cmocka_unit_test(no_amplitude_is_white_noise),
        cmocka_unit_test(the_offset_is_integrated_out),
        cmocka_unit_test(neither_batches_nor_threads_change_a_bit),
        cmocka_unit_test(the_evidence_challenge_agrees),
        cmocka_unit_test(wrong_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
