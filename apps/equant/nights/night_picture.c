#include "nights/night_picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "drawing/plot.h"
#include "terminal/messages.h"

static const double margin = 10.0, left = 54.0, right = 16.0, axis = 46.0;
static const double heading = 18.0, moon_height = 24.0, panel_height = 150.0;
static const double site_height = 18.0 + 24.0 + 150.0 + 8.0; /* of all three, and a gap */

static const char notes[] =
    "Grey: from sunset to sunrise, and darker while the sun is below its limit. Blue: all limits "
    "are kept; dots: the star is highest. Hours are those of local mean time. "
    "The strip above: the part of the moon that is lit.";

/* Nights are drawn by the dates of their evenings, counted from the first. */
struct night_axis {
    double first_date, n_days;
    double low_h, high_h; /* hours from midnight in local mean time */
};

static double hours_of(const equant_night *night, double jd_utc)
{
    return 24.0 * (jd_utc - night->noon_jd_utc) - 12.0;
}

/* The date as a number of days. */
static double date_of(const struct found_nights *found, const equant_night *night)
{
    return rint(night->noon_jd_utc +
                remainder(found->from.sites[night->site].longitude_deg, 360.0) / 360.0);
}

static double day_of(const struct found_nights *found, const struct night_axis *nights,
                     const equant_night *night)
{
    return date_of(found, night) - nights->first_date;
}

/* From sunset to sunrise at all sites with an hour around them, or all day where the sun does not
 * do that. */
static struct night_axis axis_of(const struct found_nights *found)
{
    double first = INFINITY, last = -INFINITY, low_h = 0.0, high_h = 0.0;
    for (size_t i = 0; i < equant_nights_n(found->nights); i++) {
        equant_night night = found_nights_at(found, i);
        double set = hours_of(&night, night.sunset_jd_utc),
               rise = hours_of(&night, night.sunrise_jd_utc);
        first = fmin(first, date_of(found, &night));
        last = fmax(last, date_of(found, &night));
        low_h = fmin(low_h, isnan(set) ? -12.0 : fmax(set - 1.0, -12.0));
        high_h = fmax(high_h, isnan(rise) ? 12.0 : fmin(rise + 1.0, 12.0));
    }
    return (struct night_axis){first, last - first + 1.0, low_h, high_h};
}

/* A bar of a night between two times; what does not happen bounds nothing. */
static void draw_bar(const struct plot *plot, const char *class, double day, double low_h,
                     double high_h)
{
    double x = plot_x(plot, day), top = plot_y(plot, fmin(high_h, plot->y.high)),
           bottom = plot_y(plot, fmax(low_h, plot->y.low));
    if (bottom > top)
        svg_rectangle(plot->page, class, x, top, plot_x(plot, day + 1.0) - x, bottom - top);
}

static void draw_darkness(const struct plot *plot, const equant_night *night, double day)
{
    double set = hours_of(night, night->sunset_jd_utc),
           rise = hours_of(night, night->sunrise_jd_utc),
           dusk = hours_of(night, night->dusk_jd_utc), dawn = hours_of(night, night->dawn_jd_utc);
    bool is_dark = night->kind == EQUANT_NIGHT_ALL_DARK;
    if (is_dark || !isnan(set) || !isnan(rise))
        draw_bar(plot, "spread i7", day, isnan(set) ? -12.0 : set, isnan(rise) ? 12.0 : rise);
    if (is_dark || !isnan(dusk) || !isnan(dawn))
        draw_bar(plot, "spread i7", day, isnan(dusk) ? -12.0 : dusk, isnan(dawn) ? 12.0 : dawn);
}

static void draw_windows(const struct found_nights *found, const struct night_axis *nights,
                         const struct plot *plot, size_t site)
{
    for (size_t i = 0; i < equant_nights_n_windows(found->nights); i++) {
        equant_window window = found_nights_window(found, i);
        if (window.site != site)
            continue;
        equant_night night = found_nights_at(found, window.night);
        draw_bar(plot, "dot i1", day_of(found, nights, &night),
                 hours_of(&night, window.start_jd_utc), hours_of(&night, window.end_jd_utc));
    }
}

static void draw_best(const struct found_nights *found, const struct night_axis *nights,
                      const struct plot *plot, size_t site)
{
    const double radius = fmin(2.4, 0.4 * plot->width / nights->n_days);
    svg_path_begin(plot->page, "dot i2");
    for (size_t i = 0; i < equant_nights_n(found->nights); i++) {
        equant_night night = found_nights_at(found, i);
        if (night.site == site && isfinite(night.best_jd_utc))
            svg_path_symbol(plot->page, 0, plot_x(plot, day_of(found, nights, &night) + 0.5),
                            plot_y(plot, hours_of(&night, night.best_jd_utc)), radius);
    }
    svg_path_end(plot->page);
}

static void draw_sky(const struct found_nights *found, const struct night_axis *nights,
                     const struct plot *panel, const struct plot *moon, size_t site)
{
    plot_begin_inside(moon);
    for (size_t i = 0; i < equant_nights_n(found->nights); i++) {
        equant_night night = found_nights_at(found, i);
        if (night.site == site)
            draw_bar(moon, "dot i5", day_of(found, nights, &night), 0.0, night.moon_illumination);
    }
    plot_end_inside(moon);
    plot_begin_inside(panel);
    for (size_t i = 0; i < equant_nights_n(found->nights); i++) {
        equant_night night = found_nights_at(found, i);
        if (night.site == site)
            draw_darkness(panel, &night, day_of(found, nights, &night));
    }
    draw_windows(found, nights, panel, site);
    draw_best(found, nights, panel, site);
    plot_end_inside(panel);
}

/* Dates below the last panel, as many as have room; the year where it is not the same for all. */
static struct ticks dates_of(const struct found_nights *found, const struct night_axis *nights)
{
    const size_t n_most = 7;
    size_t n = equant_nights_n(found->nights);
    struct ticks ticks = {0};
    equant_night first = found_nights_at(found, 0), last = found_nights_at(found, n - 1);
    double step = fmax(1.0, ceil(nights->n_days / (double)n_most)), next = 0.0;
    bool is_one_year = strncmp(first.date, last.date, 4) == 0;
    for (size_t i = 0; i < n && ticks.n < n_most; i++) {
        equant_night night = found_nights_at(found, i);
        double day = day_of(found, nights, &night);
        if (day < next)
            continue;
        struct tick *tick = &ticks.tick[ticks.n++];
        tick->at = day + 0.5;
        snprintf(tick->text, sizeof tick->text, "%s", night.date + (is_one_year ? 5 : 0));
        next = day + step;
    }
    return ticks;
}

static void draw_site(const struct found_nights *found, const struct night_axis *nights, FILE *page,
                      double top, size_t site)
{
    const bool is_last = site + 1 == found->from.n;
    struct plot moon = {.page = page,
                        .left = left,
                        .top = top + heading,
                        .width = PICTURE_WIDTH - left - right,
                        .height = moon_height,
                        .x = {0.0, nights->n_days, false},
                        .y = {0.0, 1.0, false}};
    struct plot panel = moon;
    panel.top += moon_height;
    panel.height = panel_height;
    panel.y = (struct plot_axis){nights->low_h, nights->high_h, false};
    struct ticks beside = ticks_linear(panel.y.low, panel.y.high, 6),
                 below = dates_of(found, nights);
    svg_text(page, "small strong", left, top + heading - 5.0, found->from.names[site]);
    svg_text(page, "small end", left - 6.0, moon.top + 0.5 * moon_height + 4.0, "moon");
    draw_sky(found, nights, &panel, &moon, site);
    plot_frame(&moon);
    plot_frame(&panel);
    plot_ticks(&panel, PLOT_LEFT, &beside, true);
    plot_ticks(&panel, PLOT_BELOW, &below, is_last);
    plot_label_left(&panel, 36.0, "hours from midnight");
    if (is_last) {
        char label[64];
        snprintf(label, sizeof label, "evening of the night, from %s",
                 found_nights_at(found, 0).date);
        plot_label_below(&panel, 34.0, label);
    }
}

int night_picture_draw(const struct found_nights *found, const char *folder,
                       enum picture_format format)
{
    const struct night_axis nights = axis_of(found);
    double notes_top = margin + (double)found->from.n * site_height - 8.0 + axis;
    struct picture picture;
    int code = picture_begin(&picture, PICTURE_WIDTH, notes_top,
                             "Nights, when the star can be observed, and the moon", notes);
    if (code != EXIT_CODE_OK)
        return code;
    for (size_t i = 0; i < found->from.n; i++)
        draw_site(found, &nights, picture.page, margin + (double)i * site_height, i);
    return picture_finish(&picture, folder, "nights", format, EXIT_CODE_OK);
}
