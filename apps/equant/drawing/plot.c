#include "drawing/plot.h"

#include <math.h>
#include <stdlib.h>

static const double long_tick = 5.0, short_tick = 2.5;

static double share_of(const struct plot_axis *axis, double value)
{
    if (axis->is_logarithmic)
        return log(value / axis->low) / log(axis->high / axis->low);
    return (value - axis->low) / (axis->high - axis->low);
}

double plot_x(const struct plot *plot, double value)
{
    return plot->width * share_of(&plot->x, value);
}

double plot_y(const struct plot *plot, double value)
{
    return plot->height * (1.0 - share_of(&plot->y, value));
}

void plot_begin_inside(const struct plot *plot)
{
    svg_begin_part(plot->page, plot->left, plot->top, plot->width, plot->height);
}

void plot_end_inside(const struct plot *plot)
{
    svg_end(plot->page);
}

void plot_frame(const struct plot *plot)
{
    svg_rectangle(plot->page, "frame", plot->left, plot->top, plot->width, plot->height);
}

/* One tick as a part of a path. */
static void add_tick(const struct plot *plot, enum plot_side side, const struct tick *tick)
{
    double length = tick->text[0] != '\0' ? long_tick : short_tick;
    double x = plot->left + plot_x(plot, tick->at), y = plot->top + plot_y(plot, tick->at);
    double bottom = plot->top + plot->height;
    switch (side) {
    case PLOT_BELOW:
        svg_path_move(plot->page, x, bottom);
        svg_path_line(plot->page, x, bottom - length);
        break;
    case PLOT_ABOVE:
        svg_path_move(plot->page, x, plot->top);
        svg_path_line(plot->page, x, plot->top + length);
        break;
    case PLOT_LEFT:
        svg_path_move(plot->page, plot->left, y);
        svg_path_line(plot->page, plot->left + length, y);
        break;
    }
}

static void write_number(const struct plot *plot, enum plot_side side, const struct tick *tick)
{
    const double below = 15.0, above = 6.0, beside = 7.0, half_height = 4.0;
    double x = plot->left + plot_x(plot, tick->at), y = plot->top + plot_y(plot, tick->at);
    char class[32];
    snprintf(class, sizeof class, "%s%s",
             side == PLOT_BELOW   ? "mid"
             : side == PLOT_ABOVE ? "mid quiet"
                                  : "end",
             plot->has_small_numbers ? " small" : "");
    if (side == PLOT_BELOW)
        svg_text(plot->page, class, x, plot->top + plot->height + below, tick->text);
    else if (side == PLOT_ABOVE)
        svg_text(plot->page, class, x, plot->top - above, tick->text);
    else
        svg_text(plot->page, class, plot->left - beside, y + half_height, tick->text);
}

void plot_ticks(const struct plot *plot, enum plot_side side, const struct ticks *ticks,
                bool has_numbers)
{
    svg_path_begin(plot->page, "tick");
    for (size_t i = 0; i < ticks->n; i++)
        add_tick(plot, side, &ticks->tick[i]);
    svg_path_end(plot->page);
    for (size_t i = 0; i < ticks->n && has_numbers; i++)
        if (ticks->tick[i].text[0] != '\0')
            write_number(plot, side, &ticks->tick[i]);
}

void plot_label_below(const struct plot *plot, double distance, const char *text)
{
    svg_text(plot->page, "mid label", plot->left + 0.5 * plot->width,
             plot->top + plot->height + distance, text);
}

void plot_label_left(const struct plot *plot, double distance, const char *text)
{
    svg_text_upwards(plot->page, "mid label", plot->left - distance, plot->top + 0.5 * plot->height,
                     text);
}

bool plot_curve(const struct plot *plot, const char *class, size_t n, const double *x,
                const double *y)
{
    double *place_x = calloc(n + 1, sizeof *place_x), *place_y = calloc(n + 1, sizeof *place_y);
    bool has_memory = place_x != NULL && place_y != NULL;
    for (size_t i = 0; i < n && has_memory; i++) {
        place_x[i] = plot_x(plot, x[i]);
        place_y[i] = plot_y(plot, y[i]);
    }
    if (has_memory)
        svg_curve(plot->page, class, n, place_x, place_y);
    free(place_x);
    free(place_y);
    return has_memory;
}

void plot_level(const struct plot *plot, const char *class, double y)
{
    svg_line(plot->page, class, 0.0, plot_y(plot, y), plot->width, plot_y(plot, y));
}

void plot_mark(const struct plot *plot, const char *class, double x)
{
    svg_line(plot->page, class, plot_x(plot, x), 0.0, plot_x(plot, x), plot->height);
}

void plot_band(const struct plot *plot, const char *class, size_t n, const double *x,
               const double *low, const double *high)
{
    svg_path_begin(plot->page, class);
    for (size_t i = 0; i < n; i++)
        if (i == 0)
            svg_path_move(plot->page, plot_x(plot, x[i]), plot_y(plot, high[i]));
        else
            svg_path_line(plot->page, plot_x(plot, x[i]), plot_y(plot, high[i]));
    for (size_t i = n; i-- > 0;)
        svg_path_line(plot->page, plot_x(plot, x[i]), plot_y(plot, low[i]));
    svg_path_close(plot->page);
    svg_path_end(plot->page);
}
