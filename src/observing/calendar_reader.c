/* Events of an ICS calendar (RFC 5545) as slots. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "data/text_buffer.h"
#include "observing/slots.h"
#include "observing/utc_date.h"

/* A line of a calendar: NAME;PARAMETERS:VALUE. */
typedef struct calendar_line {
    text_slice name, parameters, value;
    size_t number;
} calendar_line;

/* An event while it is read. */
typedef struct calendar_event {
    bool is_open, has_start, has_end, is_cancelled;
    bool is_day; /* it begins on a date without a time */
    double start_jd, end_jd, duration_days;
    char *summary, *location; /* copies, or NULL */
    size_t line;
} calendar_event;

typedef struct calendar_reading {
    equant_slots *slots;
    calendar_event event;
    size_t n_events;
} calendar_reading;

bool calendar_reader_recognises(const char *text, size_t n_bytes)
{
    text_slice line;
    text_lines lines = text_lines_begin(text, n_bytes);
    while (text_lines_next(&lines, &line)) {
        line = text_trim(line);
        if (line.n > 0)
            return text_begins_with(line, "begin:");
    }
    return false;
}

static bool split_line(text_slice whole, calendar_line *line)
{
    size_t name = 0, colon = 0;
    bool is_quoted = false;
    while (name < whole.n && whole.start[name] != ';' && whole.start[name] != ':')
        name++;
    for (colon = name; colon < whole.n && (is_quoted || whole.start[colon] != ':'); colon++)
        if (whole.start[colon] == '"')
            is_quoted = !is_quoted;
    if (colon == whole.n)
        return false;
    line->name = (text_slice){whole.start, name};
    line->parameters = (text_slice){whole.start + name, colon - name};
    line->value = text_trim((text_slice){whole.start + colon + 1, whole.n - colon - 1});
    return true;
}

/* The value of a parameter, empty where there is none. */
static text_slice parameter_of(const calendar_line *line, const char *word)
{
    text_slice cells[16];
    size_t n = text_cells(line->parameters, TEXT_SEMICOLON, cells, 16);
    size_t length = strlen(word);
    for (size_t i = 0; i < n && i < 16; i++)
        if (text_begins_with(cells[i], word) && cells[i].n > length &&
            cells[i].start[length] == '=')
            return (text_slice){cells[i].start + length + 1, cells[i].n - length - 1};
    return (text_slice){"", 0};
}

static bool is_utc_zone(text_slice zone)
{
    return text_is_word(zone, "utc") || text_is_word(zone, "etc/utc") ||
           text_is_word(zone, "gmt") || text_is_word(zone, "etc/gmt");
}

static equant_status read_date(const calendar_reading *reading, const calendar_line *line,
                               double *jd, bool *is_day)
{
    const char *file = reading->slots->name;
    bool has_time;
    char shown[48];
    text_slice zone = parameter_of(line, "tzid");
    if (!utc_date_read(line->value, jd, &has_time))
        return status_fail(EQUANT_ERROR_FORMAT, "%s:%zu: '%s' is no time of a calendar", file,
                           line->number, text_show(line->value, shown, sizeof shown));
    *is_day = !has_time;
    bool is_utc =
        line->value.n > 0 && toupper((unsigned char)line->value.start[line->value.n - 1]) == 'Z';
    if (*is_day || is_utc || is_utc_zone(zone))
        return EQUANT_SUCCESS;
    if (zone.n > 0)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s:%zu: this event is in the time zone %s; write the calendar in UTC, "
                           "with times that end with Z",
                           file, line->number, text_show(zone, shown, sizeof shown));
    return status_fail(EQUANT_ERROR_FORMAT,
                       "%s:%zu: this time has no zone; write the calendar in UTC, with times that "
                       "end with Z",
                       file, line->number);
}

/* P1D, PT8H30M, P1W. */
static bool read_duration(text_slice text, double *days)
{
    double sum = 0.0, number = 0.0;
    bool has_number = false, is_time = false;
    if (text.n < 2 || toupper((unsigned char)text.start[0]) != 'P')
        return false;
    for (size_t i = 1; i < text.n; i++) {
        char letter = (char)toupper((unsigned char)text.start[i]);
        if (isdigit((unsigned char)letter)) {
            number = number * 10.0 + (letter - '0');
            has_number = true;
            continue;
        }
        if (letter == 'T' && !has_number) {
            is_time = true;
            continue;
        }
        double unit = letter == 'W'              ? 7.0
                      : letter == 'D'            ? 1.0
                      : letter == 'H'            ? 1.0 / 24.0
                      : letter == 'M' && is_time ? 1.0 / 1440.0
                      : letter == 'S'            ? 1.0 / 86400.0
                                                 : 0.0;
        if (unit == 0.0 || !has_number)
            return false;
        sum += number * unit;
        number = 0.0;
        has_number = false;
    }
    *days = sum;
    return !has_number && sum > 0.0;
}

/* Texts of calendars have a stroke before commas, semicolons and strokes. */
static equant_status take_text(text_slice value, char **text)
{
    size_t n = 0;
    free(*text);
    *text = malloc(value.n + 1);
    if (*text == NULL)
        return status_out_of_memory();
    for (size_t i = 0; i < value.n; i++) {
        bool is_escape = value.start[i] == '\\' && i + 1 < value.n;
        char letter = is_escape ? value.start[++i] : value.start[i];
        (*text)[n++] = is_escape && (letter == 'n' || letter == 'N') ? ' ' : letter;
    }
    (*text)[n] = '\0';
    return EQUANT_SUCCESS;
}

static text_slice slice_of(const char *text)
{
    return text == NULL ? (text_slice){"", 0} : (text_slice){text, strlen(text)};
}

/* A place that is one of the known sites; others say nothing to us. */
static text_slice known_place(const char *location)
{
    equant_site site = {.struct_size = sizeof site};
    bool is_known = location != NULL && equant_site_find(location, &site) == EQUANT_SUCCESS;
    return slice_of(is_known ? location : NULL);
}

static equant_status add_event(calendar_reading *reading)
{
    enum { MOST_DAYS = 1000 };
    const calendar_event *event = &reading->event;
    const char *file = reading->slots->name;
    double usual = event->is_day ? 1.0 : 0.0;
    double duration = event->duration_days > 0.0 ? event->duration_days : usual;
    double end_jd = event->has_end ? event->end_jd : event->start_jd + duration;
    if (!event->has_start)
        return status_fail(EQUANT_ERROR_FORMAT, "%s:%zu: this event does not say when it begins",
                           file, event->line);
    reading->n_events++;
    text_slice site = known_place(event->location), label = slice_of(event->summary);
    slot_entry entry = {.start_jd = event->start_jd, .end_jd = end_jd, .line = event->line};
    if (!event->is_day)
        return slots_add(reading->slots, &entry, site, label);
    if (end_jd - event->start_jd > MOST_DAYS)
        return status_fail(EQUANT_ERROR_FORMAT, "%s:%zu: this event takes more than %d days", file,
                           event->line, (int)MOST_DAYS);
    equant_status status = EQUANT_SUCCESS;
    entry.is_night = true;
    for (double jd = event->start_jd; jd < end_jd && status == EQUANT_SUCCESS; jd += 1.0) {
        entry.start_jd = jd;
        entry.end_jd = jd + 1.0;
        status = slots_add(reading->slots, &entry, site, label);
    }
    return status;
}

static void close_event(calendar_event *event)
{
    free(event->summary);
    free(event->location);
    *event = (calendar_event){0};
}

static equant_status take_property(calendar_reading *reading, const calendar_line *line)
{
    calendar_event *event = &reading->event;
    bool is_day;
    if (text_is_word(line->name, "dtstart")) {
        event->has_start = true;
        return read_date(reading, line, &event->start_jd, &event->is_day);
    }
    if (text_is_word(line->name, "dtend")) {
        event->has_end = true;
        return read_date(reading, line, &event->end_jd, &is_day);
    }
    if (text_is_word(line->name, "duration") && !read_duration(line->value, &event->duration_days))
        return status_fail(EQUANT_ERROR_FORMAT, "%s:%zu: this is no duration of a calendar",
                           reading->slots->name, line->number);
    if (text_is_word(line->name, "rrule") || text_is_word(line->name, "rdate"))
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s:%zu: this event repeats; write out each of its times",
                           reading->slots->name, line->number);
    if (text_is_word(line->name, "status"))
        event->is_cancelled = text_is_word(line->value, "cancelled");
    if (text_is_word(line->name, "summary"))
        return take_text(line->value, &event->summary);
    if (text_is_word(line->name, "location"))
        return take_text(line->value, &event->location);
    return EQUANT_SUCCESS;
}

static equant_status take_line(calendar_reading *reading, text_slice whole, size_t number)
{
    calendar_line line = {.number = number};
    char shown[48];
    if (text_trim(whole).n == 0)
        return EQUANT_SUCCESS;
    if (!split_line(whole, &line))
        return status_fail(EQUANT_ERROR_FORMAT, "%s:%zu: this is no line of a calendar",
                           reading->slots->name, number);
    if (number == 1 && !text_is_word(line.value, "vcalendar"))
        return status_fail(EQUANT_ERROR_FORMAT, "%s: this is a %s and no calendar",
                           reading->slots->name, text_show(line.value, shown, sizeof shown));
    if (text_is_word(line.name, "begin") && text_is_word(line.value, "vevent")) {
        close_event(&reading->event);
        reading->event.is_open = true;
        reading->event.line = number;
        return EQUANT_SUCCESS;
    }
    if (!reading->event.is_open)
        return EQUANT_SUCCESS;
    if (!text_is_word(line.name, "end") || !text_is_word(line.value, "vevent"))
        return take_property(reading, &line);
    equant_status status = reading->event.is_cancelled ? EQUANT_SUCCESS : add_event(reading);
    close_event(&reading->event);
    return status;
}

/* Long lines go on in the next, which begins with a blank. */
static equant_status read_lines(calendar_reading *reading, const char *text, size_t n_bytes)
{
    text_slice line;
    text_buffer whole = {0};
    size_t number = 1;
    equant_status status = EQUANT_SUCCESS;
    text_lines lines = text_lines_begin(text, n_bytes);
    while (status == EQUANT_SUCCESS && text_lines_next(&lines, &line)) {
        if (line.n > 0 && (line.start[0] == ' ' || line.start[0] == '\t')) {
            text_buffer_add(&whole, (text_slice){line.start + 1, line.n - 1});
            continue;
        }
        if (whole.n > 0)
            status = take_line(reading, (text_slice){whole.text, whole.n}, number);
        whole.n = 0;
        number = lines.number;
        text_buffer_add(&whole, line);
    }
    if (status == EQUANT_SUCCESS && whole.n > 0)
        status = take_line(reading, (text_slice){whole.text, whole.n}, number);
    if (status == EQUANT_SUCCESS && whole.has_failed)
        status = status_out_of_memory();
    text_buffer_free(&whole);
    return status;
}

equant_status calendar_reader_read(const char *text, size_t n_bytes, equant_slots *slots)
{
    calendar_reading reading = {.slots = slots};
    equant_status status = read_lines(&reading, text, n_bytes);
    bool is_cut = reading.event.is_open;
    close_event(&reading.event);
    if (status == EQUANT_SUCCESS && is_cut)
        return status_fail(EQUANT_ERROR_FORMAT, "%s: the calendar ends within an event",
                           slots->name);
    if (status == EQUANT_SUCCESS && reading.n_events == 0)
        return status_fail(EQUANT_ERROR_FORMAT, "%s: there are no events in this calendar",
                           slots->name);
    return status;
}
