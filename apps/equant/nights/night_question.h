/* A question about nights, as it is asked on the command line: from where, which star, when, and
 * within what limits. */
#ifndef EQUANT_APP_NIGHTS_NIGHT_QUESTION_H
#define EQUANT_APP_NIGHTS_NIGHT_QUESTION_H

#include "nights/site_request.h"

struct night_question {
    const struct site_request *from;
    const char *start, *end;
    double days;         /* until the end, where none is given; 0: 30, or those of the slots */
    double after_jd_utc; /* without a start they begin now, and not before this; 0: now      */
};

/* When. */
extern const struct option_row night_question_rows[];

/* The answer. */
struct found_nights {
    struct found_sites from;
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
