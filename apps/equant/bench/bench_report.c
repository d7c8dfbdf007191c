#include "bench/bench_report.h"

#include "bench/bench_paper.h"
#include "terminal/host_machine.h"
#include "terminal/messages.h"
#include "terminal/table.h"
#include "terminal/terminal.h"

static double ratio(const bench_row *row, const bench_row *baseline)
{
    return row->speed.systems_per_s / baseline->speed.systems_per_s;
}

/* ---- JSON ---- */

void bench_report_json_machine(json_writer *json, int n_threads)
{
    char processor[256], system[256];
    machine_processor(processor, sizeof processor);
    machine_system(system, sizeof system);
    json_key_string(json, "machine", processor);
    json_key_string(json, "system", system);
    json_key_integer(json, "all_threads", n_threads);
    json_key_string(json, "compiler", machine_compiler());
    json_key_string(json, "version", equant_version());
}

void bench_report_json_errors(json_writer *json, const bench_errors *errors)
{
    json_key_number(json, "max_frac_err", errors->max_fractional);
    json_key_number(json, "max_abs_err", errors->max_absolute);
    json_key_number(json, "l1_err", errors->l1);
}

static void json_problem(json_writer *json, const bench_effort *effort)
{
    json_key(json, "problem");
    json_object_begin(json);
    json_key_integer(json, "n_obs", BENCH_N_OBS);
    json_key_integer(json, "n_planets", BENCH_N_PLANETS);
    json_key_integer(json, "n_systems", (long long)effort->n_systems);
    json_object_end(json);
    json_key(json, "method");
    json_object_begin(json);
    json_key_integer(json, "fastest_of_rounds", effort->n_rounds);
    json_key_number(json, "seconds_per_measurement", effort->seconds);
    json_key_string(json, "clock", "thread CPU time for one thread, wall clock for several");
    json_key_string(json, "truth", "the same formula in long double");
    json_key_string(json, "max_frac_err", bench_errors_max_fractional);
    json_key_string(json, "max_abs_err", bench_errors_max_absolute);
    json_key_string(json, "l1_err", bench_errors_l1);
    json_key_string(json, "ratio_to_libm", "systems_per_s over that of baselines[0]");
    json_key_string(json, "ratio_to_libm_converged", "systems_per_s over that of baselines[1]");
    json_object_end(json);
}

static void json_paper(json_writer *json)
{
    json_key(json, "paper");
    json_array_begin(json);
    for (size_t i = 0; i < bench_paper_n_rows; i++) {
        const bench_paper_row *row = &bench_paper_rows[i];
        json_object_begin(json);
        json_key_string(json, "precision", row->precision);
        json_key_string(json, "machine", row->machine);
        if (row->kepler_per_s > 0.0)
            json_key_number(json, "kepler_per_s", row->kepler_per_s);
        json_key_number(json, "systems_per_s", row->systems_per_s);
        if (row->errors.l1 > 0.0)
            bench_report_json_errors(json, &row->errors);
        json_object_end(json);
    }
    json_array_end(json);
}

static void json_baselines(json_writer *json, const bench_rows *rows)
{
    json_key(json, "baselines");
    json_array_begin(json);
    for (int i = 0; i < BENCH_N_BASELINES; i++) {
        const bench_row *row = &rows->baseline[i];
        json_object_begin(json);
        json_key_number(json, "tolerance", row->speed.limits.tolerance);
        json_key_integer(json, "max_iterations", row->speed.limits.max_iterations);
        json_key_number(json, "kepler_per_s", row->speed.kepler_per_s);
        json_key_number(json, "systems_per_s", row->speed.systems_per_s);
        bench_report_json_errors(json, &row->errors);
        json_object_end(json);
    }
    json_array_end(json);
}

static void json_row(json_writer *json, const bench_row *row, const bench_rows *rows)
{
    json_object_begin(json);
    json_key_string(json, "precision", row->precision);
    json_key_string(json, "solver", row->solver);
    json_key_string(json, "isa", row->isa);
    json_key_integer(json, "threads", row->speed.engine.n_threads);
    json_key_number(json, "kepler_per_s", row->speed.kepler_per_s);
    json_key_number(json, "systems_per_s", row->speed.systems_per_s);
    json_key_number(json, "ratio_to_libm", ratio(row, &rows->baseline[0]));
    json_key_number(json, "ratio_to_libm_converged", ratio(row, &rows->baseline[1]));
    bench_report_json_errors(json, &row->errors);
    json_object_end(json);
}

void bench_report_json_body(json_writer *json, const bench_rows *rows, const bench_effort *effort)
{
    json_problem(json, effort);
    json_paper(json);
    json_baselines(json, rows);
    json_key(json, "rows");
    json_array_begin(json);
    for (size_t i = 0; i < rows->n_rows; i++)
        json_row(json, &rows->row[i], rows);
    json_array_end(json);
}

void bench_report_json(FILE *stream, const bench_rows *rows, const bench_effort *effort,
                       int n_threads)
{
    json_writer json = json_start(stream);
    json_object_begin(&json);
    bench_report_json_machine(&json, n_threads);
    bench_report_json_body(&json, rows, effort);
    json_object_end(&json);
    json_finish(&json);
}

/* ---- Text ---- */

void bench_report_text_machine(FILE *stream)
{
    char processor[256];
    machine_processor(processor, sizeof processor);
    fprintf(stream, "%sequant %s%s on %s, built by %s\n", terminal_style(stream, TERMINAL_BOLD),
            equant_version(), terminal_style(stream, TERMINAL_PLAIN), processor,
            machine_compiler());
}

void bench_report_add_figure(struct table *table, double value)
{
    if (value > 0.0)
        table_add(table, "%.2e", value);
    else
        table_add(table, "-");
}

void bench_report_add_errors(struct table *table, const bench_errors *errors)
{
    bench_report_add_figure(table, errors->max_fractional);
    bench_report_add_figure(table, errors->max_absolute);
    bench_report_add_figure(table, errors->l1);
}

static void add_header(struct table *table)
{
    static const char *const titles[] = {"precision", "solver",       "code",   "threads",
                                         "Kepler/s",  "systems/s",    "x libm", "x converged",
                                         "max frac",  "max absolute", "L1"};
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        table_add(table, "%s", titles[i]);
}

static void add_paper(struct table *table)
{
    for (size_t i = 0; i < bench_paper_n_rows; i++) {
        const bench_paper_row *row = &bench_paper_rows[i];
        table_add(table, "%s", row->precision);
        table_add(table, "danby");
        table_add(table, "paper's %s", row->machine);
        table_add(table, "-");
        bench_report_add_figure(table, row->kepler_per_s);
        bench_report_add_figure(table, row->systems_per_s);
        table_add(table, "-");
        table_add(table, "-");
        bench_report_add_errors(table, &row->errors);
    }
}

static void add_row(struct table *table, const bench_row *row, const bench_rows *rows)
{
    table_add(table, "%s", row->precision);
    table_add(table, "%s", row->solver);
    if (row->speed.evaluator != NULL)
        table_add(table, "%s", row->isa);
    else
        table_add(table, "%s, %.0e", row->isa, row->speed.limits.tolerance);
    table_add(table, "%d", row->speed.engine.n_threads);
    bench_report_add_figure(table, row->speed.kepler_per_s);
    bench_report_add_figure(table, row->speed.systems_per_s);
    table_add(table, "%.1f", ratio(row, &rows->baseline[0]));
    table_add(table, "%.1f", ratio(row, &rows->baseline[1]));
    bench_report_add_errors(table, &row->errors);
}

int bench_report_text(FILE *stream, const bench_rows *rows, const bench_effort *effort)
{
    bench_report_text_machine(stream);
    fprintf(stream,
            "%d observations, %d planets; errors of chi-square over %zu systems; fastest of %d "
            "rounds\n\n",
            BENCH_N_OBS, BENCH_N_PLANETS, effort->n_systems, effort->n_rounds);
    struct table table = table_start("lllrrrrrrrr");
    add_header(&table);
    add_paper(&table);
    for (int i = 0; i < BENCH_N_BASELINES; i++)
        add_row(&table, &rows->baseline[i], rows);
    for (size_t i = 0; i < rows->n_rows; i++)
        add_row(&table, &rows->row[i], rows);
    int code = table_print(&table, stream, 2);
    table_free(&table);
    if (code != EXIT_CODE_OK)
        return code;
    fprintf(
        stream,
        "\n"
        "  x libm       systems/s over those of the paper's algorithm with the C library,\n"
        "               one thread, double, at the paper's tolerance of 1e-6\n"
        "  x converged  the same at a tolerance of 1e-14, where its errors are those of double\n"
        "  max frac     %s, truth being long double\n"
        "  max absolute %s\n"
        "  L1           %s\n",
        bench_errors_max_fractional, bench_errors_max_absolute, bench_errors_l1);
    return EXIT_CODE_OK;
}
