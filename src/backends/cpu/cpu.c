/* Threads and tiles: the CPU backend around the kernels of one machine. */
#include "backends/cpu/cpu.h"

#include <stdlib.h>

#include "backends/cpu/problem.h"
#include "parallel/parallel_for.h"
#include "physics/lane.h"
#include "physics/linear_nuisance.h"
#include "statistics/noise_adjoint.h"

typedef struct cpu_state {
    cpu_problem problem;
    const cpu_kernels *kernels;
    int n_threads;
    cpu_scratch *scratch;                /* [n_threads] */
    cpu_derivative_scratch *derivatives; /* [n_threads], made by the first call that needs it */
} cpu_state;

/* Doubles in the widest groups of lanes together. */
#define MOST_LANES (8 * CPU_NOISE_GROUPS)

/* True where it is complete, or not needed. */
static bool noise_scratch_create(cpu_scratch *scratch, const cpu_problem *problem)
{
    const cpu_noise *noise = &problem->noise;
    const size_t group = MOST_LANES * sizeof(double);
    if (problem->layout.noise.n == 0)
        return true;
    scratch->noise_words = problem_allocate(noise->n_words, group);
    scratch->noise_jitters = problem_allocate(problem->n_segments, group);
    scratch->noise_residuals = problem_allocate(problem->n_obs, group);
    scratch->noise_states = problem_allocate(noise->n_solved * noise->n_states, group);
    scratch->noise_normal = problem_allocate(noise->n_solved * (noise->n_solved + 1), group);
    scratch->noise_linear = problem_allocate(problem->n_segments + 2, group);
    return scratch->noise_words && scratch->noise_jitters && scratch->noise_residuals &&
           scratch->noise_states && scratch->noise_normal && scratch->noise_linear;
}

static equant_status scratch_create(cpu_scratch *scratch, const cpu_problem *problem,
                                    const cpu_kernels *kernels)
{
    size_t planets = CPU_TILE * problem->layout.n_planets;
    bool compensated = problem->engine.summation == EQUANT_SUMMATION_COMPENSATED;
    /* The sums and their compensation lie in one piece and never a multiple of 4096 bytes
     * apart: a processor takes a load for the echo of a store at that distance, and waits. */
    size_t sum_size = problem->n_padded * kernels->real_size;
    size_t low_size = compensated ? sum_size : 0;
    size_t low_offset = compensated ? (sum_size + 4095) / 4096 * 4096 + 512 : sum_size;
    scratch->elements = problem_allocate(N_ELEMENTS * planets, sizeof(double));
    scratch->constants = problem_allocate(kernels->n_constants * planets, sizeof(double));
    scratch->planets = problem_allocate(low_offset + low_size, 1);
    if (scratch->planets && compensated)
        scratch->planets_low = (char *)scratch->planets + low_offset;
    if (parameter_layout_has_noise(&problem->layout))
        scratch->weights = problem_allocate(problem->n_storage, kernels->real_size);
    scratch->offsets = problem_allocate(problem->n_segments, sizeof(double));
    scratch->moments = problem_allocate(problem->n_segments, sizeof(linear_moments));
    bool has_noise = noise_scratch_create(scratch, problem);
    bool complete = has_noise && scratch->elements && scratch->constants && scratch->planets &&
                    (scratch->weights || !parameter_layout_has_noise(&problem->layout)) &&
                    scratch->offsets && scratch->moments;
    return complete ? EQUANT_SUCCESS : EQUANT_ERROR_OUT_OF_MEMORY;
}

static void scratch_free(cpu_scratch *scratch)
{
    free(scratch->elements);
    free(scratch->constants);
    free(scratch->planets);
    free(scratch->weights);
    free(scratch->offsets);
    free(scratch->moments);
    free(scratch->noise_words);
    free(scratch->noise_jitters);
    free(scratch->noise_residuals);
    free(scratch->noise_states);
    free(scratch->noise_normal);
    free(scratch->noise_linear);
}

/* True where it is complete, or not needed. */
static bool noise_derivatives_create(cpu_noise_derivatives *made, const cpu_problem *problem)
{
    const size_t n = problem->n_obs, n_states = problem->noise.n_states,
                 n_columns = problem->layout.columns[TERM_ORBITS].n + problem->layout.n_linear + 1;
    if (problem->layout.noise.n == 0)
        return true;
    made->raw = problem_allocate(n_columns, n * sizeof(double));
    made->white = problem_allocate(n_columns, n * sizeof(double));
    made->matrix = problem_allocate(n_columns, n_columns * sizeof(double));
    made->states = problem_allocate(n_columns, n_states * sizeof(double));
    made->kept = problem_allocate(n, noise_state_size(n_states) * sizeof(double));
    made->values = problem_allocate(n, sizeof(double));
    made->variances = problem_allocate(n, sizeof(double));
    made->by_variance = problem_allocate(n, sizeof(double));
    made->jitters = problem_allocate(problem->n_segments, sizeof(double));
    made->gradients = problem_allocate(2, problem->layout.n_parameters * sizeof(double));
    return made->raw && made->white && made->matrix && made->states && made->kept && made->values &&
           made->variances && made->by_variance && made->jitters && made->gradients;
}

static void noise_derivatives_free(cpu_noise_derivatives *made)
{
    free(made->raw);
    free(made->white);
    free(made->matrix);
    free(made->states);
    free(made->kept);
    free(made->values);
    free(made->variances);
    free(made->by_variance);
    free(made->jitters);
    free(made->gradients);
}

static equant_status derivative_scratch_create(cpu_derivative_scratch *scratch,
                                               const cpu_problem *problem,
                                               const cpu_kernels *kernels)
{
    const size_t panel = CPU_PANEL;
    scratch->n_columns = cpu_residual_column(problem) / panel * panel + panel;
    scratch->column_stride = problem->n_padded;
    if (scratch->column_stride % 512 == 0) /* not 4096 bytes apart: see scratch_create */
        scratch->column_stride += CPU_PADDING;
    scratch->matrix_size = scratch->n_columns + problem->n_segments;
    scratch->constants = problem_allocate(
        kernels->n_derivative_constants * CPU_TILE * problem->layout.n_planets, sizeof(double));
    scratch->columns =
        problem_allocate(scratch->n_columns, scratch->column_stride * sizeof(double));
    scratch->weights = problem_allocate(problem->n_padded, sizeof(double));
    scratch->matrix = problem_allocate(scratch->matrix_size, scratch->matrix_size * sizeof(double));
    scratch->places = problem_allocate(problem->layout.n_parameters, sizeof(size_t));
    bool has_noise = noise_derivatives_create(&scratch->noise, problem);
    bool complete = has_noise && scratch->constants && scratch->columns && scratch->weights &&
                    scratch->matrix && scratch->places;
    return complete ? EQUANT_SUCCESS : EQUANT_ERROR_OUT_OF_MEMORY;
}

static void derivative_scratch_free(cpu_derivative_scratch *scratch)
{
    free(scratch->constants);
    free(scratch->columns);
    free(scratch->weights);
    free(scratch->matrix);
    free(scratch->places);
    noise_derivatives_free(&scratch->noise);
}

/* Correlated noise is done in double. */
static void choose_noise_loop(const cpu_kernels *kernels, cpu_noise *noise)
{
    cpu_noise_loop *special = kernels->noise_special ? kernels->noise_special(&noise->plan) : NULL;
    noise->loop = special ? special : kernels->noise_general(&noise->plan);
    noise->normal = kernels->noise_normal;
}

equant_status cpu_create(const cpu_kernels *const kernels[4], const backend_problem *problem,
                         const backend_engine *engine, void **out)
{
    cpu_state *state = calloc(1, sizeof *state);
    if (!state)
        return EQUANT_ERROR_OUT_OF_MEMORY;
    state->kernels = kernels[engine->precision];
    state->scratch = calloc((size_t)engine->n_threads, sizeof *state->scratch);
    state->n_threads = state->scratch ? engine->n_threads : 0;
    equant_status status = state->scratch ? EQUANT_SUCCESS : EQUANT_ERROR_OUT_OF_MEMORY;
    if (status == EQUANT_SUCCESS)
        status = problem_create(&state->problem, problem, engine, state->kernels);
    choose_noise_loop(kernels[EQUANT_PRECISION_DOUBLE], &state->problem.noise);
    for (int i = 0; status == EQUANT_SUCCESS && i < state->n_threads; i++)
        status = scratch_create(&state->scratch[i], &state->problem, state->kernels);
    if (status != EQUANT_SUCCESS) {
        cpu_destroy(state);
        return status;
    }
    *out = state;
    return EQUANT_SUCCESS;
}

static void derivatives_free(cpu_state *state)
{
    for (int i = 0; state->derivatives && i < state->n_threads; i++)
        derivative_scratch_free(&state->derivatives[i]);
    free(state->derivatives);
    state->derivatives = NULL;
}

/* Makes the memory for derivatives where it is not there yet; all of it or none. */
static equant_status derivatives_require(cpu_state *state)
{
    if (state->derivatives)
        return EQUANT_SUCCESS;
    state->derivatives = calloc((size_t)state->n_threads, sizeof *state->derivatives);
    equant_status status = state->derivatives ? EQUANT_SUCCESS : EQUANT_ERROR_OUT_OF_MEMORY;
    for (int i = 0; status == EQUANT_SUCCESS && i < state->n_threads; i++)
        status = derivative_scratch_create(&state->derivatives[i], &state->problem, state->kernels);
    if (status != EQUANT_SUCCESS)
        derivatives_free(state);
    return status;
}

void cpu_destroy(void *opaque)
{
    cpu_state *state = opaque;
    derivatives_free(state);
    for (int i = 0; i < state->n_threads; i++)
        scratch_free(&state->scratch[i]);
    problem_free(&state->problem);
    free(state->scratch);
    free(state);
}

/* Tiles that a thread takes at once: few enough that all threads end together, enough
 * that they seldom ask. */
static size_t tiles_per_share(size_t n_tiles, int n_threads)
{
    size_t share = n_tiles / (64 * (size_t)n_threads);
    return share < 1 ? 1 : share > 8 ? 8 : share;
}

static void evaluate_tile(cpu_state *state, size_t tile, size_t n_sets, const double *parameters,
                          const equant_results *results, int thread)
{
    const cpu_problem *problem = &state->problem;
    size_t first = tile * CPU_TILE, left = n_sets - first;
    equant_results rows = cpu_results_from(problem, results, first);
    state->kernels->evaluate(problem, left < CPU_TILE ? left : CPU_TILE,
                             parameters + first * problem->layout.n_parameters, &rows,
                             &state->scratch[thread]);
}

typedef struct evaluate_work {
    cpu_state *state;
    size_t n_sets;
    const double *parameters;
    const equant_results *results;
} evaluate_work;

static void evaluate_tiles(void *context, size_t first, size_t end, int thread)
{
    const evaluate_work *work = context;
    for (size_t tile = first; tile < end; tile++)
        evaluate_tile(work->state, tile, work->n_sets, work->parameters, work->results, thread);
}

/* Sets are independent, so any share of them between threads gives the same bits. */
equant_status cpu_evaluate(void *opaque, size_t n_sets, const double *parameters,
                           const equant_results *results)
{
    cpu_state *state = opaque;
    size_t n_tiles = n_sets / CPU_TILE + (n_sets % CPU_TILE != 0);
    int n_threads = n_tiles < (size_t)state->n_threads ? (int)n_tiles : state->n_threads;
    evaluate_work work = {state, n_sets, parameters, results};
    if (n_tiles > 0)
        parallel_for(n_threads, n_tiles, tiles_per_share(n_tiles, n_threads), evaluate_tiles,
                     &work);
    return EQUANT_SUCCESS;
}

/* Waking a thread costs as much as differentiating this many planets at this many observations
 * (and far more where other programs hold the processors): for less, one does it faster. A fit
 * makes thousands of such small calls. */
#define DERIVATIVES_PER_THREAD 30000

static int derivative_threads(const cpu_problem *problem, size_t n_sets, int n_threads)
{
    size_t work = n_sets * problem->n_padded * (problem->layout.n_planets + 1);
    size_t worth = work / DERIVATIVES_PER_THREAD + 1;
    return worth < (size_t)n_threads ? (int)worth : n_threads;
}

/* Sets that a thread differentiates at once: a tile, but not so many that others wait. */
static size_t derivative_tile_size(size_t n_sets, int n_threads)
{
    size_t size = n_sets / (4 * (size_t)n_threads);
    return size < 1 ? 1 : size > CPU_TILE ? CPU_TILE : size;
}

/* A call, in tiles. */
typedef struct derivative_work {
    cpu_state *state;
    equant_basis basis;
    size_t n_sets, tile_size;
    const double *parameters;
    const equant_derivatives *derivatives;
} derivative_work;

static void differentiate_tile(const derivative_work *work, size_t tile, int thread)
{
    cpu_state *state = work->state;
    const cpu_problem *problem = &state->problem;
    size_t first = tile * work->tile_size, left = work->n_sets - first;
    equant_derivatives rows = cpu_derivatives_from(problem, work->derivatives, first);
    state->kernels->differentiate(problem, work->basis,
                                  left < work->tile_size ? left : work->tile_size,
                                  work->parameters + first * problem->layout.n_parameters, &rows,
                                  &state->scratch[thread], &state->derivatives[thread]);
}

static void differentiate_tiles(void *context, size_t first, size_t end, int thread)
{
    const derivative_work *work = context;
    for (size_t tile = first; tile < end; tile++)
        differentiate_tile(work, tile, thread);
}

equant_status cpu_differentiate(void *opaque, equant_basis basis, size_t n_sets,
                                const double *parameters, const equant_derivatives *derivatives)
{
    cpu_state *state = opaque;
    const cpu_problem *problem = &state->problem;
    if (!state->kernels->differentiate)
        return EQUANT_ERROR_UNAVAILABLE;
    equant_status status = derivatives_require(state);
    if (status != EQUANT_SUCCESS)
        return status;
    int n_threads = derivative_threads(problem, n_sets, state->n_threads);
    size_t tile_size = derivative_tile_size(n_sets, n_threads);
    size_t n_tiles = n_sets / tile_size + (n_sets % tile_size != 0);
    derivative_work work = {state, basis, n_sets, tile_size, parameters, derivatives};
    parallel_for(n_threads, n_tiles, 1, differentiate_tiles, &work);
    return EQUANT_SUCCESS;
}

enum { SHARE = 4096 }; /* equations a thread takes at once */

typedef struct solve_work {
    const cpu_kernels *kernel;
    const backend_engine *engine;
    size_t n;
    const double *mean_anomaly_rad, *eccentricity;
    double *eccentric_anomaly_rad, *sine, *cosine; /* may be NULL */
} solve_work;

static void solve_shares(void *context, size_t first_share, size_t end_share, int thread)
{
    const solve_work *work = context;
    size_t first = first_share * SHARE;
    size_t end = end_share * SHARE < work->n ? end_share * SHARE : work->n;
    (void)thread;
    work->kernel->solve(
        work->engine, end - first, work->mean_anomaly_rad + first, work->eccentricity + first,
        work->eccentric_anomaly_rad ? work->eccentric_anomaly_rad + first : NULL,
        work->sine ? work->sine + first : NULL, work->cosine ? work->cosine + first : NULL);
}

equant_status cpu_solve(const cpu_kernels *const kernels[4], const backend_engine *engine, size_t n,
                        const double *mean_anomaly_rad, const double *eccentricity,
                        double *eccentric_anomaly_rad, double *sine, double *cosine)
{
    solve_work work = {kernels[engine->precision], engine, n,     mean_anomaly_rad, eccentricity,
                       eccentric_anomaly_rad,      sine,   cosine};
    parallel_for(engine->n_threads, (n + SHARE - 1) / SHARE, 1, solve_shares, &work);
    return EQUANT_SUCCESS;
}
