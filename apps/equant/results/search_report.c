#include "results/search_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "text/ecsv_writer.h"
#include "text/json_writer.h"
#include "terminal/messages.h"
#include "files/output_file.h"
#include "files/quantity_kind.h"
#include "terminal/spoken_number.h"
#include "terminal/table.h"
#include "terminal/terminal.h"
#include "terminal/wrapped_text.h"

static equant_peak peak_of(const struct search_report *report, size_t index)
{
    equant_peak peak = {.struct_size = sizeof peak};
    equant_periodogram_peak(report->periodogram, index, &peak); /* the index is in range */
    return peak;
}

static double nodes_per_s(const struct search_report *report)
{
    double seconds = equant_periodogram_seconds(report->periodogram);
    return seconds > 0.0 ? equant_periodogram_n_nodes(report->periodogram) / seconds : NAN;
}

static double span_days(const equant_dataset *dataset)
{
    const double *time_days = equant_dataset_times_days(dataset);
    return time_days[equant_dataset_n_obs(dataset) - 1] - time_days[0];
}

/* --- For a person ------------------------------------------------------------ */

static void print_noise(const equant_periodogram *periodogram)
{
    const char *noise = equant_periodogram_noise(periodogram),
               *indicators = equant_periodogram_indicators(periodogram);
    if (noise[0] != '\0')
        wrapped_text_print("  noise    %s\n", noise);
    if (indicators[0] != '\0')
        wrapped_text_print("  follows  %s\n", indicators);
    if (noise[0] != '\0' || indicators[0] != '\0')
        wrapped_text_print(
            "           fitted without the planets looked for, and again with each peak\n");
}

static void print_question(const struct search_report *report)
{
    size_t n = equant_periodogram_n(report->periodogram);
    size_t n_instruments = equant_dataset_n_instruments(report->dataset);
    const double *frequency = equant_periodogram_frequency_per_day(report->periodogram);
    printf("%sWhich periods do these velocities have?%s\n\n", terminal_style(stdout, TERMINAL_BOLD),
           terminal_style(stdout, TERMINAL_PLAIN));
    wrapped_text_print(
        "  data     %zu observations over %.1f days, %zu instrument%s, reference time %.9g\n",
        equant_dataset_n_obs(report->dataset), span_days(report->dataset), n_instruments,
        n_instruments == 1 ? "" : "s", equant_dataset_reference_time_days(report->dataset));
    if (report->n_known > 0)
        wrapped_text_print("  beside   %zu known planet%s, refitted with every trial\n",
                           report->n_known, report->n_known == 1 ? "" : "s");
    print_noise(report->periodogram);
    if (n > 0)
        wrapped_text_print("  tried    %s orbits at %zu periods from %s to %s days%s\n\n",
                           report->is_circular ? "circular" : "eccentric", n,
                           spoken_number_digits(1.0 / frequency[n - 1], 3).text,
                           spoken_number_digits(1.0 / frequency[0], 5).text,
                           report->is_circular ? "" : ", offsets and trend refitted");
}

static void add_peak(struct table *table, const equant_peak *peak, size_t rank, bool has_draws)
{
    table_add(table, "%zu", rank);
    table_add(table, "%s", spoken_number_digits(peak->period_days, 6).text);
    table_add(table, "%s", spoken_number_digits(peak->k_m_s, 4).text);
    table_add(table, "%.3f", peak->eccentricity);
    table_add(table, "%.4f", peak->power);
    table_add(table, "%.2f", peak->log_likelihood_gain);
    table_add(table, "%s", spoken_number_probability(peak->false_alarm).text);
    if (has_draws)
        table_add(table, "%s", spoken_number_probability(peak->false_alarm_drawn).text);
    table_add(table, "%s", peak->remark);
}

static int print_peaks(const struct search_report *report)
{
    const char *const headers[] = {"",
                                   quantity_kind_at(EQUANT_ELEMENT_PERIOD).label,
                                   quantity_kind_at(EQUANT_ELEMENT_K).label,
                                   quantity_kind_at(EQUANT_ELEMENT_ECCENTRICITY).label,
                                   "power",
                                   "gain lnL",
                                   "FAP"};
    bool has_draws = report->n_draws > 0;
    struct table table = table_start(has_draws ? "rrrrrrrrl" : "rrrrrrrl");
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        table_add(&table, "%s", headers[i]);
    if (has_draws)
        table_add(&table, "FAP drawn");
    table_add(&table, "remark");
    for (size_t i = 0; i < equant_periodogram_n_peaks(report->periodogram); i++) {
        equant_peak peak = peak_of(report, i);
        add_peak(&table, &peak, i + 1, has_draws);
    }
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    return code;
}

int search_report_text(const struct search_report *report)
{
    print_question(report);
    int code = print_peaks(report);
    if (code != EXIT_CODE_OK)
        return code;
    if (equant_periodogram_n_peaks(report->periodogram) == 0)
        wrapped_text_print("  There is no peak.\n");
    wrapped_text_print(
        "\n  %s orbits in %.2f s: %s orbits/s, %s (orbit x observation)/s.\n",
        spoken_number_of(equant_periodogram_n_nodes(report->periodogram)).text,
        equant_periodogram_seconds(report->periodogram), spoken_number_of(nodes_per_s(report)).text,
        spoken_number_of(nodes_per_s(report) * (double)equant_dataset_n_obs(report->dataset)).text);
    for (size_t i = 0; i < equant_periodogram_n_remarks(report->periodogram); i++)
        printf("%s  %s\n", i == 0 ? "\n" : "", equant_periodogram_remark(report->periodogram, i));
    return EXIT_CODE_OK;
}

/* --- For programs ------------------------------------------------------------ */

/* An element of a peak as tables show it. */
static double shown_element(const equant_peak *peak, size_t element)
{
    const double elements[EQUANT_N_ELEMENTS] = {[EQUANT_ELEMENT_PERIOD] = peak->period_days,
                                                [EQUANT_ELEMENT_K] = peak->k_m_s,
                                                [EQUANT_ELEMENT_ECCENTRICITY] = peak->eccentricity,
                                                [EQUANT_ELEMENT_OMEGA] = peak->omega_rad,
                                                [EQUANT_ELEMENT_M0] = peak->m0_rad};
    return elements[element] * quantity_kind_at(element).shown_factor;
}

static void write_peak(json_writer *json, const equant_peak *peak)
{
    json_object_begin(json);
    for (size_t i = 0; i < EQUANT_N_ELEMENTS; i++)
        json_key_number(json, quantity_kind_at(i).shown_name, shown_element(peak, i));
    json_key_number(json, "power", peak->power);
    json_key_number(json, "delta_lnl", peak->log_likelihood_gain);
    json_key_number(json, "fap", peak->false_alarm);
    json_key_number(json, "fap_drawn", peak->false_alarm_drawn);
    json_key_string(json, "remark", peak->remark);
    json_object_end(json);
}

static void write_levels(json_writer *json, const equant_periodogram *periodogram)
{
    static const double probabilities[] = {0.1, 0.01, 0.001};
    json_key(json, "levels");
    json_array_begin(json);
    for (size_t i = 0; i < sizeof probabilities / sizeof probabilities[0]; i++) {
        json_object_begin(json);
        json_key_number(json, "fap", probabilities[i]);
        json_key_number(json, "power", equant_periodogram_level(periodogram, probabilities[i]));
        json_object_end(json);
    }
    json_array_end(json);
}

/* null where the noise is white. */
static void write_noise(json_writer *json, const equant_periodogram *periodogram)
{
    const char *const words[] = {equant_periodogram_noise(periodogram),
                                 equant_periodogram_indicators(periodogram)};
    const char *const keys[] = {"noise", "indicators"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        json_key(json, keys[i]);
        if (words[i][0] != '\0')
            json_string(json, words[i]);
        else
            json_null(json);
    }
}

int search_report_json(const struct search_report *report)
{
    const equant_periodogram *periodogram = report->periodogram;
    const double *frequency = equant_periodogram_frequency_per_day(periodogram);
    size_t n = equant_periodogram_n(periodogram);
    json_writer json = json_start(stdout);
    json_object_begin(&json);
    json_key(&json, "peaks");
    json_array_begin(&json);
    for (size_t i = 0; i < equant_periodogram_n_peaks(periodogram); i++) {
        equant_peak peak = peak_of(report, i);
        write_peak(&json, &peak);
    }
    json_array_end(&json);
    write_levels(&json, periodogram);
    json_key_integer(&json, "n_obs", (long long)equant_dataset_n_obs(report->dataset));
    json_key_number(&json, "t_ref", equant_dataset_reference_time_days(report->dataset));
    json_key_integer(&json, "n_known", (long long)report->n_known);
    json_key_boolean(&json, "circular", report->is_circular);
    json_key_integer(&json, "n_draws", (long long)report->n_draws);
    write_noise(&json, periodogram);
    json_key_integer(&json, "n_frequencies", (long long)n);
    json_key_number(&json, "period_min_days", n > 0 ? 1.0 / frequency[n - 1] : NAN);
    json_key_number(&json, "period_max_days", n > 0 ? 1.0 / frequency[0] : NAN);
    json_key_number(&json, "n_nodes", equant_periodogram_n_nodes(periodogram));
    json_key_number(&json, "seconds", equant_periodogram_seconds(periodogram));
    json_key_number(&json, "nodes_per_s", nodes_per_s(report));
    json_key(&json, "warnings");
    json_array_begin(&json);
    for (size_t i = 0; i < equant_dataset_n_warnings(report->dataset); i++)
        json_string(&json, equant_dataset_warning(report->dataset, i));
    for (size_t i = 0; i < equant_periodogram_n_remarks(periodogram); i++)
        json_string(&json, equant_periodogram_remark(periodogram, i));
    json_array_end(&json);
    json_object_end(&json);
    json_finish(&json);
    return EXIT_CODE_OK;
}

/* --- Tables -------------------------------------------------------------------- */

static int write_periodogram(const struct search_report *report, const char *folder)
{
    static const struct ecsv_column columns[] = {
        {"frequency", ECSV_NUMBER, "1 / d", NULL},
        {"period", ECSV_NUMBER, "d", NULL},
        {"power", ECSV_NUMBER, NULL, "share of chi-square that the best orbit explains"},
        {"power_circular", ECSV_NUMBER, NULL, "the same for circular orbits"},
        {"eccentricity", ECSV_NUMBER, NULL, "of the best orbit"},
        {"window", ECSV_NUMBER, NULL, "of the times of observation"},
    };
    const equant_periodogram *periodogram = report->periodogram;
    const double *frequency = equant_periodogram_frequency_per_day(periodogram);
    const double *power = equant_periodogram_power(periodogram);
    const double *circular = equant_periodogram_circular(periodogram);
    const double *eccentricity = equant_periodogram_eccentricity(periodogram);
    const double *window = equant_periodogram_window(periodogram);
    struct output_file file;
    int code = output_file_open(&file, folder, "periodogram.ecsv", search_report_members);
    if (code != EXIT_CODE_OK)
        return code;
    struct ecsv_writer writer =
        ecsv_writer_start(file.stream, sizeof columns / sizeof columns[0], columns, 0, NULL);
    for (size_t i = 0; i < equant_periodogram_n(periodogram); i++) {
        ecsv_writer_number(&writer, frequency[i]);
        ecsv_writer_number(&writer, 1.0 / frequency[i]);
        ecsv_writer_number(&writer, power[i]);
        ecsv_writer_number(&writer, circular[i]);
        ecsv_writer_number(&writer, eccentricity[i]);
        ecsv_writer_number(&writer, window[i]);
    }
    return output_file_close(&file, EXIT_CODE_OK);
}

static int write_peaks(const struct search_report *report, const char *folder)
{
    static const struct ecsv_column others[] = {
        {"power", ECSV_NUMBER, NULL, NULL},
        {"delta_lnl", ECSV_NUMBER, NULL, "gain in log-likelihood"},
        {"fap", ECSV_NUMBER, NULL, "false-alarm probability, analytic"},
        {"fap_drawn", ECSV_NUMBER, NULL, "the same by Monte Carlo"},
        {"remark", ECSV_TEXT, NULL, NULL},
    };
    const struct ecsv_note notes[] = {
        {"t_ref", NULL, equant_dataset_reference_time_days(report->dataset)}};
    struct output_file file;
    int code = output_file_open(&file, folder, "peaks.ecsv", search_report_members);
    if (code != EXIT_CODE_OK)
        return code;
    enum { N_COLUMNS = EQUANT_N_ELEMENTS + sizeof others / sizeof others[0] };
    struct ecsv_column columns[N_COLUMNS];
    for (size_t i = 0; i < EQUANT_N_ELEMENTS; i++) {
        equant_quantity_info kind = quantity_kind_at(i);
        columns[i] = quantity_kind_column(&kind);
    }
    memcpy(columns + EQUANT_N_ELEMENTS, others, sizeof others);
    struct ecsv_writer writer = ecsv_writer_start(file.stream, N_COLUMNS, columns, 1, notes);
    for (size_t i = 0; i < equant_periodogram_n_peaks(report->periodogram); i++) {
        equant_peak peak = peak_of(report, i);
        for (size_t k = 0; k < EQUANT_N_ELEMENTS; k++)
            ecsv_writer_number(&writer, shown_element(&peak, k));
        ecsv_writer_number(&writer, peak.power);
        ecsv_writer_number(&writer, peak.log_likelihood_gain);
        ecsv_writer_number(&writer, peak.false_alarm);
        ecsv_writer_number(&writer, peak.false_alarm_drawn);
        ecsv_writer_text(&writer, peak.remark);
    }
    return output_file_close(&file, EXIT_CODE_OK);
}

const struct output_member search_report_members[] = {
    {"periodogram.ecsv", OUTPUT_KIND_TABLES("frequency", "frequency_per_day")},
    {"peaks.ecsv", OUTPUT_KIND_TABLE("period_days")},
    {0}};

int search_report_tables(const struct search_report *report, const char *folder)
{
    int code = write_periodogram(report, folder);
    return code == EXIT_CODE_OK ? write_peaks(report, folder) : code;
}
