#include "pictures/star_points.h"

#include <math.h>

#include "pictures/picture.h"
#include "stars/star_range.h"

void star_points_write(FILE *script, const struct star_result *star, const char *name,
                       const double *x, const double *y)
{
    const int *owner = equant_dataset_instruments(star->dataset);
    for (size_t i = 0; i < equant_dataset_n_instruments(star->dataset); i++) {
        double jitter = star_result_jitter(star, i).value;
        fprintf(script, "$%s_%zu << EOD\n", name, i + 1);
        for (size_t k = 0; k < equant_dataset_n_obs(star->dataset); k++) {
            double uncertainty = equant_dataset_uncertainties_m_s(star->dataset)[k];
            if ((size_t)owner[k] == i)
                fprintf(script, "%.10g %.8g %.6g %.6g\n", x[k], y[k], uncertainty,
                        hypot(uncertainty, jitter));
        }
        fputs("EOD\n", script);
    }
}

/* Many points are drawn smaller, so that they can be told apart. */
static double point_size(const struct star_result *star)
{
    size_t n = equant_dataset_n_obs(star->dataset);
    return n <= 50 ? 0.42 : n <= 200 ? 0.34 : n <= 1000 ? 0.26 : 0.18;
}

/* Bars as vectors without heads: gnuplot's own error bars clear a ring around each point,
 * which wipes out its neighbours. `column` holds half their length. */
static void plot_bars(FILE *script, const char *name, size_t instrument, int column,
                      double line_width, const char *colour)
{
    fprintf(script,
            "$%s_%zu using 1:($2-$%d):(0):(2*$%d) with vectors nohead linewidth %.2f "
            "linecolor rgb '%s' notitle, \\\n  ",
            name, instrument + 1, column, column, line_width, colour);
}

void star_points_plot_bars(FILE *script, const struct star_result *star, const char *name)
{
    size_t n = equant_dataset_n_instruments(star->dataset);
    for (size_t i = 0; i < n; i++)
        plot_bars(script, name, i, 4, 0.3, PICTURE_PALE);
    for (size_t i = 0; i < n; i++)
        plot_bars(script, name, i, 3, 0.6, picture_colour(i));
}

void star_points_plot(FILE *script, const struct star_result *star, const char *name,
                      enum star_points_titles titles)
{
    for (size_t i = 0; i < equant_dataset_n_instruments(star->dataset); i++) {
        fprintf(script,
                "%s$%s_%zu using 1:2 with points pointtype %d pointsize %.2f linecolor rgb '%s' ",
                i == 0 ? "" : ", \\\n  ", name, i + 1, picture_symbol(i), point_size(star),
                picture_colour(i));
        if (titles == STAR_POINTS_UNTITLED) {
            fputs("notitle", script);
        } else {
            fputs("title ", script);
            picture_text(script, equant_dataset_instrument_name(star->dataset, i));
        }
    }
}

void star_points_axis(FILE *script, const struct star_result *star, const double *y, size_t n,
                      const double *curve, int n_tics)
{
    struct star_range range = star_range_around(star, y, n, curve);
    picture_vertical_axis(script, range.low, range.high, n_tics);
}
