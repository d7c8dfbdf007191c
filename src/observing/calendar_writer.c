/* Times as an ICS calendar (RFC 5545), for telescopes and people. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/decimal_text.h"
#include "core/status_fail.h"
#include "data/text_buffer.h"
#include "observing/utc_date.h"

/* Lines have at most 75 bytes; a longer one goes on after a blank. Characters of several bytes stay
 * whole. */
static void add_line(text_buffer *calendar, const char *text)
{
    enum { MOST_BYTES = 74 };
    size_t n = strlen(text), at = 0;
    while (at < n) {
        size_t end = n - at > MOST_BYTES ? at + MOST_BYTES : n;
        while (end < n && end > at + 1 && ((unsigned char)text[end] & 0xC0) == 0x80)
            end--;
        if (at > 0)
            text_buffer_add_word(calendar, " ");
        text_buffer_add(calendar, (text_slice){text + at, end - at});
        text_buffer_add_word(calendar, "\r\n");
        at = end;
    }
}

static void add_text(text_buffer *calendar, const char *name, const char *text)
{
    text_buffer line = {0};
    if (text == NULL || text[0] == '\0')
        return;
    text_buffer_add_word(&line, name);
    text_buffer_add_word(&line, ":");
    for (const char *next = text; *next != '\0'; next++) {
        if (strchr("\\;,", *next) != NULL)
            text_buffer_add_word(&line, "\\");
        if (*next == '\n')
            text_buffer_add_word(&line, "\\n");
        else if ((unsigned char)*next >= ' ')
            text_buffer_add(&line, (text_slice){next, 1});
    }
    text_buffer_add(&line, (text_slice){"", 1});
    if (line.has_failed)
        calendar->has_failed = true;
    else
        add_line(calendar, line.text);
    text_buffer_free(&line);
}

static void add_time(text_buffer *calendar, const char *name, double jd)
{
    char line[64];
    utc_date date = utc_date_of(jd);
    decimal_text_print(line, sizeof line, "%s:%04d%02d%02dT%02d%02d%02dZ", name, date.year,
                       date.month, date.day, date.hour, date.minute, date.second);
    add_line(calendar, line);
}

/* FNV-1a (Fowler, Noll & Vo) over a text and its end. */
static uint64_t mix(uint64_t sum, const char *text)
{
    for (const char *next = text != NULL ? text : ""; *next != '\0'; next++)
        sum = (sum ^ (unsigned char)*next) * 0x100000001b3u;
    return sum * 0x100000001b3u;
}

/* Of all that an event says: those of two stars that begin together have different names. */
static uint64_t mark_of(const equant_event *event)
{
    uint64_t end, sum = 0xcbf29ce484222325u;
    memcpy(&end, &event->end_jd_utc, sizeof end);
    sum = mix(mix(mix(sum, event->summary), event->description), event->location);
    return (sum ^ end) * 0x100000001b3u;
}

/* The stamp is the event's own beginning, and its name its beginning, number and contents: the same
 * events make the same calendar, whenever. */
static void add_event(text_buffer *calendar, const equant_event *event, size_t number)
{
    char line[96];
    utc_date date = utc_date_of(event->start_jd_utc);
    add_line(calendar, "BEGIN:VEVENT");
    decimal_text_print(line, sizeof line, "UID:%04d%02d%02dT%02d%02d%02dZ-%zu-%016llx@equant",
                       date.year, date.month, date.day, date.hour, date.minute, date.second, number,
                       (unsigned long long)mark_of(event));
    add_line(calendar, line);
    add_time(calendar, "DTSTAMP", event->start_jd_utc);
    add_time(calendar, "DTSTART", event->start_jd_utc);
    add_time(calendar, "DTEND", event->end_jd_utc);
    add_text(calendar, "SUMMARY", event->summary);
    add_text(calendar, "DESCRIPTION", event->description);
    add_text(calendar, "LOCATION", event->location);
    add_line(calendar, "END:VEVENT");
}

static equant_status check_events(size_t n_events, const equant_event *events)
{
    for (size_t i = 0; i < n_events; i++) {
        if (events[i].struct_size != sizeof events[i])
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "struct_size of event %zu is not set",
                               i);
        bool is_time = events[i].start_jd_utc > 2e6 && events[i].end_jd_utc < 3e6;
        if (!is_time || events[i].end_jd_utc < events[i].start_jd_utc)
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "event %zu is from JD %g to JD %g, which is no time", i,
                               events[i].start_jd_utc, events[i].end_jd_utc);
    }
    return EQUANT_SUCCESS;
}

equant_status equant_calendar_write(size_t n_events, const equant_event *events, char **text,
                                    size_t *n_bytes)
{
    text_buffer calendar = {0};
    if (text == NULL || (events == NULL && n_events > 0))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "a calendar needs events");
    equant_status status = check_events(n_events, events);
    if (status != EQUANT_SUCCESS)
        return status;
    add_line(&calendar, "BEGIN:VCALENDAR");
    add_line(&calendar, "VERSION:2.0");
    add_line(&calendar, "PRODID:-//equant//equant " EQUANT_VERSION_STRING "//EN");
    for (size_t i = 0; i < n_events; i++)
        add_event(&calendar, &events[i], i + 1);
    add_line(&calendar, "END:VCALENDAR");
    if (n_bytes != NULL)
        *n_bytes = calendar.n;
    text_buffer_add(&calendar, (text_slice){"", 1});
    if (calendar.has_failed) {
        text_buffer_free(&calendar);
        return status_out_of_memory();
    }
    *text = calendar.text;
    return EQUANT_SUCCESS;
}

void equant_calendar_free(char *text)
{
    free(text);
}
