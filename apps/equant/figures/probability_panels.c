#include "figures/probability_panels.h"

#include <math.h>
#include <stdbool.h>

#include "drawing/label_row.h"
#include "drawing/plot.h"
#include "drawing/text_width.h"
#include "terminal/spoken_number.h"

static const double row_height = 46.0, label_height = 13.0, small_size = 10.5;
/* Shares that are written. */
#define MENTIONED 0.005

static void draw_bar(FILE *page, double left, double right, double bottom, double top)
{
    svg_path_begin(page, "histogram");
    svg_path_move(page, left, bottom);
    svg_path_line(page, left, top);
    svg_path_line(page, right, top);
    svg_path_line(page, right, bottom);
    svg_path_end(page);
}

void probability_panels_numbers(const struct probability_place *place, size_t n,
                                const double *probabilities)
{
    struct plot plot = {.page = place->page,
                        .left = place->left,
                        .top = place->top,
                        .width = place->width,
                        .height = place->height,
                        .x = {-0.6, (double)n - 0.4, false},
                        .y = {0.0, 1.05, false}};
    struct ticks beside = ticks_linear(0.0, 1.0, 5);
    plot_begin_inside(&plot);
    for (size_t i = 0; i < n; i++) {
        double from = plot_x(&plot, (double)i - 0.4), to = plot_x(&plot, (double)i + 0.4);
        double y = plot_y(&plot, fmax(0.0, fmin(probabilities[i], 1.0)));
        draw_bar(place->page, from, to, place->height, y);
    }
    plot_end_inside(&plot);
    plot_frame(&plot);
    plot_ticks(&plot, PLOT_LEFT, &beside, true);
    for (size_t i = 0; i < n; i++) {
        char text[32];
        snprintf(text, sizeof text, "%zu", i);
        svg_text(place->page, "mid", place->left + plot_x(&plot, (double)i),
                 place->top + place->height + 16.0, text);
    }
    plot_label_below(&plot, 34.0, "planets");
    plot_label_left(&plot, 36.0, "probability");
}

double probability_panels_families_height(size_t n_families)
{
    return row_height * (double)n_families;
}

/* The range of all periods, with room for their names. */
static struct plot_axis period_axis(size_t n_families, const struct probability_family *families)
{
    double low = INFINITY, high = 0.0;
    for (size_t i = 0; i < n_families; i++)
        for (size_t j = 0; j < families[i].n; j++) {
            low = fmin(low, families[i].period_days[j]);
            high = fmax(high, families[i].period_days[j]);
        }
    double room = fmax(1.6, pow(high / low, 0.12));
    return (struct plot_axis){low / room, high * room, true};
}

/* "41.73 d, 87 %", where there is room beside those that are more probable. */
static void write_periods(const struct plot *plot, const struct probability_family *family,
                          double bottom)
{
    struct label_row row = {0};
    for (size_t i = 0; i < family->n; i++) {
        char text[64];
        double x = plot_x(plot, family->period_days[i]);
        double height = family->share[i] * (row_height - label_height - 8.0);
        bool is_certain = family->share[i] > 0.995;
        snprintf(text, sizeof text, "%s d, %s%.0f %%",
                 spoken_number_digits(family->period_days[i], 4).text, is_certain ? "> " : "",
                 is_certain ? 99.0 : 100.0 * family->share[i]);
        double half = 0.5 * text_width_of(text, small_size) + 3.0;
        if (family->share[i] < MENTIONED || !label_row_take(&row, x, 2.0 * half))
            continue;
        x = fmin(fmax(x, half), plot->width - half);
        svg_text(plot->page, "small mid", x, bottom - height - 5.0, text);
    }
}

void probability_panels_families(const struct probability_place *place, size_t n_families,
                                 const struct probability_family *families)
{
    const double wide = 5.0;
    struct plot plot = {.page = place->page,
                        .left = place->left,
                        .top = place->top,
                        .width = place->width,
                        .height = place->height,
                        .x = period_axis(n_families, families),
                        .y = {0.0, 1.0, false}};
    struct ticks below = ticks_logarithmic(plot.x.low, plot.x.high);
    plot_begin_inside(&plot);
    for (size_t i = 0; i < n_families; i++) {
        double bottom = row_height * (double)(i + 1);
        if (i + 1 < n_families)
            svg_line(place->page, "zero", 0.0, bottom, place->width, bottom);
        for (size_t j = 0; j < families[i].n; j++) {
            double height = families[i].share[j] * (row_height - label_height - 8.0);
            double x = plot_x(&plot, families[i].period_days[j]);
            draw_bar(place->page, x - 0.5 * wide, x + 0.5 * wide, bottom, bottom - height);
        }
        write_periods(&plot, &families[i], bottom);
    }
    plot_end_inside(&plot);
    plot_frame(&plot);
    plot_ticks(&plot, PLOT_BELOW, &below, true);
    plot_label_below(&plot, 34.0, "period [days]");
    for (size_t i = 0; i < n_families; i++)
        svg_text(place->page, "small end", place->left - 6.0,
                 place->top + row_height * ((double)i + 0.5) + 4.0, families[i].name);
}
