/* Any bytes as a table or a calendar of slots, as a date, as a place on the sky and as a site:
 * times come out, or a sentence; and slots that were read go into a calendar that can be read
 * again. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "equant.h"
#include "fuzz_target.h"

enum { MOST_EVENTS = 64, MOST_TEXT = 100 };

/* A calendar of the slots, back through the reader. */
static void go_round(const equant_slots *slots)
{
    equant_event events[MOST_EVENTS];
    char *text = NULL;
    size_t n = 0, n_bytes = 0;
    for (size_t i = 0; i < equant_slots_n(slots) && n < MOST_EVENTS; i++) {
        equant_slot slot = {.struct_size = sizeof slot};
        PROMISE(equant_slots_at(slots, i, &slot) == EQUANT_SUCCESS);
        PROMISE(isfinite(slot.start_jd_utc) && isfinite(slot.end_jd_utc));
        PROMISE(slot.start_jd_utc <= slot.end_jd_utc && slot.site != NULL && slot.label != NULL);
        events[n++] = (equant_event){.struct_size = sizeof *events,
                                     .start_jd_utc = slot.start_jd_utc,
                                     .end_jd_utc = slot.end_jd_utc,
                                     .summary = slot.label,
                                     .location = slot.site};
    }
    equant_status status = equant_calendar_write(n, events, &text, &n_bytes);
    if (status == EQUANT_SUCCESS && n > 0) {
        PROMISE(strlen(text) == n_bytes);
        for (const char *line = text; *line != '\0'; line = strstr(line, "\r\n") + 2)
            PROMISE(strstr(line, "\r\n") != NULL && strstr(line, "\r\n") - line <= 75);
    }
    equant_calendar_free(text);
}

static void read_words(const char *text)
{
    double jd;
    equant_site site = {.struct_size = sizeof site};
    equant_star_position star = {.struct_size = sizeof star};
    if (equant_utc_read(text, &jd) == EQUANT_SUCCESS)
        PROMISE(isfinite(jd));
    if (equant_site_find(text, &site) == EQUANT_SUCCESS)
        PROMISE(isfinite(site.latitude_deg) && isfinite(site.longitude_deg));
    if (equant_star_position_read(text, text, &star) == EQUANT_SUCCESS)
        PROMISE(isfinite(star.ra_deg) && isfinite(star.dec_deg));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    equant_slots *slots = NULL;
    equant_status status =
        equant_slots_from_text((const char *)data, n_bytes, "nights.csv", &slots);
    PROMISE((status == EQUANT_SUCCESS) == (slots != NULL));
    if (status == EQUANT_SUCCESS)
        go_round(slots);
    else
        PROMISE(status == EQUANT_ERROR_FORMAT &&
                strncmp(equant_last_error(), "nights.csv", 10) == 0);
    equant_slots_free(slots);
    char words[MOST_TEXT + 1] = "";
    memcpy(words, data, n_bytes < MOST_TEXT ? n_bytes : MOST_TEXT);
    read_words(words);
    return 0;
}
