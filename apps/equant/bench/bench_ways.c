#include "bench/bench_ways.h"

#include "bench/bench_batch.h"
#include "options/engine_options.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "terminal/progress_display.h"

static const size_t paper_systems = 122880;

/* Those of the paper, for comparison. */
static const equant_paper_options split = {.struct_size = sizeof split,
                                           .implementation = EQUANT_IMPLEMENTATION_SPLIT};
static const equant_paper_options tabulated = {.struct_size = sizeof tabulated,
                                               .first_guess = EQUANT_FIRST_GUESS_TABULATED};

static void add_way(bench_ways *ways, const char *backend, equant_precision precision,
                    const equant_paper_options *paper, equant_solver solver)
{
    equant_engine_options engine = engine_options_default();
    engine.backend = backend;
    engine.precision = precision;
    engine.paper = paper;
    engine.solver = solver;
    ways->way[ways->n_ways++] = (bench_way){.engine = engine};
}

static void add_ways(bench_ways *ways, const char *backend)
{
    static const equant_precision precisions[] = {EQUANT_PRECISION_SINGLE, EQUANT_PRECISION_DOUBLE,
                                                  EQUANT_PRECISION_MIXED, EQUANT_PRECISION_PAIR};
    for (size_t p = 0; p < sizeof precisions / sizeof *precisions; p++) {
        add_way(ways, backend, precisions[p], &split, EQUANT_SOLVER_DANBY);
        add_way(ways, backend, precisions[p], &split, EQUANT_SOLVER_FAST);
        add_way(ways, backend, precisions[p], NULL, EQUANT_SOLVER_DANBY);
        add_way(ways, backend, precisions[p], &tabulated, EQUANT_SOLVER_DANBY);
        add_way(ways, backend, precisions[p], NULL, EQUANT_SOLVER_FAST);
    }
}

const char *bench_way_code(const bench_way *way)
{
    const equant_paper_options *paper = way->engine.paper;
    return paper == &tabulated ? "fused, tabulated" : paper == &split ? "split" : "fused";
}

static equant_status time_batch(const bench_problem *problem, const bench_way *way, bool on_host,
                                double limit_s, double *seconds)
{
    bench_batch batch;
    equant_status status = bench_batch_create(problem->dataset, BENCH_N_PLANETS, paper_systems,
                                              &way->engine, on_host, &batch);
    if (status == EQUANT_SUCCESS)
        status = bench_batch_time(&batch, limit_s, seconds);
    bench_batch_free(&batch);
    return status;
}

/* What the driver says of the kernels, and chi-square against the truth. */
static equant_status examine(const bench_problem *problem, bench_way *way)
{
    equant_evaluator *evaluator = NULL;
    equant_results results = {.struct_size = sizeof results, .chi_square = problem->chi_square};
    equant_status status =
        equant_evaluator_create(problem->dataset, problem->model, &way->engine, &evaluator);
    if (status != EQUANT_SUCCESS)
        return status;
    way->n_kernels = equant_evaluator_n_kernels(evaluator);
    for (size_t i = 0; i < way->n_kernels && status == EQUANT_SUCCESS; i++) {
        way->kernel[i].struct_size = sizeof way->kernel[i];
        status = equant_evaluator_kernel(evaluator, i, &way->kernel[i]);
    }
    if (status == EQUANT_SUCCESS)
        status =
            equant_evaluator_evaluate(evaluator, problem->n_sets, problem->parameters, &results);
    if (status == EQUANT_SUCCESS)
        way->errors =
            bench_errors_of(problem->n_sets, problem->chi_square, problem->reference_chi_square);
    equant_evaluator_free(evaluator);
    return status;
}

static equant_status measure_way(const bench_problem *problem, double limit_s, bench_way *way)
{
    double on_device_s = 1.0, from_host_s = 1.0;
    equant_status status = examine(problem, way);
    if (status == EQUANT_SUCCESS)
        status = time_batch(problem, way, false, limit_s, &on_device_s);
    if (status == EQUANT_SUCCESS)
        status = time_batch(problem, way, true, limit_s, &from_host_s);
    way->systems_per_s = (double)paper_systems / on_device_s;
    way->from_host_per_s = (double)paper_systems / from_host_s;
    way->transfer = from_host_s / on_device_s - 1.0;
    return status;
}

int bench_ways_measure(const bench_problem *problem, const char *backend, double limit_s,
                       bench_ways *ways)
{
    *ways = (bench_ways){.n_ways = 0};
    add_ways(ways, backend);
    struct progress progress = progress_start("ways");
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < ways->n_ways && status == EQUANT_SUCCESS; i++) {
        status = measure_way(problem, limit_s, &ways->way[i]);
        progress_update(&progress, (double)(i + 1), (double)(i + 1) / (double)ways->n_ways);
        if (interrupt_requested()) {
            progress_clear(&progress);
            return EXIT_CODE_INTERRUPTED;
        }
    }
    progress_clear(&progress);
    return bench_batch_code(status);
}
