/* One night at one site: the sky of it on a grid, what happens when, and the times at which limits
 * are kept. */
#ifndef EQUANT_OBSERVING_NIGHT_RECORD_H
#define EQUANT_OBSERVING_NIGHT_RECORD_H

#include <stdbool.h>

#include "equant.h"
#include "observing/sky_day.h"

typedef struct time_interval {
    double start_jd, end_jd;
} time_interval;

typedef struct interval_list {
    time_interval *items;
    size_t n, capacity;
} interval_list;

equant_status interval_list_add(interval_list *list, double start_jd, double end_jd);
void interval_list_free(interval_list *list);

/* Limits with all defaults filled in. */
typedef struct night_limits {
    double sun_altitude_deg; /* infinite: none */
    double altitude_min_deg; /* also of the airmass */
    double moon_separation_deg;
    double moon_illumination_max;
    double window_min_days;
} night_limits;

equant_status night_limits_take(const equant_observing_limits *given, night_limits *taken);

/* The sentences for nights that have no hours, from the earliest obstacle to the last. */
typedef enum night_obstacle {
    NIGHT_OBSTACLE_SUN,
    NIGHT_OBSTACLE_ALTITUDE,
    NIGHT_OBSTACLE_MOON,
    NIGHT_OBSTACLE_SLOTS,
    NIGHT_OBSTACLE_LENGTH,
    NIGHT_OBSTACLE_NONE
} night_obstacle;

const char *night_obstacle_words(night_obstacle obstacle);

/* Fills a night whose site, date and noon are there, and finds its windows within `allowed`, which
 * are added to `windows`. */
equant_status night_record_fill(const equant_site *site, const equant_star_position *star,
                                const night_limits *limits, const interval_list *allowed,
                                equant_night *night, interval_list *windows,
                                night_obstacle *obstacle);

#endif
