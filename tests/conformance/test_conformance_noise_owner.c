/* Noise terms of one instrument in evaluators, on every backend: likelihoods against covariances
 * that are written out here and decomposed whole, solved offsets, gradients against differences,
 * bits, GPUs against processors, and words. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/engines.h"
#include "equant.h"

enum { N = 96, INSTRUMENTS = 3, MOST_TERMS = 4, MOST_VALUES = 5, MOST_COLUMNS = 24, N_SETS = 21 };

static double times[N], velocities[N], uncertainties[N];
static int instruments[N];

static int make_rows(void **state)
{
    (void)state;
    for (int k = 0; k < N; k++) {
        times[k] = 2460000.1 + k / 4 + 0.05 * (k % 4) + (k > 60 ? 7.0 : 0.0);
        velocities[k] = 4.0 * sin(0.9 * k) + 2.0 * cos(0.37 * k * k);
        uncertainties[k] = 0.7 + 0.2 * (k % 3);
        instruments[k] = k < INSTRUMENTS ? k : k * 7 % 13 % INSTRUMENTS;
    }
    return engines_announce() ? 0 : -1;
}

/* ---- the same, written out ------------------------------------------------------------------- */

typedef enum shape { NIGHT, EXPONENTIAL, MATERN32, MATERN52, ROTATION, MEP } shape;

typedef struct term {
    shape shape;
    int owner; /* -1: all */
    double values[MOST_VALUES];
} term;

typedef struct sum {
    const char *noise;
    int n;
    term terms[MOST_TERMS];
} sum;

static const sum sums[] = {
    {"night@1", 1, {{NIGHT, 1, {1.5}}}},
    {"exponential@2", 1, {{EXPONENTIAL, 2, {3.0, 2.5}}}},
    {"exponential@0,exponential@1",
     2,
     {{EXPONENTIAL, 0, {3.0, 2.5}}, {EXPONENTIAL, 1, {1.2, 11.0}}}},
    {"mep, exponential@1", 2, {{MEP, -1, {2.0, 12.0, 30.0, 0.6}}, {EXPONENTIAL, 1, {3.0, 2.5}}}},
    {"rotation, night@0", 2, {{ROTATION, -1, {2.5, 11.3, 1.5, 0.7, 0.4}}, {NIGHT, 0, {1.5}}}},
    {"exponential@1, mep, exponential@0",
     3,
     {{EXPONENTIAL, 1, {3.0, 2.5}}, {MEP, -1, {2.0, 12.0, 30.0, 0.6}}, {EXPONENTIAL, 0, {1.0, 9}}}},
    {"rotation@2,matern32@0,matern52,matern32",
     4,
     {{ROTATION, 2, {2.5, 11.3, 1.5, 0.7, 0.4}},
      {MATERN32, 0, {2.0, 4.0}},
      {MATERN52, -1, {1.0, 20.0}},
      {MATERN32, -1, {1.1, 2.0}}}},
    {"night, night@2, mep@1, matern52@0",
     4,
     {{NIGHT, -1, {0.8}},
      {NIGHT, 2, {1.5}},
      {MEP, 1, {2.0, 12.0, 30.0, 0.6}},
      {MATERN52, 0, {1.7, 6.0}}}},
};
enum { N_SUMS = sizeof sums / sizeof *sums };

static const int n_values[] = {
    [NIGHT] = 1, [EXPONENTIAL] = 2, [MATERN32] = 2, [MATERN52] = 2, [ROTATION] = 5, [MEP] = 4};

static long double oscillator(long double variance, long double period, long double quality,
                              long double tau)
{
    long double turns = 2.0L * acosl(-1.0L), root = sqrtl(4.0L * quality * quality - 1.0L);
    long double w0 = 2.0L * turns * quality / (period * root), eta = 0.5L * root / quality;
    return variance * expl(-0.5L * w0 * tau / quality) *
           (cosl(eta * w0 * tau) + sinl(eta * w0 * tau) / (2.0L * eta * quality));
}

static long double rotation(const double *v, long double tau)
{
    long double variance = (long double)v[0] * v[0], second = 0.5L + v[2], first = second + v[3];
    return oscillator(variance / (1.0L + v[4]), v[1], first, tau) +
           oscillator(v[4] * variance / (1.0L + v[4]), 0.5L * v[1], second, tau);
}

static long double mep(const double *v, long double tau)
{
    long double nu = 2.0L * acosl(-1.0L) / v[1], rho = v[2], f = 0.25L / ((long double)v[3] * v[3]),
                x = sqrtl(3.0L) * tau / rho;
    long double first = expl(-tau / rho) * (cosl(nu * tau) + sinl(nu * tau) / (nu * rho)),
                second = expl(-tau / rho) *
                         (cosl(2.0L * nu * tau) + sinl(2.0L * nu * tau) / (2.0L * nu * rho));
    return (long double)v[0] * v[0] * ((1.0L + x) * expl(-x) + f * first + 0.25L * f * f * second) /
           (1.0L + f + 0.25L * f * f);
}

static long double of_term(const term *own, const double *v, int i, int j)
{
    long double tau = fabsl((long double)times[i] - times[j]), variance = (long double)v[0] * v[0],
                x = 0.0L;
    if (own->owner >= 0 && (instruments[i] != own->owner || instruments[j] != own->owner))
        return 0.0L;
    switch (own->shape) {
    case NIGHT: /* the days of all instruments begin in the afternoon of these times */
        return instruments[i] == instruments[j] && floor(times[i]) == floor(times[j]) ? variance
                                                                                      : 0.0L;
    case EXPONENTIAL:
        return variance * expl(-tau / v[1]);
    case MATERN32:
        x = sqrtl(3.0L) * tau / v[1];
        return variance * (1.0L + x) * expl(-x);
    case MATERN52:
        x = sqrtl(5.0L) * tau / v[1];
        return variance * (1.0L + x + x * x / 3.0L) * expl(-x);
    case ROTATION:
        return rotation(v, tau);
    case MEP:
        return mep(v, tau);
    }
    return 0.0L;
}

static long double lower[N][N];

static void decompose(const sum *own, const double *jitters, const double *values)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) {
            const double *v = values, jitter = jitters[instruments[i]];
            long double entry = i == j ? (long double)uncertainties[i] * uncertainties[i] +
                                             (long double)jitter * jitter
                                       : 0.0L;
            for (int t = 0; t < own->n; t++) {
                entry += of_term(&own->terms[t], v, i, j);
                v += n_values[own->terms[t].shape];
            }
            for (int k = 0; k < j; k++)
                entry -= lower[i][k] * lower[j][k];
            lower[i][j] = i == j ? sqrtl(entry) : entry / lower[j][j];
        }
}

static void whiten(long double *x)
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++)
            x[i] -= lower[i][j] * x[j];
        x[i] /= lower[i][i];
    }
}

/* ln L of velocities less offsets; offsets NULL: the best ones, into `solved`. */
static double dense(const sum *own, const double *offsets, const double *jitters,
                    const double *values, double *solved)
{
    static long double rest[N], column[INSTRUMENTS][N];
    long double matrix[INSTRUMENTS][INSTRUMENTS + 1] = {{0}}, total = 0.0L;
    decompose(own, jitters, values);
    for (int k = 0; k < N; k++) {
        rest[k] = velocities[k] - (offsets ? (long double)offsets[instruments[k]] : 0.0L);
        for (int m = 0; m < INSTRUMENTS; m++)
            column[m][k] = instruments[k] == m;
    }
    whiten(rest);
    for (int m = 0; m < INSTRUMENTS && !offsets; m++)
        whiten(column[m]);
    for (int m = 0; m < INSTRUMENTS && !offsets; m++)
        for (int k = 0; k < N; k++) {
            for (int o = 0; o < INSTRUMENTS; o++)
                matrix[m][o] += column[m][k] * column[o][k];
            matrix[m][INSTRUMENTS] += column[m][k] * rest[k];
        }
    for (int m = 0; m < INSTRUMENTS && !offsets; m++)
        for (int o = 0; o < INSTRUMENTS; o++) {
            long double share = o == m ? 0.0L : matrix[o][m] / matrix[m][m];
            for (int c = 0; c <= INSTRUMENTS; c++)
                matrix[o][c] -= share * matrix[m][c];
        }
    for (int m = 0; m < INSTRUMENTS && !offsets; m++) {
        solved[m] = (double)(matrix[m][INSTRUMENTS] / matrix[m][m]);
        for (int k = 0; k < N; k++)
            rest[k] -= matrix[m][INSTRUMENTS] / matrix[m][m] * column[m][k];
    }
    for (int k = 0; k < N; k++)
        total += rest[k] * rest[k] + 2.0L * logl(lower[k][k]) + logl(2.0L * acosl(-1.0L));
    return (double)(-0.5L * total);
}

/* ---- evaluators --------------------------------------------------------------------------------
 */

static equant_evaluator *make(const char *noise, bool is_given, const char *backend)
{
    equant_dataset *data;
    equant_model *model;
    equant_evaluator *made = NULL;
    equant_engine_options engine = {
        .struct_size = sizeof engine, .backend = backend, .n_threads = 2};
    equant_model_options options = {.struct_size = sizeof options,
                                    .n_instruments = INSTRUMENTS,
                                    .offset_columns =
                                        is_given ? EQUANT_NUISANCE_GIVEN : EQUANT_NUISANCE_SOLVED,
                                    .with_jitter = 1,
                                    .noise = noise};
    assert_int_equal(equant_dataset_from_arrays(N, times, velocities, uncertainties, instruments,
                                                INSTRUMENTS, NULL, NULL, &data),
                     EQUANT_SUCCESS);
    if (equant_model_create(&options, &model) != EQUANT_SUCCESS)
        fail_msg("%s", equant_last_error());
    equant_status status = equant_evaluator_create(data, model, &engine, &made);
    equant_model_free(model);
    equant_dataset_free(data);
    if (status != EQUANT_SUCCESS && status != EQUANT_ERROR_UNAVAILABLE)
        fail_msg("%s", equant_last_error());
    return made;
}

/* Offsets where they are given, jitters, noise; returns how many there are. */
static size_t fill(const sum *own, bool is_given, double shift, double *set)
{
    size_t n = 0;
    for (int i = 0; i < INSTRUMENTS && is_given; i++)
        set[n++] = 0.3 * i - 0.2 + shift;
    for (int i = 0; i < INSTRUMENTS; i++)
        set[n++] = 0.4 + 0.2 * i;
    for (int t = 0; t < own->n; t++)
        for (int i = 0; i < n_values[own->terms[t].shape]; i++)
            set[n++] = own->terms[t].values[i] * (1.0 + 0.3 * shift);
    return n;
}

static void assert_close(double found, double wanted, double tolerance, const char *noise)
{
    if (!(fabs(found - wanted) <= tolerance * (1.0 + fabs(wanted))))
        fail_msg("%s: %.17g is not %.17g, by %g", noise, found, wanted, found - wanted);
}

static void as_a_dense_matrix(void **state)
{
    (void)state;
    for (int i = 0; i < N_SUMS; i++) {
        double set[MOST_COLUMNS], wanted, wanted_solved, offsets[INSTRUMENTS];
        size_t n = fill(&sums[i], true, 0.0, set);
        wanted = dense(&sums[i], set, set + INSTRUMENTS, set + 2 * INSTRUMENTS, NULL);
        wanted_solved = dense(&sums[i], NULL, set + INSTRUMENTS, set + 2 * INSTRUMENTS, offsets);
        for (size_t b = 0; b < engines_n_backends(); b++)
            for (int is_given = 0; is_given < 2; is_given++) {
                double found, linear[INSTRUMENTS];
                equant_results results = {
                    .struct_size = sizeof results, .log_likelihood = &found, .linear = linear};
                equant_evaluator *evaluator = make(sums[i].noise, is_given, engines_backend(b));
                if (!evaluator) /* GPUs take offsets that are given */
                    continue;
                assert_int_equal(equant_evaluator_evaluate(
                                     evaluator, 1, set + (is_given ? 0 : INSTRUMENTS), &results),
                                 EQUANT_SUCCESS);
                assert_close(found, is_given ? wanted : wanted_solved, 1e-12, sums[i].noise);
                for (int m = 0; m < INSTRUMENTS && !is_given; m++)
                    assert_close(linear[m], offsets[m], 1e-10, sums[i].noise);
                equant_evaluator_free(evaluator);
            }
        assert_true(n <= MOST_COLUMNS);
    }
}

/* Of many sets at a time: bits of processors, and GPUs within 1e-12 of them. */
static void batches(void **state)
{
    (void)state;
    static double sets[N_SETS][MOST_COLUMNS], found[N_SETS], first[N_SETS];
    size_t reference = 0; /* a processor: the plainest that there is */
    for (size_t b = 0; b < engines_n_backends(); b++)
        reference = engines_is_processor(b) ? b : reference;
    for (int i = 0; i < N_SUMS; i++) {
        double *packed = sets[0];
        size_t n = 0;
        for (int s = 0; s < N_SETS; s++)
            n = fill(&sums[i], true, (double)s / N_SETS, packed + (size_t)s * n);
        for (size_t c = 0; c <= engines_n_backends(); c++) {
            size_t b = c == 0 ? reference : c - 1;
            equant_results results = {.struct_size = sizeof results, .log_likelihood = found};
            equant_evaluator *evaluator = make(sums[i].noise, true, engines_backend(b));
            assert_non_null(evaluator);
            assert_int_equal(equant_evaluator_evaluate(evaluator, N_SETS, packed, &results),
                             EQUANT_SUCCESS);
            if (c == 0)
                memcpy(first, found, sizeof first);
            if (engines_is_processor(b))
                assert_memory_equal(first, found, sizeof first);
            for (int s = 0; s < N_SETS; s++) {
                double alone = NAN;
                results.log_likelihood = &alone;
                assert_close(found[s], first[s], 1e-12, sums[i].noise);
                assert_int_equal(
                    equant_evaluator_evaluate(evaluator, 1, packed + (size_t)s * n, &results),
                    EQUANT_SUCCESS);
                assert_memory_equal(&alone, &found[s], sizeof alone);
            }
            equant_evaluator_free(evaluator);
        }
    }
}

/* By differences of the dense likelihood over four places. */
static double difference(const sum *own, double *set, size_t column)
{
    const double share[2] = {2.0 / 3.0, -1.0 / 12.0};
    double value = set[column], step = 1e-3 * (fabs(value) + 0.1), slope = 0.0;
    for (int i = 0; i < 2; i++)
        for (int side = -1; side <= 1; side += 2) {
            set[column] = value + side * (i + 1) * step;
            slope +=
                side * share[i] * dense(own, set, set + INSTRUMENTS, set + 2 * INSTRUMENTS, NULL);
        }
    set[column] = value;
    return slope / step;
}

static void gradients(void **state)
{
    (void)state;
    for (int i = 0; i < N_SUMS; i++) {
        double set[MOST_COLUMNS], gradient[MOST_COLUMNS], wanted[MOST_COLUMNS];
        size_t n = fill(&sums[i], true, 0.1, set);
        for (size_t c = 0; c < n; c++)
            wanted[c] = difference(&sums[i], set, c);
        for (size_t b = 0; b < engines_n_backends(); b++) {
            equant_derivatives out = {.struct_size = sizeof out,
                                      .log_likelihood_gradient = gradient};
            equant_evaluator *evaluator = make(sums[i].noise, true, engines_backend(b));
            assert_int_equal(
                equant_evaluator_differentiate(evaluator, EQUANT_BASIS_REGULAR, 1, set, &out),
                EQUANT_SUCCESS);
            for (size_t c = 0; c < n; c++)
                assert_close(gradient[c], wanted[c], 1e-8, sums[i].noise);
            equant_evaluator_free(evaluator);
        }
    }
}

/* More states than most sums have: each backend as the likelihood of single sets. */
static void many_states(void **state)
{
    (void)state;
    static const double values[] = {2.0, 12.0, 30.0, 0.6, 3.0, 11.0, 25.0, 0.5,
                                    2.5, 11.3, 1.5,  0.7, 0.4, 1.1,  20.0};
    enum { N_NOISE = sizeof values / sizeof *values };
    const char *noise = "esp3,mep@1,rotation@0,matern52@2";
    double set[2 * INSTRUMENTS + N_NOISE] = {0.1, -0.2, 0.3, 0.4, 0.6, 0.8}, rest[N], variances[N],
                                 wanted, found;
    equant_noise *single;
    equant_noise_rows rows = {.struct_size = sizeof rows,
                              .n = N,
                              .time_days = times,
                              .values = rest,
                              .variances = variances,
                              .instruments = instruments};
    memcpy(set + 2 * INSTRUMENTS, values, sizeof values);
    for (int k = 0; k < N; k++) {
        double jitter = set[INSTRUMENTS + instruments[k]];
        rest[k] = velocities[k] - set[instruments[k]];
        variances[k] = uncertainties[k] * uncertainties[k] + jitter * jitter;
    }
    assert_int_equal(
        equant_noise_create("esp3(amplitude=1,period=1,decay=1,width=1), "
                            "mep@1(amplitude=1,period=1,decay=1,width=1), "
                            "rotation@0(amplitude=1,period=1,quality=1,extra_quality=1,mix=1), "
                            "matern52@2(amplitude=1,decay=1)",
                            &single),
        EQUANT_SUCCESS);
    assert_int_equal(equant_noise_log_likelihood(single, &rows, 1, values, &wanted),
                     EQUANT_SUCCESS);
    equant_noise_free(single);
    for (size_t b = 0; b < engines_n_backends(); b++) {
        equant_results results = {.struct_size = sizeof results, .log_likelihood = &found};
        equant_evaluator *evaluator = make(noise, true, engines_backend(b));
        assert_non_null(evaluator);
        assert_int_equal(equant_evaluator_evaluate(evaluator, 1, set, &results), EQUANT_SUCCESS);
        assert_close(found, wanted, 1e-12, noise);
        equant_evaluator_free(evaluator);
    }
}

static void words(void **state)
{
    (void)state;
    static const struct {
        const char *noise, *sentence;
    } wrong[] = {{"night@HARPS", "the instruments of a model are numbers from 0, not 'HARPS'"},
                 {"night@", "the instruments of a model are numbers from 0, not ''"},
                 {"night@3", "noise 'night@3': the model has 3 instruments, numbered from 0"},
                 {"night@1, night@1", "a model has each term once"}};
    equant_model *model = NULL;
    equant_model_options options = {.struct_size = sizeof options,
                                    .n_instruments = 3,
                                    .noise = "exponential@2, exponential ,night@0"};
    static const char *const names[] = {"exponential_amplitude_m_s_3", "exponential_decay_days_3",
                                        "exponential_amplitude_m_s", "exponential_decay_days",
                                        "night_amplitude_m_s_1"};
    assert_int_equal(equant_model_create(&options, &model), EQUANT_SUCCESS);
    assert_int_equal(equant_model_n_parameters(model), sizeof names / sizeof *names);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_string_equal(equant_model_parameter_name(model, i), names[i]);
    equant_model_free(model);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        options.noise = wrong[i].noise;
        assert_int_equal(equant_model_create(&options, &model), EQUANT_ERROR_INVALID_ARGUMENT);
        if (!strstr(equant_last_error(), wrong[i].sentence))
            fail_msg("%s", equant_last_error());
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_a_dense_matrix),
                                       cmocka_unit_test(batches), cmocka_unit_test(gradients),
                                       cmocka_unit_test(many_states), cmocka_unit_test(words)};
    return cmocka_run_group_tests(tests, make_rows, NULL);
}
