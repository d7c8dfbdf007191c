#include "nights/night_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "text/ecsv_writer.h"
#include "text/json_writer.h"
#include "files/output_file.h"
#include "nights/night_calendar.h"
#include "terminal/messages.h"
#include "terminal/table.h"
#include "terminal/terminal.h"
#include "terminal/wrapped_text.h"

/* --- For a person ------------------------------------------------------------ */

static void print_question(const struct found_nights *found)
{
    char from[EQUANT_UTC_TEXT_BYTES] = "", to[EQUANT_UTC_TEXT_BYTES] = "";
    equant_utc_text(found->start_jd_utc, from, sizeof from);
    equant_utc_text(found->end_jd_utc, to, sizeof to);
    printf("%sWhen can this star be observed?%s\n\n", terminal_style(stdout, TERMINAL_BOLD),
           terminal_style(stdout, TERMINAL_PLAIN));
    wrapped_text_print("  star    RA %.5f, Dec %+.5f degrees\n", found->star.ra_deg,
                       found->star.dec_deg);
    for (size_t i = 0; i < found->from.n; i++) {
        const equant_site *site = &found->from.sites[i];
        wrapped_text_print("  %s    %s%slongitude %.4f, latitude %.4f, %.0f m\n",
                           i == 0 ? "from" : "    ", site->name, site->name[0] != '\0' ? ": " : "",
                           site->longitude_deg, site->latitude_deg, site->height_m);
    }
    wrapped_text_print("  time    %.16s to %.16s UTC\n", from, to);
    wrapped_text_print("  limits  %s\n\n", found->limits);
}

static void add_number(struct table *table, int decimals, double value)
{
    if (isfinite(value))
        table_add(table, "%.*f", decimals, value);
    else
        table_add(table, "-");
}

static void add_night(struct table *table, const struct found_nights *found,
                      const equant_night *night)
{
    static const char *const kinds[] = {
        [EQUANT_NIGHT_USUAL] = "",
        [EQUANT_NIGHT_NEVER_DARK] = "",
        [EQUANT_NIGHT_ALL_DARK] = "dark all day",
    };
    table_add(table, "%s", night->date);
    if (found->from.n > 1)
        table_add(table, "%s", found->from.names[night->site]);
    table_add(table, "%s", night_clock_of(night->dusk_jd_utc).text);
    table_add(table, "%s", night_clock_of(night->dawn_jd_utc).text);
    table_add(table, "%.1f", night->hours);
    table_add(table, "%s", night_clock_of(night->best_jd_utc).text);
    add_number(table, 2, night->best_airmass);
    table_add(table, "%.0f %%", 100.0 * night->moon_illumination);
    table_add(table, "%.0f°", night->moon_separation_deg);
    table_add(table, "%s", night->reason[0] != '\0' ? night->reason : kinds[night->kind]);
}

static int print_nights(const struct found_nights *found)
{
    static const char *const headers[] = {"dusk",    "dawn",     "hours",     "best at",
                                          "airmass", "moon lit", "moon away", ""};
    struct table table = table_start(found->from.n > 1 ? "llrrrrrrrl" : "lrrrrrrrl");
    table_add(&table, "night");
    if (found->from.n > 1)
        table_add(&table, "site");
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        table_add(&table, "%s", headers[i]);
    for (size_t i = 0; i < equant_nights_n(found->nights); i++) {
        equant_night night = found_nights_at(found, i);
        add_night(&table, found, &night);
    }
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    return code;
}

int night_report_text(const struct found_nights *found)
{
    size_t n = equant_nights_n(found->nights), n_useful = 0;
    double hours = 0.0;
    for (size_t i = 0; i < n; i++) {
        equant_night night = found_nights_at(found, i);
        n_useful += night.hours > 0.0;
        hours += night.hours;
    }
    print_question(found);
    int code = print_nights(found);
    if (code == EXIT_CODE_OK)
        wrapped_text_print(
            "\n  %.1f hours in %zu of %zu nights. Nights have the dates of their evenings; times "
            "are UTC.\n",
            hours, n_useful, n);
    return code;
}

int night_report_sites(void)
{
    struct table table = table_start("lrrrl");
    static const char *const headers[] = {"site", "longitude", "latitude", "height (m)",
                                          "coordinates from"};
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        table_add(&table, "%s", headers[i]);
    for (size_t i = 0; i < equant_n_sites(); i++) {
        equant_site site = {.struct_size = sizeof site};
        equant_site_at(i, &site);
        table_add(&table, "%s", site.name);
        table_add(&table, "%.4f", site.longitude_deg);
        table_add(&table, "%.4f", site.latitude_deg);
        table_add(&table, "%.0f", site.height_m);
        table_add(&table, "%s", site.source);
    }
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    return code;
}

/* --- For programs: what a night has, for JSON and tables alike ----------------- */

static const char *kind_name(equant_night_kind kind)
{
    static const char *const names[] = {[EQUANT_NIGHT_USUAL] = "usual",
                                        [EQUANT_NIGHT_NEVER_DARK] = "never_dark",
                                        [EQUANT_NIGHT_ALL_DARK] = "all_dark"};
    return names[kind];
}

#define DAYS "d"
static const struct night_number {
    const char *name, *unit, *description;
    size_t offset;
} numbers[] = {
    {"sunset_jd_utc", DAYS, "the sun at -0.833 degrees", offsetof(equant_night, sunset_jd_utc)},
    {"dusk_jd_utc", DAYS, "the sun at its limit", offsetof(equant_night, dusk_jd_utc)},
    {"dark_start_jd_utc", DAYS, "the sun at -18 degrees",
     offsetof(equant_night, dark_start_jd_utc)},
    {"dark_end_jd_utc", DAYS, NULL, offsetof(equant_night, dark_end_jd_utc)},
    {"dawn_jd_utc", DAYS, NULL, offsetof(equant_night, dawn_jd_utc)},
    {"sunrise_jd_utc", DAYS, NULL, offsetof(equant_night, sunrise_jd_utc)},
    {"rise_jd_utc", DAYS, "the star at the horizon", offsetof(equant_night, rise_jd_utc)},
    {"transit_jd_utc", DAYS, "the star at its highest", offsetof(equant_night, transit_jd_utc)},
    {"set_jd_utc", DAYS, NULL, offsetof(equant_night, set_jd_utc)},
    {"hours", "h", "in which it can be observed", offsetof(equant_night, hours)},
    {"best_jd_utc", DAYS, "the highest of these", offsetof(equant_night, best_jd_utc)},
    {"best_airmass", NULL, "then", offsetof(equant_night, best_airmass)},
    {"best_altitude_deg", "deg", "then", offsetof(equant_night, best_altitude_deg)},
    {"moon_illumination", NULL, "then, or in the middle of the night",
     offsetof(equant_night, moon_illumination)},
    {"moon_separation_deg", "deg", "then, or in the middle of the night",
     offsetof(equant_night, moon_separation_deg)},
    {"moon_rise_jd_utc", DAYS, NULL, offsetof(equant_night, moon_rise_jd_utc)},
    {"moon_set_jd_utc", DAYS, NULL, offsetof(equant_night, moon_set_jd_utc)},
};

enum { N_NUMBERS = sizeof numbers / sizeof numbers[0], N_WORDS = 4 };

static double number_of(const equant_night *night, size_t index)
{
    double value;
    memcpy(&value, (const char *)night + numbers[index].offset, sizeof value);
    return value;
}

static void write_question(json_writer *json, const struct found_nights *found)
{
    json_key_number(json, "ra_deg", found->star.ra_deg);
    json_key_number(json, "dec_deg", found->star.dec_deg);
    json_key_number(json, "start_jd_utc", found->start_jd_utc);
    json_key_number(json, "end_jd_utc", found->end_jd_utc);
    json_key_string(json, "limits", found->limits);
    json_key(json, "sites");
    json_array_begin(json);
    for (size_t i = 0; i < found->from.n; i++) {
        json_object_begin(json);
        json_key_string(json, "name", found->from.names[i]);
        json_key_number(json, "longitude_deg", found->from.sites[i].longitude_deg);
        json_key_number(json, "latitude_deg", found->from.sites[i].latitude_deg);
        json_key_number(json, "height_m", found->from.sites[i].height_m);
        json_object_end(json);
    }
    json_array_end(json);
}

static void write_night(json_writer *json, const struct found_nights *found, size_t index)
{
    equant_night night = found_nights_at(found, index);
    json_object_begin(json);
    json_key_string(json, "date", night.date);
    json_key_string(json, "site", found->from.names[night.site]);
    json_key_string(json, "kind", kind_name(night.kind));
    for (size_t i = 0; i < N_NUMBERS; i++)
        json_key_number(json, numbers[i].name, number_of(&night, i));
    json_key_string(json, "reason", night.reason);
    json_object_end(json);
}

static void write_window(json_writer *json, const struct found_nights *found, size_t index)
{
    equant_window window = found_nights_window(found, index);
    char start[EQUANT_UTC_TEXT_BYTES] = "", end[EQUANT_UTC_TEXT_BYTES] = "";
    equant_utc_text(window.start_jd_utc, start, sizeof start);
    equant_utc_text(window.end_jd_utc, end, sizeof end);
    json_object_begin(json);
    json_key_string(json, "date", found_nights_at(found, window.night).date);
    json_key_string(json, "site", found->from.names[window.site]);
    json_key_string(json, "start_utc", start);
    json_key_string(json, "end_utc", end);
    json_key_number(json, "start_jd_utc", window.start_jd_utc);
    json_key_number(json, "end_jd_utc", window.end_jd_utc);
    json_object_end(json);
}

int night_report_json(const struct found_nights *found)
{
    json_writer json = json_start(stdout);
    json_object_begin(&json);
    write_question(&json, found);
    json_key(&json, "nights");
    json_array_begin(&json);
    for (size_t i = 0; i < equant_nights_n(found->nights); i++)
        write_night(&json, found, i);
    json_array_end(&json);
    json_key(&json, "windows");
    json_array_begin(&json);
    for (size_t i = 0; i < equant_nights_n_windows(found->nights); i++)
        write_window(&json, found, i);
    json_array_end(&json);
    json_object_end(&json);
    json_finish(&json);
    return EXIT_CODE_OK;
}

/* --- Files --------------------------------------------------------------------- */

static int write_nights(const struct found_nights *found, const char *folder)
{
    struct ecsv_column columns[N_NUMBERS + N_WORDS] = {
        {"date", ECSV_TEXT, NULL, "of the evening at the site"},
        {"site", ECSV_TEXT, NULL, NULL},
        {"kind", ECSV_TEXT, NULL, "usual, never_dark or all_dark"}};
    for (size_t i = 0; i < N_NUMBERS; i++)
        columns[3 + i] = (struct ecsv_column){numbers[i].name, ECSV_NUMBER, numbers[i].unit,
                                              numbers[i].description};
    columns[3 + N_NUMBERS] =
        (struct ecsv_column){"reason", ECSV_TEXT, NULL, "why there are no hours"};
    struct output_file file;
    int code = output_file_open(&file, folder, "nights.ecsv", night_report_members);
    if (code != EXIT_CODE_OK)
        return code;
    struct ecsv_writer writer =
        ecsv_writer_start(file.stream, sizeof columns / sizeof columns[0], columns, 0, NULL);
    for (size_t i = 0; i < equant_nights_n(found->nights); i++) {
        equant_night night = found_nights_at(found, i);
        ecsv_writer_text(&writer, night.date);
        ecsv_writer_text(&writer, found->from.names[night.site]);
        ecsv_writer_text(&writer, kind_name(night.kind));
        for (size_t k = 0; k < N_NUMBERS; k++)
            ecsv_writer_number(&writer, number_of(&night, k));
        ecsv_writer_text(&writer, night.reason);
    }
    return output_file_close(&file, EXIT_CODE_OK);
}

static int write_windows(const struct found_nights *found, const char *folder)
{
    static const struct ecsv_column columns[] = {
        {"date", ECSV_TEXT, NULL, "of the evening at the site"},
        {"site", ECSV_TEXT, NULL, NULL},
        {"start_jd_utc", ECSV_NUMBER, DAYS, "from here on all limits are kept"},
        {"end_jd_utc", ECSV_NUMBER, DAYS, "until here"},
    };
    struct output_file file;
    int code = output_file_open(&file, folder, "windows.ecsv", night_report_members);
    if (code != EXIT_CODE_OK)
        return code;
    struct ecsv_writer writer =
        ecsv_writer_start(file.stream, sizeof columns / sizeof columns[0], columns, 0, NULL);
    for (size_t i = 0; i < equant_nights_n_windows(found->nights); i++) {
        equant_window window = found_nights_window(found, i);
        ecsv_writer_text(&writer, found_nights_at(found, window.night).date);
        ecsv_writer_text(&writer, found->from.names[window.site]);
        ecsv_writer_number(&writer, window.start_jd_utc);
        ecsv_writer_number(&writer, window.end_jd_utc);
    }
    return output_file_close(&file, EXIT_CODE_OK);
}

const struct output_member night_report_members[] = {{"nights.ecsv", OUTPUT_KIND_TABLE("date")},
                                                     {"windows.ecsv", OUTPUT_KIND_TABLE("date")},
                                                     {NIGHT_CALENDAR_FILE, NIGHT_CALENDAR_KIND},
                                                     {0}};

int night_report_write(const struct found_nights *found, const char *star, const char *folder)
{
    int code = write_nights(found, folder);
    if (code == EXIT_CODE_OK)
        code = write_windows(found, folder);
    return code == EXIT_CODE_OK ? night_calendar_windows(found, star, folder) : code;
}
