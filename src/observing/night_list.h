/* Nights of an interval at several sites, their windows, and times to choose from. */
#ifndef EQUANT_OBSERVING_NIGHT_LIST_H
#define EQUANT_OBSERVING_NIGHT_LIST_H

#include "equant.h"
#include "observing/night_record.h"

/* A time to choose, and where. */
typedef struct night_time {
    size_t site, night;
    equant_sky_conditions sky;
} night_time;

struct equant_nights {
    size_t n_sites;
    equant_site *sites; /* names are copies of their own */
    equant_star_position star;
    night_limits limits;
    double start_jd, end_jd;
    size_t n_nights, night_capacity;
    equant_night *nights;
    size_t n_windows, window_capacity;
    equant_window *windows;
    size_t n_times, time_capacity;
    night_time *times;
    night_obstacle furthest; /* of all nights */
    char trouble[512];
};

#endif
