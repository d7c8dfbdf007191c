#include "planning/schedule_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "text/ecsv_writer.h"
#include "text/json_writer.h"
#include "files/output_file.h"
#include "nights/night_calendar.h"
#include "planning/observable_times.h"
#include "planning/run_source.h"
#include "terminal/messages.h"
#include "terminal/table.h"
#include "terminal/terminal.h"

/* An entry with all that is known of it. */
struct entry {
    equant_scheduled slot;
    equant_planned planned;
    const struct scheduled_star *star;
    const struct candidate_sky *sky; /* NULL: unknown */
    double minutes;
    char start[EQUANT_UTC_TEXT_BYTES];
};

static struct entry entry_at(const struct schedule_report *report, size_t index)
{
    struct entry made = {.slot = {.struct_size = sizeof made.slot},
                         .planned = {.struct_size = sizeof made.planned}};
    equant_schedule_at(report->schedule, index, &made.slot); /* the index is in range */
    equant_plan_chosen(equant_schedule_plan(report->schedule, made.slot.star), made.slot.number,
                       &made.planned);
    made.star = &report->stars[made.slot.star];
    if (made.star->candidates.sky != NULL)
        made.sky = &made.star->candidates.sky[made.planned.candidate];
    made.minutes = 1440.0 * (made.slot.end_days - made.slot.start_days);
    if (!night_times_are_dates(made.slot.start_days) ||
        equant_utc_text(made.slot.start_days, made.start, sizeof made.start) != EQUANT_SUCCESS)
        snprintf(made.start, sizeof made.start, "%.4f", made.slot.start_days);
    return made;
}

/* ---- for a person ------------------------------------------------------------ */

static int print_entries(const struct schedule_report *report)
{
    size_t n = equant_schedule_n(report->schedule);
    bool has_sky = report->stars[0].candidates.sky != NULL;
    struct table table = table_start(has_sky ? "lrlllrrrl" : "lrlrrl");
    table_add(&table, has_sky ? "from (UTC)" : "from");
    table_add(&table, "minutes");
    table_add(&table, "star");
    if (has_sky) {
        table_add(&table, "site");
        table_add(&table, "airmass");
        table_add(&table, "moon");
    }
    table_add(&table, "gain");
    table_add(&table, "value");
    table_add(&table, "why");
    for (size_t i = 0; i < n; i++) {
        struct entry own = entry_at(report, i);
        table_add(&table, "%.16s", own.start);
        table_add(&table, "%.0f", own.minutes);
        table_add(&table, "%s", own.star->name);
        if (has_sky) {
            table_add(&table, "%s", own.sky->site);
            table_add(&table, "%.2f", own.sky->airmass);
            table_add(&table, "%.0f°", own.sky->moon_separation_deg);
        }
        table_add(&table, "%.3f", own.planned.gain);
        table_add(&table, "%.3f", own.planned.value);
        table_add(&table, "%s", own.planned.reason);
    }
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    return code;
}

/* What each star gets of it. */
struct share {
    size_t n;
    double hours, gain;
};

static struct share share_of(const struct schedule_report *report, size_t star)
{
    struct share made = {0};
    for (size_t i = 0; i < equant_schedule_n(report->schedule); i++) {
        struct entry own = entry_at(report, i);
        if (own.slot.star != star)
            continue;
        made.n++;
        made.hours += own.minutes / 60.0;
        made.gain += own.planned.gain;
    }
    return made;
}

static int print_shares(const struct schedule_report *report)
{
    struct table table = table_start("lrrr");
    table_add(&table, "star");
    table_add(&table, "observations");
    table_add(&table, "hours");
    table_add(&table, "nats");
    for (size_t i = 0; i < report->n_stars; i++) {
        struct share own = share_of(report, i);
        table_add(&table, "%s", report->stars[i].name);
        table_add(&table, "%zu", own.n);
        table_add(&table, "%.1f", own.hours);
        table_add(&table, "%.3f", own.gain);
    }
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    return code;
}

int schedule_report_text(const struct schedule_report *report)
{
    printf("%sWhich star, when?%s\n\n", terminal_style(stdout, TERMINAL_BOLD),
           terminal_style(stdout, TERMINAL_PLAIN));
    int code = print_entries(report);
    printf("\n");
    return code == EXIT_CODE_OK ? print_shares(report) : code;
}

/* ---- for programs ------------------------------------------------------------ */

static void write_entry(json_writer *json, const struct entry *own)
{
    json_object_begin(json);
    json_key_string(json, "star", own->star->name);
    json_key_number(json, "start_days", own->slot.start_days);
    json_key_number(json, "end_days", own->slot.end_days);
    json_key_integer(json, "place", own->slot.place);
    if (own->sky != NULL) {
        json_key_string(json, "site", own->sky->site);
        json_key_number(json, "airmass", own->sky->airmass);
        json_key_number(json, "moon_separation_deg", own->sky->moon_separation_deg);
    }
    json_key_number(json, "time_days", own->planned.time_days);
    json_key_number(json, "uncertainty_m_s", own->planned.uncertainty_m_s);
    json_key_number(json, "gain", own->planned.gain);
    json_key_number(json, "value", own->planned.value);
    json_key_string(json, "reason", own->planned.reason);
    json_object_end(json);
}

static void write_json(FILE *stream, const struct schedule_report *report)
{
    json_writer json = json_start(stream);
    json_object_begin(&json);
    json_key(&json, "schedule");
    json_array_begin(&json);
    for (size_t i = 0; i < equant_schedule_n(report->schedule); i++) {
        struct entry own = entry_at(report, i);
        write_entry(&json, &own);
    }
    json_array_end(&json);
    json_key(&json, "stars");
    json_array_begin(&json);
    for (size_t i = 0; i < report->n_stars; i++) {
        struct share own = share_of(report, i);
        json_object_begin(&json);
        json_key_string(&json, "name", report->stars[i].name);
        json_key_integer(&json, "n", (long long)own.n);
        json_key_number(&json, "hours", own.hours);
        json_key_number(&json, "gain", own.gain);
        json_object_end(&json);
    }
    json_array_end(&json);
    json_object_end(&json);
    json_finish(&json);
}

int schedule_report_json(const struct schedule_report *report)
{
    write_json(stdout, report);
    return EXIT_CODE_OK;
}

static int write_table(const struct schedule_report *report, const char *folder)
{
    static const struct ecsv_column columns[] = {
        {"star", ECSV_TEXT, NULL, NULL},
        {"start_utc", ECSV_TEXT, NULL, "with what passes before the exposure"},
        {"minutes", ECSV_NUMBER, "min", NULL},
        {"site", ECSV_TEXT, NULL, NULL},
        {"airmass", ECSV_NUMBER, NULL, NULL},
        {"moon_separation", ECSV_NUMBER, "deg", NULL},
        {"time", ECSV_NUMBER, "d", "middle of the exposure, as the data count days"},
        {"gain", ECSV_NUMBER, NULL, "expected information, in nats"},
        {"value", ECSV_NUMBER, NULL, "gain times weight over cost"},
        {"reason", ECSV_TEXT, NULL, NULL}};
    struct output_file file;
    int code = output_file_open(&file, folder, "schedule.ecsv", schedule_report_members);
    if (code != EXIT_CODE_OK)
        return code;
    struct ecsv_writer writer =
        ecsv_writer_start(file.stream, sizeof columns / sizeof *columns, columns, 0, NULL);
    for (size_t i = 0; i < equant_schedule_n(report->schedule); i++) {
        struct entry own = entry_at(report, i);
        ecsv_writer_text(&writer, own.star->name);
        ecsv_writer_text(&writer, own.start);
        ecsv_writer_number(&writer, own.minutes);
        ecsv_writer_text(&writer, own.sky != NULL ? own.sky->site : "");
        ecsv_writer_number(&writer, own.sky != NULL ? own.sky->airmass : NAN);
        ecsv_writer_number(&writer, own.sky != NULL ? own.sky->moon_separation_deg : NAN);
        ecsv_writer_number(&writer, own.planned.time_days);
        ecsv_writer_number(&writer, own.planned.gain);
        ecsv_writer_number(&writer, own.planned.value);
        ecsv_writer_text(&writer, own.planned.reason);
    }
    return output_file_close(&file, EXIT_CODE_OK);
}

static int write_calendar(const struct schedule_report *report, const char *folder)
{
    size_t n = equant_schedule_n(report->schedule);
    if (n == 0 || !night_times_are_dates(entry_at(report, 0).slot.start_days))
        return EXIT_CODE_OK;
    equant_event *events = calloc(n, sizeof *events);
    if (events == NULL)
        return messages_out_of_memory();
    for (size_t i = 0; i < n; i++) {
        struct entry own = entry_at(report, i);
        events[i] = (equant_event){.struct_size = sizeof events[i],
                                   .start_jd_utc = own.slot.start_days,
                                   .end_jd_utc = own.slot.end_days,
                                   .summary = own.star->name,
                                   .description = own.planned.reason,
                                   .location = own.sky != NULL ? own.sky->site : NULL};
    }
    int code = night_calendar_write(n, events, folder, "schedule.ics");
    free(events);
    return code;
}

const struct output_member schedule_report_members[] = {
    {"schedule.json", OUTPUT_KIND("a schedule of `equant plan`", "{\"schedule\":")},
    {"schedule.ecsv", OUTPUT_KIND_TABLE("star")},
    {"schedule.ics", NIGHT_CALENDAR_KIND},
    {0}};

int schedule_report_files(const struct schedule_report *report, const char *folder)
{
    struct output_file file;
    int code = output_file_open(&file, folder, "schedule.json", schedule_report_members);
    if (code == EXIT_CODE_OK) {
        write_json(file.stream, report);
        code = output_file_close(&file, EXIT_CODE_OK);
    }
    if (code == EXIT_CODE_OK)
        code = write_table(report, folder);
    return code == EXIT_CODE_OK ? write_calendar(report, folder) : code;
}
