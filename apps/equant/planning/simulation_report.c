#include "planning/simulation_report.h"

#include <stdio.h>

#include "text/ecsv_writer.h"
#include "text/json_writer.h"
#include "files/output_file.h"
#include "terminal/messages.h"
#include "terminal/table.h"
#include "terminal/terminal.h"
#include "terminal/wrapped_text.h"

static equant_strategy_summary summary_of(const struct simulation_report *report, int strategy)
{
    equant_strategy_summary own = {.struct_size = sizeof own};
    equant_strategies_summarize(report->study, (equant_strategy)strategy, &own); /* is in range */
    return own;
}

static equant_strategy_trial trial_of(const struct simulation_report *report, int strategy,
                                      size_t star)
{
    equant_strategy_trial own = {.struct_size = sizeof own};
    equant_strategies_trial(report->study, (equant_strategy)strategy, star, &own);
    return own;
}

/* ---- for a person ------------------------------------------------------------ */

static const char *words_of(const struct simulation_report *report)
{
    return report->options->question == EQUANT_QUESTION_ALIAS ? "the period or its alias of a day"
                                                              : "which of all periods, or none";
}

static int print_table(const struct simulation_report *report)
{
    struct table table = table_start("lrrrrrrr");
    static const char *const headers[] = {"strategy", "answered", "misled",        "observations",
                                          "median",   "fewer",    "of all, fewer", "days"};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        table_add(&table, "%s", headers[i]);
    for (int k = 0; k < EQUANT_N_STRATEGIES; k++) {
        equant_strategy_summary own = summary_of(report, k);
        table_add(&table, "%s", equant_strategy_name((equant_strategy)k));
        table_add(&table, "%zu", own.n_answered);
        table_add(&table, "%zu", own.n_misled);
        table_add(&table, "%.1f +- %.1f", own.mean_observations, own.mean_error);
        table_add(&table, "%.0f", own.median_observations);
        if (k == EQUANT_STRATEGY_UNIFORM) {
            table_add(&table, "%s", "");
            table_add(&table, "%s", "");
        } else {
            table_add(&table, "%.0f +- %.0f %%", 100.0 * own.saving, 100.0 * own.saving_error);
            table_add(&table, "%.0f +- %.0f %%", 100.0 * own.saving_of_all,
                      100.0 * own.saving_of_all_error);
        }
        table_add(&table, "%.0f", own.mean_days);
    }
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    return code;
}

int simulation_report_text(const struct simulation_report *report)
{
    const equant_strategies_options *options = report->options;
    printf("%sHow many observations do strategies need?%s\n\n",
           terminal_style(stdout, TERMINAL_BOLD), terminal_style(stdout, TERMINAL_PLAIN));
    wrapped_text_print(
        "  stars    %zu with a planet of %g to %g days, K %g times the error of an observation,\n"
        "           noise by rotation %g times\n",
        options->n_stars, options->period_min_days, options->period_max_days, options->amplitude,
        options->rotation > 0.0 ? options->rotation : 0.0);
    wrapped_text_print(
        "  nights   of %s; %zu observations in random ones to begin with, then every %g days,\n"
        "           or the best of the coming %g\n",
        report->site, options->n_first, options->cadence_days, options->ahead_days);
    wrapped_text_print("  asked    %s, to a probability of %g\n\n", words_of(report),
                       options->probability);
    int code = print_table(report);
    wrapped_text_print(
        "\n  Observations are means of those after the first %zu; a star without an answer counts\n"
        "  with %zu. \"Fewer\" is against uniform nights, the second time with the first %zu "
        "counted.\n"
        "  Errors: 68 %%, by resampling the stars.\n",
        options->n_first, options->n_most, options->n_first);
    return code;
}

/* ---- for programs ------------------------------------------------------------ */

static void write_options(json_writer *json, const struct simulation_report *report)
{
    const equant_strategies_options *options = report->options;
    json_key_string(json, "question",
                    options->question == EQUANT_QUESTION_ALIAS ? "alias" : "period");
    json_key_string(json, "site", report->site);
    json_key_unsigned(json, "n_stars", options->n_stars);
    json_key_unsigned(json, "n_first", options->n_first);
    json_key_unsigned(json, "n_most", options->n_most);
    json_key_number(json, "amplitude", options->amplitude);
    json_key_number(json, "rotation", options->rotation > 0.0 ? options->rotation : 0.0);
    json_key_number(json, "period_min_days", options->period_min_days);
    json_key_number(json, "period_max_days", options->period_max_days);
    json_key_number(json, "probability", options->probability);
    json_key_number(json, "cadence_days", options->cadence_days);
    json_key_number(json, "ahead_days", options->ahead_days);
    json_key_number(json, "span_days", options->span_days);
    json_key_unsigned(json, "seed", options->seed);
}

static void write_summary(json_writer *json, const struct simulation_report *report, int strategy)
{
    equant_strategy_summary own = summary_of(report, strategy);
    json_object_begin(json);
    json_key_string(json, "strategy", equant_strategy_name((equant_strategy)strategy));
    json_key_unsigned(json, "n_answered", own.n_answered);
    json_key_unsigned(json, "n_misled", own.n_misled);
    json_key_number(json, "mean_observations", own.mean_observations);
    json_key_number(json, "mean_error", own.mean_error);
    json_key_number(json, "median_observations", own.median_observations);
    json_key_number(json, "saving", own.saving);
    json_key_number(json, "saving_error", own.saving_error);
    json_key_number(json, "saving_of_all", own.saving_of_all);
    json_key_number(json, "saving_of_all_error", own.saving_of_all_error);
    json_key_number(json, "mean_days", own.mean_days);
    json_object_end(json);
}

static void write_json(FILE *stream, const struct simulation_report *report)
{
    json_writer json = json_start(stream);
    json_object_begin(&json);
    write_options(&json, report);
    json_key(&json, "strategies");
    json_array_begin(&json);
    for (int k = 0; k < EQUANT_N_STRATEGIES; k++)
        write_summary(&json, report, k);
    json_array_end(&json);
    json_object_end(&json);
    json_finish(&json);
}

int simulation_report_json(const struct simulation_report *report)
{
    write_json(stdout, report);
    return EXIT_CODE_OK;
}

/* A row for each star and strategy. */
static void write_trials(FILE *stream, const struct simulation_report *report)
{
    static const struct ecsv_column columns[] = {
        {"star", ECSV_INTEGER, NULL, "from 1"},
        {"period", ECSV_NUMBER, "d", "of its planet"},
        {"strategy", ECSV_TEXT, NULL, NULL},
        {"answered", ECSV_INTEGER, NULL,
         "1: the right answer has come to the probability asked for"},
        {"misled", ECSV_INTEGER, NULL, "1: a wrong one had come there before"},
        {"observations", ECSV_INTEGER, NULL, "after the first ones"},
        {"days", ECSV_NUMBER, "d", "from the last of the first ones"},
        {"probability", ECSV_NUMBER, NULL, "of the right answer in the end"}};
    struct ecsv_writer writer =
        ecsv_writer_start(stream, sizeof columns / sizeof *columns, columns, 0, NULL);
    for (size_t star = 0; star < report->options->n_stars; star++)
        for (int k = 0; k < EQUANT_N_STRATEGIES; k++) {
            equant_strategy_trial own = trial_of(report, k, star);
            ecsv_writer_integer(&writer, (long long)star + 1);
            ecsv_writer_number(&writer, own.period_days);
            ecsv_writer_text(&writer, equant_strategy_name((equant_strategy)k));
            ecsv_writer_integer(&writer, own.is_answered);
            ecsv_writer_integer(&writer, own.is_misled);
            ecsv_writer_integer(&writer, (long long)own.n_observations);
            ecsv_writer_number(&writer, own.days);
            ecsv_writer_number(&writer, own.probability);
        }
}

const struct output_member simulation_report_members[] = {
    {"strategies.json", OUTPUT_KIND("a result of `equant plan --simulate`", "{\"question\":")},
    {"trials.ecsv", OUTPUT_KIND_TABLE("star")},
    {0}};

int simulation_report_tables(const struct simulation_report *report, const char *folder)
{
    struct output_file file;
    int code = output_file_open(&file, folder, "strategies.json", simulation_report_members);
    if (code == EXIT_CODE_OK) {
        write_json(file.stream, report);
        code = output_file_close(&file, EXIT_CODE_OK);
    }
    if (code == EXIT_CODE_OK &&
        (code = output_file_open(&file, folder, "trials.ecsv", simulation_report_members)) ==
            EXIT_CODE_OK) {
        write_trials(file.stream, report);
        code = output_file_close(&file, EXIT_CODE_OK);
    }
    return code;
}
