#include "figures/power_area.h"

#include <math.h>

/* So many frequencies that a pixel holds many of them: of each half pixel the highest. */
void power_area_draw(const struct plot *plot, const char *class, size_t n,
                     const double *frequency_per_day, const double *values)
{
    const double columns_per_unit = 2.0;
    double highest = 0.0, place = 0.0, column = NAN;
    svg_path_begin(plot->page, class);
    svg_path_move(plot->page, plot->width, plot->height);
    for (size_t i = 0; i < n; i++) {
        double x = plot_x(plot, 1.0 / frequency_per_day[i]);
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

/* Labels stand beside their lines where there is room, and are led to where there is not: from
 * the lowest line up, then down again from the upper edge. The heading takes a line too. */
static void spread_labels(size_t n, double *y, double highest)
{
    const double apart = 12.0;
    for (size_t i = 1; i < n; i++)
        y[i] = fmin(y[i], y[i - 1] - apart);
    highest += apart;
    for (size_t i = n; i-- > 0; highest = y[i] + apart)
        y[i] = fmax(y[i], highest);
}

void power_area_levels(const struct plot *plot, size_t n_levels, const double *false_alarms,
                       const double *levels)
{
    const double lead = 8.0, half_height = 3.5;
    double line[POWER_AREA_MOST_LEVELS], y[POWER_AREA_MOST_LEVELS];
    double right = plot->left + plot->width;
    char text[POWER_AREA_MOST_LEVELS][16];
    size_t n = 0;
    for (size_t i = 0; i < n_levels && n < POWER_AREA_MOST_LEVELS; i++) {
        if (!isfinite(levels[i]) || !(levels[i] > 0.0) || levels[i] > plot->y.high)
            continue;
        snprintf(text[n], sizeof text[n], "%g %%", 100.0 * false_alarms[i]);
        line[n++] = plot->top + plot_y(plot, levels[i]);
    }
    for (size_t i = 0; i < n; i++) {
        y[i] = line[i];
        svg_line(plot->page, "level", plot->left, line[i], right, line[i]);
    }
    spread_labels(n, y, plot->top);
    for (size_t i = 0; i < n; i++) {
        svg_line(plot->page, "leader", right, line[i], right + lead, y[i]);
        svg_text(plot->page, "small quiet", right + lead + 2.0, y[i] + half_height, text[i]);
    }
    if (n > 0)
        svg_text(plot->page, "small quiet", right + lead + 2.0, y[n - 1] + half_height - 12.0,
                 "FAP");
}
