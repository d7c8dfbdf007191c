/* From where a star is observed, which star that is, and within what limits: the options of all
 * commands that ask what the sky allows. */
#ifndef EQUANT_APP_NIGHTS_SITE_REQUEST_H
#define EQUANT_APP_NIGHTS_SITE_REQUEST_H

#include "equant.h"
#include "options/option_table.h"

struct site_request {
    struct text_list sites;
    const char *ra, *dec;
    double pm_ra_mas_per_yr, pm_dec_mas_per_yr;
    const char *slots;
    double sun_deg, altitude_deg, airmass, moon_deg, moon_lit, window_minutes; /* NaN: not given */
};

struct site_request site_request_default(void);
void site_request_free(struct site_request *request);

/* Options in two groups: where and what; and the limits. */
extern const struct option_row site_request_rows[];
extern const struct option_row site_request_limit_rows[];

/* Whether any of them was given. */
bool site_request_is_given(const struct site_request *request);

enum { SITE_REQUEST_MOST_SITES = 16, SITE_REQUEST_NAME = 64 };

/* What was asked for, found. */
struct found_sites {
    size_t n;
    equant_site sites[SITE_REQUEST_MOST_SITES];
    char names[SITE_REQUEST_MOST_SITES][SITE_REQUEST_NAME]; /* as people call them */
};

/* Each returns an exit code, with a sentence on failure. */
int site_request_find_sites(const char *command, const struct site_request *request,
                            struct found_sites *found);
int site_request_find_star(const char *command, const struct site_request *request,
                           equant_star_position *star);

/* The limits as the library takes them, and in words. */
equant_observing_limits site_request_limits(const struct site_request *request,
                                            const equant_slots *slots);
void site_request_tell_limits(const struct site_request *request, char *words, size_t n);

#endif
