#include "sky/sky_periods.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "text/ecsv_writer.h"
#include "text/json_writer.h"
#include "files/output_file.h"
#include "files/output_folder.h"
#include "sky/sky_figures.h"
#include "sky/sky_inputs.h"
#include "terminal/angles.h"
#include "results/search_report.h"
#include "terminal/messages.h"
#include "terminal/spoken_number.h"
#include "terminal/table.h"
#include "terminal/terminal.h"
#include "terminal/wrapped_text.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static equant_sky_peak peak_of(const equant_sky_search *found, size_t index)
{
    equant_sky_peak peak = {.struct_size = sizeof peak};
    equant_sky_search_peak(found, index, &peak); /* the index is in range */
    return peak;
}

/* ---- for a person -------------------------------------------------------------------------- */

static int print_text(const struct sky_inputs *inputs, const equant_sky_search *found)
{
    static const char *const headers[] = {"", "period days", "a0 mas", "e", "gain lnL", "FAP"};
    const double *frequency;
    size_t n = equant_sky_search_n(found);
    struct table table = table_start("rrrrrr");
    equant_sky_search_bins(found, &frequency, NULL, NULL, NULL);
    printf("%sWhich periods does this source have on the sky?%s\n\n",
           terminal_style(stdout, TERMINAL_BOLD), terminal_style(stdout, TERMINAL_PLAIN));
    printf("  data     %zu transits", equant_astrometry_n_transits(inputs->source));
    if (inputs->velocities != NULL)
        printf(" and %zu velocities", equant_dataset_n_obs(inputs->velocities));
    printf(", reference time JD %.3f TCB\n", equant_astrometry_reference_jd(inputs->source));
    wrapped_text_print(
        "  tried    eccentric orbits at %zu periods from %s to %s days; position, parallax and "
        "proper motion refitted\n\n",
        n, spoken_number_digits(1.0 / frequency[n - 1], 3).text,
        spoken_number_digits(1.0 / frequency[0], 5).text);
    for (size_t i = 0; i < COUNT(headers); i++)
        table_add(&table, "%s", headers[i]);
    for (size_t i = 0; i < equant_sky_search_n_peaks(found); i++) {
        equant_sky_peak peak = peak_of(found, i);
        table_add(&table, "%zu", i + 1);
        table_add(&table, "%s", spoken_number_digits(peak.period_days, 6).text);
        table_add(&table, "%s", spoken_number_digits(peak.a0_mas, 4).text);
        table_add(&table, "%.3f", peak.eccentricity);
        table_add(&table, "%.2f", peak.gain);
        table_add(&table, "%s", spoken_number_probability(peak.false_alarm).text);
    }
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    wrapped_text_print(
        "\n  Gains have the jitter of a source without a companion; `equant fit` refines it, asks "
        "whether\n  scan angles explain as much, and decides.\n");
    return code;
}

/* ---- for programs -------------------------------------------------------------------------- */

static int write_json(const struct sky_inputs *inputs, const equant_sky_search *found)
{
    json_writer json = json_start(stdout);
    const double *frequency;
    size_t n = equant_sky_search_n(found);
    equant_sky_search_bins(found, &frequency, NULL, NULL, NULL);
    json_object_begin(&json);
    json_key(&json, "peaks");
    json_array_begin(&json);
    for (size_t i = 0; i < equant_sky_search_n_peaks(found); i++) {
        equant_sky_peak peak = peak_of(found, i);
        json_object_begin(&json);
        json_key_number(&json, "period_days", peak.period_days);
        json_key_number(&json, "a0_mas", peak.a0_mas);
        json_key_number(&json, "eccentricity", peak.eccentricity);
        json_key_number(&json, "m0_deg", peak.m0_rad * DEGREES_PER_RADIAN);
        json_key_number(&json, "delta_lnl", peak.gain);
        json_key_number(&json, "chi2", peak.chi_square);
        json_key_number(&json, "fap", peak.false_alarm);
        json_object_end(&json);
    }
    json_array_end(&json);
    json_key_unsigned(&json, "n_periods", n);
    json_key_number(&json, "period_min_days", 1.0 / frequency[n - 1]);
    json_key_number(&json, "period_max_days", 1.0 / frequency[0]);
    json_key_unsigned(&json, "n_transits", equant_astrometry_n_transits(inputs->source));
    json_key_number(&json, "t_ref", equant_astrometry_reference_jd(inputs->source));
    json_object_end(&json);
    json_finish(&json);
    return EXIT_CODE_OK;
}

static int write_periodogram(const equant_sky_search *found, const char *folder)
{
    static const struct ecsv_column columns[] = {
        {"frequency_per_day", ECSV_NUMBER, "1 / d", NULL},
        {"period_days", ECSV_NUMBER, "d", NULL},
        {"delta_lnl", ECSV_NUMBER, NULL, "gain in log-likelihood"},
        {"eccentricity", ECSV_NUMBER, NULL, "of the best orbit"},
        {"m0_deg", ECSV_NUMBER, "deg", "mean anomaly at the reference time"}};
    const double *frequency, *gain, *eccentricity, *m0;
    struct output_file file;
    int code = output_file_open(&file, folder, "periodogram.ecsv", search_report_members);
    if (code != EXIT_CODE_OK)
        return code;
    equant_sky_search_bins(found, &frequency, &gain, &eccentricity, &m0);
    struct ecsv_writer writer = ecsv_writer_start(file.stream, COUNT(columns), columns, 0, NULL);
    for (size_t i = 0; i < equant_sky_search_n(found); i++) {
        ecsv_writer_number(&writer, frequency[i]);
        ecsv_writer_number(&writer, 1.0 / frequency[i]);
        ecsv_writer_number(&writer, gain[i]);
        ecsv_writer_number(&writer, eccentricity[i]);
        ecsv_writer_number(&writer, m0[i] * DEGREES_PER_RADIAN);
    }
    return output_file_close(&file, EXIT_CODE_OK);
}

static int write_peaks(const equant_sky_search *found, const char *folder)
{
    static const struct ecsv_column columns[] = {
        {"period_days", ECSV_NUMBER, "d", NULL},
        {"a0_mas", ECSV_NUMBER, "mas", "semi-major axis of the light"},
        {"eccentricity", ECSV_NUMBER, NULL, NULL},
        {"m0_deg", ECSV_NUMBER, "deg", "mean anomaly at the reference time"},
        {"delta_lnl", ECSV_NUMBER, NULL, "gain in log-likelihood"},
        {"chi2", ECSV_NUMBER, NULL, NULL},
        {"fap", ECSV_NUMBER, NULL, "false-alarm probability"}};
    struct output_file file;
    int code = output_file_open(&file, folder, "peaks.ecsv", search_report_members);
    if (code != EXIT_CODE_OK)
        return code;
    struct ecsv_writer writer = ecsv_writer_start(file.stream, COUNT(columns), columns, 0, NULL);
    for (size_t i = 0; i < equant_sky_search_n_peaks(found); i++) {
        equant_sky_peak peak = peak_of(found, i);
        const double numbers[] = {
            peak.period_days, peak.a0_mas,     peak.eccentricity, peak.m0_rad * DEGREES_PER_RADIAN,
            peak.gain,        peak.chi_square, peak.false_alarm};
        for (size_t k = 0; k < COUNT(numbers); k++)
            ecsv_writer_number(&writer, numbers[k]);
    }
    return output_file_close(&file, EXIT_CODE_OK);
}

/* The gains of astrometry and velocities together, for which levels of noise are not known. */
static int take_gains(const equant_sky_search *found, struct sky_star *star)
{
    const double *columns[SKY_N_PERIODOGRAM_COLUMNS];
    size_t n = equant_sky_search_n(found);
    int code = number_table_create(n, SKY_N_PERIODOGRAM_COLUMNS, &star->periodogram);
    equant_sky_search_bins(found, &columns[SKY_PERIODOGRAM_FREQUENCY],
                           &columns[SKY_PERIODOGRAM_GAIN], &columns[SKY_PERIODOGRAM_ECCENTRICITY],
                           NULL);
    for (int j = 0; j < SKY_N_PERIODOGRAM_COLUMNS && code == EXIT_CODE_OK; j++)
        memcpy(star->periodogram.column[j], columns[j], n * sizeof(double));
    return code;
}

static int draw_periodogram(const struct sky_search_request *request,
                            const struct sky_inputs *inputs, const equant_sky_fit_options *options,
                            const equant_sky_search *found)
{
    struct sky_star star = {.levels = {NAN, NAN, NAN}};
    int code = inputs->velocities != NULL
                   ? take_gains(found, &star)
                   : sky_star_create_periodogram(inputs->source, options, &star);
    if (code == EXIT_CODE_OK)
        code = sky_figures_draw_periodogram(&star, request->out, request->pictures->format);
    sky_star_free(&star);
    return code;
}

static int report(const struct sky_search_request *request, const struct sky_inputs *inputs,
                  const equant_sky_fit_options *options, const equant_sky_search *found)
{
    int written = EXIT_CODE_OK;
    if (request->out != NULL) {
        written = output_folder_create(request->out);
        if (written == EXIT_CODE_OK)
            written = write_periodogram(found, request->out);
        if (written == EXIT_CODE_OK)
            written = write_peaks(found, request->out);
        if (written == EXIT_CODE_OK && !request->pictures->has_none)
            written = draw_periodogram(request, inputs, options, found);
    }
    int printed = request->as_json ? write_json(inputs, found) : print_text(inputs, found);
    return written != EXIT_CODE_OK ? written : printed;
}

int sky_search_run(const char *command, const struct sky_search_request *request,
                   const struct file_list *files)
{
    struct sky_inputs inputs;
    equant_sky_search *found = NULL;
    equant_sky_fit_options options = {0};
    int code = sky_inputs_load(command, files, request->sky, request->source, &inputs);
    if (code == EXIT_CODE_OK) {
        options = sky_request_plain(request->sky, inputs.velocities);
        sky_inputs_apply(&inputs, &options);
        options.engine = &request->range->engine;
        options.period_min_days = request->range->period_min_days;
        options.period_max_days = request->range->period_max_days;
        options.eccentricity_max = request->range->eccentricity_max;
        equant_status status =
            equant_sky_search_create(inputs.source, &options, request->n_peaks, &found);
        code = status == EQUANT_ERROR_INVALID_ARGUMENT
                   ? messages_failure("%s: %s", inputs.path, equant_last_error())
                   : messages_status(status);
    }
    if (code == EXIT_CODE_OK)
        code = report(request, &inputs, &options, found);
    equant_sky_search_free(found);
    sky_inputs_free(&inputs);
    return code;
}
