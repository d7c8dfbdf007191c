#include "planning/prediction_report.h"

#include <math.h>
#include <stdio.h>

#include "files/output_file.h"
#include "planning/predicted_value.h"
#include "planning/run_source.h"
#include "stars/planet_name.h"
#include "terminal/messages.h"
#include "terminal/table.h"
#include "terminal/terminal.h"
#include "terminal/wrapped_text.h"

/* Rows of each table that a terminal shows. */
enum { MOST_SHOWN = 20 };

static equant_predicted_time time_at(const struct prediction_report *report, size_t index)
{
    equant_predicted_time own = {.struct_size = sizeof own};
    equant_prediction_at(report->prediction, index, &own); /* the index is in range */
    return own;
}

static struct predicted_value value_of(equant_predicted_time own)
{
    return (struct predicted_value){.time = own.time_days,
                                    .mean = own.mean_m_s,
                                    .sd = own.sd_m_s,
                                    .low_95 = own.low_95_m_s,
                                    .low_68 = own.low_68_m_s,
                                    .median = own.median_m_s,
                                    .high_68 = own.high_68_m_s,
                                    .high_95 = own.high_95_m_s,
                                    .entropy = own.entropy,
                                    .information = own.information};
}

/* ---- for a person ------------------------------------------------------------ */

static int print_times(const struct prediction_report *report)
{
    size_t n = equant_prediction_n(report->prediction), each = predicted_value_each(n, MOST_SHOWN);
    struct table table = table_start("rrrrrrr");
    predicted_value_headings(&table, "time");
    table_add(&table, "%s", report->is_velocity ? "" : "nats");
    for (size_t i = 0; i < n; i += each) {
        const struct predicted_value own = value_of(time_at(report, i));
        predicted_value_cells(&table, 2, &own);
        if (report->is_velocity)
            table_add(&table, "%s", "");
        else
            table_add(&table, "%.3f", own.information);
    }
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    predicted_value_say_each(n, MOST_SHOWN);
    return code;
}

static int print_conjunctions(const struct prediction_report *report)
{
    const struct planet_letters letters = planet_letters_of_run(report->posterior);
    struct table table = table_start("lrrrr");
    size_t n = report->n_conjunctions < MOST_SHOWN ? report->n_conjunctions : MOST_SHOWN;
    wrapped_text_print("\n  Conjunctions: transits, where an orbit is seen edge on.\n");
    if (n == 0)
        wrapped_text_print("  There is none in this time.\n");
    table_add(&table, "%s", "");
    table_add(&table, "time");
    table_add(&table, "+");
    table_add(&table, "-");
    table_add(&table, "99.7 %% within");
    for (size_t i = 0; i < n; i++) {
        const equant_conjunction *own = &report->conjunctions[i];
        table_add(&table, "%s", planet_name_of(&letters, own->planet - 1).text);
        table_add(&table, "%.4f", own->median_days);
        table_add(&table, "%.4f", own->high_days - own->median_days);
        table_add(&table, "%.4f", own->median_days - own->low_days);
        table_add(&table, "%.3f d", own->half_width_99_days);
    }
    int code = n > 0 ? table_print(&table, stdout, 2) : EXIT_CODE_OK;
    table_free(&table);
    if (report->n_conjunctions > n)
        wrapped_text_print("  And %zu more.\n", report->n_conjunctions - n);
    return code;
}

int prediction_report_text(const struct prediction_report *report)
{
    const equant_prediction *prediction = report->prediction;
    const equant_dataset *dataset = equant_posterior_dataset(report->posterior);
    printf("%sWhat will be seen?%s\n\n", terminal_style(stdout, TERMINAL_BOLD),
           terminal_style(stdout, TERMINAL_PLAIN));
    wrapped_text_print("  run      %zu observations to %.4f, %zu draws\n",
                       equant_dataset_n_obs(dataset), run_source_end_days(report->posterior),
                       equant_prediction_n_draws(prediction));
    if (report->is_velocity)
        wrapped_text_print(
            "  what     the velocity as %s has its zero, without white noise (m/s)\n\n",
            run_source_instrument_name(report->posterior,
                                       equant_prediction_instrument(prediction)));
    else
        wrapped_text_print(
            "  what     observations of %s with an error of %.2f m/s, jitter and noise included\n"
            "           (m/s); nats: what one of them is expected to tell\n\n",
            run_source_instrument_name(report->posterior, equant_prediction_instrument(prediction)),
            equant_prediction_uncertainty_m_s(prediction));
    int code = print_times(report);
    return code == EXIT_CODE_OK ? print_conjunctions(report) : code;
}

/* ---- for programs ------------------------------------------------------------ */

static void write_modes(json_writer *json, const struct prediction_report *report, size_t index,
                        size_t n)
{
    json_key(json, "modes");
    json_array_begin(json);
    for (size_t k = 0; k < n; k++) {
        double velocity = NAN, share = NAN;
        equant_prediction_mode(report->prediction, index, k, &velocity, &share);
        json_object_begin(json);
        json_key_number(json, "velocity_m_s", velocity);
        json_key_number(json, "share", share);
        json_object_end(json);
    }
    json_array_end(json);
}

static void write_time(json_writer *json, const struct prediction_report *report, size_t index)
{
    const equant_predicted_time own = time_at(report, index);
    const struct predicted_value value = value_of(own);
    json_object_begin(json);
    predicted_value_members(json, "time_days", "_m_s", &value);
    write_modes(json, report, index, own.n_modes);
    json_object_end(json);
}

static void write_json(FILE *stream, const struct prediction_report *report)
{
    const equant_prediction *prediction = report->prediction;
    size_t instrument = equant_prediction_instrument(prediction);
    json_writer json = json_start(stream);
    json_object_begin(&json);
    json_key_string(&json, "predicted", report->is_velocity ? "velocity" : "observation");
    json_key_string(&json, "instrument", run_source_instrument_name(report->posterior, instrument));
    json_key_number(&json, "uncertainty_m_s", equant_prediction_uncertainty_m_s(prediction));
    json_key_unsigned(&json, "n_draws", equant_prediction_n_draws(prediction));
    json_key(&json, "times");
    json_array_begin(&json);
    for (size_t i = 0; i < equant_prediction_n(prediction); i++)
        write_time(&json, report, i);
    json_array_end(&json);
    json_key(&json, "conjunctions");
    json_array_begin(&json);
    for (size_t i = 0; i < report->n_conjunctions; i++) {
        const equant_conjunction *own = &report->conjunctions[i];
        json_object_begin(&json);
        json_key_unsigned(&json, "planet", own->planet);
        json_key_number(&json, "median_days", own->median_days);
        json_key_number(&json, "low_days", own->low_days);
        json_key_number(&json, "high_days", own->high_days);
        json_key_number(&json, "half_width_99_days", own->half_width_99_days);
        json_object_end(&json);
    }
    json_array_end(&json);
    json_object_end(&json);
    json_finish(&json);
}

int prediction_report_json(const struct prediction_report *report)
{
    write_json(stdout, report);
    return EXIT_CODE_OK;
}

static int write_times(const struct prediction_report *report, const char *folder)
{
    struct ecsv_column columns[PREDICTED_COLUMNS];
    struct output_file file;
    int code = output_file_open(&file, folder, "prediction.ecsv", prediction_report_members);
    if (code != EXIT_CODE_OK)
        return code;
    predicted_value_columns("time", "m / s", columns);
    struct ecsv_writer writer = ecsv_writer_start(file.stream, PREDICTED_COLUMNS, columns, 0, NULL);
    for (size_t i = 0; i < equant_prediction_n(report->prediction); i++) {
        const struct predicted_value own = value_of(time_at(report, i));
        predicted_value_row(&writer, &own);
    }
    return output_file_close(&file, EXIT_CODE_OK);
}

static int write_conjunctions(const struct prediction_report *report, const char *folder)
{
    static const struct ecsv_column columns[] = {
        {"planet", ECSV_INTEGER, NULL, "from 1"},
        {"median", ECSV_NUMBER, "d", NULL},
        {"low", ECSV_NUMBER, "d", "68.3 % lie between low and high"},
        {"high", ECSV_NUMBER, "d", NULL},
        {"half_width_99", ECSV_NUMBER, "d", "half of the time that holds 99.7 %"}};
    struct output_file file;
    int code = output_file_open(&file, folder, "conjunctions.ecsv", prediction_report_members);
    if (code != EXIT_CODE_OK)
        return code;
    struct ecsv_writer writer =
        ecsv_writer_start(file.stream, sizeof columns / sizeof *columns, columns, 0, NULL);
    for (size_t i = 0; i < report->n_conjunctions; i++) {
        const equant_conjunction *own = &report->conjunctions[i];
        ecsv_writer_integer(&writer, (long long)own->planet);
        ecsv_writer_number(&writer, own->median_days);
        ecsv_writer_number(&writer, own->low_days);
        ecsv_writer_number(&writer, own->high_days);
        ecsv_writer_number(&writer, own->half_width_99_days);
    }
    return output_file_close(&file, EXIT_CODE_OK);
}

const struct output_member prediction_report_members[] = {
    {"prediction.json", OUTPUT_KIND("a result of `equant predict`", "{\"predicted\":")},
    {"prediction.ecsv", OUTPUT_KIND_TABLES("time", "what")},
    {"conjunctions.ecsv", OUTPUT_KIND_TABLE("planet")},
    {0}};

int prediction_report_tables(const struct prediction_report *report, const char *folder)
{
    struct output_file file;
    int code = output_file_open(&file, folder, "prediction.json", prediction_report_members);
    if (code == EXIT_CODE_OK) {
        write_json(file.stream, report);
        code = output_file_close(&file, EXIT_CODE_OK);
    }
    if (code == EXIT_CODE_OK)
        code = write_times(report, folder);
    return code == EXIT_CODE_OK ? write_conjunctions(report, folder) : code;
}
