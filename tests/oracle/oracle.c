#include "oracle.h"

#include <quadmath.h>
#include <stdlib.h>

#include "quad_kepler.h"
#include "quad_least_squares.h"

/* Quadruple-precision working memory of one parameter set. */
typedef struct workspace {
    __float128 *velocity; /* of the planets, then of everything */
    __float128 *design;   /* [n_solved][n_obs]                  */
    __float128 *weight;
    __float128 *target;
    __float128 linear[QUAD_LEAST_SQUARES_MAX];
} workspace;

size_t oracle_n_linear(const oracle_data *data, const oracle_model *model)
{
    return data->n_instruments + (size_t)model->trend_order;
}

size_t oracle_n_solved(const oracle_data *data, const oracle_model *model)
{
    return (model->offsets_solved ? data->n_instruments : 0) +
           (model->trend_solved ? (size_t)model->trend_order : 0);
}

size_t oracle_n_parameters(const oracle_data *data, const oracle_model *model)
{
    return 5 * model->n_planets + oracle_n_linear(data, model) - oracle_n_solved(data, model) +
           (model->with_jitter ? data->n_instruments : 0);
}

static __float128 time_from_reference(const oracle_data *data, size_t k)
{
    return (__float128)data->time_days[k] - data->reference_time_days;
}

static __float128 design_term(const oracle_data *data, size_t j, size_t k)
{
    if (j < data->n_instruments)
        return (size_t)data->instrument[k] == j;
    __float128 time = time_from_reference(data, k);
    return j == data->n_instruments ? time : time * time;
}

double oracle_design(const oracle_data *data, size_t j, size_t k)
{
    return (double)design_term(data, j, k);
}

/* K [cos(nu + omega) + e cos omega], from the definition of the true anomaly. */
static __float128 planet_velocity(const double *planet, __float128 time, oracle_place *place)
{
    __float128 period = planet[0], k = planet[1], e = planet[2], omega = planet[3];
    __float128 turns = time / period;
    /* Whole turns go first, so that the digits left are those of the phase. */
    __float128 mean = 2 * M_PIq * (turns - rintq(turns)) + quad_kepler_reduce(planet[4]);
    quad_kepler solution = quad_kepler_solve(mean, e);
    __float128 cos_nu = (solution.cosine - e) / solution.slope;
    __float128 sin_nu = sqrtq((1 - e) * (1 + e)) * solution.sine / solution.slope;
    place->turns = (double)fabsq(turns);
    place->mean = (double)solution.mean_reduced;
    place->sine = (double)solution.sine;
    place->cosine = (double)solution.cosine;
    place->slope = (double)solution.slope;
    return k * (cos_nu * cosq(omega) - sin_nu * sinq(omega) + e * cosq(omega));
}

/* Fills work->linear with given terms, and with zero where they are solved. */
static const double *read_linear(const oracle_data *data, const oracle_model *model,
                                 const double *column, workspace *work)
{
    size_t n_linear = oracle_n_linear(data, model);
    for (size_t j = 0; j < n_linear; j++) {
        bool solved = j < data->n_instruments ? model->offsets_solved : model->trend_solved;
        work->linear[j] = solved ? 0 : (__float128)*column++;
    }
    return column;
}

static void add_linear(const oracle_data *data, const oracle_model *model, workspace *work)
{
    size_t n_linear = oracle_n_linear(data, model);
    for (size_t k = 0; k < data->n_obs; k++)
        for (size_t j = 0; j < n_linear; j++)
            work->velocity[k] += work->linear[j] * design_term(data, j, k);
}

/* Finds the solved terms for what planets and given terms leave, and adds them. */
static void solve_linear(const oracle_data *data, const oracle_model *model, workspace *work,
                         oracle_result *result)
{
    size_t solved_column[QUAD_LEAST_SQUARES_MAX], n_solved = 0;
    for (size_t j = 0; j < oracle_n_linear(data, model); j++)
        if (j < data->n_instruments ? model->offsets_solved : model->trend_solved)
            solved_column[n_solved++] = j;
    for (size_t k = 0; k < data->n_obs; k++) {
        work->target[k] = data->velocity_m_s[k] - work->velocity[k];
        for (size_t i = 0; i < n_solved; i++)
            work->design[i * data->n_obs + k] = design_term(data, solved_column[i], k);
    }
    __float128 solution[QUAD_LEAST_SQUARES_MAX];
    result->solvable =
        quad_least_squares_solve(data->n_obs, n_solved, work->design, work->weight, work->target,
                                 solution, result->inverse, &result->condition);
    if (!result->solvable)
        return;
    for (size_t i = 0; i < n_solved; i++) {
        work->linear[solved_column[i]] = solution[i];
        for (size_t k = 0; k < data->n_obs; k++)
            work->velocity[k] += solution[i] * work->design[i * data->n_obs + k];
    }
}

static void evaluate_set(const oracle_data *data, const oracle_model *model,
                         const double *parameters, workspace *work, oracle_result *result)
{
    size_t n_obs = data->n_obs;
    for (size_t k = 0; k < n_obs; k++) {
        __float128 time = time_from_reference(data, k);
        work->velocity[k] = 0;
        for (size_t p = 0; p < model->n_planets; p++)
            work->velocity[k] +=
                planet_velocity(parameters + 5 * p, time, &result->place[p * n_obs + k]);
    }
    const double *jitter = read_linear(data, model, parameters + 5 * model->n_planets, work);
    for (size_t k = 0; k < n_obs; k++) {
        __float128 sigma = data->uncertainty_m_s[k];
        __float128 extra = model->with_jitter ? (__float128)jitter[data->instrument[k]] : 0;
        work->weight[k] = 1 / (sigma * sigma + extra * extra);
        result->variance[k] = (double)(1 / work->weight[k]);
    }
    add_linear(data, model, work);
    solve_linear(data, model, work, result);
    for (size_t j = 0; j < oracle_n_linear(data, model); j++)
        result->linear[j] = (double)work->linear[j];
    __float128 chi_square = 0, normalisation = 0;
    for (size_t k = 0; k < n_obs; k++) {
        __float128 residual = data->velocity_m_s[k] - work->velocity[k];
        result->velocity[k] = (double)work->velocity[k];
        result->residual[k] = (double)residual;
        chi_square += residual * residual * work->weight[k];
        normalisation += logq(2 * M_PIq / work->weight[k]);
    }
    result->chi_square = (double)chi_square;
    result->log_likelihood = (double)(-(chi_square + normalisation) / 2);
}

static bool allocate_result(const oracle_data *data, const oracle_model *model,
                            oracle_result *result)
{
    size_t n = data->n_obs, n_solved = oracle_n_solved(data, model);
    result->linear = calloc(oracle_n_linear(data, model), sizeof(double));
    result->velocity = calloc(n, sizeof(double));
    result->residual = calloc(n, sizeof(double));
    result->variance = calloc(n, sizeof(double));
    result->place = calloc(n * model->n_planets + 1, sizeof(oracle_place));
    result->inverse = calloc(n * n_solved + 1, sizeof(double));
    return result->linear && result->velocity && result->residual && result->variance &&
           result->place && result->inverse;
}

/* False when memory is short. */
static bool evaluate_with_own_memory(const oracle_data *data, const oracle_model *model,
                                     const double *parameters, oracle_result *result)
{
    size_t n = data->n_obs;
    __float128 *memory = calloc(n * (3 + oracle_n_solved(data, model)), sizeof(__float128));
    bool enough = memory != NULL && allocate_result(data, model, result);
    if (enough) {
        workspace work = {.velocity = memory,
                          .weight = memory + n,
                          .target = memory + 2 * n,
                          .design = memory + 3 * n};
        evaluate_set(data, model, parameters, &work, result);
    }
    free(memory);
    return enough;
}

oracle_result *oracle_evaluate(const oracle_data *data, const oracle_model *model, size_t n_sets,
                               const double *parameters)
{
    oracle_result *results = calloc(n_sets + 1, sizeof *results);
    if (!results)
        return NULL;
    size_t n_parameters = oracle_n_parameters(data, model);
    bool enough = true;
#pragma omp parallel for schedule(dynamic, 1) reduction(&& : enough)
    for (size_t s = 0; s < n_sets; s++)
        enough =
            evaluate_with_own_memory(data, model, parameters + s * n_parameters, &results[s]) &&
            enough;
    if (!enough) {
        oracle_free(results, n_sets);
        return NULL;
    }
    return results;
}

void oracle_free(oracle_result *results, size_t n_sets)
{
    if (!results)
        return;
    for (size_t s = 0; s < n_sets; s++) {
        free(results[s].linear);
        free(results[s].velocity);
        free(results[s].residual);
        free(results[s].variance);
        free(results[s].place);
        free(results[s].inverse);
    }
    free(results);
}
