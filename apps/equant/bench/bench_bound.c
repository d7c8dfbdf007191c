#include "bench/bench_bound.h"

#include <math.h>
#include <stdlib.h>

#include "bench/bench_batch.h"
#include "bench/bench_dataset.h"
#include "options/engine_options.h"
#include "terminal/messages.h"
#include "terminal/table.h"

#define TWO_PI 6.28318530717958647693

/* Two doubles in and one out. Operations are those of kepler_kernel of the CUDA backend where E
 * alone is asked for, as Nsight Compute counts what an H200 executes. */
static const bench_bound_cost costs[BENCH_BOUND_PRECISIONS] = {
    {EQUANT_PRECISION_SINGLE, 24.0, 3.0, 100.0},
    {EQUANT_PRECISION_DOUBLE, 24.0, 51.0, 127.0},
};

/* Far beyond any cache; those beyond the first N_DISTINCT repeat. */
enum { N_PAIRS = 1 << 25, N_DISTINCT = 1 << 20, PURPOSE_M = 7, PURPOSE_E };

/* Three arrays of N_PAIRS on the device. */
typedef struct solver_work {
    const char *backend;
    equant_engine_options engine;
    double *mean_anomaly_rad, *eccentricity, *eccentric_anomaly_rad;
} solver_work;

static equant_status solve(void *context)
{
    const solver_work *work = context;
    return equant_kepler_solve_on_device(N_PAIRS, work->mean_anomaly_rad, work->eccentricity,
                                         &work->engine, work->eccentric_anomaly_rad, NULL, NULL,
                                         NULL);
}

static equant_status copy(void *context)
{
    const solver_work *work = context;
    return equant_device_copy(work->backend, N_PAIRS * sizeof(double), work->mean_anomaly_rad,
                              work->eccentric_anomaly_rad);
}

static equant_status wait_for_work(void *context)
{
    const solver_work *work = context;
    return equant_device_wait(work->backend);
}

/* Uniform draws times `scale`, repeated until the array is full. */
static equant_status fill(const char *backend, uint32_t purpose, double scale, double *array)
{
    double *draws = malloc(N_DISTINCT * sizeof *draws);
    if (draws == NULL)
        return EQUANT_ERROR_OUT_OF_MEMORY;
    equant_status status = equant_random_uniform(bench_dataset_seed, purpose, 0, N_DISTINCT, draws);
    for (size_t i = 0; i < N_DISTINCT; i++)
        draws[i] *= scale;
    for (size_t first = 0; first < N_PAIRS && status == EQUANT_SUCCESS; first += N_DISTINCT)
        status = equant_device_copy(backend, N_DISTINCT * sizeof *draws, draws, array + first);
    free(draws);
    return status;
}

static equant_status create(solver_work *work)
{
    double **const arrays[] = {&work->mean_anomaly_rad, &work->eccentricity,
                               &work->eccentric_anomaly_rad};
    equant_status status = EQUANT_SUCCESS;
    for (int i = 0; i < 3 && status == EQUANT_SUCCESS; i++)
        status =
            equant_device_allocate(work->backend, N_PAIRS * sizeof(double), (void **)arrays[i]);
    if (status == EQUANT_SUCCESS)
        status = fill(work->backend, PURPOSE_M, TWO_PI, work->mean_anomaly_rad);
    if (status == EQUANT_SUCCESS)
        status = fill(work->backend, PURPOSE_E, 0.99, work->eccentricity);
    return status;
}

static void destroy(solver_work *work)
{
    equant_device_free(work->backend, work->mean_anomaly_rad);
    equant_device_free(work->backend, work->eccentricity);
    equant_device_free(work->backend, work->eccentric_anomaly_rad);
}

static equant_status measure_row(solver_work *work, int i, double limit_s, bench_bound *bound)
{
    const bench_bound_cost *cost = &costs[i];
    double seconds;
    work->engine.precision = cost->precision;
    equant_status status = bench_batch_time_work(solve, wait_for_work, work, limit_s, &seconds);
    if (status != EQUANT_SUCCESS)
        return status;
    bound->row[i].cost = cost;
    bound->row[i].solutions_per_s = N_PAIRS / seconds;
    bound->row[i].by_memory = bound->copied_bytes_per_s / cost->bytes;
    bound->row[i].by_double = bound->device.double_per_s / cost->double_operations;
    bound->row[i].by_instructions = bound->device.instructions_per_s / cost->instructions;
    bound->row[i].share =
        bound->row[i].solutions_per_s /
        fmin(bound->row[i].by_memory, fmin(bound->row[i].by_double, bound->row[i].by_instructions));
    return EQUANT_SUCCESS;
}

equant_status bench_bound_measure(const char *backend, double limit_s, bench_bound *bound)
{
    *bound = (bench_bound){.device = {.struct_size = sizeof bound->device}};
    solver_work work = {.backend = backend, .engine = engine_options_default()};
    work.engine.backend = backend;
    double seconds;
    equant_status status = equant_device_describe(backend, &bound->device);
    if (status == EQUANT_SUCCESS)
        status = create(&work);
    if (status == EQUANT_SUCCESS)
        status = bench_batch_time_work(copy, wait_for_work, &work, limit_s, &seconds);
    if (status == EQUANT_SUCCESS)
        bound->copied_bytes_per_s = 2.0 * N_PAIRS * sizeof(double) / seconds;
    for (int i = 0; i < BENCH_BOUND_PRECISIONS && status == EQUANT_SUCCESS; i++)
        status = measure_row(&work, i, limit_s, bound);
    destroy(&work);
    return status;
}

void bench_bound_json(json_writer *json, const bench_bound *bound)
{
    json_key(json, "kepler_on_device");
    json_object_begin(json);
    json_key_string(json, "device", bound->device.name);
    json_key_number(json, "data_sheet_bytes_per_s", bound->device.bytes_per_s);
    json_key_number(json, "copied_bytes_per_s", bound->copied_bytes_per_s);
    json_key_number(json, "double_fma_per_s", bound->device.double_per_s);
    json_key_number(json, "instructions_per_s", bound->device.instructions_per_s);
    json_key(json, "rows");
    json_array_begin(json);
    for (int i = 0; i < BENCH_BOUND_PRECISIONS; i++) {
        const bench_bound_cost *cost = bound->row[i].cost;
        json_object_begin(json);
        json_key_string(json, "precision", engine_options_precision_name(cost->precision));
        json_key_number(json, "bytes", cost->bytes);
        json_key_number(json, "double_operations", cost->double_operations);
        json_key_number(json, "instructions", cost->instructions);
        json_key_number(json, "kepler_per_s", bound->row[i].solutions_per_s);
        json_key_number(json, "bound_by_memory", bound->row[i].by_memory);
        json_key_number(json, "bound_by_double", bound->row[i].by_double);
        json_key_number(json, "bound_by_instructions", bound->row[i].by_instructions);
        json_key_number(json, "share_of_bound", bound->row[i].share);
        json_object_end(json);
    }
    json_array_end(json);
    json_object_end(json);
}

int bench_bound_text(FILE *stream, const bench_bound *bound)
{
    static const char *const titles[] = {"precision",    "bytes",    "double",
                                         "instructions", "Kepler/s", "by memory",
                                         "by double",    "by issue", "share of the least"};
    fprintf(
        stream,
        "\nKepler's equation alone, arrays on the device (%s), E written; a solution takes so\n"
        "many bytes, operations on the double pipe and instructions, which bound it; memory at\n"
        "the %.3g bytes/s of a copy\n\n",
        bound->device.name, bound->copied_bytes_per_s);
    struct table table = table_start("lrrrrrrrr");
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        table_add(&table, "%s", titles[i]);
    for (int i = 0; i < BENCH_BOUND_PRECISIONS; i++) {
        const bench_bound_cost *cost = bound->row[i].cost;
        table_add(&table, "%s", engine_options_precision_name(cost->precision));
        table_add(&table, "%.0f", cost->bytes);
        table_add(&table, "%.0f", cost->double_operations);
        table_add(&table, "%.0f", cost->instructions);
        table_add(&table, "%.3g", bound->row[i].solutions_per_s);
        table_add(&table, "%.3g", bound->row[i].by_memory);
        table_add(&table, "%.3g", bound->row[i].by_double);
        table_add(&table, "%.3g", bound->row[i].by_instructions);
        table_add(&table, "%.0f %%", 100.0 * bound->row[i].share);
    }
    int code = table_print(&table, stream, 2);
    table_free(&table);
    return code;
}
