#include "bench/bench_scaling.h"

#include "bench/bench_report.h"
#include "options/engine_options.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "terminal/progress_display.h"
#include "terminal/table.h"

static const equant_precision precisions[BENCH_SCALING_PRECISIONS] = {EQUANT_PRECISION_DOUBLE,
                                                                      EQUANT_PRECISION_MIXED};

static equant_status add_step(const bench_problem *problem, const char *backend, int n_threads,
                              bench_scaling *scaling)
{
    bench_scaling_step *step = &scaling->step[scaling->n_steps++];
    step->n_threads = n_threads;
    for (int p = 0; p < BENCH_SCALING_PRECISIONS; p++) {
        equant_engine_options engine = engine_options_default();
        engine.backend = backend != NULL ? backend : "cpu";
        engine.precision = precisions[p];
        engine.n_threads = n_threads;
        equant_status status = bench_speed_create(problem, &engine, &step->speed[p]);
        if (status != EQUANT_SUCCESS)
            return status;
        step->speed[p].by_wall_clock = 1;
    }
    return EQUANT_SUCCESS;
}

static equant_status add_steps(const bench_problem *problem, const char *backend, int n_threads,
                               bench_scaling *scaling)
{
    equant_status status = EQUANT_SUCCESS;
    for (int n = 1; n < n_threads && status == EQUANT_SUCCESS; n *= 2)
        status = add_step(problem, backend, n, scaling);
    if (status == EQUANT_SUCCESS)
        status = add_step(problem, backend, n_threads, scaling);
    return status;
}

static equant_status measure_round(const bench_problem *problem, double seconds,
                                   bench_scaling *scaling)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < scaling->n_steps; i++)
        for (int p = 0; p < BENCH_SCALING_PRECISIONS && status == EQUANT_SUCCESS; p++)
            status = bench_speed_measure_systems(&scaling->step[i].speed[p], problem, seconds);
    return status;
}

int bench_scaling_measure(const bench_problem *problem, const char *backend, int n_threads,
                          const bench_effort *effort, bench_scaling *scaling)
{
    *scaling = (bench_scaling){.n_steps = 0};
    struct progress progress = progress_start("rounds");
    equant_status status = add_steps(problem, backend, n_threads, scaling);
    for (int round = 0; round < effort->n_rounds && status == EQUANT_SUCCESS; round++) {
        if (interrupt_requested()) {
            progress_clear(&progress);
            return EXIT_CODE_INTERRUPTED;
        }
        status = measure_round(problem, effort->seconds, scaling);
        progress_update(&progress, round + 1.0, (round + 1.0) / effort->n_rounds);
    }
    progress_clear(&progress);
    return messages_status(status);
}

void bench_scaling_free(bench_scaling *scaling)
{
    for (size_t i = 0; i < scaling->n_steps; i++)
        for (int p = 0; p < BENCH_SCALING_PRECISIONS; p++)
            bench_speed_free(&scaling->step[i].speed[p]);
    scaling->n_steps = 0;
}

/* Speed over that of as many single threads; 1 is perfect. */
static double efficiency(const bench_scaling *scaling, size_t step, int precision)
{
    double alone = scaling->step[0].speed[precision].systems_per_s;
    return scaling->step[step].speed[precision].systems_per_s /
           (alone * scaling->step[step].n_threads);
}

void bench_scaling_json(FILE *stream, const bench_scaling *scaling, const bench_effort *effort)
{
    const bench_scaling_step *last = &scaling->step[scaling->n_steps - 1];
    json_writer json = json_start(stream);
    json_object_begin(&json);
    bench_report_json_machine(&json, last->n_threads);
    json_key_string(&json, "backend", equant_evaluator_backend(last->speed[0].evaluator));
    json_key_integer(&json, "n_systems", (long long)effort->n_systems);
    json_key_integer(&json, "fastest_of_rounds", effort->n_rounds);
    json_key(&json, "scaling");
    json_array_begin(&json);
    for (int p = 0; p < BENCH_SCALING_PRECISIONS; p++)
        for (size_t i = 0; i < scaling->n_steps; i++) {
            json_object_begin(&json);
            json_key_string(&json, "precision", engine_options_precision_name(precisions[p]));
            json_key_integer(&json, "threads", scaling->step[i].n_threads);
            json_key_number(&json, "systems_per_s", scaling->step[i].speed[p].systems_per_s);
            json_key_number(&json, "efficiency", efficiency(scaling, i, p));
            json_object_end(&json);
        }
    json_array_end(&json);
    json_object_end(&json);
    json_finish(&json);
}

int bench_scaling_text(FILE *stream, const bench_scaling *scaling, const bench_effort *effort)
{
    bench_report_text_machine(stream);
    fprintf(stream,
            "Systems/s by the wall clock, %s, %zu systems a batch, fastest of %d rounds;\n"
            "efficiency: over as many times the speed of one thread\n\n",
            equant_evaluator_backend(scaling->step[0].speed[0].evaluator), effort->n_systems,
            effort->n_rounds);
    struct table table = table_start("rrrrr");
    table_add(&table, "threads");
    for (int p = 0; p < BENCH_SCALING_PRECISIONS; p++) {
        table_add(&table, "%s", engine_options_precision_name(precisions[p]));
        table_add(&table, "efficiency");
    }
    for (size_t i = 0; i < scaling->n_steps; i++) {
        table_add(&table, "%d", scaling->step[i].n_threads);
        for (int p = 0; p < BENCH_SCALING_PRECISIONS; p++) {
            table_add(&table, "%.3g", scaling->step[i].speed[p].systems_per_s);
            table_add(&table, "%.0f %%", 100.0 * efficiency(scaling, i, p));
        }
    }
    int code = table_print(&table, stream, 2);
    table_free(&table);
    return code;
}
