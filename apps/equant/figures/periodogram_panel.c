#include "figures/periodogram_panel.h"

#include <math.h>

#include "drawing/figure_style.h"
#include "drawing/text_width.h"
#include "figures/power_area.h"
#include "terminal/spoken_number.h"

static const double false_alarms[] = {0.1, 0.01, 0.001};
enum { N_LEVELS = sizeof false_alarms / sizeof false_alarms[0] };

static struct plot plot_of(const struct periodogram_panel *panel,
                           const equant_periodogram *periodogram, double high)
{
    const double *frequency = equant_periodogram_frequency_per_day(periodogram);
    size_t n = equant_periodogram_n(periodogram);
    return (struct plot){.page = panel->page,
                         .left = panel->left,
                         .top = panel->top,
                         .width = panel->width,
                         .height = panel->height,
                         .x = {1.0 / frequency[n - 1], 1.0 / frequency[0], true},
                         .y = {0.0, high, false}};
}

/* Room for the periods above the peaks, for a title above these, and for the lowest false-alarm
 * probability. */
static double top_of_axis(const equant_periodogram *periodogram, bool has_title)
{
    double headroom = has_title ? 1.45 : 1.25, highest = 0.0;
    double level = equant_periodogram_level(periodogram, false_alarms[N_LEVELS - 1]);
    for (size_t i = 0; i < equant_periodogram_n(periodogram); i++)
        highest = fmax(highest, equant_periodogram_power(periodogram)[i]);
    highest = fmax(highest, isfinite(level) ? level : 0.0);
    return highest > 0.0 ? headroom * highest : 1.0;
}

static void draw_area(const struct plot *plot, const char *class,
                      const equant_periodogram *periodogram, const double *values)
{
    power_area_draw(plot, class, equant_periodogram_n(periodogram),
                    equant_periodogram_frequency_per_day(periodogram), values);
}

static void draw_levels(const struct plot *plot, const equant_periodogram *periodogram)
{
    double levels[N_LEVELS];
    for (size_t i = 0; i < N_LEVELS; i++)
        levels[i] = equant_periodogram_level(periodogram, false_alarms[i]);
    power_area_levels(plot, N_LEVELS, false_alarms, levels);
}

/* ---- periods of peaks ------------------------------------------------------------------------ */

struct box {
    double left, right, top, bottom;
};

static bool do_touch(const struct box *a, const struct box *b)
{
    return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

/* One above the other, the lower label would sit on the other's peak. */
static struct box column_of(struct box box)
{
    return (struct box){box.left, box.right, -INFINITY, INFINITY};
}

/* The highest point of the curve between two places. */
static double highest_between(const struct plot *plot, const equant_periodogram *periodogram,
                              double left, double right)
{
    const double *frequency = equant_periodogram_frequency_per_day(periodogram);
    double highest = plot->height;
    for (size_t i = 0; i < equant_periodogram_n(periodogram); i++) {
        double x = plot_x(plot, 1.0 / frequency[i]);
        if (x >= left && x <= right)
            highest = fmin(highest, plot_y(plot, equant_periodogram_power(periodogram)[i]));
    }
    return highest;
}

/* The box of a label above a peak and above what else is higher beside it, pushed inside the
 * frame. */
static struct box box_above(const struct plot *plot, const equant_periodogram *periodogram,
                            double x, double y, const char *text)
{
    const double margin = 4.0, above = 4.0, height = 13.0;
    const double beside = 8.0; /* clear of ticks, which look like a minus before a number */
    double half = 0.5 * text_width_of(text, FIGURE_SMALL_SIZE) + 2.0;
    x = fmin(fmax(x, half + beside), plot->width - half - beside);
    y = fmin(y, highest_between(plot, periodogram, x - half, x + half));
    double bottom = fmax(y - above, margin + height);
    return (struct box){x - half, x + half, bottom - height, bottom};
}

/* The highest, and others above the lowest level; none where it would touch one before it. Pale
 * where a peak has a remark, as an alias has. */
static void draw_periods(const struct plot *plot, const equant_periodogram *periodogram,
                         const struct periodogram_panel *panel)
{
    enum { MOST = 8 };
    const double base_line = 3.0, lead = 8.0;
    struct box taken[MOST + 1] = {
        {0.0, 12.0 + text_width_of(panel->title, FIGURE_TEXT_SIZE), 0.0, 24.0}};
    size_t n = 0;
    double level = equant_periodogram_level(periodogram, false_alarms[0]);
    for (size_t i = 0; i < equant_periodogram_n_peaks(periodogram) && n < MOST; i++) {
        char text[48];
        equant_peak peak = {.struct_size = sizeof peak};
        if (n >= panel->most_peaks ||
            equant_periodogram_peak(periodogram, i, &peak) != EQUANT_SUCCESS)
            break;
        snprintf(text, sizeof text, "%s d", spoken_number_digits(peak.period_days, 4).text);
        double x = plot_x(plot, peak.period_days), y = plot_y(plot, peak.power);
        struct box box = box_above(plot, periodogram, x, y, text);
        bool has_room = i == 0 || peak.power > level;
        for (size_t k = 0; k <= n; k++)
            has_room &= !do_touch(&box, &taken[k]);
        if (!has_room)
            continue;
        taken[++n] = column_of(box);
        if (y > box.bottom + lead)
            svg_line(plot->page, "leader", x, box.bottom, x, y);
        svg_text(plot->page, peak.remark[0] != '\0' ? "mid small quiet halo" : "mid small halo",
                 0.5 * (box.left + box.right), box.bottom - base_line, text);
    }
}

static void draw_title(const struct plot *plot, const char *title)
{
    if (title[0] != '\0')
        svg_text(plot->page, "halo", 8.0, 17.0, title);
}

/* ---- panels ---------------------------------------------------------------------------------- */

void periodogram_panel_draw(const struct periodogram_panel *panel,
                            const equant_periodogram *periodogram)
{
    struct plot plot =
        plot_of(panel, periodogram, top_of_axis(periodogram, panel->title[0] != '\0'));
    struct ticks periods = ticks_logarithmic(plot.x.low, plot.x.high);
    struct ticks powers = ticks_linear(plot.y.low, plot.y.high, 4);
    plot_begin_inside(&plot);
    draw_area(&plot, "power", periodogram, equant_periodogram_power(periodogram));
    if (panel->has_circular)
        draw_area(&plot, "power-circular", periodogram, equant_periodogram_circular(periodogram));
    plot_end_inside(&plot);
    draw_levels(&plot, periodogram);
    plot_begin_inside(&plot);
    draw_periods(&plot, periodogram, panel);
    draw_title(&plot, panel->title);
    plot_end_inside(&plot);
    plot_frame(&plot);
    plot_ticks(&plot, PLOT_BELOW, &periods, false);
    plot_ticks(&plot, PLOT_LEFT, &powers, true);
    plot_label_left(&plot, plot.left - 14.0, "power");
}

void periodogram_panel_window(const struct periodogram_panel *panel,
                              const equant_periodogram *periodogram)
{
    const double room_for_title = 1.9;
    struct plot plot = plot_of(panel, periodogram, room_for_title);
    struct ticks periods = ticks_logarithmic(plot.x.low, plot.x.high);
    struct ticks powers = {.n = 2, .tick = {{0.0, "0"}, {1.0, "1"}}};
    plot_begin_inside(&plot);
    draw_area(&plot, "window", periodogram, equant_periodogram_window(periodogram));
    draw_title(&plot, panel->title);
    plot_end_inside(&plot);
    plot_frame(&plot);
    plot_ticks(&plot, PLOT_BELOW, &periods, true);
    plot_ticks(&plot, PLOT_LEFT, &powers, true);
    plot_label_below(&plot, 36.0, "period (days)");
}

void periodogram_panel_marks(const struct periodogram_panel *panel,
                             const equant_periodogram *periodogram, size_t n,
                             const double *period_days, const struct planet_letters *letters)
{
    const double above = 6.0, gap = 3.0;
    struct plot plot = plot_of(panel, periodogram, 1.0);
    double free_from = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        struct planet_name name = {""};
        double x = plot.left + plot_x(&plot, period_days[i]);
        svg_line(plot.page, "planet-mark", x, plot.top, x, plot.top + plot.height);
        if (letters != NULL)
            name = planet_name_short(letters, i);
        double width = text_width_of(name.text, FIGURE_TEXT_SIZE) + gap;
        double middle = fmax(x, free_from + 0.5 * width); /* neighbours make room */
        free_from = middle + 0.5 * width;
        if (letters != NULL)
            svg_text(plot.page, "mid strong", middle, plot.top - above, name.text);
    }
}
