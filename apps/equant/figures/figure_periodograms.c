#include "figures/figure_periodograms.h"

#include <math.h>
#include <string.h>

#include "figures/plot.h"
#include "terminal/spoken_number.h"

struct layout {
    const char *class;
    double width, left, height, window;
};

static const struct layout layouts[] = {
    {"wide", 920.0, 58.0, 170.0, 60.0},
    {"narrow", 380.0, 46.0, 140.0, 50.0},
};

static const double right = 10.0, top = 22.0, between = 10.0, bottom = 44.0;

static const double false_alarms[] = {0.1, 0.01, 0.001};

/* ---- curves ----------------------------------------------------------------------------- */

/* The area under a curve of so many frequencies that a pixel holds many of them: of each half
 * pixel the highest. */
static void draw_area(const struct plot *plot, const char *class,
                      const equant_periodogram *periodogram, const double *values)
{
    const double columns_per_unit = 2.0;
    const double *frequency = equant_periodogram_frequency_per_day(periodogram);
    double highest = 0.0, place = 0.0, column = NAN;
    svg_path_begin(plot->page, class);
    svg_path_move(plot->page, plot->width, plot->height);
    for (size_t i = 0; i < equant_periodogram_n(periodogram); i++) {
        double x = plot_x(plot, 1.0 / frequency[i]);
        if (floor(x * columns_per_unit) != column) {
            if (!isnan(column))
                svg_path_line(plot->page, place, plot_y(plot, highest));
            column = floor(x * columns_per_unit);
            highest = -1.0;
        }
        if (values[i] > highest) {
            highest = values[i];
            place = x;
        }
    }
    if (!isnan(column))
        svg_path_line(plot->page, place, plot_y(plot, highest));
    svg_path_line(plot->page, 0.0, plot->height);
    svg_path_end(plot->page);
}

static double highest_of(const equant_periodogram *periodogram)
{
    double highest = 0.0;
    for (size_t i = 0; i < equant_periodogram_n(periodogram); i++)
        highest = fmax(highest, equant_periodogram_power(periodogram)[i]);
    return highest;
}

/* ---- what helps to read them --------------------------------------------------------------- */

static void draw_levels(const struct plot *plot, const equant_periodogram *periodogram)
{
    const double above = 3.0, margin = 5.0;
    for (size_t i = 0; i < sizeof false_alarms / sizeof false_alarms[0]; i++) {
        char text[32];
        double level = equant_periodogram_level(periodogram, false_alarms[i]);
        if (!isfinite(level) || level > plot->y.high)
            continue;
        plot_level(plot, "level", level);
        snprintf(text, sizeof text, "%g %%", 100.0 * false_alarms[i]);
        if (i == 0 || i + 1 == sizeof false_alarms / sizeof false_alarms[0])
            svg_text(plot->page, "end small quiet halo", plot->width - margin,
                     plot_y(plot, level) - (i == 0 ? -10.0 : above), text);
    }
}

static void mark_planets(const struct plot *plot, const struct star_result *star, bool has_numbers)
{
    const double above = 6.0;
    for (size_t i = 0; i < star->n_planets; i++) {
        char text[24];
        double x = plot_x(plot, star->planets[i].values[EQUANT_ELEMENT_PERIOD]);
        svg_line(plot->page, "planet-mark", plot->left + x, plot->top, plot->left + x,
                 plot->top + plot->height);
        snprintf(text, sizeof text, "%zu", i + 1);
        if (has_numbers)
            svg_text(plot->page, "mid strong", plot->left + x, plot->top - above, text);
    }
}

static void draw_title(const struct plot *plot, const char *title)
{
    svg_text(plot->page, "halo", 8.0, 17.0, title);
}

/* ---- panels ---------------------------------------------------------------------------------- */

static void draw_panel(const struct plot *plot, const equant_periodogram *periodogram,
                       const char *title)
{
    struct ticks periods = ticks_logarithmic(plot->x.low, plot->x.high);
    struct ticks powers = ticks_linear(plot->y.low, plot->y.high, 4);
    plot_begin_inside(plot);
    draw_area(plot, "power", periodogram, equant_periodogram_power(periodogram));
    draw_levels(plot, periodogram);
    draw_title(plot, title);
    plot_end_inside(plot);
    plot_frame(plot);
    plot_ticks(plot, PLOT_BELOW, &periods, false);
    plot_ticks(plot, PLOT_LEFT, &powers, true);
    plot_label_left(plot, plot->left - 12.0, "power");
}

static void draw_window(const struct plot *plot, const equant_periodogram *periodogram)
{
    struct ticks periods = ticks_logarithmic(plot->x.low, plot->x.high);
    struct ticks powers = {.n = 2, .tick = {{0.0, "0"}, {1.0, "1"}}};
    plot_begin_inside(plot);
    draw_area(plot, "window", periodogram, equant_periodogram_window(periodogram));
    draw_title(plot, "window: the times of observation");
    plot_end_inside(plot);
    plot_frame(plot);
    plot_ticks(plot, PLOT_BELOW, &periods, true);
    plot_ticks(plot, PLOT_LEFT, &powers, true);
    plot_label_below(plot, 36.0, "period (days)");
}

static struct plot_axis axis_of(const equant_periodogram *periodogram)
{
    const double headroom = 1.25;
    double highest = highest_of(periodogram);
    double level = equant_periodogram_level(periodogram, false_alarms[2]);
    return (struct plot_axis){0.0, headroom * fmax(highest, isfinite(level) ? level : 0.0), false};
}

static void draw(FILE *page, const struct layout *layout,
                 const struct figure_periodograms *contents)
{
    const struct star_result *star = contents->star;
    const equant_periodogram *data_periodogram = contents->data_periodogram,
                             *residual_periodogram = contents->residual_periodogram;
    const double *frequency = equant_periodogram_frequency_per_day(data_periodogram);
    size_t n = equant_periodogram_n(data_periodogram),
           n_panels = residual_periodogram != NULL ? 2 : 1;
    char title[64];
    struct plot plot = {.page = page,
                        .left = layout->left,
                        .top = top,
                        .width = layout->width - layout->left - right,
                        .height = layout->height,
                        .x = {1.0 / frequency[n - 1], 1.0 / frequency[0], true},
                        .y = axis_of(data_periodogram)};
    svg_begin(page, layout->class, layout->width,
              top + (double)n_panels * (layout->height + between) + layout->window + bottom,
              "Periodograms of the data, of what the planets leave, and of the times alone");
    mark_planets(&plot, star, true);
    draw_panel(&plot, data_periodogram, "the data");
    plot.top += layout->height + between;
    if (residual_periodogram != NULL) {
        plot.y = axis_of(residual_periodogram);
        snprintf(title, sizeof title, "beside %s planet%s",
                 spoken_number_words(star->n_planets).text, star->n_planets == 1 ? "" : "s");
        mark_planets(&plot, star, false);
        draw_panel(&plot, residual_periodogram, title);
        plot.top += layout->height + between;
    }
    plot.height = layout->window;
    plot.y = (struct plot_axis){0.0, 1.05, false};
    draw_window(&plot, data_periodogram);
    svg_end(page);
}

void figure_periodograms_write(FILE *page, const struct figure_periodograms *contents)
{
    fputs("<figure id=\"figure-periodograms\">\n", page);
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
        draw(page, &layouts[i], contents);
    fprintf(page,
            "<figcaption>Power is the share of chi-square that the best %s of a period explains, "
            "offsets and trend refitted for each. Dashed lines have false-alarm probabilities of "
            "10&nbsp;%%, 1&nbsp;%% and 0.1&nbsp;%%. Numbers mark the planets.</figcaption>\n"
            "</figure>\n",
            contents->is_eccentric ? "Keplerian orbit" : "circular orbit");
}
