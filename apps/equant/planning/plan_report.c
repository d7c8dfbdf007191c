#include "planning/plan_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/ecsv_writer.h"
#include "text/json_writer.h"
#include "files/output_file.h"
#include "planning/observable_times.h"
#include "planning/run_source.h"
#include "posteriors/posterior_view.h"
#include "stars/planet_name.h"
#include "nights/night_calendar.h"
#include "terminal/messages.h"
#include "terminal/table.h"
#include "terminal/terminal.h"
#include "terminal/text_line.h"
#include "terminal/wrapped_text.h"

/* An entry of a calendar where nobody says how long an observation takes: as it often is. */
#define EVENT_DAYS (30.0 / 1440.0)

static equant_planned chosen_at(const struct plan_report *report, size_t index)
{
    equant_planned own = {.struct_size = sizeof own};
    equant_plan_chosen(report->plan, index, &own); /* the index is in range */
    return own;
}

static equant_planned candidate_at(const struct plan_report *report, size_t index)
{
    equant_planned own = {.struct_size = sizeof own};
    equant_plan_candidate(report->plan, index, &own);
    return own;
}

/* A chosen time as clocks have it, in UTC where the sky is known. */
static double clock_of(const struct plan_report *report, const equant_planned *own)
{
    return report->candidates->sky != NULL ? report->candidates->sky[own->candidate].jd_utc
                                           : own->time_days;
}

/* "2026-11-16 23:30"; "" for times that are no dates. Barycentric times differ from those of clocks
 * by up to ten minutes. */
static void write_date(double time_days, char text[EQUANT_UTC_TEXT_BYTES])
{
    if (!night_times_are_dates(time_days) ||
        equant_utc_text(time_days, text, EQUANT_UTC_TEXT_BYTES) != EQUANT_SUCCESS) {
        text[0] = '\0';
        return;
    }
    text[10] = ' ';
    text[16] = '\0';
}

static double best_of(const struct plan_report *report, double *median)
{
    size_t n = equant_plan_n_candidates(report->plan);
    double highest = 0.0, sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        double gain = candidate_at(report, i).gain;
        highest = fmax(highest, gain);
        sum += gain / (double)n;
    }
    *median = sum;
    return highest;
}

/* ---- for a person ------------------------------------------------------------ */

static int print_chosen(const struct plan_report *report)
{
    size_t n = equant_plan_n_chosen(report->plan);
    bool has_dates = n > 0 && night_times_are_dates(chosen_at(report, 0).time_days);
    const struct candidate_sky *sky = report->candidates->sky;
    struct table table = table_start(sky != NULL ? "rrllrlrrrl" : has_dates ? "rrlrrrl" : "rrrrrl");
    table_add(&table, "%s", "");
    table_add(&table, "time");
    if (has_dates)
        table_add(&table, sky != NULL ? "UTC" : "date");
    if (sky != NULL) {
        table_add(&table, "site");
        table_add(&table, "airmass");
        table_add(&table, "moon");
    }
    table_add(&table, "gain");
    table_add(&table, "total");
    table_add(&table, "expected m/s");
    table_add(&table, "why");
    for (size_t i = 0; i < n; i++) {
        equant_planned own = chosen_at(report, i);
        char date[EQUANT_UTC_TEXT_BYTES];
        write_date(clock_of(report, &own), date);
        table_add(&table, "%zu", i + 1);
        table_add(&table, "%.4f", own.time_days);
        if (has_dates)
            table_add(&table, "%s", date);
        if (sky != NULL) {
            const struct candidate_sky *then = &sky[own.candidate];
            table_add(&table, "%s", then->site);
            table_add(&table, "%.2f", then->airmass);
            table_add(&table, "%.0f %%, %.0f° away", 100.0 * then->moon_illumination,
                      then->moon_separation_deg);
        }
        table_add(&table, "%.3f", own.gain);
        table_add(&table, "%.3f", own.total);
        table_add(&table, "%.1f +- %.1f", own.mean_m_s, own.sd_m_s);
        table_add(&table, "%s", own.reason);
    }
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    return code;
}

/* Modes and models are told one by one; ranges of a quantity are not worth it. */
static bool tells_groups(const struct plan_report *report)
{
    bool of_ranges = strcmp(report->target, "everything") != 0 &&
                     strcmp(report->target, "modes") != 0 && strcmp(report->target, "models") != 0;
    return equant_plan_n_groups(report->plan) > 1 && !of_ranges;
}

/* Offsets and jitters are in the file; people ask for planets. */
static bool is_of_planet(const char *name)
{
    return strncmp(name, "offset", 6) != 0 && strncmp(name, "jitter", 6) != 0;
}

/* "planet b", "period days", as tables of the run have them; returns what a value is shown in. */
static double add_words(struct table *table, const struct plan_report *report, const char *name)
{
    const struct planet_letters letters = planet_letters_of_run(report->posterior);
    equant_sampled_quantity own = {.struct_size = sizeof own};
    for (size_t i = 0; i < equant_posterior_n_quantities(report->posterior); i++)
        if (equant_posterior_quantity(report->posterior, i, &own) == EQUANT_SUCCESS &&
            strcmp(own.name, name) == 0) {
            table_add(table, "%s",
                      own.planet > 0 ? planet_name_of(&letters, own.planet - 1).text : "");
            table_add(table, "%s", posterior_view_kind(&own).label);
            return posterior_view_kind(&own).shown_factor;
        }
    table_add(table, "%s", "");
    table_add(table, "%s", name);
    return 1.0;
}

/* What is known now and is expected to be known then. */
static int print_expected(const struct plan_report *report)
{
    size_t n = equant_plan_n_chosen(report->plan), n_groups = equant_plan_n_groups(report->plan);
    equant_planned last = chosen_at(report, n - 1);
    double now = 0.0;
    char text[200];
    snprintf(text, sizeof text, "After %s %.3f nats are expected to be gained",
             n > 1 ? "these observations" : "this observation", last.total);
    for (size_t g = 0; g < n_groups; g++)
        now += pow(equant_plan_group_probability(report->plan, g), 2.0);
    if (tells_groups(report))
        text_line_append(text, sizeof text,
                         ", and the right one has a probability\n  of %.2f on average, where it "
                         "has %.2f now",
                         last.probability, now);
    wrapped_text_print("\n  %s.\n", text);
    if (equant_plan_n_expected(report->plan) == 0)
        return EXIT_CODE_OK;
    printf("\n");
    struct table table = table_start("llrrr");
    table_add(&table, "%s", "");
    table_add(&table, "standard deviation of");
    table_add(&table, "now");
    table_add(&table, "then");
    table_add(&table, "%s", "");
    for (size_t i = 0; i < equant_plan_n_expected(report->plan); i++) {
        equant_expected own = {.struct_size = sizeof own};
        equant_plan_expected(report->plan, i, &own); /* the index is in range */
        double left = own.sd_now > 0.0 ? own.sd_after / own.sd_now : 1.0;
        if (!is_of_planet(own.name))
            continue;
        double unit = add_words(&table, report, own.name);
        table_add(&table, "%.3g", unit * own.sd_now);
        table_add(&table, "%.3g", unit * own.sd_after);
        table_add(&table, "%.0f %%", 100.0 * left);
    }
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    return code;
}

static void print_groups(const struct plan_report *report)
{
    size_t n = equant_plan_n_groups(report->plan);
    if (!tells_groups(report))
        return;
    char names[2048] = "";
    for (size_t i = 0; i < n; i++)
        text_line_append(names, sizeof names, "%s%s (%.0f %%)", i == 0 ? "" : ", ",
                         equant_plan_group_name(report->plan, i),
                         100.0 * equant_plan_group_probability(report->plan, i));
    wrapped_text_print("  between  %s\n           whose probabilities leave %.3f nats open\n",
                       names, equant_plan_group_entropy(report->plan));
}

int plan_report_text(const struct plan_report *report)
{
    const equant_dataset *dataset = equant_posterior_dataset(report->posterior);
    size_t n = equant_plan_n_chosen(report->plan);
    double mean, highest = best_of(report, &mean);
    printf("%sWhen would an observation teach most?%s\n\n", terminal_style(stdout, TERMINAL_BOLD),
           terminal_style(stdout, TERMINAL_PLAIN));
    wrapped_text_print("  run      %zu observations to %.4f\n", equant_dataset_n_obs(dataset),
                       run_source_end_days(report->posterior));
    wrapped_text_print("  about    %s\n", report->target);
    print_groups(report);
    wrapped_text_print(
        "  times    %zu to choose from; one observation gains %.3f nats at the best of them,\n"
        "           %.3f on average\n\n",
        equant_plan_n_candidates(report->plan), highest, mean);
    int code = print_chosen(report);
    return code == EXIT_CODE_OK && n > 0 ? print_expected(report) : code;
}

/* ---- for programs ------------------------------------------------------------ */

static void write_planned(json_writer *json, const struct plan_report *report,
                          const equant_planned *own)
{
    json_object_begin(json);
    json_key_number(json, "time_days", own->time_days);
    if (report->candidates->sky != NULL) {
        const struct candidate_sky *then = &report->candidates->sky[own->candidate];
        json_key_number(json, "jd_utc", then->jd_utc);
        json_key_string(json, "site", then->site);
        json_key_number(json, "airmass", then->airmass);
        json_key_number(json, "moon_illumination", then->moon_illumination);
        json_key_number(json, "moon_separation_deg", then->moon_separation_deg);
    }
    json_key_string(json, "instrument",
                    run_source_instrument_name(report->posterior, (size_t)own->instrument + 1));
    json_key_number(json, "uncertainty_m_s", own->uncertainty_m_s);
    json_key_number(json, "gain", own->gain);
    if (own->reason != NULL) {
        json_key_number(json, "total", own->total);
        json_key_number(json, "probability", own->probability);
    }
    json_key_number(json, "value", own->value);
    json_key_number(json, "log_bayes_factor", own->log_bayes_factor);
    json_key_number(json, "mean_m_s", own->mean_m_s);
    json_key_number(json, "sd_m_s", own->sd_m_s);
    if (own->reason != NULL)
        json_key_string(json, "reason", own->reason);
    json_object_end(json);
}

static void write_json(FILE *stream, const struct plan_report *report)
{
    json_writer json = json_start(stream);
    json_object_begin(&json);
    json_key_string(&json, "target", report->target);
    json_key(&json, "groups");
    json_array_begin(&json);
    for (size_t i = 0; i < equant_plan_n_groups(report->plan); i++) {
        json_object_begin(&json);
        json_key_string(&json, "name", equant_plan_group_name(report->plan, i));
        json_key_number(&json, "probability", equant_plan_group_probability(report->plan, i));
        json_object_end(&json);
    }
    json_array_end(&json);
    json_key_number(&json, "group_entropy", equant_plan_group_entropy(report->plan));
    json_key(&json, "expected");
    json_array_begin(&json);
    for (size_t i = 0; i < equant_plan_n_expected(report->plan); i++) {
        equant_expected own = {.struct_size = sizeof own};
        equant_plan_expected(report->plan, i, &own);
        json_object_begin(&json);
        json_key_string(&json, "name", own.name);
        json_key_number(&json, "sd_now", own.sd_now);
        json_key_number(&json, "sd_after", own.sd_after);
        json_object_end(&json);
    }
    json_array_end(&json);
    json_key(&json, "chosen");
    json_array_begin(&json);
    for (size_t i = 0; i < equant_plan_n_chosen(report->plan); i++) {
        equant_planned own = chosen_at(report, i);
        write_planned(&json, report, &own);
    }
    json_array_end(&json);
    json_key(&json, "candidates");
    json_array_begin(&json);
    for (size_t i = 0; i < equant_plan_n_candidates(report->plan); i++) {
        equant_planned own = candidate_at(report, i);
        write_planned(&json, report, &own);
    }
    json_array_end(&json);
    json_object_end(&json);
    json_finish(&json);
}

int plan_report_json(const struct plan_report *report)
{
    write_json(stdout, report);
    return EXIT_CODE_OK;
}

/* Columns of tables; those of the sky where a site is named, the last two of what is chosen. */
static const struct ecsv_column time_columns[] = {{"time", ECSV_NUMBER, "d", NULL}},
                                sky_columns[] = {{"utc", ECSV_TEXT, NULL, "middle of the exposure"},
                                                 {"jd_utc", ECSV_NUMBER, "d", NULL},
                                                 {"site", ECSV_TEXT, NULL, NULL},
                                                 {"airmass", ECSV_NUMBER, NULL, NULL},
                                                 {"moon_illumination", ECSV_NUMBER, NULL,
                                                  "part that is lit"},
                                                 {"moon_separation", ECSV_NUMBER, "deg", NULL}},
                                gain_columns[] = {
                                    {"instrument", ECSV_TEXT, NULL, NULL},
                                    {"uncertainty", ECSV_NUMBER, "m / s", NULL},
                                    {"gain", ECSV_NUMBER, NULL, "expected information, in nats"},
                                    {"value", ECSV_NUMBER, NULL, "gain times weight over cost"},
                                    {"log_bayes_factor", ECSV_NUMBER, NULL,
                                     "expected between the two heaviest groups"},
                                    {"mean", ECSV_NUMBER, "m / s", "what is expected to be seen"},
                                    {"sd", ECSV_NUMBER, "m / s", NULL},
                                    {"total", ECSV_NUMBER, NULL,
                                     "of this one and those before it, in nats"},
                                    {"reason", ECSV_TEXT, NULL, NULL}};

enum { SKY_COLUMNS = 6, GAIN_COLUMNS = 9, ONLY_CHOSEN = 2 };

static void write_sky(struct ecsv_writer *writer, const struct candidate_sky *then)
{
    char utc[EQUANT_UTC_TEXT_BYTES] = "";
    equant_utc_text(then->jd_utc, utc, sizeof utc);
    ecsv_writer_text(writer, utc);
    ecsv_writer_number(writer, then->jd_utc);
    ecsv_writer_text(writer, then->site);
    ecsv_writer_number(writer, then->airmass);
    ecsv_writer_number(writer, then->moon_illumination);
    ecsv_writer_number(writer, then->moon_separation_deg);
}

static int write_table(const struct plan_report *report, const char *folder, bool of_chosen)
{
    const struct candidate_sky *sky = report->candidates->sky;
    struct ecsv_column columns[1 + SKY_COLUMNS + GAIN_COLUMNS];
    size_t n_columns = 0, n_gain = GAIN_COLUMNS - (of_chosen ? 0 : ONLY_CHOSEN);
    size_t n =
        of_chosen ? equant_plan_n_chosen(report->plan) : equant_plan_n_candidates(report->plan);
    columns[n_columns++] = time_columns[0];
    for (size_t k = 0; sky != NULL && k < SKY_COLUMNS; k++)
        columns[n_columns++] = sky_columns[k];
    for (size_t k = 0; k < n_gain; k++)
        columns[n_columns++] = gain_columns[k];
    struct output_file file;
    int code =
        output_file_open(&file, folder, of_chosen ? "plan.ecsv" : "gain.ecsv", plan_report_members);
    if (code != EXIT_CODE_OK)
        return code;
    struct ecsv_writer writer = ecsv_writer_start(file.stream, n_columns, columns, 0, NULL);
    for (size_t i = 0; i < n; i++) {
        equant_planned own = of_chosen ? chosen_at(report, i) : candidate_at(report, i);
        const double cells[] = {own.uncertainty_m_s, own.gain,   own.value, own.log_bayes_factor,
                                own.mean_m_s,        own.sd_m_s, own.total};
        ecsv_writer_number(&writer, own.time_days);
        if (sky != NULL)
            write_sky(&writer, &sky[own.candidate]);
        ecsv_writer_text(&writer,
                         run_source_instrument_name(report->posterior, (size_t)own.instrument + 1));
        for (size_t k = 0; k < (of_chosen ? 7 : 6); k++)
            ecsv_writer_number(&writer, cells[k]);
        if (of_chosen)
            ecsv_writer_text(&writer, own.reason);
    }
    return output_file_close(&file, EXIT_CODE_OK);
}

/* Entries around the times, where they are dates. */
static int write_calendar(const struct plan_report *report, const char *folder)
{
    size_t n = equant_plan_n_chosen(report->plan), n_bytes = 0;
    if (n == 0 || !night_times_are_dates(chosen_at(report, 0).time_days))
        return EXIT_CODE_OK;
    const char *star = run_source_star(report->posterior);
    equant_event *events = calloc(n, sizeof *events);
    char(*summaries)[128] = calloc(n, sizeof *summaries), *text = NULL;
    struct output_file file;
    int code = events && summaries ? EXIT_CODE_OK : messages_out_of_memory();
    for (size_t i = 0; i < n && code == EXIT_CODE_OK; i++) {
        equant_planned own = chosen_at(report, i);
        snprintf(summaries[i], sizeof summaries[i], "%s%sobservation %zu, %.2f nats", star,
                 star[0] != '\0' ? ": " : "", i + 1, own.gain);
        double before = report->candidates->given.before_days[own.candidate],
               after = report->candidates->given.after_days[own.candidate];
        bool is_known = before + after > 0.0;
        events[i] = (equant_event){
            .struct_size = sizeof events[i],
            .start_jd_utc = clock_of(report, &own) - (is_known ? before : 0.5 * EVENT_DAYS),
            .end_jd_utc = clock_of(report, &own) + (is_known ? after : 0.5 * EVENT_DAYS),
            .summary = summaries[i],
            .description = own.reason,
            .location = report->candidates->sky != NULL
                            ? report->candidates->sky[own.candidate].site
                            : NULL};
    }
    if (code == EXIT_CODE_OK)
        code = messages_status(equant_calendar_write(n, events, &text, &n_bytes));
    if (code == EXIT_CODE_OK &&
        (code = output_file_open(&file, folder, "plan.ics", plan_report_members)) == EXIT_CODE_OK) {
        fwrite(text, 1, n_bytes, file.stream);
        code = output_file_close(&file, EXIT_CODE_OK);
    }
    equant_calendar_free(text);
    free(events);
    free(summaries);
    return code;
}

const struct output_member plan_report_members[] = {
    {"plan.json", OUTPUT_KIND("a result of `equant plan`", "{\"target\":")},
    {"plan.ecsv", OUTPUT_KIND_TABLE("time")},
    {"gain.ecsv", OUTPUT_KIND_TABLE("time")},
    {"plan.ics", NIGHT_CALENDAR_KIND},
    {0}};

int plan_report_tables(const struct plan_report *report, const char *folder)
{
    struct output_file file;
    int code = output_file_open(&file, folder, "plan.json", plan_report_members);
    if (code == EXIT_CODE_OK) {
        write_json(file.stream, report);
        code = output_file_close(&file, EXIT_CODE_OK);
    }
    if (code == EXIT_CODE_OK)
        code = write_table(report, folder, true);
    if (code == EXIT_CODE_OK)
        code = write_table(report, folder, false);
    return code == EXIT_CODE_OK ? write_calendar(report, folder) : code;
}
