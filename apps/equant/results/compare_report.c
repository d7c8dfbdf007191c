#include "results/compare_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "text/ecsv_writer.h"
#include "files/output_file.h"
#include "terminal/messages.h"
#include "terminal/spoken_number.h"
#include "terminal/table.h"
#include "terminal/terminal.h"
#include "terminal/text_line.h"
#include "terminal/wrapped_text.h"

/* Periods of a signal that are worth a word. */
#define LEAST_SHARE 0.01

equant_signal compare_report_signal(const struct compare_report *report, size_t index)
{
    equant_signal signal = {.struct_size = sizeof signal};
    equant_comparison_signal(report->comparison, index, &signal); /* the index is in range */
    return signal;
}

static equant_alias alias_of(const struct compare_report *report, size_t signal, size_t index)
{
    equant_alias alias = {.struct_size = sizeof alias};
    equant_comparison_alias(report->comparison, signal, index, &alias);
    return alias;
}

size_t compare_report_n_planets(const struct compare_report *report)
{
    size_t n = 0;
    while (n < equant_comparison_n_signals(report->comparison) &&
           compare_report_signal(report, n).probability >= report->threshold)
        n++;
    return n;
}

static size_t likeliest(const equant_comparison *comparison)
{
    size_t best = 0;
    for (size_t n = 1; n <= equant_comparison_max_planets(comparison); n++)
        if (equant_comparison_probability(comparison, n, NULL) >
            equant_comparison_probability(comparison, best, NULL))
            best = n;
    return best;
}

/* --- For a person ------------------------------------------------------------ */

static void print_question(const struct compare_report *report)
{
    const equant_dataset *dataset = report->star->dataset;
    const double *time = equant_dataset_times_days(dataset);
    size_t n_obs = equant_dataset_n_obs(dataset),
           n_instruments = equant_dataset_n_instruments(dataset);
    printf("%sHow many planets does this star have?%s\n\n", terminal_style(stdout, TERMINAL_BOLD),
           terminal_style(stdout, TERMINAL_PLAIN));
    wrapped_text_print("  data     %zu observations over %.1f days, %zu instrument%s\n", n_obs,
                       time[n_obs - 1] - time[0], n_instruments, n_instruments == 1 ? "" : "s");
    wrapped_text_print("  fit      %zu planet%s, with which one of the chains begins\n\n",
                       report->star->n_planets, report->star->n_planets == 1 ? "" : "s");
}

/* A probability near 1 as what it lacks. */
static void write_probability(double probability, double fip, char *text, size_t n)
{
    if (fip < 5e-5)
        snprintf(text, n, ">0.9999");
    else
        snprintf(text, n, "%.4f", probability);
}

static int print_numbers(const struct compare_report *report)
{
    const equant_comparison *comparison = report->comparison;
    struct table table = table_start("rrrrr");
    table_add(&table, "planets");
    table_add(&table, "probability");
    table_add(&table, "+-");
    table_add(&table, "ln Z");
    table_add(&table, "+-");
    for (size_t n = 0; n <= equant_comparison_max_planets(comparison); n++) {
        double err, probability = equant_comparison_probability(comparison, n, &err);
        table_add(&table, "%zu", n);
        table_add(&table, "%.4f", probability);
        table_add(&table, "%.4f", err);
        double evidence = equant_comparison_log_evidence(comparison, n, &err);
        if (isfinite(evidence)) {
            table_add(&table, "%.1f", evidence);
            table_add(&table, "%.1f", err);
        } else {
            table_add(&table, "-");
            table_add(&table, "-");
        }
    }
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    return code;
}

/* "41.74 (87 %), 0.9740 (13 %)" */
static void write_periods(const struct compare_report *report, size_t index, size_t n_aliases,
                          char *text, size_t n)
{
    text[0] = '\0';
    for (size_t i = 0; i < n_aliases; i++) {
        equant_alias alias = alias_of(report, index, i);
        if (alias.probability >= LEAST_SHARE)
            text_line_append(text, n, "%s%s (%.0f %%)", i > 0 ? ", " : "",
                             spoken_number_digits(alias.period_days, 4).text,
                             100.0 * alias.probability);
    }
}

static int print_signals(const struct compare_report *report, const char *title, size_t from,
                         size_t to)
{
    struct table table = table_start("rrrrl");
    const char *const headers[] = {"P [days]", "probability", "+-", "FIP", "may have periods"};
    if (from == to)
        return EXIT_CODE_OK;
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        table_add(&table, "%s", headers[i]);
    for (size_t i = from; i < to; i++) {
        equant_signal signal = compare_report_signal(report, i);
        char probability[32], periods[256];
        write_probability(signal.probability, signal.fip, probability, sizeof probability);
        write_periods(report, i, signal.n_aliases, periods, sizeof periods);
        table_add(&table, "%s", spoken_number_digits(signal.period_days, 5).text);
        table_add(&table, "%s", probability);
        table_add(&table, "%.4f", signal.probability_err);
        table_add(&table, "%s", spoken_number_probability(signal.fip).text);
        table_add(&table, "%s", periods);
    }
    wrapped_text_print("\n  %s\n", title);
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    return code;
}

/* The number counts planets whose periods nobody knows; how many have one is said beside it. */
static void print_conclusion(const struct compare_report *report, size_t n_named)
{
    size_t n = likeliest(report->comparison);
    char line[256];
    snprintf(line, sizeof line, "Most probable: %s planet%s", spoken_number_words(n).text,
             n == 1 ? "" : "s");
    if (n == 0)
        text_line_append(line, sizeof line, ".");
    else
        text_line_append(line, sizeof line, ", of which %s can be named.",
                         n_named > 0 ? spoken_number_words(n_named < n ? n_named : n).text
                                     : "none");
    if (n == equant_comparison_max_planets(report->comparison))
        text_line_append(line, sizeof line,
                         " More were not allowed: where others are candidates, the noise may lack "
                         "a term.");
    printf("\n");
    wrapped_text_say(line);
}

static void print_beliefs(const struct compare_report *report)
{
    wrapped_text_print("\n  Before the data:\n");
    for (size_t i = 0; i < equant_comparison_n_priors(report->comparison); i++)
        wrapped_text_say(equant_comparison_prior(report->comparison, i));
}

int compare_report_text(const struct compare_report *report)
{
    const equant_comparison *comparison = report->comparison;
    char title[96];
    print_question(report);
    for (size_t i = 0; i < equant_comparison_n_remarks(comparison); i++) {
        wrapped_text_say(equant_comparison_remark(comparison, i));
        printf("\n");
    }
    if (equant_comparison_agrees(comparison)) {
        size_t n_planets = compare_report_n_planets(report);
        int code = print_numbers(report);
        snprintf(title, sizeof title,
                 "Planets, of a probability of %.10g or more:", report->threshold);
        if (code == EXIT_CODE_OK)
            code = print_signals(report, title, 0, n_planets);
        if (code == EXIT_CODE_OK)
            code = print_signals(report, "Candidates:", n_planets,
                                 equant_comparison_n_signals(comparison));
        if (code != EXIT_CODE_OK)
            return code;
        print_conclusion(report, n_planets);
    } else {
        wrapped_text_print("  %s\n\n",
                           report->has_chains
                               ? "Go on with these chains, four times as long in all:"
                               : "Begin anew, four times as long; with --out chains are kept:");
        printf("    %s\n", report->longer); /* a command, which stays whole */
    }
    print_beliefs(report);
    wrapped_text_print("\n  In %.1f s.\n", report->seconds);
    return EXIT_CODE_OK;
}

/* --- For programs ------------------------------------------------------------ */

static void write_signal(json_writer *json, const struct compare_report *report, size_t index)
{
    equant_signal signal = compare_report_signal(report, index);
    json_object_begin(json);
    json_key_number(json, "period_days", signal.period_days);
    json_key_number(json, "period_days_err", signal.period_days_err);
    json_key_number(json, "probability", signal.probability);
    json_key_number(json, "probability_err", signal.probability_err);
    json_key_number(json, "fip", signal.fip);
    json_key(json, "aliases");
    json_array_begin(json);
    for (size_t i = 0; i < signal.n_aliases; i++) {
        equant_alias alias = alias_of(report, index, i);
        json_object_begin(json);
        json_key_number(json, "period_days", alias.period_days);
        json_key_number(json, "probability", alias.probability);
        json_key_number(json, "delta_lnl", alias.delta_lnl);
        json_object_end(json);
    }
    json_array_end(json);
    json_object_end(json);
}

static void write_signals(json_writer *json, const char *key, const struct compare_report *report,
                          size_t from, size_t to)
{
    json_key(json, key);
    json_array_begin(json);
    for (size_t i = from; i < to; i++)
        write_signal(json, report, i);
    json_array_end(json);
}

static void write_sentences(json_writer *json, const char *key, const equant_comparison *comparison,
                            size_t n, const char *(*sentence)(const equant_comparison *, size_t))
{
    json_key(json, key);
    json_array_begin(json);
    for (size_t i = 0; i < n; i++)
        json_string(json, sentence(comparison, i));
    json_array_end(json);
}

static void write_json(FILE *stream, const struct compare_report *report)
{
    const equant_comparison *comparison = report->comparison;
    json_writer json = json_start(stream);
    size_t n_planets = compare_report_n_planets(report);
    json_object_begin(&json);
    json_key_boolean(&json, "chains_agree", equant_comparison_agrees(comparison));
    if (!equant_comparison_agrees(comparison))
        json_key_string(&json, "go_on", report->longer);
    json_key(&json, "n_planets");
    json_array_begin(&json);
    for (size_t n = 0; n <= equant_comparison_max_planets(comparison); n++) {
        double err, probability = equant_comparison_probability(comparison, n, &err);
        json_object_begin(&json);
        json_key_unsigned(&json, "n", n);
        json_key_number(&json, "probability", probability);
        json_key_number(&json, "probability_err", err);
        json_key_number(&json, "delta_lnz", equant_comparison_log_evidence(comparison, n, &err));
        json_key_number(&json, "delta_lnz_err", err);
        json_object_end(&json);
    }
    json_array_end(&json);
    write_signals(&json, "planets", report, 0, n_planets);
    write_signals(&json, "candidates", report, n_planets, equant_comparison_n_signals(comparison));
    json_key_number(&json, "threshold", report->threshold);
    write_sentences(&json, "priors", comparison, equant_comparison_n_priors(comparison),
                    equant_comparison_prior);
    write_sentences(&json, "remarks", comparison, equant_comparison_n_remarks(comparison),
                    equant_comparison_remark);
    json_key_unsigned(&json, "n_obs", equant_dataset_n_obs(report->star->dataset));
    json_key_number(&json, "seconds", report->seconds);
    json_object_end(&json);
    json_finish(&json);
}

int compare_report_json(const struct compare_report *report)
{
    write_json(stdout, report);
    return EXIT_CODE_OK;
}

const struct output_member compare_report_members[] = {
    {"compare.json", OUTPUT_KIND("a result of `equant compare`", "{\"chains_agree\":")},
    {"fip.ecsv", OUTPUT_KIND_TABLE("frequency")},
    {COMPARE_REPORT_CHAINS, OUTPUT_KIND("the chains of `equant compare`", "equantchains")},
    {0}};

int compare_report_tables(const struct compare_report *report, const char *folder)
{
    static const struct ecsv_column columns[] = {
        {"frequency", ECSV_NUMBER, "1 / d", NULL},
        {"period", ECSV_NUMBER, "d", NULL},
        {"fip", ECSV_NUMBER, NULL,
         "probability that no planet is within half of the data's resolution"},
    };
    const equant_comparison *comparison = report->comparison;
    const double *frequency = equant_comparison_frequencies(comparison),
                 *fip = equant_comparison_fip_periodogram(comparison);
    struct output_file file;
    int code = output_file_open(&file, folder, "compare.json", compare_report_members);
    if (code != EXIT_CODE_OK)
        return code;
    write_json(file.stream, report);
    code = output_file_close(&file, EXIT_CODE_OK);
    if (code == EXIT_CODE_OK)
        code = output_file_open(&file, folder, "fip.ecsv", compare_report_members);
    if (code != EXIT_CODE_OK)
        return code;
    struct ecsv_writer writer =
        ecsv_writer_start(file.stream, sizeof columns / sizeof columns[0], columns, 0, NULL);
    for (size_t i = 0; i < equant_comparison_n_frequencies(comparison); i++) {
        ecsv_writer_number(&writer, frequency[i]);
        ecsv_writer_number(&writer, 1.0 / frequency[i]);
        ecsv_writer_number(&writer, fip[i]);
    }
    return output_file_close(&file, EXIT_CODE_OK);
}
