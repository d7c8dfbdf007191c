/* The public equant_sky_periodogram: the screening of a catalogue for one source, kept whole. */
#include <math.h>
#include <stdlib.h>

#include "astrometry/catalogue/sky_screen.h"
#include "core/status_fail.h"

#define USUAL_PERIOD_MIN_DAYS 1.0
#define USUAL_ECCENTRICITY_MAX 0.95

struct equant_sky_periodogram {
    sky_screen screen;
    size_t n;
    double *frequency_per_day, *gain, *eccentricity; /* [n], one piece of memory */
};

static equant_status limits_of(const equant_sky_periodogram_options *options, sky_limits *limits)
{
    equant_status status = OPTIONS_CHECK(options);
    if (status != EQUANT_SUCCESS)
        return status;
    *limits = (sky_limits){
        .period_min_days = OPTION_OR_ZERO(options, equant_sky_periodogram_options, period_min_days),
        .period_max_days = OPTION_OR_ZERO(options, equant_sky_periodogram_options, period_max_days),
        .eccentricity_max =
            OPTION_OR_ZERO(options, equant_sky_periodogram_options, eccentricity_max)};
    if (limits->period_min_days == 0.0)
        limits->period_min_days = USUAL_PERIOD_MIN_DAYS;
    if (limits->eccentricity_max == 0.0)
        limits->eccentricity_max = USUAL_ECCENTRICITY_MAX;
    if (!(limits->period_min_days > 0.0) || !(limits->period_max_days >= 0.0) ||
        !isfinite(limits->period_max_days))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "periods of orbits are above zero");
    if (!(limits->eccentricity_max > 0.0 && limits->eccentricity_max <= 0.99))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "eccentricities up to %g; the largest is between 0 and 0.99",
                           limits->eccentricity_max);
    return EQUANT_SUCCESS;
}

static equant_status screen_source(const equant_astrometry *source, const sky_limits *limits,
                                   bool has_colour, sky_screen *screen)
{
    equant_status status = sky_screen_create(source, limits, has_colour, screen);
    if (status == EQUANT_SUCCESS && !screen->is_solved)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the rows of this source do not determine position, parallax and "
                           "proper motion of a star");
    if (status == EQUANT_SUCCESS)
        status = sky_grid_check(screen->span_days, limits);
    if (status == EQUANT_SUCCESS && !screen->is_scanned)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "%zu rows and these periods leave nothing to look for an orbit in",
                           screen->source.n_rows);
    return status;
}

static equant_status scan(const equant_engine_options *engine, equant_sky_periodogram *made)
{
    const sky_grid *grid = &made->screen.grid;
    sky_scan_state *state = NULL;
    sky_scan_node *best = malloc(grid->n_bins * sizeof *best);
    made->frequency_per_day = malloc(3 * grid->n_bins * sizeof *made->frequency_per_day);
    equant_status status =
        best != NULL && made->frequency_per_day != NULL ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = sky_scan_open(NULL, engine, grid->n_layers, grid->layers, &state);
    if (status == EQUANT_SUCCESS)
        status = sky_scan_bins(state, 1, &made->screen.source, best);
    sky_scan_close(state);
    if (status == EQUANT_SUCCESS) {
        made->n = grid->n_bins;
        made->gain = made->frequency_per_day + made->n;
        made->eccentricity = made->gain + made->n;
        for (size_t i = 0; i < made->n; i++) {
            made->frequency_per_day[i] =
                grid->first_frequency_per_day + (double)i * grid->step_per_day;
            made->gain[i] = sky_screen_gain(&made->screen, fmax(best[i].gain, 0.0));
            made->eccentricity[i] = best[i].eccentricity;
        }
    }
    free(best);
    return status;
}

equant_status equant_sky_periodogram_create(const equant_astrometry *source,
                                            const equant_sky_periodogram_options *options,
                                            equant_sky_periodogram **periodogram)
{
    sky_limits limits;
    if (source == NULL || periodogram == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a source and a place for its periodogram are needed");
    equant_status status = limits_of(options, &limits);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_sky_periodogram *made = calloc(1, sizeof *made);
    if (made == NULL)
        return status_out_of_memory();
    status = screen_source(source, &limits,
                           OPTION_OR_ZERO(options, equant_sky_periodogram_options, no_colour) == 0,
                           &made->screen);
    if (status == EQUANT_SUCCESS)
        status = scan(OPTION_OR_ZERO(options, equant_sky_periodogram_options, engine), made);
    if (status == EQUANT_SUCCESS)
        *periodogram = made;
    else
        equant_sky_periodogram_free(made);
    return status;
}

void equant_sky_periodogram_free(equant_sky_periodogram *periodogram)
{
    if (periodogram == NULL)
        return;
    sky_screen_free(&periodogram->screen);
    free(periodogram->frequency_per_day);
    free(periodogram);
}

size_t equant_sky_periodogram_n(const equant_sky_periodogram *periodogram)
{
    return periodogram ? periodogram->n : 0;
}

const double *equant_sky_periodogram_frequency_per_day(const equant_sky_periodogram *periodogram)
{
    return periodogram ? periodogram->frequency_per_day : NULL;
}

const double *equant_sky_periodogram_gain(const equant_sky_periodogram *periodogram)
{
    return periodogram ? periodogram->gain : NULL;
}

const double *equant_sky_periodogram_eccentricity(const equant_sky_periodogram *periodogram)
{
    return periodogram ? periodogram->eccentricity : NULL;
}

double equant_sky_periodogram_level(const equant_sky_periodogram *periodogram, double false_alarm)
{
    const double most = 1e6;
    double low = 0.0, high = 1.0;
    if (!(false_alarm > 0.0 && false_alarm < 1.0))
        return NAN;
    while (high < most && sky_screen_chance(&periodogram->screen, high) > false_alarm)
        high *= 2.0;
    if (high >= most)
        return NAN;
    for (int step = 0; step < 60; step++) {
        double middle = 0.5 * (low + high);
        if (sky_screen_chance(&periodogram->screen, middle) > false_alarm)
            low = middle;
        else
            high = middle;
    }
    return high;
}
