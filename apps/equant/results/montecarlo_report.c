#include "results/montecarlo_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "options/engine_options.h"
#include "text/json_writer.h"
#include "files/output_file.h"
#include "files/quantity_kind.h"
#include "terminal/messages.h"
#include "terminal/spoken_number.h"
#include "terminal/table.h"
#include "terminal/terminal.h"
#include "terminal/angles.h"
#include "terminal/text_line.h"
#include "terminal/wrapped_text.h"

static const double *elements_of(const struct montecarlo_report *report, size_t rank, size_t planet)
{
    return report->parameters + (rank * report->n_planets + planet) * EQUANT_N_ELEMENTS;
}

static double evaluations_per_s(const struct montecarlo_report *report)
{
    double n_per_orbit = (double)(report->n_planets * equant_dataset_n_obs(report->dataset));
    return n_per_orbit * (double)report->n_drawn / report->seconds;
}

/* Chi-square per degree of freedom; NaN when there is none left. */
static double reduced(const struct montecarlo_report *report, double chi_square, size_t n_planets)
{
    double n_free = (double)equant_dataset_n_obs(report->dataset) - (double)report->n_linear -
                    (double)(EQUANT_N_ELEMENTS * n_planets);
    return n_free > 0.0 ? chi_square / n_free : NAN;
}

static void print_question(const struct montecarlo_report *report)
{
    const char *bold = terminal_style(stdout, TERMINAL_BOLD);
    const char *plain = terminal_style(stdout, TERMINAL_PLAIN);
    const equant_orbit_distribution *range = &report->distribution;
    size_t n_instruments = equant_dataset_n_instruments(report->dataset);
    printf("%sWhich orbits, drawn at random, explain these velocities?%s\n\n", bold, plain);
    wrapped_text_print("  data     %zu observations, %zu instrument%s, reference time %.9g\n",
                       equant_dataset_n_obs(report->dataset), n_instruments,
                       n_instruments == 1 ? "" : "s",
                       equant_dataset_reference_time_days(report->dataset));
    wrapped_text_print("  model    %zu planet%s; offsets%s solved exactly for each orbit\n",
                       report->n_planets, report->n_planets == 1 ? "" : "s",
                       report->trend_order > 0 ? " and trend" : "");
    wrapped_text_print(
        "  drawn    %" PRIu64 " orbits of seed %" PRIu64 ", after Ford (2008): period %g to %g "
        "days and\n           K %g to %g m/s, log-uniform; e 0 to %g and angles, uniform\n\n",
        report->n_drawn, report->seed, range->period_min_days, range->period_max_days,
        range->k_min_m_s, range->k_max_m_s, range->eccentricity_max);
}

static void add_reduced(struct table *table, double value)
{
    if (isnan(value))
        table_add(table, "-");
    else
        table_add(table, "%.3f", value);
}

/* The orbit's own figures; they stand beside its first planet only. */
static void add_rank(struct table *table, const struct montecarlo_report *report, size_t rank,
                     size_t planet)
{
    if (planet == 0) {
        double chi_square = report->best.entries[rank].chi_square;
        table_add(table, "%zu", rank + 1);
        table_add(table, "%.2f", chi_square);
        add_reduced(table, reduced(report, chi_square, report->n_planets));
    } else {
        for (int i = 0; i < 3; i++)
            table_add(table, "%s", "");
    }
}

static int print_best(const struct montecarlo_report *report)
{
    static const char *const headers[] = {"rank", "chi2", "reduced"};
    struct table table = table_start("rrrrrrrr");
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        table_add(&table, "%s", headers[i]);
    for (size_t i = 0; i < EQUANT_N_ELEMENTS; i++)
        table_add(&table, "%s", quantity_kind_at(i).label);
    for (size_t rank = 0; rank < report->best.n; rank++) {
        for (size_t planet = 0; planet < report->n_planets; planet++) {
            const double *elements = elements_of(report, rank, planet);
            add_rank(&table, report, rank, planet);
            table_add(&table, "%.4f", elements[EQUANT_ELEMENT_PERIOD]);
            table_add(&table, "%.3f", elements[EQUANT_ELEMENT_K]);
            table_add(&table, "%.4f", elements[EQUANT_ELEMENT_ECCENTRICITY]);
            table_add(&table, "%.2f", elements[EQUANT_ELEMENT_OMEGA] * DEGREES_PER_RADIAN);
            table_add(&table, "%.2f", elements[EQUANT_ELEMENT_M0] * DEGREES_PER_RADIAN);
        }
    }
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    return code;
}

/* What the planets are to be judged against. */
static void print_no_planet(const struct montecarlo_report *report)
{
    double chi_square = report->chi_square_no_planet;
    double without = reduced(report, chi_square, 0);
    char text[160];
    snprintf(text, sizeof text, "Without a planet chi2 is %.2f", chi_square);
    if (!isnan(without))
        text_line_append(text, sizeof text, " (reduced %.3f)", without);
    if (report->best.n > 0 && chi_square > 0.0)
        text_line_append(text, sizeof text, ": the best orbit explains %.1f %% of it",
                         100.0 * (1.0 - report->best.entries[0].chi_square / chi_square));
    wrapped_text_print("\n  %s.\n", text);
    if (isnan(reduced(report, 0.0, report->n_planets)))
        wrapped_text_print("  The model has as many parameters as there are observations, or more: "
                           "they cannot\n  judge it.\n");
}

int montecarlo_report_text(const struct montecarlo_report *report)
{
    print_question(report);
    int code = print_best(report);
    if (code != EXIT_CODE_OK)
        return code;
    print_no_planet(report);
    wrapped_text_print(
        "  %" PRIu64 " orbits in %.2f s: %s orbits/s, %s evaluations/s\n"
        "  (%s, %s, %s; an evaluation is one Kepler equation solved, for one planet at one\n"
        "  observation).\n",
        report->n_drawn, report->seconds,
        spoken_number_of((double)report->n_drawn / report->seconds).text,
        spoken_number_of(evaluations_per_s(report)).text, report->backend,
        engine_options_precision_name(report->engine.precision),
        engine_options_solver_name(report->engine.solver));
    return EXIT_CODE_OK;
}

static void write_orbit(json_writer *json, const struct montecarlo_report *report, size_t rank)
{
    size_t n_instruments = equant_dataset_n_instruments(report->dataset);
    const double *linear = report->linear + rank * report->n_linear;
    json_object_begin(json);
    json_key_unsigned(json, "index", report->best.entries[rank].index);
    json_key_number(json, "chi_square", report->best.entries[rank].chi_square);
    json_key_number(json, "log_likelihood", report->log_likelihood[rank]);
    json_key(json, "planets");
    json_array_begin(json);
    for (size_t planet = 0; planet < report->n_planets; planet++) {
        json_object_begin(json);
        for (size_t i = 0; i < EQUANT_N_ELEMENTS; i++)
            json_key_number(json, quantity_kind_at(i).name, elements_of(report, rank, planet)[i]);
        json_object_end(json);
    }
    json_array_end(json);
    json_key(json, "offsets_m_s");
    json_array_begin(json);
    for (size_t i = 0; i < n_instruments; i++)
        json_number(json, linear[i]);
    json_array_end(json);
    json_key(json, "trend");
    json_array_begin(json);
    for (size_t i = n_instruments; i < report->n_linear; i++)
        json_number(json, linear[i]);
    json_array_end(json);
    json_object_end(json);
}

int montecarlo_report_json(const struct montecarlo_report *report)
{
    const equant_orbit_distribution *range = &report->distribution;
    json_writer json = json_start(stdout);
    json_object_begin(&json);
    json_key_integer(&json, "n_obs", (long long)equant_dataset_n_obs(report->dataset));
    json_key_number(&json, "t_ref", equant_dataset_reference_time_days(report->dataset));
    json_key_integer(&json, "n_planets", (long long)report->n_planets);
    json_key_number(&json, "period_min_days", range->period_min_days);
    json_key_number(&json, "period_max_days", range->period_max_days);
    json_key_number(&json, "k_min_m_s", range->k_min_m_s);
    json_key_number(&json, "k_max_m_s", range->k_max_m_s);
    json_key_number(&json, "eccentricity_max", range->eccentricity_max);
    json_key_unsigned(&json, "seed", report->seed);
    json_key_unsigned(&json, "n_samples", report->n_samples);
    json_key_unsigned(&json, "n_drawn", report->n_drawn);
    json_key_string(&json, "backend", report->backend);
    json_key_string(&json, "precision", engine_options_precision_name(report->engine.precision));
    json_key_string(&json, "solver", engine_options_solver_name(report->engine.solver));
    json_key_number(&json, "seconds", report->seconds);
    json_key_number(&json, "orbits_per_s", (double)report->n_drawn / report->seconds);
    json_key_number(&json, "evaluations_per_s", evaluations_per_s(report));
    json_key_number(&json, "chi_square_no_planet", report->chi_square_no_planet);
    json_key(&json, "best");
    json_array_begin(&json);
    for (size_t rank = 0; rank < report->best.n; rank++)
        write_orbit(&json, report, rank);
    json_array_end(&json);
    json_object_end(&json);
    json_finish(&json);
    return EXIT_CODE_OK;
}

const struct output_kind montecarlo_report_kind =
    OUTPUT_KIND("a table of `equant montecarlo`", "index,chi_square,log_likelihood");

int montecarlo_report_table(const struct montecarlo_report *report, const char *path)
{
    struct output_file file;
    int code = output_file_open_path(&file, path, &montecarlo_report_kind);
    if (code != EXIT_CODE_OK)
        return code;
    FILE *out = file.stream;
    fputs("index,chi_square,log_likelihood", out);
    for (size_t planet = 0; planet < report->n_planets; planet++)
        for (size_t i = 0; i < EQUANT_N_ELEMENTS; i++)
            fprintf(out, ",%s_%zu", quantity_kind_at(i).name, planet + 1);
    fputc('\n', out);
    for (size_t rank = 0; rank < report->best.n; rank++) {
        struct best_entry entry = report->best.entries[rank];
        fprintf(out, "%" PRIu64 ",%.17g,%.17g", entry.index, entry.chi_square,
                report->log_likelihood[rank]);
        for (size_t planet = 0; planet < report->n_planets; planet++)
            for (size_t i = 0; i < EQUANT_N_ELEMENTS; i++)
                fprintf(out, ",%.17g", elements_of(report, rank, planet)[i]);
        fputc('\n', out);
    }
    return output_file_close(&file, EXIT_CODE_OK);
}
