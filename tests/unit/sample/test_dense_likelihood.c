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
#include "shared_data.h"
#include "unit/small_star.h"

static const double pi = 3.14159265358979323846;
static const equant_quasi_periodic of_challenge = {sizeof(equant_quasi_periodic),
                                                   1.7320508075688772, 20, 0.5, 50};

enum { N = SMALL_STAR_N_OBS };

static noise_tridiagonal *create_noise(const equant_quasi_periodic *covariance,
                                       const equant_dataset *dataset)
{
    noise_tridiagonal *noise = NULL;
    assert_int_equal(noise_tridiagonal_of_star(covariance, dataset, &noise), EQUANT_SUCCESS);
    return noise;
}

/* The posterior of a star without or with planets under correlated noise. */
static posterior_density *create_posterior(const equant_dataset *dataset,
                                           const noise_tridiagonal *noise, size_t n_planets,
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

/* ln L of residuals by Cholesky's factors of the covariance as it is written; `variance`, [N], is
 * added to the squares of the uncertainties. */
static double expected_with(const equant_quasi_periodic *covariance, const equant_dataset *dataset,
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

static double expected_log_likelihood(const equant_quasi_periodic *covariance,
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
    enum { SIZE = sizeof(equant_quasi_periodic) };
    const equant_quasi_periodic kernels[] = {
        of_challenge, {SIZE, 30, 7.3, 0.2, 1000}, {SIZE, 100, 100, 3, 1e4}, {SIZE, 0, 1, 1, 1}};
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

/* Without a kernel both ways are the same. */
static void no_amplitude_is_white_noise(void **state)
{
    (void)state;
    const equant_quasi_periodic none = {sizeof none, 0, 1, 1, 1};
    equant_dataset *dataset = small_star(1);
    noise_tridiagonal *noise = create_noise(&none, dataset);
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
    noise_tridiagonal_free(noise);
    equant_dataset_free(dataset);
}

static void the_offset_is_integrated_out(void **state)
{
    (void)state;
    equant_dataset *dataset = small_star(1);
    noise_tridiagonal *noise = create_noise(&of_challenge, dataset);
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
    noise_tridiagonal_free(noise);
    equant_dataset_free(dataset);
}

/* A posterior with noise in words, of two instruments or one. */
static posterior_density *create_with_terms(const equant_dataset *dataset, const char *noise,
                                            int marginalise, int n_threads)
{
    priors_options wanted = {dataset, 0, 0, "eprv3", noise};
    priors *set = NULL;
    posterior_density *made = NULL;
    assert_int_equal(priors_create(&wanted, &set), EQUANT_SUCCESS);
    equant_engine_options engine = {.struct_size = sizeof engine, .n_threads = n_threads};
    posterior_density_options options = {
        .dataset = dataset, .priors = set, .engine = &engine, .marginalise_offsets = marginalise};
    assert_int_equal(posterior_density_create(&options, &made), EQUANT_SUCCESS);
    assert_null(posterior_density_evaluator(made));
    priors_free(set);
    return made;
}

/* The term qp, all of whose parameters change from set to set, beside nights of one instrument. */
static void a_sampled_covariance_is_that_of_each_set(void **state)
{
    (void)state;
    enum { SETS = 9, WIDTH = 9 }; /* offsets, jitters, an amplitude of nights, qp */
    equant_dataset *dataset = small_star(2);
    const double *v = equant_dataset_velocities_m_s(dataset);
    const int *made_by = equant_dataset_instruments(dataset);
    posterior_density *p = create_with_terms(dataset, "qp,night@second", 0, 1),
                      *threads = create_with_terms(dataset, "qp,night@second", 0, 3);
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
        const equant_quasi_periodic kernel = {sizeof kernel, set[5], set[6], set[8], set[7]};
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

/* A term of fixed numbers is the process of fixed numbers, offsets integrated out or not. */
static void fixed_terms_share_a_covariance(void **state)
{
    (void)state;
    equant_dataset *dataset = small_star(1);
    noise_tridiagonal *noise = create_noise(&of_challenge, dataset);
    for (int marginalise = 0; marginalise < 2; marginalise++) {
        posterior_density *term = create_with_terms(
            dataset, "qp(amplitude=1.7320508075688772,period=20,width=0.5,decay=50)", marginalise,
            1);
        posterior_density *fixed = create_posterior(dataset, noise, 0, marginalise, 1);
        size_t n = marginalise ? 1 : 2; /* an offset, a jitter; then qp */
        assert_int_equal(posterior_density_n_coordinates(term), n);
        assert_int_equal(posterior_density_n_parameters(term), n + 4);
        double set[6] = {5003, 2.5}, value[2];
        set[n - 1] = 2.5;
        memcpy(set + n, (double[]){1.7320508075688772, 20, 50, 0.5}, 4 * sizeof *set);
        assert_int_equal(posterior_density_log_likelihood(term, 1, set, &value[0]), EQUANT_SUCCESS);
        assert_int_equal(posterior_density_log_likelihood(fixed, 1, set, &value[1]),
                         EQUANT_SUCCESS);
        assert_true(fabs(value[0] - value[1]) < 1e-11 * fabs(value[1]));
        posterior_density_free(term);
        posterior_density_free(fixed);
    }
    noise_tridiagonal_free(noise);
    equant_dataset_free(dataset);
}

static void neither_batches_nor_threads_change_a_bit(void **state)
{
    (void)state;
    enum { SETS = 1100 }; /* more than are in memory at a time */
    static double sets[SETS][7], reference[SETS], value[SETS];
    equant_dataset *dataset = small_star(1);
    noise_tridiagonal *noise = create_noise(&of_challenge, dataset);
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
    noise_tridiagonal_free(noise);
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
static double log10_evidence(const equant_dataset *dataset, const noise_tridiagonal *noise)
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
        noise_tridiagonal *noise = create_noise(&of_challenge, dataset);
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
        noise_tridiagonal_free(noise);
        equant_dataset_free(dataset);
    }
}

static void wrong_requests_are_refused(void **state)
{
    (void)state;
    const double kernels[][4] = {{-1, 20, 0.5, 50}, {NAN, 20, 0.5, 50}, {1, 0, 0.5, 50},
                                 {1, 20, 0, 50},    {1, 20, 0.5, 0},    {INFINITY, 20, 0.5, 50},
                                 {1, NAN, 0.5, 50}, {1, 20, NAN, 50},   {1, 20, 0.5, -INFINITY}};
    equant_dataset *one = small_star(1), *two = small_star(2);
    noise_tridiagonal *noise = create_noise(&of_challenge, one), *none = NULL;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        const equant_quasi_periodic wrong = {sizeof wrong, kernels[i][0], kernels[i][1],
                                             kernels[i][2], kernels[i][3]};
        assert_int_equal(noise_tridiagonal_of_star(&wrong, one, &none),
                         EQUANT_ERROR_INVALID_ARGUMENT);
    }
    assert_int_equal(noise_tridiagonal_of_star(&of_challenge, two, &none),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    posterior_density *p = NULL;
    const struct {
        const char *noise;
        const noise_tridiagonal *fixed;
        int marginalise;
    } wrong[] = {{"night", noise, 0}, {"qp", NULL, 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        priors_options wanted = {one, 0, 0, NULL, wrong[i].noise};
        priors *set = NULL;
        assert_int_equal(priors_create(&wanted, &set), EQUANT_SUCCESS);
        posterior_density_options options = {.dataset = one,
                                             .priors = set,
                                             .noise = wrong[i].fixed,
                                             .marginalise_offsets = wrong[i].marginalise};
        assert_int_equal(posterior_density_create(&options, &p), EQUANT_ERROR_INVALID_ARGUMENT);
        priors_free(set);
    }
    assert_null(none);
    assert_null(p);
    noise_tridiagonal_free(noise);
    noise_tridiagonal_free(NULL);
    equant_dataset_free(one);
    equant_dataset_free(two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(likelihoods_are_those_of_the_covariance),
        cmocka_unit_test(no_amplitude_is_white_noise),
        cmocka_unit_test(the_offset_is_integrated_out),
        cmocka_unit_test(a_sampled_covariance_is_that_of_each_set),
        cmocka_unit_test(fixed_terms_share_a_covariance),
        cmocka_unit_test(neither_batches_nor_threads_change_a_bit),
        cmocka_unit_test(the_evidence_challenge_agrees),
        cmocka_unit_test(wrong_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
