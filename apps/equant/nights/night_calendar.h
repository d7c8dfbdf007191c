/* Calendars (ICS) that commands write. */
#ifndef EQUANT_APP_NIGHTS_NIGHT_CALENDAR_H
#define EQUANT_APP_NIGHTS_NIGHT_CALENDAR_H

#include "files/output_check.h"
#include "nights/night_question.h"

#define NIGHT_CALENDAR_FILE "nights.ics"
#define NIGHT_CALENDAR_KIND                                                                        \
    OUTPUT_KIND("a calendar that equant wrote", "BEGIN:VCALENDARVERSION:2.0PRODID:-//equant")

/* Writes FOLDER/NAME with these events. Returns an exit code, with a sentence on failure. */
int night_calendar_write(size_t n_events, const equant_event *events, const char *folder,
                         const char *name);

/* FOLDER/nights.ics: every window of the star of that name (NULL: the star). */
int night_calendar_windows(const struct found_nights *found, const char *star, const char *folder);

#endif
