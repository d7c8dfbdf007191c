/* A question about nights, as it is asked on the command line: from where, which star, when, and
 * within what limits. */
#ifndef EQUANT_APP_NIGHTS_NIGHT_QUESTION_H
#define EQUANT_APP_NIGHTS_NIGHT_QUESTION_H

#include "equant.h"
#include "options/option_table.h"

struct night_question {
    struct text_list sites;
    const char *ra, *dec;
    double pm_ra_mas_per_yr, pm_dec_mas_per_yr;
    const char *start, *end, *slots;
    double sun_deg, altitude_deg, airmass, moon_deg, moon_lit, window_minutes; /* NaN: not given */
};

struct night_question night_question_default(void);
void night_question_free(struct night_question *request);

/* Options in two groups: where, what and when; and the limits. */
extern const struct option_row night_question_rows[];
extern const struct option_row night_question_limit_rows[];

enum { NIGHT_SITES_MOST = 16, NIGHT_SITE_TEXT = 64 };

/* The answer. */
struct found_nights {
    size_t n_sites;
    equant_site sites[NIGHT_SITES_MOST];
    char names[NIGHT_SITES_MOST][NIGHT_SITE_TEXT]; /* as people call them */
    equant_star_position star;
    double start_jd_utc, end_jd_utc;
    char limits[160]; /* in words */
    equant_slots *slots;
    equant_nights *nights;
};

/* Finds them. Without --start they begin now, and nothing that is over is shown; with it, whatever
 * was asked for. Returns an exit code, with a sentence on failure, also where the star can be
 * observed in none of them. Free it in any case. */
int found_nights_make(const char *command, const struct night_question *request,
                      struct found_nights *found);
void found_nights_free(struct found_nights *found);

/* One of them, all of its members filled; the index is in range. */
equant_night found_nights_at(const struct found_nights *found, size_t index);
equant_window found_nights_window(const struct found_nights *found, size_t index);

/* "23:30" of a Julian date; "-" where there is none. */
struct night_clock {
    char text[8];
};
struct night_clock night_clock_of(double jd_utc);

#endif
