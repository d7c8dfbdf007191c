#include "bench/bench_batch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench_dataset.h"
#include "terminal/messages.h"
#include "terminal/progress_display.h"

enum { DISTINCT_SETS = 65536, MAX_ROUNDS = 7 };
static const double max_calls = 10000.0;

bool bench_batch_has_device(const char *backend)
{
    return backend != NULL && equant_device_wait(backend) == EQUANT_SUCCESS;
}

static equant_status allocate(const bench_batch *batch, size_t n_doubles, double **memory)
{
    if (batch->device != NULL)
        return equant_device_allocate(batch->device, n_doubles * sizeof(double), (void **)memory);
    *memory = malloc(n_doubles * sizeof(double));
    return *memory != NULL ? EQUANT_SUCCESS : EQUANT_ERROR_OUT_OF_MEMORY;
}

static void release(const bench_batch *batch, double *memory)
{
    if (batch->device != NULL)
        equant_device_free(batch->device, memory);
    else
        free(memory);
}

/* Distinct orbits, each with the column of its offset behind it. */
static equant_status draw(size_t n_sets, size_t n_planets, double *rows)
{
    equant_status status = EQUANT_SUCCESS;
    size_t n_columns = EQUANT_N_ELEMENTS * n_planets + 1;
    for (size_t set = 0; set < n_sets && status == EQUANT_SUCCESS; set++) {
        status =
            equant_orbits_draw(NULL, bench_dataset_seed, set, 1, n_planets, rows + set * n_columns);
        rows[(set + 1) * n_columns - 1] = 0.0;
    }
    return status;
}

static equant_status fill(bench_batch *batch, size_t n_planets)
{
    size_t n_columns = EQUANT_N_ELEMENTS * n_planets + 1;
    size_t n_distinct = batch->n_sets < DISTINCT_SETS ? batch->n_sets : DISTINCT_SETS;
    double *rows = malloc(n_distinct * n_columns * sizeof *rows);
    equant_status status =
        rows == NULL ? EQUANT_ERROR_OUT_OF_MEMORY : draw(n_distinct, n_planets, rows);
    for (size_t first = 0; first < batch->n_sets && status == EQUANT_SUCCESS; first += n_distinct) {
        size_t left = batch->n_sets - first, n = left < n_distinct ? left : n_distinct;
        double *to = batch->parameters + first * n_columns;
        if (batch->device != NULL)
            status = equant_device_copy(batch->device, n * n_columns * sizeof *rows, rows, to);
        else
            memcpy(to, rows, n * n_columns * sizeof *rows);
    }
    free(rows);
    return status;
}

equant_status bench_batch_create(const equant_dataset *dataset, size_t n_planets, size_t n_sets,
                                 const equant_engine_options *engine, bool on_host,
                                 bench_batch *batch)
{
    bool resident = !on_host && bench_batch_has_device(engine->backend);
    *batch = (bench_batch){.device = resident ? engine->backend : NULL, .n_sets = n_sets};
    equant_model_options shape = {.struct_size = sizeof shape,
                                  .n_planets = n_planets,
                                  .offset_columns = EQUANT_NUISANCE_GIVEN};
    equant_model *model = NULL;
    equant_status status = equant_model_create(&shape, &model);
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_create(dataset, model, engine, &batch->evaluator);
    if (status == EQUANT_SUCCESS)
        status = allocate(batch, n_sets * (EQUANT_N_ELEMENTS * n_planets + 1), &batch->parameters);
    if (status == EQUANT_SUCCESS)
        status = allocate(batch, n_sets, &batch->chi_square);
    if (status == EQUANT_SUCCESS)
        status = fill(batch, n_planets);
    equant_model_free(model);
    return status;
}

void bench_batch_free(bench_batch *batch)
{
    equant_evaluator_free(batch->evaluator);
    release(batch, batch->parameters);
    release(batch, batch->chi_square);
    *batch = (bench_batch){.n_sets = 0};
}

static equant_status call_batch(void *context)
{
    const bench_batch *batch = context;
    equant_results results = {.struct_size = sizeof results, .chi_square = batch->chi_square};
    if (batch->device != NULL)
        return equant_evaluator_evaluate_on_device(batch->evaluator, batch->n_sets,
                                                   batch->parameters, &results, NULL);
    return equant_evaluator_evaluate(batch->evaluator, batch->n_sets, batch->parameters, &results);
}

static equant_status wait_for_batch(void *context)
{
    const bench_batch *batch = context;
    return batch->device != NULL ? equant_device_wait(batch->device) : EQUANT_SUCCESS;
}

/* Seconds that n_calls take together. */
static equant_status time_calls(bench_batch_work *call, bench_batch_work *wait, void *context,
                                double n_calls, double *seconds)
{
    double start_s = progress_clock_s();
    equant_status status = EQUANT_SUCCESS;
    for (double i = 0.0; i < n_calls && status == EQUANT_SUCCESS; i++)
        status = call(context);
    if (status == EQUANT_SUCCESS)
        status = wait(context);
    *seconds = progress_clock_s() - start_s;
    return status;
}

equant_status bench_batch_time_work(bench_batch_work *call, bench_batch_work *wait, void *context,
                                    double limit_s, double *seconds)
{
    double start_s = progress_clock_s(), one_s, round_s;
    /* The first call allocates; the second tells how many fill a round. */
    equant_status status = time_calls(call, wait, context, 1.0, seconds);
    if (status != EQUANT_SUCCESS || *seconds > limit_s)
        return status;
    status = time_calls(call, wait, context, 1.0, &one_s);
    double n_calls = fmin(fmax(floor(limit_s / (MAX_ROUNDS * one_s)), 1.0), max_calls);
    *seconds = fmin(*seconds, one_s);
    for (int round = 0; round < MAX_ROUNDS && status == EQUANT_SUCCESS; round++) {
        if (progress_clock_s() - start_s > limit_s)
            break;
        status = time_calls(call, wait, context, n_calls, &round_s);
        *seconds = fmin(*seconds, round_s / n_calls);
    }
    return status;
}

equant_status bench_batch_time(bench_batch *batch, double limit_s, double *seconds)
{
    return bench_batch_time_work(call_batch, wait_for_batch, batch, limit_s, seconds);
}

int bench_batch_code(equant_status status)
{
    return status == EQUANT_ERROR_OUT_OF_MEMORY ? messages_out_of_memory()
                                                : messages_status(status);
}
