/* Correlated noise on a GPU against the same on a processor, for rows whose likelihoods are known
 * to twenty digits: one series, two series of one process, kernels, linear terms at their best and
 * integrated, derivatives, predictions. A thread runs the functions that GPUs and processors share
 * (src/statistics), and evaluators of the GPU those of its own; the processor's answers are those
 * of the library. The two agree to 1e-12, and with the known numbers to 1e-10. The quasi-periodic
 * process itself has no states, and no GPU knows it. Without a GPU it says so and is skipped. */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "statistics/noise_gradient.h"
#include "equant.h"

static const double TWO_PI = 6.283185307179586476925286766559, LN_TWO_PI = 1.8378770664093454836;
static const double AGREEMENT = 1e-12, TRUTH = 1e-10;

enum { N = 40, LONG = 1000, MOST_COLUMNS = 4, MOST_ANSWERS = 16 };

static int n_failures, n_numbers;
static double worst;

static void must(cudaError_t error)
{
    if (error != cudaSuccess) {
        printf("%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

static void must(equant_status status)
{
    if (status != EQUANT_SUCCESS) {
        printf("%s\n", equant_last_error());
        exit(1);
    }
}

/* Memory that both can read. */
template <typename number> static number *both(size_t n)
{
    void *memory;
    must(cudaMallocManaged(&memory, n * sizeof(number)));
    memset(memory, 0, n * sizeof(number));
    return (number *)memory;
}

/* ---- a number by both -------------------------------------------------------- */

/* known: NaN where nobody has published it; size: what a difference is measured in, 0: the number
 * itself. */
static void compare(const std::string &what, double gpu, double processor, double known,
                    double size = 0.0)
{
    double difference = fabs(gpu - processor) / (size > 0.0 ? size : fabs(processor));
    n_numbers++;
    worst = difference > worst ? difference : worst;
    if (!(difference <= AGREEMENT)) {
        printf("%s: %.17g on the GPU, %.17g on the processor\n", what.c_str(), gpu, processor);
        n_failures++;
    }
    if (!std::isnan(known) && !(fabs(gpu - known) <= TRUTH * fabs(known))) {
        printf("%s: %.17g on the GPU, which should be %.17g\n", what.c_str(), gpu, known);
        n_failures++;
    }
}

/* ---- terms ------------------------------------------------------------------- */

struct term {
    const char *name;
    double values[5];
};

static const term ROTATION = {"rotation", {4, 11.3, 1.5, 0.7, 0.4}},
                  MEP = {"mep", {4, 11.3, 25, 0.6}}, MEP4 = {"mep4", {4, 11.3, 25, 0.6}},
                  ESP2 = {"esp2", {4, 11.3, 25, 0.6}}, ESP3 = {"esp3", {4, 11.3, 25, 0.6}},
                  SHO = {"sho", {4, 11.3, 3}}, CREEPING = {"sho", {4, 11.3, 0.3}},
                  MATERN32 = {"matern32", {4, 6}}, MATERN52 = {"matern52", {4, 6}},
                  ES = {"es", {4, 6}}, WHITE = {"white", {0}};

static size_t catalogue_number(const char *name, equant_noise_term_info *info)
{
    for (size_t t = 0; t < equant_n_noise_terms(); t++) {
        *info = {};
        info->struct_size = sizeof *info;
        must(equant_noise_term_at(t, info));
        if (strcmp(info->name, name) == 0)
            return t;
    }
    return SIZE_MAX;
}

/* "rotation(amplitude=4,...)". */
static equant_noise *library_noise(const term &own)
{
    equant_noise_term_info info;
    std::string text = own.name;
    size_t number = catalogue_number(own.name, &info);
    for (size_t i = 0; number != SIZE_MAX && i < info.n_parameters; i++) {
        equant_noise_parameter_info parameter = {};
        char value[32];
        parameter.struct_size = sizeof parameter;
        must(equant_noise_term_parameter(number, i, &parameter));
        snprintf(value, sizeof value, "=%.17g", own.values[i]);
        text += (i == 0 ? "(" : ",") + std::string(parameter.name) + value;
        text += i + 1 == info.n_parameters ? ")" : "";
    }
    equant_noise *noise;
    must(equant_noise_create(text.c_str(), &noise));
    return noise;
}

/* Kinds are in the order of the catalogue. */
static noise_kinds kinds_of(const term &own)
{
    equant_noise_term_info info;
    noise_kinds kinds = {};
    size_t number = catalogue_number(own.name, &info);
    if (number != SIZE_MAX)
        kinds.kind[kinds.n++] = (noise_kind)number;
    return kinds;
}

/* ---- what a thread does -------------------------------------------------------- */

/* Rows in the order of time, columns one behind the other; answers are filled by the GPU. */
struct task {
    noise_kinds kinds;
    double values[5];
    size_t n, n_columns;
    const double *time, *value, *variance, *alpha, *beta, *columns;
    double *whitened;                  /* [1 + n_columns][n] */
    double *kept, *by_variance, *gaps; /* for derivatives    */
    int *places;
    bool *begins;
    double *state;
    double at, deviation, log_determinant; /* at: a time, or the length of a gap */
    double answers[MOST_ANSWERS];
};

/* A column whitened: z / sqrt D. */
SHARED_FUNCTION void whiten(task *own, const noise_process *process, const double *column,
                            double *whitened)
{
    own->log_determinant = 0.0;
    noise_state_begin(process, own->state);
    for (size_t k = 0; k < own->n; k++) {
        noise_row row = {k > 0 ? own->time[k] - own->time[k - 1] : 0.0,
                         column[k],
                         own->variance[k],
                         own->alpha ? own->alpha[k] : 1.0,
                         own->beta ? own->beta[k] : 0.0,
                         0,
                         0,
                         0};
        noise_state_take(process, &row, own->state);
        const double *last = own->state + noise_state_size((size_t)process->n_states) - 2;
        whitened[k] = last[1] / sqrt(last[0]);
        own->log_determinant += log(last[0]);
    }
}

SHARED_FUNCTION double product(size_t n, const double *a, const double *b)
{
    double sum = 0.0;
    for (size_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

/* u' R v of all blocks, over a gap. */
SHARED_FUNCTION double covariance(const noise_process *process, double gap)
{
    noise_row row = {fabs(gap), 0.0, 0.0, 1.0, 0.0, 0, 0, 0};
    double sum = 0.0, u[3], v[3], r[3][3];
    for (int b = 0; b < process->n_blocks; b++) {
        int m = noise_block_states(process->block[b].kind);
        noise_block_view(&process->block[b], &row, u, v);
        noise_block_propagator(&process->block[b], &row, r);
        for (int i = 0; i < m; i++)
            for (int j = 0; j < m; j++)
                sum += u[i] * r[i][j] * v[j];
    }
    return sum;
}

__global__ void find_kernel_value(task *own)
{
    noise_process process;
    noise_terms_expand(&process, &own->kinds, own->values, 1);
    own->answers[0] = covariance(&process, own->at);
}

__global__ void find_likelihood(task *own)
{
    noise_process process;
    noise_terms_expand(&process, &own->kinds, own->values, 1);
    whiten(own, &process, own->value, own->whitened);
    own->answers[0] = -0.5 * (product(own->n, own->whitened, own->whitened) + own->log_determinant +
                              (double)own->n * LN_TWO_PI);
}

/* Mean and variance at a time, by the covariance of that place with all rows. */
__global__ void predict(task *own)
{
    noise_process process;
    double *column = own->whitened + 2 * own->n, *first = own->whitened,
           *second = own->whitened + own->n;
    noise_terms_expand(&process, &own->kinds, own->values, 1);
    for (size_t k = 0; k < own->n; k++)
        column[k] = covariance(&process, own->at - own->time[k]);
    whiten(own, &process, own->value, first);
    whiten(own, &process, column, second);
    own->answers[0] = product(own->n, first, second);
    own->answers[1] = covariance(&process, 0.0) - product(own->n, second, second);
}

/* Cholesky of F, in place; its ln determinant. */
SHARED_FUNCTION double decompose(int n, double f[MOST_COLUMNS][MOST_COLUMNS])
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double left = f[i][j];
            for (int l = 0; l < j; l++)
                left -= f[i][l] * f[j][l];
            f[i][j] = i == j ? sqrt(left) : left / f[j][j];
            sum += i == j ? 2.0 * log(f[i][i]) : 0.0;
        }
    return sum;
}

/* ln L with linear terms at their best, its integral over them, and they themselves. */
__global__ void follow(task *own)
{
    noise_process process;
    const int m = (int)own->n_columns;
    const size_t n = own->n;
    double f[MOST_COLUMNS][MOST_COLUMNS], b[MOST_COLUMNS], half[MOST_COLUMNS];
    noise_terms_expand(&process, &own->kinds, own->values, 1);
    whiten(own, &process, own->value, own->whitened);
    for (int i = 0; i < m; i++)
        whiten(own, &process, own->columns + i * n, own->whitened + (i + 1) * n);
    double least = product(n, own->whitened, own->whitened);
    double precision = own->deviation > 0.0 ? 1.0 / (own->deviation * own->deviation) : 0.0;
    for (int i = 0; i < m; i++) {
        b[i] = product(n, own->whitened + (i + 1) * n, own->whitened);
        for (int j = 0; j < m; j++)
            f[i][j] = product(n, own->whitened + (i + 1) * n, own->whitened + (j + 1) * n) +
                      (i == j ? precision : 0.0);
    }
    double log_size = decompose(m, f);
    for (int i = 0; i < m; i++) {
        half[i] = b[i];
        for (int j = 0; j < i; j++)
            half[i] -= f[i][j] * half[j];
        half[i] /= f[i][i];
        least -= half[i] * half[i];
    }
    for (int i = m; i-- > 0;) {
        double left = half[i];
        for (int j = i + 1; j < m; j++)
            left -= f[j][i] * own->answers[2 + j];
        own->answers[2 + i] = left / f[i][i];
    }
    own->answers[0] = -0.5 * (least + own->log_determinant + (double)n * LN_TWO_PI);
    own->answers[1] = own->answers[0] - 0.5 * log_size +
                      (precision > 0.0 ? -m * log(own->deviation) : 0.5 * m * LN_TWO_PI);
}

/* d ln L / d ln parameter, then by the jitter 1/2 of all rows. */
__global__ void differentiate(task *own)
{
    noise_process process;
    noise_adjoint_block by_block[NOISE_PROCESS_MOST_BLOCKS];
    double chi_square, log_determinant, by_jitter = 0.0;
    const int n_parameters = (int)noise_kinds_parameters(&own->kinds);
    noise_terms_expand(&process, &own->kinds, own->values, 1);
    for (size_t k = 0; k < own->n; k++)
        own->gaps[k] = k > 0 ? own->time[k] - own->time[k - 1] : 0.0;
    const noise_adjoint_rows rows = {own->n,      own->gaps,   own->value, own->variance,
                                     own->places, own->begins, NULL};
    noise_adjoint_forward(&process, &rows, own->kept, &chi_square, &log_determinant);
    noise_adjoint_backward(&process, &rows, own->kept, -0.5, -0.5, NULL, own->by_variance,
                           by_block);
    for (int i = 0; i < n_parameters; i++)
        own->answers[i] = own->values[i] * noise_gradient_parameter(&own->kinds, own->values,
                                                                    (size_t)i, 1, by_block);
    for (size_t k = 0; k < own->n; k++)
        by_jitter += 2.0 * 0.25 * own->by_variance[k];
    own->answers[n_parameters] = by_jitter;
}

/* ---- rows -------------------------------------------------------------------- */

static double *times, *velocities, *uncertainties, *variances, *columns;
static task *shared_task;
static int halves[LONG];

static void make_rows()
{
    times = both<double>(LONG);
    velocities = both<double>(LONG);
    uncertainties = both<double>(LONG);
    variances = both<double>(LONG);
    columns = both<double>(3 * N);
    for (int i = 0; i < LONG; i++) {
        times[i] = 1.7 * i + 0.6 * sin(1.3 * i);
        velocities[i] = 5.0 * sin(TWO_PI * times[i] / 11.3) +
                        3.0 * cos(TWO_PI * times[i] / 4.1 + 0.5) + 1.5 * sin(2.9 * i);
        uncertainties[i] = 1.0 + 0.3 * cos(0.7 * i);
        variances[i] = uncertainties[i] * uncertainties[i] + 0.25;
        halves[i] = i % 2;
    }
    for (int i = 0; i < N; i++) {
        columns[i] = i % 2 == 0;
        columns[N + i] = i % 2 == 1;
        columns[2 * N + i] = (times[i] - 50.0) / 100.0;
    }
    const size_t kept = noise_state_size(NOISE_PROCESS_MOST_STATES);
    shared_task = both<task>(1);
    shared_task->whitened = both<double>((1 + MOST_COLUMNS) * LONG);
    shared_task->kept = both<double>(kept * N);
    shared_task->by_variance = both<double>(N);
    shared_task->gaps = both<double>(N);
    shared_task->places = both<int>(N);
    shared_task->begins = both<bool>(N);
    shared_task->state = both<double>(NOISE_STATE_MOST_SIZE);
}

/* The first rows of the series, for a term. */
static task *prepare(const term &own, size_t n)
{
    task *made = shared_task;
    made->kinds = kinds_of(own);
    memcpy(made->values, own.values, sizeof own.values);
    made->n = n;
    made->n_columns = 0;
    made->time = times;
    made->value = velocities;
    made->variance = variances;
    made->alpha = made->beta = made->columns = NULL;
    made->deviation = 0.0;
    return made;
}

static void launch(void (*kernel)(task *), task *own)
{
    kernel<<<1, 1>>>(own);
    must(cudaGetLastError());
    must(cudaDeviceSynchronize());
}

static equant_noise_rows library_rows(const task *own)
{
    equant_noise_rows rows = {};
    rows.struct_size = sizeof rows;
    rows.n = own->n;
    rows.time_days = own->time;
    rows.values = own->value;
    rows.variances = own->variance;
    rows.alpha = own->alpha;
    rows.beta = own->beta;
    return rows;
}

/* ---- one series ---------------------------------------------------------------- */

/* Likelihood of an evaluator: offsets and trend given, jitter 1/2 of each instrument, noise. */
static double evaluate(const char *backend, const term &own, size_t n, const double *linear)
{
    const int n_instruments = linear ? 2 : 1;
    equant_dataset_options options = {};
    options.struct_size = sizeof options;
    options.has_reference_time = 1;
    options.reference_time_days = 50.0;
    equant_dataset *data;
    must(equant_dataset_from_arrays(n, times, velocities, uncertainties, linear ? halves : NULL,
                                    (size_t)n_instruments, NULL, &options, &data));
    equant_model_options wanted = {};
    wanted.struct_size = sizeof wanted;
    wanted.n_instruments = (size_t)n_instruments;
    wanted.offset_columns = wanted.trend_columns = EQUANT_NUISANCE_GIVEN;
    wanted.trend = linear ? EQUANT_TREND_LINEAR : EQUANT_TREND_NONE;
    wanted.with_jitter = 1;
    wanted.noise = strcmp(own.name, "white") == 0 ? NULL : own.name;
    equant_model *model;
    must(equant_model_create(&wanted, &model));
    equant_engine_options engine = {};
    engine.struct_size = sizeof engine;
    engine.backend = backend;
    equant_evaluator *evaluator;
    must(equant_evaluator_create(data, model, &engine, &evaluator));
    std::vector<double> set;
    if (linear)
        set = {linear[0], linear[1], linear[2] / 100.0};
    else
        set = {0.0};
    set.insert(set.end(), (size_t)n_instruments, 0.5);
    set.insert(set.end(), own.values, own.values + 5);
    double found = NAN;
    equant_results results = {};
    results.struct_size = sizeof results;
    results.log_likelihood = &found;
    must(equant_evaluator_evaluate(evaluator, 1, set.data(), &results));
    equant_evaluator_free(evaluator);
    equant_model_free(model);
    equant_dataset_free(data);
    return found;
}

static void check_likelihood(const term &own, size_t n, double known)
{
    task *wanted = prepare(own, n);
    equant_noise *noise = library_noise(own);
    const equant_noise_rows rows = library_rows(wanted);
    double processor;
    must(equant_noise_log_likelihood(noise, &rows, 0, NULL, &processor));
    equant_noise_free(noise);
    launch(find_likelihood, wanted);
    compare(std::string("ln L of ") + own.name, wanted->answers[0], processor, known);
    compare(std::string("ln L of an evaluator with ") + own.name, evaluate("cuda", own, n, NULL),
            evaluate("cpu", own, n, NULL), known);
}

static void check_kernel_value(const term &own, double known)
{
    const double two[2] = {0.0, 7.3}, exact[1] = {0.0};
    task *wanted = prepare(own, 2);
    wanted->at = 7.3;
    launch(find_kernel_value, wanted);
    /* A value a known without error at one time predicts k / a at the other. */
    equant_noise *noise = library_noise(own);
    equant_noise_rows rows = {}, at = {};
    double mean;
    rows.struct_size = at.struct_size = sizeof rows;
    rows.n = at.n = 1;
    rows.time_days = two;
    rows.variances = exact;
    rows.values = own.values;
    at.time_days = two + 1;
    must(equant_noise_predict(noise, &rows, NULL, &at, &mean, NULL));
    equant_noise_free(noise);
    compare(std::string("kernel of ") + own.name, wanted->answers[0], mean * own.values[0], known);
}

static void one_series()
{
    static const struct {
        const term *own;
        double known, of_long, value; /* 0: unknown */
    } cases[] = {
        {&WHITE, -350.57249267966482835, 0, 0},
        {&SHO, -146.70370026847076557, 0, -6.34545602880498},
        {&CREEPING, -139.20685093918882401, 0, 0},
        {&ROTATION, -116.42717060428382379, -2863.75513798458, -4.03536200073618},
        {&MATERN32, -177.16565794123913457, -4443.177009357, 6.04374339830017},
        {&MATERN52, -198.85622208020217923, 0, 0},
        {&ES, -238.25787489135704926, 0, 7.61519691459905},
        {&ESP2, -156.83780505874473132, -3791.31787599448, 4.94783559007858},
        {&ESP3, -145.8543802065577972, 0, 0},
        {&MEP, -149.93327031409786572, -3634.7568820170, 4.7851988605901},
        {&MEP4, -138.4814885877159618, 0, 5.13462532725067},
    };
    for (const auto &own : cases) {
        check_likelihood(*own.own, N, own.known);
        check_likelihood(*own.own, LONG, own.of_long != 0.0 ? own.of_long : NAN);
        if (own.own != &WHITE)
            check_kernel_value(*own.own, own.value != 0.0 ? own.value : NAN);
    }
}

/* ---- two series ---------------------------------------------------------------- */

static void two_series()
{
    static const struct {
        term own;
        double known;
    } cases[] = {{{"matern52", {1, 6}}, -521.63431861294348},
                 {{"mep", {1, 11.3, 25, 0.6}}, -475.33610919992266},
                 {{"esp2", {1, 11.3, 25, 0.6}}, -522.40404373049911}};
    double *rows = both<double>(5 * 2 * N), *time = rows, *value = rows + 2 * N,
           *variance = rows + 4 * N, *alpha = rows + 6 * N, *beta = rows + 8 * N;
    for (int i = 0; i < 2 * N; i++) {
        int k = i / 2, is_second = i % 2;
        time[i] = times[k];
        value[i] =
            is_second ? 2.0 * cos(TWO_PI * times[k] / 11.3) + 0.8 * sin(2.1 * k) : velocities[k];
        variance[i] = is_second ? 0.4 * 0.4 + 0.3 * 0.3 : variances[k];
        alpha[i] = is_second ? 2.0 : 1.5;
        beta[i] = is_second ? 0.0 : 4.0;
    }
    for (const auto &own : cases) {
        task *wanted = prepare(own.own, 2 * N);
        wanted->time = time;
        wanted->value = value;
        wanted->variance = variance;
        wanted->alpha = alpha;
        wanted->beta = beta;
        const equant_noise_rows given = library_rows(wanted);
        equant_noise *noise = library_noise(own.own);
        double processor;
        must(equant_noise_log_likelihood(noise, &given, 0, NULL, &processor));
        equant_noise_free(noise);
        launch(find_likelihood, wanted);
        compare(std::string("two series, ") + own.own.name, wanted->answers[0], processor,
                own.known);
    }
    must(cudaFree(rows));
}

/* ---- linear terms ---------------------------------------------------------------- */

static void check_linear(const term &own, const double known[3], const double *best)
{
    equant_noise *noise = library_noise(own);
    static const double deviations[3] = {100.0, 100.0, 100.0};
    double found[3], likelihood, marginal;
    for (int has_prior = 0; has_prior < 2; has_prior++) {
        task *wanted = prepare(own, N);
        wanted->columns = columns;
        wanted->n_columns = 3;
        wanted->deviation = has_prior ? 100.0 : 0.0;
        const equant_noise_rows rows = library_rows(wanted);
        equant_noise_columns given = {};
        given.struct_size = sizeof given;
        given.n = 3;
        given.columns = columns;
        given.standard_deviations = has_prior ? deviations : NULL;
        must(equant_noise_follow(noise, &rows, NULL, &given, found, &likelihood, &marginal));
        launch(follow, wanted);
        std::string name = std::string("linear terms beside ") + own.name;
        compare(name + ", integrated", wanted->answers[1], marginal, known[1 + has_prior]);
        for (int i = 0; i < 3; i++)
            compare(name + ", coefficients", wanted->answers[2 + i], found[i],
                    best && !has_prior ? best[i] : NAN);
        if (has_prior)
            continue;
        compare(name + ", at their best", wanted->answers[0], likelihood, known[0]);
        compare(name + ", given to evaluators", evaluate("cuda", own, N, found),
                evaluate("cpu", own, N, found), known[0]);
    }
    equant_noise_free(noise);
}

static void linear_terms()
{
    static const double white[3] = {-342.83165868278892845, -343.02648677607639563,
                                    -359.59948388519836604},
                        rotation[3] = {-115.8710416837049433, -113.24715838509127117,
                                       -129.82014810161611844},
                        esp2[3] = {-156.12327013148079998, -151.67467651556987746,
                                   -168.25070864022741031},
                        best[3] = {-0.507265657799509, -0.0407239244476749, -1.6936770108351};
    check_linear(WHITE, white, NULL);
    check_linear(ROTATION, rotation, best);
    check_linear(ESP2, esp2, NULL);
}

/* ---- derivatives and predictions --------------------------------------------------- */

/* A derivative is a difference of sums over all rows, and known as well as the largest of them. */
static void gradients()
{
    static const struct {
        const term *own;
        double known[6];
    } cases[] = {{&ROTATION,
                  {9.34321294918395, -58.6011989528448, -4.38737136971476, .993796647470279,
                   5.88653737234328, 3.61213506544935}},
                 {&MEP,
                  {10.4950370379675, -62.476402370653, -2.72132766400321, -20.8275081708572,
                   26.4107345820843}},
                 {&ESP2,
                  {-.994321750532457, -10.0810327162501, 3.75748552439253, -4.23540038445057,
                   36.460618152312}}};
    for (const auto &own : cases) {
        task *wanted = prepare(*own.own, N);
        equant_noise *noise = library_noise(*own.own);
        const equant_noise_rows rows = library_rows(wanted);
        size_t n = equant_noise_n_parameters(noise);
        double likelihood, by_parameter[6], by_variance[N], by_jitter = 0.0;
        must(
            equant_noise_differentiate(noise, &rows, NULL, &likelihood, by_parameter, by_variance));
        equant_noise_free(noise);
        for (int k = 0; k < N; k++)
            by_jitter += 2.0 * 0.25 * by_variance[k];
        launch(differentiate, wanted);
        double largest = fabs(by_jitter);
        for (size_t i = 0; i < n; i++)
            largest = fmax(largest, fabs(own.own->values[i] * by_parameter[i]));
        for (size_t i = 0; i <= n; i++)
            compare(std::string("derivative of ") + own.own->name, wanted->answers[i],
                    i < n ? own.own->values[i] * by_parameter[i] : by_jitter, own.known[i],
                    largest);
    }
}

static void predictions()
{
    static const struct {
        const term *own;
        double mean[2], variance[2];
    } cases[] = {
        {&ROTATION, {-4.7010483600827, 2.40475365480774}, {1.45263037945864, 13.5424190673965}},
        {&MEP, {-3.08349264820983, 2.87993766635087}, {.942985656770454, 7.28412473281358}},
        {&ESP2, {-2.54737444275422, 3.53793246745984}, {.494658371522772, 3.19731869285405}}};
    static const double places[2] = {30.0, 70.0};
    for (const auto &own : cases) {
        equant_noise *noise = library_noise(*own.own);
        task *wanted = prepare(*own.own, N);
        const equant_noise_rows rows = library_rows(wanted);
        equant_noise_rows at = {};
        double mean[2], variance[2];
        at.struct_size = sizeof at;
        at.n = 2;
        at.time_days = places;
        must(equant_noise_predict(noise, &rows, NULL, &at, mean, variance));
        equant_noise_free(noise);
        for (int i = 0; i < 2; i++) {
            wanted->at = places[i];
            launch(predict, wanted);
            compare(std::string("mean of ") + own.own->name, wanted->answers[0], mean[i],
                    own.mean[i]);
            compare(std::string("variance of ") + own.own->name, wanted->answers[1], variance[i],
                    own.variance[i]);
        }
    }
}

int main()
{
    int n_devices = 0;
    if (cudaGetDeviceCount(&n_devices) != cudaSuccess || n_devices == 0) {
        printf("SKIP: there is no GPU here\n");
        return 77;
    }
    make_rows();
    one_series();
    two_series();
    linear_terms();
    gradients();
    predictions();
    printf("%d numbers, GPU and processor differ by %.1e at most\n", n_numbers, worst);
    if (n_failures > 0)
        printf("%d failures\n", n_failures);
    return n_failures != 0;
}
