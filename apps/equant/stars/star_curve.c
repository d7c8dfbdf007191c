#include "stars/star_curve.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "terminal/messages.h"
#include "stars/orbit_curve.h"
#include "terminal/spoken_number.h"
#include "terminal/angles.h"

static const double margin = 0.02;
enum { EVEN_POINTS = 1000 };

struct range {
    double start, end;
};

/* A day on either side where all observations are simultaneous. */
static struct range range_of(const struct star_result *star)
{
    double span = star_result_span_days(star);
    double start = equant_dataset_times_days(star->dataset)[0];
    double extra = span > 0.0 ? margin * span : 1.0;
    return (struct range){start - extra, start + span + extra};
}

static size_t points_per_turn(const struct star_planet *planet, double share,
                              double anomaly[ORBIT_CURVE_TURN_MOST])
{
    return orbit_curve_turn(planet->values[EQUANT_ELEMENT_ECCENTRICITY], share, anomaly);
}

static bool is_shown(const struct star_planet *planet, double period_min_days)
{
    return planet->values[EQUANT_ELEMENT_PERIOD] >= period_min_days;
}

/* Share of the points wanted that can be had. */
static double thinning(const struct star_result *star, double period_min_days, size_t n_max)
{
    struct range range = range_of(star);
    double wanted = 0.0, anomaly[ORBIT_CURVE_TURN_MOST];
    for (size_t i = 0; i < star->n_planets; i++)
        if (is_shown(&star->planets[i], period_min_days))
            wanted += (range.end - range.start) / star->planets[i].values[EQUANT_ELEMENT_PERIOD] *
                      (double)points_per_turn(&star->planets[i], 1.0, anomaly);
    double room = (double)(n_max - EVEN_POINTS);
    return wanted > room ? room / wanted : 1.0;
}

/* Times along the planet's turns, as many as there is room for; none when they would be too few for
 * a turn to look like one. */
static size_t add_times(const struct star_planet *planet, double reference_time, struct range range,
                        double share, size_t room, double *time_days)
{
    const size_t fewest = 4;
    double anomaly[ORBIT_CURVE_TURN_MOST], period = planet->values[EQUANT_ELEMENT_PERIOD];
    size_t n_per_turn = points_per_turn(planet, share, anomaly), n = 0;
    if (n_per_turn < fewest)
        return 0;
    double days_per_rad = period / TWO_PI;
    double at_reference =
        reference_time - planet->values[EQUANT_ELEMENT_M0] * days_per_rad; /* where M is 0 */
    for (double turn = floor((range.start - at_reference) / period);; turn += 1.0) {
        if (at_reference + turn * period > range.end)
            return n;
        for (size_t k = 0; k < n_per_turn; k++) {
            double time = at_reference + turn * period + anomaly[k] * days_per_rad;
            if (n == room)
                return n;
            if (time > range.start && time < range.end)
                time_days[n++] = time;
        }
    }
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Even times for trend and slow planets, and each planet's own. */
static void choose_times(const struct star_result *star, double period_min_days, size_t n_max,
                         struct star_curve *curve)
{
    struct range range = range_of(star);
    double share = thinning(star, period_min_days, n_max);
    double reference_time = equant_dataset_reference_time_days(star->dataset);
    for (size_t i = 0; i < EVEN_POINTS; i++)
        curve->time_days[i] =
            range.start + (range.end - range.start) * (double)i / (EVEN_POINTS - 1);
    curve->n = EVEN_POINTS;
    for (size_t i = 0; i < star->n_planets; i++)
        if (is_shown(&star->planets[i], period_min_days))
            curve->n += add_times(&star->planets[i], reference_time, range, share, n_max - curve->n,
                                  curve->time_days + curve->n);
    qsort(curve->time_days, curve->n, sizeof *curve->time_days, compare_times);
}

static int add_planet(const struct star_result *star, size_t index, struct star_curve *curve)
{
    double *own = curve->planets_m_s + index * curve->n;
    int code = orbit_curve_of_planet(star, index, curve->n, curve->time_days, own);
    for (size_t i = 0; i < curve->n && code == EXIT_CODE_OK; i++)
        curve->total_m_s[i] += own[i];
    return code;
}

int star_curve_create(const struct star_result *star, double period_min_days, size_t n_max,
                      struct star_curve *curve)
{
    *curve = (struct star_curve){.n_planets = star->n_planets};
    curve->time_days = calloc(n_max, sizeof *curve->time_days);
    if (curve->time_days == NULL)
        return messages_out_of_memory();
    choose_times(star, period_min_days, n_max, curve);
    curve->total_m_s = calloc(curve->n, sizeof *curve->total_m_s);
    curve->planets_m_s = calloc(curve->n * (star->n_planets + 1), sizeof *curve->planets_m_s);
    if (curve->total_m_s == NULL || curve->planets_m_s == NULL)
        return messages_out_of_memory();
    for (size_t i = 0; i < curve->n; i++)
        curve->total_m_s[i] = star_result_trend_at(star, curve->time_days[i]);
    int code = EXIT_CODE_OK;
    for (size_t i = 0; i < star->n_planets && code == EXIT_CODE_OK; i++)
        if (is_shown(&star->planets[i], period_min_days))
            code = add_planet(star, i, curve);
    return code;
}

void star_curve_free(struct star_curve *curve)
{
    free(curve->time_days);
    free(curve->total_m_s);
    free(curve->planets_m_s);
    *curve = (struct star_curve){0};
}

void star_curve_title(const struct star_result *star, double period_min_days, char *title, size_t n)
{
    const double *time_days = equant_dataset_times_days(star->dataset);
    double start = star_result_trend_at(star, time_days[0]);
    double end = star_result_trend_at(star, time_days[equant_dataset_n_obs(star->dataset) - 1]);
    double shown = 0.5 * fabs(end - start), hidden = 0.0;
    for (size_t i = 0; i < star->n_planets; i++)
        *(is_shown(&star->planets[i], period_min_days) ? &shown : &hidden) +=
            star->planets[i].values[EQUANT_ELEMENT_K];
    if (hidden == 0.0)
        snprintf(title, n, "model");
    else if (hidden < shown)
        snprintf(title, n, "model, P > %s d", spoken_number_digits(period_min_days, 2).text);
    else
        title[0] = '\0';
}
