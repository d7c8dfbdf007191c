#include "bench/bench_rows.h"

#include <stdlib.h>
#include <string.h>

#include "options/engine_options.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "terminal/progress_display.h"

static const equant_precision precisions[] = {EQUANT_PRECISION_DOUBLE, EQUANT_PRECISION_MIXED,
                                              EQUANT_PRECISION_PAIR, EQUANT_PRECISION_SINGLE};
static const equant_solver solvers[] = {EQUANT_SOLVER_FAST, EQUANT_SOLVER_DANBY};
enum {
    N_PRECISIONS = sizeof precisions / sizeof *precisions,
    N_SOLVERS = sizeof solvers / sizeof *solvers,
    N_THREAD_COUNTS = 2,
    ROWS_PER_BACKEND = N_PRECISIONS * N_SOLVERS * N_THREAD_COUNTS
};

static bench_row baseline_row(double tolerance)
{
    return (bench_row){.precision = "double",
                       .solver = "danby",
                       .isa = "libm",
                       .speed = bench_speed_baseline(tolerance)};
}

/* "cpu/avx512" is "avx512"; a name without a slash stays as it is. */
static const char *isa_of(const char *backend)
{
    const char *slash = strchr(backend, '/');
    return slash == NULL ? backend : slash + 1;
}

/* Adds one row, or none where the backend does not do this precision or solver. */
static equant_status add_row(const bench_problem *problem, const equant_engine_options *engine,
                             bench_rows *rows)
{
    bench_row *row = &rows->row[rows->n_rows];
    equant_status status = bench_speed_create(problem, engine, &row->speed);
    if (status == EQUANT_ERROR_UNAVAILABLE)
        return EQUANT_SUCCESS;
    if (status != EQUANT_SUCCESS)
        return status;
    row->precision = engine_options_precision_name(engine->precision);
    row->solver = engine_options_solver_name(engine->solver);
    row->isa = isa_of(equant_evaluator_backend(row->speed.evaluator));
    rows->n_rows++;
    return EQUANT_SUCCESS;
}

static equant_status add_backend(const bench_problem *problem, const char *backend, int n_threads,
                                 bench_rows *rows)
{
    equant_engine_options engine = engine_options_default();
    engine.backend = backend;
    for (int p = 0; p < N_PRECISIONS; p++)
        for (int s = 0; s < N_SOLVERS; s++) {
            engine.precision = precisions[p];
            engine.solver = solvers[s];
            engine.n_threads = 1;
            equant_status status = add_row(problem, &engine, rows);
            engine.n_threads = n_threads;
            if (status == EQUANT_SUCCESS && n_threads > 1)
                status = add_row(problem, &engine, rows);
            if (status != EQUANT_SUCCESS)
                return status;
        }
    return EQUANT_SUCCESS;
}

int bench_rows_create(const bench_problem *problem, const char *backend, int n_threads,
                      bench_rows *rows)
{
    *rows = (bench_rows){.baseline = {baseline_row(1e-6), baseline_row(1e-14)}};
    size_t n_backends = backend != NULL ? 1 : equant_n_backends();
    rows->row = calloc(n_backends * ROWS_PER_BACKEND, sizeof *rows->row);
    if (rows->row == NULL)
        return messages_out_of_memory();
    equant_status status = EQUANT_SUCCESS;
    if (backend != NULL)
        status = add_backend(problem, backend, n_threads, rows);
    for (size_t i = 0; backend == NULL && status == EQUANT_SUCCESS && i < n_backends; i++) {
        equant_backend_info info = {.struct_size = sizeof info};
        status = equant_backend_at(i, &info);
        if (status == EQUANT_SUCCESS && info.available)
            status = add_backend(problem, info.name, n_threads, rows);
    }
    return messages_status(status);
}

/* Row `index` when the baselines are counted as the first rows. */
static bench_row *nth(bench_rows *rows, size_t index)
{
    return index < BENCH_N_BASELINES ? &rows->baseline[index]
                                     : &rows->row[index - BENCH_N_BASELINES];
}

/* Results do not depend on the number of threads, so a row that differs from the one
 * before it in nothing else has its errors. */
static bool shares_errors(const bench_row *row, const bench_row *before)
{
    return row->speed.evaluator != NULL && before->speed.evaluator != NULL &&
           row->isa == before->isa && row->precision == before->precision &&
           row->solver == before->solver;
}

static equant_status find_errors(bench_row *row, const bench_row *before,
                                 const bench_problem *problem)
{
    if (before != NULL && shares_errors(row, before)) {
        row->errors = before->errors;
        return EQUANT_SUCCESS;
    }
    equant_status status = bench_speed_evaluate(&row->speed, problem);
    if (status == EQUANT_SUCCESS)
        row->errors =
            bench_errors_of(problem->n_sets, problem->chi_square, problem->reference_chi_square);
    return status;
}

static equant_status find_speeds(bench_row *row, const bench_problem *problem, double seconds)
{
    equant_status status = bench_speed_measure_systems(&row->speed, problem, seconds);
    if (status == EQUANT_SUCCESS)
        status = bench_speed_measure_kepler(&row->speed, problem, seconds);
    return status;
}

/* Pass 0 finds the errors, and so warms everything up; passes 1 and up the speeds. */
int bench_rows_measure(bench_rows *rows, const bench_problem *problem, const bench_effort *effort)
{
    struct progress progress = progress_start("measurements");
    size_t n_all = rows->n_rows + BENCH_N_BASELINES, n_done = 0;
    size_t n_to_do = n_all * (size_t)(effort->n_rounds + 1);
    equant_status status = EQUANT_SUCCESS;
    for (int pass = 0; pass <= effort->n_rounds; pass++)
        for (size_t i = 0; i < n_all && status == EQUANT_SUCCESS; i++) {
            if (interrupt_requested()) {
                progress_clear(&progress);
                return EXIT_CODE_INTERRUPTED;
            }
            bench_row *row = nth(rows, i);
            if (pass == 0)
                status = find_errors(row, i > 0 ? nth(rows, i - 1) : NULL, problem);
            else
                status = find_speeds(row, problem, effort->seconds);
            n_done++;
            progress_update(&progress, (double)n_done, (double)n_done / (double)n_to_do);
        }
    progress_clear(&progress);
    return messages_status(status);
}

void bench_rows_free(bench_rows *rows)
{
    for (size_t i = 0; i < rows->n_rows; i++)
        bench_speed_free(&rows->row[i].speed);
    free(rows->row);
    *rows = (bench_rows){.row = NULL};
}
