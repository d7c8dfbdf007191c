#include "bench/bench_tables.h"

#include <string.h>

#include "bench/bench_paper.h"
#include "bench/bench_report.h"
#include "options/engine_options.h"
#include "terminal/messages.h"
#include "bench/reference_single.h"
#include "terminal/table.h"

static bench_errors paper_errors(const bench_problem *problem, bool phase_in_double, int n_threads)
{
    reference_single_chi_square(&problem->observations, BENCH_N_PLANETS, problem->n_sets,
                                problem->parameters, phase_in_double, n_threads,
                                problem->chi_square);
    return bench_errors_of(problem->n_sets, problem->chi_square, problem->reference_chi_square);
}

int bench_tables_measure(const bench_problem *problem, const char *device,
                         const bench_effort *effort, double limit_s, int n_threads,
                         bench_tables *tables)
{
    *tables = (bench_tables){.device = device};
    tables->paper_single = paper_errors(problem, false, n_threads);
    tables->paper_mixed = paper_errors(problem, true, n_threads);
    int code = bench_rows_create(problem, "cpu", 1, &tables->processor);
    if (code == EXIT_CODE_OK)
        code = bench_rows_measure(&tables->processor, problem, effort);
    if (code != EXIT_CODE_OK || device == NULL)
        return code;
    equant_status status = bench_bound_measure(device, limit_s, &tables->bound);
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    return bench_ways_measure(problem, device, limit_s, &tables->ways);
}

void bench_tables_free(bench_tables *tables)
{
    bench_rows_free(&tables->processor);
}

static const char *precision_of(const bench_way *way)
{
    return engine_options_precision_name(way->engine.precision);
}

/* Errors of a way over those of the paper's algorithm in the same precision; NULL where the
 * paper has none. */
static const bench_errors *paper_errors_of(const bench_tables *tables, const bench_way *way)
{
    if (way->engine.precision == EQUANT_PRECISION_SINGLE)
        return &tables->paper_single;
    return way->engine.precision == EQUANT_PRECISION_DOUBLE ? NULL : &tables->paper_mixed;
}

/* ---- Text ---- */

/* Ours, and the paper's in brackets where it has one. */
static void add_beside(struct table *table, size_t ours, const int *paper)
{
    if (paper != NULL)
        table_add(table, "%zu (%d)", ours, *paper);
    else
        table_add(table, "%zu", ours);
}

static void add_kernel(struct table *table, const bench_way *way, const equant_kernel_info *kernel)
{
    const bench_paper_kernel *paper = bench_paper_find_kernel(precision_of(way), kernel->name);
    table_add(table, "%s", precision_of(way));
    table_add(table, "%s", engine_options_solver_name(way->engine.solver));
    table_add(table, "%s", kernel->name);
    add_beside(table, (size_t)kernel->registers, paper != NULL ? &paper->registers : NULL);
    add_beside(table, kernel->local_bytes, paper != NULL ? &paper->local_bytes : NULL);
    add_beside(table, kernel->shared_bytes, paper != NULL ? &paper->shared_bytes : NULL);
    add_beside(table, (size_t)kernel->threads, paper != NULL ? &paper->threads : NULL);
    table_add(table, "%.0f %%", 100.0 * kernel->occupancy);
}

static int text_kernels(FILE *stream, const bench_tables *tables)
{
    static const char *const titles[] = {"precision", "solver", "function", "registers",
                                         "local",     "shared", "threads",  "occupancy"};
    fputs("\nTable 1: registers and bytes of local memory of a thread, bytes of shared memory\n"
          "and threads of a block; the paper's in brackets\n\n",
          stream);
    struct table table = table_start("lllrrrrr");
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        table_add(&table, "%s", titles[i]);
    for (size_t w = 0; w < tables->ways.n_ways; w++)
        for (size_t k = 0; k < tables->ways.way[w].n_kernels; k++)
            add_kernel(&table, &tables->ways.way[w], &tables->ways.way[w].kernel[k]);
    int code = table_print(&table, stream, 2);
    table_free(&table);
    return code;
}

static void add_blank(struct table *table, int n)
{
    for (int i = 0; i < n; i++)
        table_add(table, "-");
}

static void add_paper(struct table *table, const bench_paper_row *row)
{
    table_add(table, "%s", row->precision);
    table_add(table, "danby");
    table_add(table, "paper's %s", row->machine);
    bench_report_add_figure(table, row->kepler_per_s);
    bench_report_add_figure(table, row->systems_per_s);
    add_blank(table, 1);
    if (row->transfer > 0.0)
        table_add(table, "%.1f %%", 100.0 * row->transfer);
    else
        add_blank(table, 1);
    bench_report_add_errors(table, &row->errors);
    add_blank(table, 1);
}

/* The paper's algorithm, run here: its errors alone mean something. */
static void add_algorithm(struct table *table, const char *precision, const bench_errors *errors)
{
    table_add(table, "%s", precision);
    table_add(table, "danby");
    table_add(table, "paper's algorithm");
    add_blank(table, 4);
    bench_report_add_errors(table, errors);
    table_add(table, "1");
}

static void add_processor(struct table *table, const bench_row *row)
{
    table_add(table, "%s", row->precision);
    table_add(table, "%s", row->solver);
    if (row->speed.evaluator != NULL)
        table_add(table, "%s", row->isa);
    else
        table_add(table, "%s, %.0e", row->isa, row->speed.limits.tolerance);
    bench_report_add_figure(table, row->speed.kepler_per_s);
    bench_report_add_figure(table, row->speed.systems_per_s);
    add_blank(table, 2);
    bench_report_add_errors(table, &row->errors);
    add_blank(table, 1);
}

/* Solutions of the bare solver on the device, where it was measured in this precision. */
static double kepler_per_s(const bench_tables *tables, const bench_way *way)
{
    if (way->engine.solver != EQUANT_SOLVER_FAST || way->engine.paper != NULL)
        return 0.0;
    for (int i = 0; i < BENCH_BOUND_PRECISIONS; i++)
        if (tables->bound.row[i].cost->precision == way->engine.precision)
            return tables->bound.row[i].solutions_per_s;
    return 0.0;
}

static void add_way(struct table *table, const bench_tables *tables, const bench_way *way)
{
    const bench_errors *paper = paper_errors_of(tables, way);
    table_add(table, "%s", precision_of(way));
    table_add(table, "%s", engine_options_solver_name(way->engine.solver));
    table_add(table, "%s, %s", tables->device, bench_way_code(way));
    bench_report_add_figure(table, kepler_per_s(tables, way));
    bench_report_add_figure(table, way->systems_per_s);
    bench_report_add_figure(table, way->from_host_per_s);
    table_add(table, "%.0f %%", 100.0 * way->transfer);
    bench_report_add_errors(table, &way->errors);
    if (paper != NULL)
        table_add(table, "%.2g, %.2g", way->errors.max_fractional / paper->max_fractional,
                  way->errors.l1 / paper->l1);
    else
        add_blank(table, 1);
}

/* Everything in one precision: the paper's figures, its algorithm here, processor, GPU. */
static void add_precision(struct table *table, const bench_tables *tables, const char *precision)
{
    for (size_t i = 0; i < bench_paper_n_rows; i++)
        if (strcmp(bench_paper_rows[i].precision, precision) == 0)
            add_paper(table, &bench_paper_rows[i]);
    if (strcmp(precision, "single") == 0)
        add_algorithm(table, precision, &tables->paper_single);
    if (strcmp(precision, "mixed") == 0)
        add_algorithm(table, precision, &tables->paper_mixed);
    for (int i = 0; i < BENCH_N_BASELINES; i++)
        if (strcmp(tables->processor.baseline[i].precision, precision) == 0)
            add_processor(table, &tables->processor.baseline[i]);
    for (size_t i = 0; i < tables->processor.n_rows; i++)
        if (strcmp(tables->processor.row[i].precision, precision) == 0)
            add_processor(table, &tables->processor.row[i]);
    for (size_t i = 0; i < tables->ways.n_ways; i++)
        if (strcmp(precision_of(&tables->ways.way[i]), precision) == 0)
            add_way(table, tables, &tables->ways.way[i]);
}

static int text_performance(FILE *stream, const bench_tables *tables, const bench_effort *effort)
{
    static const char *const precisions[] = {"single", "double", "mixed", "pair"};
    static const char *const titles[] = {"precision", "solver",    "code",     "Kepler/s",
                                         "systems/s", "from host", "transfer", "max frac",
                                         "max abs",   "L1",        "x paper"};
    fprintf(stream,
            "\nTable 2: %d observations, %d planets; errors of chi-square over %zu systems;\n"
            "processors: one thread; GPU: 122880 systems on the device, and from the host\n\n",
            BENCH_N_OBS, BENCH_N_PLANETS, effort->n_systems);
    struct table table = table_start("lllrrrrrrrr");
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        table_add(&table, "%s", titles[i]);
    for (size_t i = 0; i < sizeof precisions / sizeof *precisions; i++)
        add_precision(&table, tables, precisions[i]);
    int code = table_print(&table, stream, 2);
    table_free(&table);
    fputs("\n"
          "  transfer  by how much longer a call from the host takes, over the call on the device\n"
          "  x paper   largest fractional and L1 error, over those of the paper's own algorithm\n"
          "            in this precision on the same data\n",
          stream);
    return code;
}

int bench_tables_text(FILE *stream, const bench_tables *tables, const bench_effort *effort)
{
    bench_report_text_machine(stream);
    int code = EXIT_CODE_OK;
    if (tables->device != NULL)
        code = text_kernels(stream, tables);
    else
        fputs("\nNo GPU was found: Table 1 describes functions of GPUs, and Table 2 shows the\n"
              "processor alone.\n",
              stream);
    if (code == EXIT_CODE_OK)
        code = text_performance(stream, tables, effort);
    if (code == EXIT_CODE_OK && tables->device != NULL)
        code = bench_bound_text(stream, &tables->bound);
    return code;
}

/* ---- JSON ---- */

static void json_way(json_writer *json, const bench_tables *tables, const bench_way *way)
{
    const bench_errors *paper = paper_errors_of(tables, way);
    json_object_begin(json);
    json_key_string(json, "precision", precision_of(way));
    json_key_string(json, "solver", engine_options_solver_name(way->engine.solver));
    json_key_string(json, "code", bench_way_code(way));
    json_key_number(json, "systems_per_s", way->systems_per_s);
    json_key_number(json, "from_host_per_s", way->from_host_per_s);
    json_key_number(json, "transfer", way->transfer);
    bench_report_json_errors(json, &way->errors);
    if (paper != NULL) {
        json_key_number(json, "max_frac_err_over_paper",
                        way->errors.max_fractional / paper->max_fractional);
        json_key_number(json, "l1_err_over_paper", way->errors.l1 / paper->l1);
    }
    json_key(json, "kernels");
    json_array_begin(json);
    for (size_t i = 0; i < way->n_kernels; i++) {
        const equant_kernel_info *kernel = &way->kernel[i];
        json_object_begin(json);
        json_key_string(json, "name", kernel->name);
        json_key_integer(json, "registers", kernel->registers);
        json_key_integer(json, "local_bytes", (long long)kernel->local_bytes);
        json_key_integer(json, "shared_bytes", (long long)kernel->shared_bytes);
        json_key_integer(json, "threads", kernel->threads);
        json_key_number(json, "occupancy", kernel->occupancy);
        json_object_end(json);
    }
    json_array_end(json);
    json_object_end(json);
}

static void json_algorithm(json_writer *json, const char *key, const bench_errors *errors)
{
    json_key(json, key);
    json_object_begin(json);
    bench_report_json_errors(json, errors);
    json_object_end(json);
}

void bench_tables_json(FILE *stream, const bench_tables *tables, const bench_effort *effort,
                       int n_threads)
{
    json_writer json = json_start(stream);
    json_object_begin(&json);
    bench_report_json_machine(&json, n_threads);
    bench_report_json_body(&json, &tables->processor, effort);
    json_algorithm(&json, "paper_algorithm_single", &tables->paper_single);
    json_algorithm(&json, "paper_algorithm_mixed", &tables->paper_mixed);
    json_key(&json, "gpu");
    if (tables->device == NULL) {
        json_null(&json);
    } else {
        json_object_begin(&json);
        json_key_string(&json, "backend", tables->device);
        json_key(&json, "ways");
        json_array_begin(&json);
        for (size_t i = 0; i < tables->ways.n_ways; i++)
            json_way(&json, tables, &tables->ways.way[i]);
        json_array_end(&json);
        bench_bound_json(&json, &tables->bound);
        json_object_end(&json);
    }
    json_object_end(&json);
    json_finish(&json);
}
