/* What a run of astrometry predicts as text, JSON and a table. */
#include <stdio.h>

#include "files/output_file.h"
#include "planning/predicted_value.h"
#include "planning/sky_channels.h"
#include "planning/prediction_report.h"
#include "terminal/messages.h"
#include "terminal/table.h"
#include "terminal/terminal.h"

/* Rows of each table that a terminal shows. */
enum { MOST_SHOWN = 12 };

static equant_sky_predicted_value value_at(const struct sky_channel *channel, size_t index)
{
    equant_sky_predicted_value own = {.struct_size = sizeof own};
    equant_sky_prediction_at(channel->prediction, index, &own); /* the index is in range */
    return own;
}

static struct predicted_value value_of(equant_sky_predicted_value own)
{
    return (struct predicted_value){.time = own.jd,
                                    .mean = own.mean,
                                    .sd = own.sd,
                                    .low_95 = own.low_95,
                                    .low_68 = own.low_68,
                                    .median = own.median,
                                    .high_68 = own.high_68,
                                    .high_95 = own.high_95,
                                    .entropy = own.entropy,
                                    .information = own.information};
}

static bool is_observed(const struct sky_channel *channel)
{
    return equant_sky_prediction_uncertainty(channel->prediction) > 0.0;
}

static bool is_of_sky(const struct sky_channel *channel)
{
    return channel->unit[0] == 'm' && channel->unit[1] == 'a';
}

/* ---- for a person ---------------------------------------------------------------------------- */

static int print_channel(const struct sky_channel *channel)
{
    size_t n = equant_sky_prediction_n(channel->prediction),
           each = predicted_value_each(n, MOST_SHOWN);
    struct table table = table_start(is_observed(channel) ? "rrrrrrr" : "rrrrrr");
    predicted_value_headings(&table, "JD");
    if (is_observed(channel))
        table_add(&table, "nats");
    for (size_t i = 0; i < n; i += each) {
        const struct predicted_value own = value_of(value_at(channel, i));
        predicted_value_cells(&table, is_of_sky(channel) ? 3 : 1, &own);
        if (is_observed(channel))
            table_add(&table, "%.3f", own.information);
    }
    printf("\n  %c%s (%s", channel->words[0] & ~0x20, channel->words + 1, channel->unit);
    if (is_observed(channel))
        printf("; error of an observation %.4g",
               equant_sky_prediction_uncertainty(channel->prediction));
    printf(")\n");
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    predicted_value_say_each(n, MOST_SHOWN);
    return code;
}

int sky_channels_text(const struct sky_channels *found)
{
    const equant_dataset *velocities = equant_sky_posterior_velocities(found->run);
    equant_sky_rows rows = {.struct_size = sizeof rows};
    equant_astrometry_rows(equant_sky_posterior_source(found->run), &rows);
    printf("%sWhat will be seen?%s\n\n", terminal_style(stdout, TERMINAL_BOLD),
           terminal_style(stdout, TERMINAL_PLAIN));
    printf("  run      %zu measurements on the sky", rows.n_rows);
    if (velocities != NULL)
        printf(" and %zu velocities", equant_dataset_n_obs(velocities));
    printf(" to %.4f, %zu draws\n", equant_sky_posterior_end_jd(found->run),
           found->n > 0 ? equant_sky_prediction_n_draws(found->channels[0].prediction) : 0);
    printf(found->is_bare ? "  what     the things themselves, without errors and jitters\n"
                          : "  what     observations with their error and jitter, and in nats what "
                            "one of\n           them is expected to tell; the light of the star by "
                            "itself\n");
    int code = EXIT_CODE_OK;
    for (size_t i = 0; i < found->n && code == EXIT_CODE_OK; i++)
        code = print_channel(&found->channels[i]);
    return code;
}

/* ---- for programs ---------------------------------------------------------------------------- */

static void write_value(json_writer *json, const equant_sky_predicted_value *own)
{
    const struct predicted_value value = value_of(*own);
    json_object_begin(json);
    predicted_value_members(json, "jd", "", &value);
    json_key(json, "modes");
    json_array_begin(json);
    for (size_t k = 0; k < own->n_modes; k++) {
        json_object_begin(json);
        json_key_number(json, "value", own->mode[k]);
        json_key_number(json, "share", own->mode_share[k]);
        json_object_end(json);
    }
    json_array_end(json);
    json_object_end(json);
}

static void write_json(FILE *stream, const struct sky_channels *found)
{
    json_writer json = json_start(stream);
    json_object_begin(&json);
    json_key_string(&json, "predicted", found->is_bare ? "value" : "observation");
    json_key(&json, "channels");
    json_array_begin(&json);
    for (size_t i = 0; i < found->n; i++) {
        const struct sky_channel *own = &found->channels[i];
        json_object_begin(&json);
        json_key_string(&json, "what", own->name);
        json_key_string(&json, "unit", own->unit);
        json_key_unsigned(&json, "number", equant_sky_prediction_number(own->prediction));
        json_key_number(&json, "uncertainty", equant_sky_prediction_uncertainty(own->prediction));
        json_key_unsigned(&json, "n_draws", equant_sky_prediction_n_draws(own->prediction));
        json_key(&json, "times");
        json_array_begin(&json);
        for (size_t t = 0; t < equant_sky_prediction_n(own->prediction); t++) {
            equant_sky_predicted_value value = value_at(own, t);
            write_value(&json, &value);
        }
        json_array_end(&json);
        json_object_end(&json);
    }
    json_array_end(&json);
    json_object_end(&json);
    json_finish(&json);
}

int sky_channels_json(const struct sky_channels *found)
{
    write_json(stdout, found);
    return EXIT_CODE_OK;
}

static int write_table(const struct sky_channels *found, const char *folder)
{
    struct ecsv_column columns[2 + PREDICTED_COLUMNS] = {
        {"what", ECSV_TEXT, NULL, "light, companion, abscissa of a scan, or velocity"},
        {"unit", ECSV_TEXT, NULL, NULL}};
    struct output_file file;
    int code = output_file_open(&file, folder, "prediction.ecsv", prediction_report_members);
    if (code != EXIT_CODE_OK)
        return code;
    predicted_value_columns("jd", NULL, columns + 2);
    struct ecsv_writer writer =
        ecsv_writer_start(file.stream, sizeof columns / sizeof *columns, columns, 0, NULL);
    for (size_t i = 0; i < found->n; i++)
        for (size_t t = 0; t < equant_sky_prediction_n(found->channels[i].prediction); t++) {
            const struct predicted_value own = value_of(value_at(&found->channels[i], t));
            ecsv_writer_text(&writer, found->channels[i].name);
            ecsv_writer_text(&writer, found->channels[i].unit);
            predicted_value_row(&writer, &own);
        }
    return output_file_close(&file, EXIT_CODE_OK);
}

int sky_channels_tables(const struct sky_channels *found, const char *folder)
{
    struct output_file file;
    int code = output_file_open(&file, folder, "prediction.json", prediction_report_members);
    if (code == EXIT_CODE_OK) {
        write_json(file.stream, found);
        code = output_file_close(&file, EXIT_CODE_OK);
    }
    return code == EXIT_CODE_OK ? write_table(found, folder) : code;
}
