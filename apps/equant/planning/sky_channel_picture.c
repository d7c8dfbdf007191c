/* What a run of astrometry predicts as a picture: a band for each channel. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "drawing/time_axis.h"
#include "pictures/picture.h"
#include "planning/sky_channels.h"
#include "terminal/messages.h"

static const double left = 78.0, right = 24.0, top = 14.0, height = 140.0, between = 12.0,
                    axis_height = 46.0;

/* Columns of numbers along the times. */
enum { TIME, MIDDLE, LOW_95, LOW_68, HIGH_68, HIGH_95, N_COLUMNS };

static void fill(const struct sky_channel *channel, const struct time_axis *axis, size_t n,
                 double *numbers)
{
    for (size_t i = 0; i < n; i++) {
        equant_sky_predicted_value own = {.struct_size = sizeof own};
        equant_sky_prediction_at(channel->prediction, i, &own); /* the index is in range */
        const double row[N_COLUMNS] = {own.jd - axis->zero, own.median,  own.low_95,
                                       own.low_68,          own.high_68, own.high_95};
        for (size_t k = 0; k < N_COLUMNS; k++)
            numbers[k * n + i] = row[k];
    }
}

static void draw_observations(const struct plot *plot, const struct time_axis *axis,
                              const equant_sky_posterior *run)
{
    const equant_astrometry *source = equant_sky_posterior_source(run);
    equant_sky_rows rows = {.struct_size = sizeof rows};
    equant_astrometry_rows(source, &rows);
    for (size_t k = 0; k < rows.n_rows; k++) {
        double x = equant_astrometry_reference_jd(source) + rows.time_days[k] - axis->zero;
        if (x >= plot->x.low && x <= plot->x.high)
            plot_mark(plot, "interval", x);
    }
}

/* Returns whether there was memory for it. */
static bool draw_panel(const struct sky_channels *found, const struct sky_channel *channel,
                       const struct time_axis *axis, bool is_last, struct plot *plot)
{
    size_t n = equant_sky_prediction_n(channel->prediction);
    double *numbers = calloc(N_COLUMNS * n, sizeof *numbers), low = INFINITY, high = -INFINITY;
    if (numbers == NULL)
        return false;
    fill(channel, axis, n, numbers);
    for (size_t i = 0; i < n; i++) {
        low = fmin(low, numbers[LOW_95 * n + i]);
        high = fmax(high, numbers[HIGH_95 * n + i]);
    }
    double room = 0.05 * (high - low), side = n == 1 ? 0.5 : 0.0;
    plot->x = (struct plot_axis){numbers[TIME * n] - side, numbers[TIME * n + n - 1] + side, false};
    plot->y = (struct plot_axis){low - room, high + room, false};
    plot_begin_inside(plot);
    draw_observations(plot, axis, found->run);
    plot_band(plot, "band-95", n, numbers, numbers + LOW_95 * n, numbers + HIGH_95 * n);
    plot_band(plot, "band-68", n, numbers, numbers + LOW_68 * n, numbers + HIGH_68 * n);
    bool is_drawn = plot_curve(plot, "curve", n, numbers, numbers + MIDDLE * n);
    plot_end_inside(plot);
    struct ticks below = ticks_linear(plot->x.low, plot->x.high, 6),
                 beside = ticks_linear(plot->y.low, plot->y.high, 4);
    plot_frame(plot);
    plot_ticks(plot, PLOT_BELOW, &below, is_last);
    plot_ticks(plot, PLOT_LEFT, &beside, true);
    plot_label_left(plot, 64.0, channel->symbol);
    if (is_last)
        plot_label_below(plot, 34.0, axis->label);
    free(numbers);
    return is_drawn;
}

int sky_channel_picture(const struct sky_channels *found, const char *folder,
                        enum picture_format format)
{
    static const char notes[] =
        "What all draws predict: the median, and where 68.3 and 95.4 % lie; of companions and "
        "velocities with the errors of observations where there are such. Dashes: times of "
        "measurements on the sky. E: towards East, N: towards North.";
    const struct sky_channel *panels[SKY_CHANNELS_MOST];
    size_t n = 0;
    for (size_t i = 0; i < found->n; i++)
        if (!found->channels[i].is_scans)
            panels[n++] = &found->channels[i];
    if (n == 0)
        return EXIT_CODE_OK;
    equant_sky_predicted_value first = {.struct_size = sizeof first};
    equant_sky_prediction_at(panels[0]->prediction, 0, &first);
    const struct time_axis axis = time_axis_of_date(first.jd);
    double notes_top = top + (double)n * (height + between) - between + axis_height;
    struct picture picture;
    int code = picture_begin(&picture, PICTURE_WIDTH, notes_top,
                             "What a run of astrometry predicts", notes);
    if (code != EXIT_CODE_OK)
        return code;
    bool is_drawn = true;
    for (size_t i = 0; i < n; i++) {
        struct plot plot = {.page = picture.page,
                            .left = left,
                            .top = top + (double)i * (height + between),
                            .width = PICTURE_WIDTH - left - right,
                            .height = height};
        is_drawn &= draw_panel(found, panels[i], &axis, i + 1 == n, &plot);
    }
    return picture_finish(&picture, folder, "prediction", format,
                          is_drawn ? EXIT_CODE_OK : messages_out_of_memory());
}
