#include "nights/night_calendar.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "files/output_file.h"
#include "terminal/messages.h"

int night_calendar_write(size_t n_events, const equant_event *events, const char *folder,
                         const char *name)
{
    char *text = NULL;
    size_t n_bytes = 0;
    const struct output_member members[] = {{name, NIGHT_CALENDAR_KIND}, {0}};
    struct output_file file;
    int code = messages_status(equant_calendar_write(n_events, events, &text, &n_bytes));
    if (code == EXIT_CODE_OK)
        code = output_file_open(&file, folder, name, members);
    if (code == EXIT_CODE_OK) {
        errno = 0;
        if (fwrite(text, 1, n_bytes, file.stream) != n_bytes)
            code = messages_file("write", file.path);
        code = output_file_close(&file, code);
    }
    equant_calendar_free(text);
    return code;
}

enum { EVENT_TEXT = 256 };
struct event_words {
    char summary[EVENT_TEXT], description[EVENT_TEXT];
};

static equant_event event_of(const struct found_nights *found, size_t index, const char *star,
                             struct event_words *words)
{
    equant_window window = found_nights_window(found, index);
    equant_night night = found_nights_at(found, window.night);
    snprintf(words->summary, EVENT_TEXT, "%s can be observed", star != NULL ? star : "The star");
    snprintf(words->description, EVENT_TEXT,
             "Night of %s: highest at %s UTC, airmass %.2f; moon %.0f %% lit, %.0f degrees away.",
             night.date, night_clock_of(night.best_jd_utc).text, night.best_airmass,
             100.0 * night.moon_illumination, night.moon_separation_deg);
    return (equant_event){.struct_size = sizeof(equant_event),
                          .start_jd_utc = window.start_jd_utc,
                          .end_jd_utc = window.end_jd_utc,
                          .summary = words->summary,
                          .description = words->description,
                          .location = found->from.names[window.site]};
}

int night_calendar_windows(const struct found_nights *found, const char *star, const char *folder)
{
    size_t n = equant_nights_n_windows(found->nights);
    equant_event *events = calloc(n, sizeof *events);
    struct event_words *words = calloc(n, sizeof *words);
    int code = n > 0 && (events == NULL || words == NULL) ? messages_out_of_memory() : EXIT_CODE_OK;
    for (size_t i = 0; i < n && code == EXIT_CODE_OK; i++)
        events[i] = event_of(found, i, star, &words[i]);
    if (code == EXIT_CODE_OK)
        code = night_calendar_write(n, events, folder, NIGHT_CALENDAR_FILE);
    free(events);
    free(words);
    return code;
}
