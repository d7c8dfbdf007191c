#include "observing/night_record.h"

#include <math.h>
#include <stdlib.h>

#include "core/status_fail.h"

/* Windows and twilights that are shorter than a step may be passed over. */
enum { N_STEPS = 288, N_GRID = N_STEPS + 1, N_HALVINGS = 20 };

/* The sun's upper limb on the horizon, refraction of 34 arcminutes included. */
static const double sunset_altitude_deg = -0.8333;
static const double dark_altitude_deg = -18.0;
/* The moon counts from when its limb may be seen. */
static const double moon_up_deg = -0.8333;

equant_status interval_list_add(interval_list *list, double start_jd, double end_jd)
{
    if (list->n == list->capacity) {
        size_t capacity = list->capacity == 0 ? 8 : 2 * list->capacity;
        time_interval *grown = realloc(list->items, capacity * sizeof *grown);
        if (grown == NULL)
            return status_out_of_memory();
        list->items = grown;
        list->capacity = capacity;
    }
    list->items[list->n++] = (time_interval){start_jd, end_jd};
    return EQUANT_SUCCESS;
}

void interval_list_free(interval_list *list)
{
    free(list->items);
    *list = (interval_list){0};
}

static double altitude_of_airmass(double airmass)
{
    double low = 0.0, high = 90.0;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        if (sky_airmass(middle) > airmass)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* 0 is the usual; negative, none. */
static double limit_or(double given, double usual, double none)
{
    return given < 0.0 ? none : given == 0.0 ? usual : given;
}

equant_status night_limits_take(const equant_observing_limits *given, night_limits *taken)
{
    equant_observing_limits all = {0};
    equant_status status = OPTIONS_CHECK(given);
    if (status != EQUANT_SUCCESS)
        return status;
    if (given != NULL)
        memcpy(&all, given, given->struct_size < sizeof all ? given->struct_size : sizeof all);
    const double numbers[] = {all.sun_altitude_deg,      all.altitude_min_deg,
                              all.airmass_max,           all.moon_separation_deg,
                              all.moon_illumination_max, all.window_min_minutes};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (!isfinite(numbers[i]))
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "a limit of the sky is no number");
    if (all.altitude_min_deg >= 90.0 || all.sun_altitude_deg <= -90.0)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "no star is above %g degrees while the sun is below %g",
                           all.altitude_min_deg, all.sun_altitude_deg);
    if (all.airmass_max > 0.0 && all.airmass_max < 1.0)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "an airmass is at least 1; none is below %g", all.airmass_max);
    *taken = (night_limits){
        .sun_altitude_deg = all.sun_altitude_deg == 0.0  ? -12.0
                            : all.sun_altitude_deg > 0.0 ? INFINITY
                                                         : all.sun_altitude_deg,
        .altitude_min_deg =
            limit_or(all.altitude_min_deg, all.airmass_max > 0.0 ? 0.0 : 30.0, -90.0),
        .moon_separation_deg = limit_or(all.moon_separation_deg, 30.0, 0.0),
        .moon_illumination_max = limit_or(all.moon_illumination_max, INFINITY, INFINITY),
        .window_min_days = fmax(0.0, all.window_min_minutes) / 1440.0,
    };
    if (all.airmass_max > 0.0)
        taken->altitude_min_deg =
            fmax(taken->altitude_min_deg, altitude_of_airmass(all.airmass_max));
    return EQUANT_SUCCESS;
}

const char *night_obstacle_words(night_obstacle obstacle)
{
    static const char *const words[] = {
        [NIGHT_OBSTACLE_SUN] = "it does not get dark",
        [NIGHT_OBSTACLE_ALTITUDE] = "the star is too low while it is dark",
        [NIGHT_OBSTACLE_MOON] = "the moon is too near or too bright",
        [NIGHT_OBSTACLE_SLOTS] = "outside the interval or its slots",
        [NIGHT_OBSTACLE_LENGTH] = "the time is too short",
        [NIGHT_OBSTACLE_NONE] = "",
    };
    return words[obstacle];
}

/* The first obstacle that an instant meets; slots and lengths come later. */
static night_obstacle obstacle_at(const night_limits *limits, const equant_sky_conditions *sky)
{
    if (!(sky->sun_altitude_deg < limits->sun_altitude_deg))
        return NIGHT_OBSTACLE_SUN;
    if (!(sky->altitude_deg >= limits->altitude_min_deg))
        return NIGHT_OBSTACLE_ALTITUDE;
    bool is_moon_up = sky->moon_altitude_deg > moon_up_deg;
    if (is_moon_up && (sky->moon_separation_deg < limits->moon_separation_deg ||
                       sky->moon_illumination > limits->moon_illumination_max))
        return NIGHT_OBSTACLE_MOON;
    return NIGHT_OBSTACLE_NONE;
}

/* The night on its grid. */
typedef struct night_grid {
    sky_day *day;
    double start_jd;
    equant_sky_conditions at[N_GRID];
} night_grid;

typedef enum night_body { BODY_SUN, BODY_STAR, BODY_MOON, BODY_HOUR_ANGLE } night_body;

static double value_of(const equant_sky_conditions *sky, night_body body)
{
    switch (body) {
    case BODY_SUN:
        return sky->sun_altitude_deg;
    case BODY_STAR:
        return sky->altitude_deg;
    case BODY_MOON:
        return sky->moon_altitude_deg;
    case BODY_HOUR_ANGLE:
        return sky->hour_angle_hours;
    }
    return NAN;
}

/* Between two points of the grid that differ in a question, where the answer changes. */
static double refine_crossing(const night_grid *grid, int step, night_body body, double level)
{
    double low = grid->at[step].jd_utc, high = grid->at[step + 1].jd_utc;
    bool is_above = value_of(&grid->at[step], body) >= level;
    for (int i = 0; i < N_HALVINGS; i++) {
        equant_sky_conditions sky;
        double middle = 0.5 * (low + high);
        sky_day_at(grid->day, middle, &sky);
        if ((value_of(&sky, body) >= level) == is_above)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

/* The first time that something rises or sinks through a level; NaN: it does not. */
static double find_crossing(const night_grid *grid, night_body body, double level, bool rises)
{
    for (int i = 0; i < N_STEPS; i++) {
        double here = value_of(&grid->at[i], body), next = value_of(&grid->at[i + 1], body);
        bool crosses = rises ? here < level && next >= level : here >= level && next < level;
        /* Hour angles jump from 12 to -12 when a star is lowest. */
        if (crosses && (body != BODY_HOUR_ANGLE || next - here < 6.0))
            return refine_crossing(grid, i, body, level);
    }
    return NAN;
}

static double refine_window_edge(const night_grid *grid, const night_limits *limits, int step)
{
    double low = grid->at[step].jd_utc, high = grid->at[step + 1].jd_utc;
    bool was_allowed = obstacle_at(limits, &grid->at[step]) == NIGHT_OBSTACLE_NONE;
    for (int i = 0; i < N_HALVINGS; i++) {
        equant_sky_conditions sky;
        double middle = 0.5 * (low + high);
        sky_day_at(grid->day, middle, &sky);
        if ((obstacle_at(limits, &sky) == NIGHT_OBSTACLE_NONE) == was_allowed)
            low = middle;
        else
            high = middle;
    }
    return was_allowed ? low : high;
}

/* The parts of the night that keep all limits of the sky. */
static equant_status find_clear(const night_grid *grid, const night_limits *limits,
                                interval_list *clear, night_obstacle *obstacle)
{
    bool was_allowed = false;
    double start_jd = 0.0;
    equant_status status = EQUANT_SUCCESS;
    *obstacle = NIGHT_OBSTACLE_SUN;
    for (int i = 0; i < N_GRID && status == EQUANT_SUCCESS; i++) {
        night_obstacle met = obstacle_at(limits, &grid->at[i]);
        bool is_allowed = met == NIGHT_OBSTACLE_NONE;
        if (met > *obstacle)
            *obstacle = met;
        if (is_allowed && !was_allowed)
            start_jd = i == 0 ? grid->start_jd : refine_window_edge(grid, limits, i - 1);
        if (!is_allowed && was_allowed)
            status = interval_list_add(clear, start_jd, refine_window_edge(grid, limits, i - 1));
        was_allowed = is_allowed;
    }
    if (was_allowed && status == EQUANT_SUCCESS)
        status = interval_list_add(clear, start_jd, grid->at[N_STEPS].jd_utc);
    return status;
}

/* What is clear and allowed, and long enough. */
static equant_status intersect(const interval_list *clear, const interval_list *allowed,
                               const night_limits *limits, interval_list *windows,
                               night_obstacle *obstacle)
{
    if (clear->n == 0)
        return EQUANT_SUCCESS;
    *obstacle = NIGHT_OBSTACLE_SLOTS;
    for (size_t i = 0; i < clear->n; i++) {
        for (size_t k = 0; k < allowed->n; k++) {
            double start = fmax(clear->items[i].start_jd, allowed->items[k].start_jd);
            double end = fmin(clear->items[i].end_jd, allowed->items[k].end_jd);
            if (!(end > start))
                continue;
            if (end - start < limits->window_min_days) {
                if (*obstacle == NIGHT_OBSTACLE_SLOTS)
                    *obstacle = NIGHT_OBSTACLE_LENGTH;
                continue;
            }
            *obstacle = NIGHT_OBSTACLE_NONE;
            equant_status status = interval_list_add(windows, start, end);
            if (status != EQUANT_SUCCESS)
                return status;
        }
    }
    return EQUANT_SUCCESS;
}

static void consider_best(const night_grid *grid, double jd, equant_sky_conditions *best)
{
    equant_sky_conditions sky;
    sky_day_at(grid->day, jd, &sky);
    if (!(sky.altitude_deg <= best->altitude_deg))
        *best = sky;
}

/* A star is highest in a window when it culminates or at an end. */
static void find_best(const night_grid *grid, const interval_list *windows, equant_night *night)
{
    equant_sky_conditions best = {.jd_utc = NAN, .altitude_deg = NAN, .airmass = NAN};
    night->hours = 0.0;
    for (size_t i = 0; i < windows->n; i++) {
        const time_interval *window = &windows->items[i];
        night->hours += 24.0 * (window->end_jd - window->start_jd);
        consider_best(grid, window->start_jd, &best);
        consider_best(grid, window->end_jd, &best);
        if (night->transit_jd_utc > window->start_jd && night->transit_jd_utc < window->end_jd)
            consider_best(grid, night->transit_jd_utc, &best);
    }
    night->best_jd_utc = best.jd_utc;
    night->best_altitude_deg = best.altitude_deg;
    night->best_airmass = best.airmass;
    if (windows->n == 0)
        sky_day_at(grid->day, grid->start_jd + 0.5, &best);
    night->moon_illumination = best.moon_illumination;
    night->moon_separation_deg = best.moon_separation_deg;
}

static void find_events(const night_grid *grid, const night_limits *limits, equant_night *night)
{
    double limit = limits->sun_altitude_deg;
    double lowest = INFINITY, highest = -INFINITY;
    for (int i = 0; i < N_GRID; i++) {
        lowest = fmin(lowest, grid->at[i].sun_altitude_deg);
        highest = fmax(highest, grid->at[i].sun_altitude_deg);
    }
    night->kind = lowest >= limit   ? EQUANT_NIGHT_NEVER_DARK
                  : highest < limit ? EQUANT_NIGHT_ALL_DARK
                                    : EQUANT_NIGHT_USUAL;
    night->sunset_jd_utc = find_crossing(grid, BODY_SUN, sunset_altitude_deg, false);
    night->sunrise_jd_utc = find_crossing(grid, BODY_SUN, sunset_altitude_deg, true);
    night->dusk_jd_utc = find_crossing(grid, BODY_SUN, limit, false);
    night->dawn_jd_utc = find_crossing(grid, BODY_SUN, limit, true);
    night->dark_start_jd_utc = find_crossing(grid, BODY_SUN, dark_altitude_deg, false);
    night->dark_end_jd_utc = find_crossing(grid, BODY_SUN, dark_altitude_deg, true);
    night->rise_jd_utc = find_crossing(grid, BODY_STAR, 0.0, true);
    night->set_jd_utc = find_crossing(grid, BODY_STAR, 0.0, false);
    night->transit_jd_utc = find_crossing(grid, BODY_HOUR_ANGLE, 0.0, true);
    night->moon_rise_jd_utc = find_crossing(grid, BODY_MOON, moon_up_deg, true);
    night->moon_set_jd_utc = find_crossing(grid, BODY_MOON, moon_up_deg, false);
}

equant_status night_record_fill(const equant_site *site, const equant_star_position *star,
                                const night_limits *limits, const interval_list *allowed,
                                equant_night *night, interval_list *windows,
                                night_obstacle *obstacle)
{
    interval_list clear = {0};
    night_grid *grid = malloc(sizeof *grid);
    if (grid == NULL)
        return status_out_of_memory();
    grid->start_jd = night->noon_jd_utc;
    equant_status status = sky_day_create(site, star, night->noon_jd_utc + 0.5, &grid->day);
    if (status == EQUANT_SUCCESS) {
        for (int i = 0; i < N_GRID; i++)
            sky_day_at(grid->day, grid->start_jd + (double)i / N_STEPS, &grid->at[i]);
        find_events(grid, limits, night);
        status = find_clear(grid, limits, &clear, obstacle);
        if (status == EQUANT_SUCCESS)
            status = intersect(&clear, allowed, limits, windows, obstacle);
        if (status == EQUANT_SUCCESS)
            find_best(grid, windows, night);
        night->reason = night_obstacle_words(*obstacle);
        sky_day_free(grid->day);
    }
    interval_list_free(&clear);
    free(grid);
    return status;
}
