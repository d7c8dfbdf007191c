#include "bench/bench_sweep.h"

#include <math.h>

#include "bench/bench_batch.h"
#include "bench/bench_dataset.h"
#include "bench/bench_report.h"
#include "options/engine_options.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "terminal/progress_display.h"
#include "terminal/table.h"

static const equant_precision precisions[BENCH_SWEEP_PRECISIONS] = {EQUANT_PRECISION_DOUBLE,
                                                                    EQUANT_PRECISION_MIXED};

/* What the paper measured, and how far around it we go. */
static const size_t paper_systems = 122880, paper_planets = 4, paper_obs = 256;
static const size_t least_systems = 1 << 6, most_systems = 1 << 24;
static const size_t least_obs = 16, most_obs = 16384, most_planets = 8;

static void add_point(bench_sweep *sweep, const char *varied, size_t n_systems, size_t n_planets,
                      size_t n_obs)
{
    bench_sweep_point *point = &sweep->point[sweep->n_points++];
    *point = (bench_sweep_point){.varied = varied, .n_planets = n_planets, .n_obs = n_obs};
    for (int p = 0; p < BENCH_SWEEP_PRECISIONS; p++)
        point->n_systems[p] = n_systems;
}

static void add_points(bench_sweep *sweep)
{
    for (size_t n = least_systems; n <= most_systems; n *= 4)
        add_point(sweep, "systems", n, paper_planets, paper_obs);
    for (size_t n = 1; n <= most_planets; n++)
        add_point(sweep, "planets", paper_systems, n, paper_obs);
    for (size_t n = least_obs; n <= most_obs; n *= 2)
        add_point(sweep, "observations", paper_systems, paper_planets, n);
}

/* What a slow core does; more is known after the first points. */
static const double least_evaluations_per_s = 1e8;

/* One precision at one point; *evaluations_per_s is the best that the points before have
 * shown. A batch that would take longer than the limit is not measured where systems are
 * varied, and made smaller where they are not. */
static equant_status measure_point(bench_sweep_point *point, int precision,
                                   const equant_engine_options *engine, double limit_s,
                                   double *evaluations_per_s)
{
    double per_system = (double)(point->n_planets * point->n_obs), seconds;
    size_t *n = &point->n_systems[precision];
    while ((double)*n * per_system > limit_s * *evaluations_per_s) {
        if (point->varied[0] == 's' || *n <= least_systems)
            return EQUANT_SUCCESS;
        *n /= 2;
    }
    equant_dataset *dataset = NULL;
    bench_batch batch = {.n_sets = 0};
    equant_status status = bench_dataset_create(point->n_obs, &dataset);
    if (status == EQUANT_SUCCESS)
        status = bench_batch_create(dataset, point->n_planets, *n, engine, false, &batch);
    if (status == EQUANT_SUCCESS)
        status = bench_batch_time(&batch, limit_s, &seconds);
    if (status == EQUANT_SUCCESS) {
        point->systems_per_s[precision] = (double)*n / seconds;
        *evaluations_per_s = fmax(*evaluations_per_s, point->systems_per_s[precision] * per_system);
    }
    bench_batch_free(&batch);
    equant_dataset_free(dataset);
    return status;
}

int bench_sweep_measure(const char *backend, int n_threads, double limit_s, bench_sweep *sweep)
{
    *sweep = (bench_sweep){.backend = backend != NULL ? backend : "cpu"};
    add_points(sweep);
    struct progress progress = progress_start("points");
    double evaluations_per_s[BENCH_SWEEP_PRECISIONS];
    for (int p = 0; p < BENCH_SWEEP_PRECISIONS; p++)
        evaluations_per_s[p] = least_evaluations_per_s;
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < sweep->n_points && status == EQUANT_SUCCESS; i++) {
        for (int p = 0; p < BENCH_SWEEP_PRECISIONS && status == EQUANT_SUCCESS; p++) {
            equant_engine_options engine = engine_options_default();
            engine.backend = sweep->backend;
            engine.precision = precisions[p];
            engine.n_threads = n_threads;
            status = measure_point(&sweep->point[i], p, &engine, limit_s, &evaluations_per_s[p]);
        }
        progress_update(&progress, (double)(i + 1), (double)(i + 1) / (double)sweep->n_points);
        if (interrupt_requested()) {
            progress_clear(&progress);
            return EXIT_CODE_INTERRUPTED;
        }
    }
    progress_clear(&progress);
    return bench_batch_code(status);
}

void bench_sweep_json(FILE *stream, const bench_sweep *sweep, int n_threads)
{
    json_writer json = json_start(stream);
    json_object_begin(&json);
    bench_report_json_machine(&json, n_threads);
    json_key_string(&json, "backend", sweep->backend);
    json_key(&json, "sweep");
    json_array_begin(&json);
    for (size_t i = 0; i < sweep->n_points; i++)
        for (int p = 0; p < BENCH_SWEEP_PRECISIONS; p++) {
            const bench_sweep_point *point = &sweep->point[i];
            if (point->systems_per_s[p] == 0.0)
                continue;
            double per_system = (double)(point->n_planets * point->n_obs);
            json_object_begin(&json);
            json_key_string(&json, "varied", point->varied);
            json_key_string(&json, "precision", engine_options_precision_name(precisions[p]));
            json_key_integer(&json, "n_systems", (long long)point->n_systems[p]);
            json_key_integer(&json, "n_planets", (long long)point->n_planets);
            json_key_integer(&json, "n_obs", (long long)point->n_obs);
            json_key_number(&json, "systems_per_s", point->systems_per_s[p]);
            json_key_number(&json, "evaluations_per_s", point->systems_per_s[p] * per_system);
            json_object_end(&json);
        }
    json_array_end(&json);
    json_object_end(&json);
    json_finish(&json);
}

static void add_speed(struct table *table, const bench_sweep_point *point, int p)
{
    if (point->systems_per_s[p] == 0.0) {
        table_add(table, "-");
        table_add(table, "-");
        table_add(table, "-");
        return;
    }
    double per_system = (double)(point->n_planets * point->n_obs);
    table_add(table, "%zu", point->n_systems[p]);
    table_add(table, "%.3g", point->systems_per_s[p]);
    table_add(table, "%.3g", point->systems_per_s[p] * per_system);
}

int bench_sweep_text(FILE *stream, const bench_sweep *sweep)
{
    bench_report_text_machine(stream);
    fprintf(stream,
            "Systems/s and evaluations/s (planets x observations) by the wall clock, %s\n\n",
            sweep->backend);
    struct table table = table_start("lrrrrrrrr");
    table_add(&table, "varied");
    table_add(&table, "planets");
    table_add(&table, "observations");
    for (int p = 0; p < BENCH_SWEEP_PRECISIONS; p++) {
        table_add(&table, "systems");
        table_add(&table, "%s/s", engine_options_precision_name(precisions[p]));
        table_add(&table, "evaluations/s");
    }
    for (size_t i = 0; i < sweep->n_points; i++) {
        const bench_sweep_point *point = &sweep->point[i];
        table_add(&table, "%s", point->varied);
        table_add(&table, "%zu", point->n_planets);
        table_add(&table, "%zu", point->n_obs);
        for (int p = 0; p < BENCH_SWEEP_PRECISIONS; p++)
            add_speed(&table, point, p);
    }
    int code = table_print(&table, stream, 2);
    table_free(&table);
    if (code == EXIT_CODE_OK)
        fputs("\n  A dash: one call would take longer than the time given to a point.\n", stream);
    return code;
}
