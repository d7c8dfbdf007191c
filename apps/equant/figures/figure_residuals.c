#include "figures/figure_residuals.h"

#include <math.h>

#include "drawing/plot.h"
#include "terminal/bounded_number.h"

/* Bins of half a sigma, as far as ten thousand normal deviates would go. */
enum { N_BINS = 17 };
static const double bin_width = 0.5, reach = 4.25;

static const double width = 440.0, height = 260.0;
static const double left = 50.0, right = 14.0, top = 8.0, bottom = 42.0;

static void count(const struct star_result *star, double counts[N_BINS])
{
    for (size_t k = 0; k < equant_dataset_n_obs(star->dataset); k++) {
        double place =
            (star->residual_m_s[k] / star_result_uncertainty(star, k) + reach) / bin_width;
        counts[(size_t)bounded_number(place, 0.0, N_BINS - 1)] += 1.0;
    }
}

static void draw_bins(const struct plot *plot, const double counts[N_BINS])
{
    svg_path_begin(plot->page, "histogram");
    svg_path_move(plot->page, 0.0, plot->height);
    for (size_t i = 0; i < N_BINS; i++) {
        svg_path_line(plot->page, plot_x(plot, (double)i * bin_width - reach),
                      plot_y(plot, counts[i]));
        svg_path_line(plot->page, plot_x(plot, (double)(i + 1) * bin_width - reach),
                      plot_y(plot, counts[i]));
    }
    svg_path_line(plot->page, plot->width, plot->height);
    svg_path_end(plot->page);
}

static void draw_normal(const struct plot *plot, size_t n_obs)
{
    enum { N_POINTS = 201 };
    const double normalisation = 0.3989422804014327; /* 1/sqrt(2 pi) */
    double x[N_POINTS], y[N_POINTS];
    for (size_t i = 0; i < N_POINTS; i++) {
        x[i] = reach * (2.0 * (double)i / (N_POINTS - 1) - 1.0);
        y[i] = (double)n_obs * bin_width * normalisation * exp(-0.5 * x[i] * x[i]);
    }
    plot_curve(plot, "curve strong", N_POINTS, x, y);
}

void figure_residuals_write(FILE *page, const struct star_result *star)
{
    double counts[N_BINS] = {0.0}, highest = 0.0;
    size_t n_obs = equant_dataset_n_obs(star->dataset);
    count(star, counts);
    for (size_t i = 0; i < N_BINS; i++)
        highest = fmax(highest, counts[i]);
    highest = 1.1 * fmax(highest, 0.2 * (double)n_obs); /* a normal one has a fifth in the middle */
    struct plot plot = {.page = page,
                        .left = left,
                        .top = top,
                        .width = width - left - right,
                        .height = height - top - bottom,
                        .x = {.low = -reach, .high = reach},
                        .y = {.low = 0.0, .high = highest}};
    struct ticks sigmas = ticks_linear(-reach, reach, 9), numbers = ticks_linear(0.0, highest, 5);
    fputs("<figure id=\"figure-residuals\">\n", page);
    svg_begin(page, "phase", width, height,
              "Histogram of residuals over their uncertainties, with a normal distribution");
    plot_begin_inside(&plot);
    draw_bins(&plot, counts);
    draw_normal(&plot, n_obs);
    plot_end_inside(&plot);
    plot_frame(&plot);
    plot_ticks(&plot, PLOT_BELOW, &sigmas, true);
    plot_ticks(&plot, PLOT_LEFT, &numbers, true);
    plot_label_below(&plot, 34.0, "residual / uncertainty with jitter");
    plot_label_left(&plot, left - 12.0, "observations");
    svg_end(page);
    fputs("</figure>\n", page);
}
