#include "figures/star_marks.h"

#include <math.h>

#include "files/html.h"
#include "stars/instrument_name.h"

/* Many points are drawn smaller, so that they can be told apart. */
static double radius_of(const struct star_result *star)
{
    size_t n = equant_dataset_n_obs(star->dataset);
    return n <= 50 ? 3.2 : n <= 200 ? 2.7 : n <= 1000 ? 2.1 : 1.4;
}

static bool is_of(const struct star_result *star, size_t k, size_t instrument)
{
    return (size_t)equant_dataset_instruments(star->dataset)[k] == instrument;
}

/* The points of an instrument that are outliers, or those that are not. */
static void draw_points(const struct plot *plot, const struct star_result *star, size_t instrument,
                        const double *x, const double *y, const char *class, double radius,
                        bool are_outliers)
{
    svg_path_begin(plot->page, class);
    for (size_t k = 0; k < equant_dataset_n_obs(star->dataset); k++)
        if (is_of(star, k, instrument) && star_outliers_has(&star->outliers, k) == are_outliers)
            svg_path_symbol(plot->page, instrument, plot_x(plot, x[k]), plot_y(plot, y[k]), radius);
    svg_path_end(plot->page);
}

static void draw_bars(const struct plot *plot, const struct star_result *star, size_t instrument,
                      const double *x, const double *y, const char *class, bool has_jitter)
{
    svg_path_begin(plot->page, class);
    for (size_t k = 0; k < equant_dataset_n_obs(star->dataset); k++) {
        double half = has_jitter ? star_result_uncertainty(star, k)
                                 : equant_dataset_uncertainties_m_s(star->dataset)[k];
        if (!is_of(star, k, instrument))
            continue;
        svg_path_move(plot->page, plot_x(plot, x[k]), plot_y(plot, y[k] - half));
        fputc('V', plot->page);
        svg_number(plot->page, plot_y(plot, y[k] + half));
    }
    svg_path_end(plot->page);
}

void star_marks_draw(const struct plot *plot, const struct star_result *star, const double *x,
                     const double *y, double scale)
{
    char class[32];
    size_t n_instruments = equant_dataset_n_instruments(star->dataset);
    double radius = radius_of(star) * scale;
    for (size_t i = 0; i < n_instruments; i++)
        draw_bars(plot, star, i, x, y, "bar", true);
    for (size_t i = 0; i < n_instruments; i++) {
        snprintf(class, sizeof class, "bar own i%zu", i % STAR_MARKS_COLOURS + 1);
        draw_bars(plot, star, i, x, y, class, false);
    }
    for (size_t i = 0; i < n_instruments; i++) {
        snprintf(class, sizeof class, "dot i%zu", i % STAR_MARKS_COLOURS + 1);
        draw_points(plot, star, i, x, y, class, radius, false);
        snprintf(class, sizeof class, "dot open i%zu", i % STAR_MARKS_COLOURS + 1);
        if (star->outliers.n > 0)
            draw_points(plot, star, i, x, y, class, radius, true);
    }
}

static void write_line(FILE *page, const char *class, const char *text)
{
    if (text[0] == '\0')
        return;
    fprintf(page,
            "<li class=\"%s\"><svg class=\"sign\" viewBox=\"0 0 12 12\" aria-hidden=\"true\">"
            "<path class=\"curve\" d=\"M0 6H12\"/></svg>",
            class);
    html_text(page, text);
    fputs("</li>\n", page);
}

void star_marks_list(FILE *page, const struct star_result *star, const char *wide,
                     const char *narrow)
{
    const double middle = 6.0, radius = 3.4;
    fputs("<ul class=\"key\">\n", page);
    for (size_t i = 0; i < equant_dataset_n_instruments(star->dataset); i++) {
        fputs("<li title=\"", page);
        html_text(page, equant_dataset_instrument_name(star->dataset, i));
        fputs("\"><svg class=\"sign\" viewBox=\"0 0 12 12\" aria-hidden=\"true\">", page);
        fprintf(page, "<path class=\"dot i%zu\" d=\"", i % STAR_MARKS_COLOURS + 1);
        svg_path_symbol(page, i, middle, middle, radius);
        fputs("\"/></svg>", page);
        html_text(page, instrument_name_short(star->dataset, i).text);
        fputs("</li>\n", page);
    }
    write_line(page, "wide", wide);
    write_line(page, "narrow", narrow);
    fputs("</ul>\n", page);
}

void star_marks_key(struct key *key, const struct star_result *star)
{
    char class[32];
    for (size_t i = 0; i < equant_dataset_n_instruments(star->dataset); i++) {
        snprintf(class, sizeof class, "dot i%zu", i % STAR_MARKS_COLOURS + 1);
        key_add(key, class, (int)i, instrument_name_short(star->dataset, i).text);
    }
}
