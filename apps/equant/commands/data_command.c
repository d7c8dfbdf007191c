/* equant data: reads observations and says what was understood. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "commands/commands.h"
#include "options/data_source.h"
#include "options/star_options.h"
#include "text/json_writer.h"
#include "results/sky_listing.h"
#include "terminal/messages.h"
#include "terminal/plain_text.h"
#include "terminal/table.h"
#include "terminal/terminal.h"
#include "terminal/wrapped_text.h"

struct data_request {
    struct data_source source;
    struct states_request states; /* of a star file */
    bool as_json;
};

#define OPTIONS_OF struct data_request
static const struct option_row output_rows[] = {
    {"json", NULL, OPTION_FLAG(as_json), "one JSON object instead of the text"},
    OPTION_HELP_ROW,
    {0}};

static const struct option_table command_options = {
    .usage = {"FILE... [--unit U] [--columns LIST] [--t-ref T] [--json]", "STAR.yaml [--json]",
              "--demo [--json]"},
    .about = "Reads radial velocities, recognises the format, and prints a summary: instruments,\n"
             "counts, time span, unit, first and last row, activity indicators, what was assumed\n"
             "and what was ignored. Of astrometry it prints the sources, with counts, time span,\n"
             "first and last row, and the assumptions about each. Several files are several\n"
             "instruments. Velocities are printed in m/s, whatever the unit of the file.",
    .sections = {{"The data", data_source_rows, offsetof(struct data_request, source)},
                 {"Output", output_rows, 0}},
    .example = "equant data hires.vels harps.csv --json",
};

/* What one instrument's velocities look like. */
struct instrument_summary {
    double mean_m_s, scatter_m_s, mean_uncertainty_m_s;
};

static struct instrument_summary summarise(const equant_dataset *dataset, size_t instrument)
{
    size_t n_obs = equant_dataset_n_obs(dataset);
    size_t n_own = equant_dataset_instrument_n_obs(dataset, instrument);
    const double *velocity = equant_dataset_velocities_m_s(dataset);
    const double *uncertainty = equant_dataset_uncertainties_m_s(dataset);
    const int *owner = equant_dataset_instruments(dataset);
    struct instrument_summary summary = {NAN, NAN, NAN};
    if (n_own == 0)
        return summary;
    double sum = 0.0, sum_uncertainty = 0.0, sum_squares = 0.0;
    for (size_t k = 0; k < n_obs; k++) {
        if ((size_t)owner[k] != instrument)
            continue;
        sum += velocity[k];
        sum_uncertainty += uncertainty[k];
    }
    summary.mean_m_s = sum / (double)n_own;
    summary.mean_uncertainty_m_s = sum_uncertainty / (double)n_own;
    for (size_t k = 0; k < n_obs; k++)
        if ((size_t)owner[k] == instrument)
            sum_squares += pow(velocity[k] - summary.mean_m_s, 2.0);
    summary.scatter_m_s = sqrt(sum_squares / (double)n_own);
    return summary;
}

/* Velocities are shown to a mm/s; what rounds to zero is shown without a sign. */
static void add_velocity(struct table *table, double velocity_m_s)
{
    table_add(table, "%.3f", fabs(velocity_m_s) < 0.0005 ? 0.0 : velocity_m_s);
}

static double span_days(const equant_dataset *dataset)
{
    const double *time = equant_dataset_times_days(dataset);
    return time[equant_dataset_n_obs(dataset) - 1] - time[0];
}

/* What one indicator's numbers look like. */
struct indicator_summary {
    size_t n_values, n_uncertainties;
    double smallest, largest;
};

static struct indicator_summary summarise_indicator(const equant_dataset *dataset,
                                                    const equant_indicator *indicator)
{
    struct indicator_summary summary = {0, 0, INFINITY, -INFINITY};
    for (size_t k = 0; k < equant_dataset_n_obs(dataset); k++) {
        summary.n_values += !isnan(indicator->values[k]);
        summary.n_uncertainties += !isnan(indicator->uncertainties[k]);
        summary.smallest = fmin(summary.smallest, indicator->values[k]);
        summary.largest = fmax(summary.largest, indicator->values[k]);
    }
    return summary;
}

static void write_json_indicators(json_writer *json, const equant_dataset *dataset)
{
    json_key(json, "indicators");
    json_array_begin(json);
    for (size_t i = 0; i < equant_dataset_n_indicators(dataset); i++) {
        const equant_indicator *indicator = equant_dataset_indicator(dataset, i);
        struct indicator_summary summary = summarise_indicator(dataset, indicator);
        json_object_begin(json);
        json_key_string(json, "name", indicator->name);
        json_key_string(json, "unit", indicator->unit);
        json_key_integer(json, "n_values", (long long)summary.n_values);
        json_key_integer(json, "n_uncertainties", (long long)summary.n_uncertainties);
        json_key_number(json, "smallest", summary.smallest);
        json_key_number(json, "largest", summary.largest);
        json_object_end(json);
    }
    json_array_end(json);
    json_key(json, "ignored_columns");
    json_array_begin(json);
    for (size_t i = 0; i < equant_dataset_n_ignored_columns(dataset); i++)
        json_string(json, equant_dataset_ignored_column(dataset, i));
    json_array_end(json);
}

static void print_json(const equant_dataset *dataset)
{
    json_writer json = json_start(stdout);
    json_object_begin(&json);
    json_key_integer(&json, "n_obs", (long long)equant_dataset_n_obs(dataset));
    json_key_integer(&json, "n_left_out", (long long)equant_dataset_n_left_out(dataset));
    json_key_number(&json, "span_days", span_days(dataset));
    json_key_string(&json, "unit", data_source_unit_name(equant_dataset_unit(dataset)));
    json_key_number(&json, "t_ref", equant_dataset_reference_time_days(dataset));
    json_key_string(&json, "time_name", equant_dataset_time_name(dataset));
    json_key(&json, "instruments");
    json_array_begin(&json);
    for (size_t i = 0; i < equant_dataset_n_instruments(dataset); i++) {
        json_object_begin(&json);
        json_key_string(&json, "name", equant_dataset_instrument_name(dataset, i));
        json_key_integer(&json, "n_obs", (long long)equant_dataset_instrument_n_obs(dataset, i));
        json_key_number(&json, "mean_m_s", summarise(dataset, i).mean_m_s);
        json_object_end(&json);
    }
    json_array_end(&json);
    write_json_indicators(&json, dataset);
    json_key(&json, "warnings");
    json_array_begin(&json);
    for (size_t i = 0; i < equant_dataset_n_warnings(dataset); i++)
        json_string(&json, equant_dataset_warning(dataset, i));
    json_array_end(&json);
    json_key_string(&json, "format", equant_dataset_format(dataset));
    json_object_end(&json);
    json_finish(&json);
}

static int print_instruments(const equant_dataset *dataset)
{
    struct table table = table_start("rlrrrr");
    static const char *const headers[] = {"",         "instrument",  "observations",
                                          "mean m/s", "scatter m/s", "mean uncertainty m/s"};
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        table_add(&table, "%s", headers[i]);
    for (size_t i = 0; i < equant_dataset_n_instruments(dataset); i++) {
        struct instrument_summary summary = summarise(dataset, i);
        table_add(&table, "%zu", i + 1);
        table_add(&table, "%s", equant_dataset_instrument_name(dataset, i));
        table_add(&table, "%zu", equant_dataset_instrument_n_obs(dataset, i));
        add_velocity(&table, summary.mean_m_s);
        table_add(&table, "%.3f", summary.scatter_m_s);
        table_add(&table, "%.3f", summary.mean_uncertainty_m_s);
    }
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    return code;
}

static int print_first_and_last(const equant_dataset *dataset)
{
    size_t last = equant_dataset_n_obs(dataset) - 1;
    struct table table = table_start("lrrrl");
    static const char *const headers[] = {"", "time", "velocity m/s", "uncertainty m/s",
                                          "instrument"};
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        table_add(&table, "%s", headers[i]);
    for (size_t row = 0; row < 2; row++) {
        size_t k = row == 0 ? 0 : last;
        int owner = equant_dataset_instruments(dataset)[k];
        table_add(&table, "%s", row == 0 ? "first" : "last");
        table_add(&table, "%.6f", equant_dataset_times_days(dataset)[k]);
        add_velocity(&table, equant_dataset_velocities_m_s(dataset)[k]);
        table_add(&table, "%.3f", equant_dataset_uncertainties_m_s(dataset)[k]);
        table_add(&table, "%s", equant_dataset_instrument_name(dataset, (size_t)owner));
    }
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    return code;
}

static int print_indicators(const equant_dataset *dataset)
{
    static const char *const headers[] = {
        "indicator", "unit", "observations", "with uncertainty", "smallest", "largest", "name"};
    size_t n = equant_dataset_n_indicators(dataset);
    if (n == 0)
        return EXIT_CODE_OK;
    struct table table = table_start("llrrrrl");
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        table_add(&table, "%s", headers[i]);
    for (size_t i = 0; i < n; i++) {
        const equant_indicator *indicator = equant_dataset_indicator(dataset, i);
        struct indicator_summary summary = summarise_indicator(dataset, indicator);
        table_add(&table, "%s", indicator->label);
        table_add(&table, "%s", indicator->unit);
        table_add(&table, "%zu", summary.n_values);
        table_add(&table, "%zu", summary.n_uncertainties);
        table_add(&table, "%.6g", summary.smallest);
        table_add(&table, "%.6g", summary.largest);
        table_add(&table, "%s", indicator->name);
    }
    fputc('\n', stdout);
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    return code;
}

/* All of them, in lines of a readable width. */
static void print_ignored_columns(const equant_dataset *dataset)
{
    enum { WIDTH = 78 };
    size_t n = equant_dataset_n_ignored_columns(dataset);
    int used = n > 0 ? printf("\n  columns of no use here:") : 0;
    for (size_t i = 0; i < n; i++) {
        const char *name = equant_dataset_ignored_column(dataset, i);
        if (used + (int)strlen(name) + 2 > WIDTH)
            used = printf("\n   ") - 1;
        putchar(' ');
        plain_text_write(stdout, name);
        used += (int)strlen(name) + printf("%s", i + 1 < n ? "," : "\n") + 1;
    }
}

static int print_text(const equant_dataset *dataset)
{
    const char *bold = terminal_style(stdout, TERMINAL_BOLD);
    const char *yellow = terminal_style(stdout, TERMINAL_YELLOW);
    const char *plain = terminal_style(stdout, TERMINAL_PLAIN);
    size_t n_obs = equant_dataset_n_obs(dataset);
    printf("%s%zu observation%s over %.3f days%s\n\n", bold, n_obs, n_obs == 1 ? "" : "s",
           span_days(dataset), plain);
    fputs("  format          ", stdout);
    plain_text_write(stdout, equant_dataset_format(dataset));
    putchar('\n');
    wrapped_text_print("  unit            %s\n",
                       data_source_unit_name(equant_dataset_unit(dataset)));
    if (strcmp(equant_dataset_time_name(dataset), "JD") != 0)
        wrapped_text_print("  times           %s\n", equant_dataset_time_name(dataset));
    wrapped_text_print("  reference time  %.9g\n\n", equant_dataset_reference_time_days(dataset));
    int code = print_instruments(dataset);
    fputc('\n', stdout);
    if (code == EXIT_CODE_OK)
        code = print_first_and_last(dataset);
    if (code == EXIT_CODE_OK)
        code = print_indicators(dataset);
    print_ignored_columns(dataset);
    for (size_t i = 0; i < equant_dataset_n_warnings(dataset); i++) {
        printf("%s%swarning:%s ", i == 0 ? "\n" : "", yellow, plain);
        plain_text_write(stdout, equant_dataset_warning(dataset, i));
        putchar('\n');
    }
    return code;
}

/* How many of the files are astrometry. */
static int count_astrometry(const struct file_list *files)
{
    int n = 0;
    for (int i = 0; i < files->n; i++)
        n += equant_astrometry_recognises(files->paths[i]);
    return n;
}

static int list_astrometry(const char *command, const struct data_request *request,
                           const struct file_list *files, int n_astrometry)
{
    const struct data_source *source = &request->source;
    if (n_astrometry < files->n)
        return messages_usage(command, "some of these files are astrometry and others are not; "
                                       "look at them one kind at a time");
    if (source->unit != EQUANT_UNIT_FROM_FILE || source->columns != NULL ||
        source->skips_bad_rows || source->only_star != NULL ||
        !isnan(source->reference_time_days) || source->is_demonstration ||
        data_source_leaves_out(source))
        return messages_usage(command,
                              "'%s' is astrometry: options of velocities, such as --unit "
                              "and --columns, do not apply to it",
                              files->paths[0]);
    return sky_listing_print(files->paths, (size_t)files->n, request->as_json);
}

static int parse(int argc, char **argv, struct data_request *request, struct file_list *files)
{
    const struct star_options into = {&command_options, "data", request, &request->states,
                                      &request->source};
    int code = option_table_parse(&command_options, argc, argv, request, files);
    if (code != EXIT_CODE_OK || !star_options_is_meant(files))
        return code;
    data_source_free(&request->source);
    *request = (struct data_request){.source = data_source_default()};
    code = star_options_parse(&into, argc, argv, files);
    request->source.states = request->states.made;
    return code;
}

static int list_velocities(const char *command, const struct data_request *request,
                           const struct file_list *files)
{
    equant_dataset *dataset = NULL;
    int code = data_source_load(command, &request->source, files, &dataset);
    if (code == EXIT_CODE_OK && request->as_json)
        print_json(dataset);
    else if (code == EXIT_CODE_OK)
        code = print_text(dataset);
    equant_dataset_free(dataset);
    return code;
}

int command_data(int argc, char **argv)
{
    struct data_request request = {.source = data_source_default()};
    struct file_list files;
    if (option_table_helps(&command_options, argc, argv))
        return EXIT_CODE_OK;
    int code = parse(argc, argv, &request, &files);
    int n_astrometry = code == EXIT_CODE_OK ? count_astrometry(&files) : 0;
    if (code == EXIT_CODE_OK)
        code = n_astrometry > 0 ? list_astrometry(argv[0], &request, &files, n_astrometry)
                                : list_velocities(argv[0], &request, &files);
    states_request_free(&request.states);
    data_source_free(&request.source);
    return code;
}
