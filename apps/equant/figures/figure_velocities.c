#include "figures/figure_velocities.h"

#include <math.h>
#include <stdlib.h>

#include "terminal/messages.h"
#include "figures/plot.h"
#include "stars/star_curve.h"
#include "figures/star_marks.h"
#include "stars/star_range.h"

enum { MOST_POINTS = 6000 };

/* What differs between a desk and a phone. Planets that turn more often than most_turns over the
 * axis would melt into a band. */
struct layout {
    const char *class;
    double width, left, velocities, residuals;
    double most_turns, scale;
    int n_times, n_years, n_velocities;
};

static const struct layout layouts[] = {
    {"wide", 920.0, 58.0, 300.0, 110.0, 100.0, 1.0, 9, 10, 7},
    {"narrow", 380.0, 46.0, 230.0, 90.0, 30.0, 0.85, 4, 4, 6},
};

static const double right = 10.0, top = 26.0, between = 10.0, bottom = 44.0;

/* What is drawn, whatever the layout. */
struct panels {
    const struct star_result *star;
    double zero;                      /* of the axis of time */
    double *time_days, *velocity_m_s; /* [n_obs], less zero and offsets */
    struct star_curve curve;
    bool has_curve;
};

static double shortest(const struct star_result *star, const struct layout *layout)
{
    return star_result_span_days(star) / layout->most_turns;
}

static int collect(const struct star_result *star, const struct layout *layout,
                   struct panels *panels)
{
    char title[64];
    size_t n_obs = equant_dataset_n_obs(star->dataset);
    *panels = (struct panels){.star = star, .zero = star_curve_zero(star->dataset)};
    panels->time_days = calloc(n_obs, sizeof *panels->time_days);
    panels->velocity_m_s = calloc(n_obs, sizeof *panels->velocity_m_s);
    if (panels->time_days == NULL || panels->velocity_m_s == NULL)
        return messages_out_of_memory();
    for (size_t k = 0; k < n_obs; k++) {
        size_t instrument = (size_t)equant_dataset_instruments(star->dataset)[k];
        panels->time_days[k] = equant_dataset_times_days(star->dataset)[k] - panels->zero;
        panels->velocity_m_s[k] = equant_dataset_velocities_m_s(star->dataset)[k] -
                                  star_result_offset(star, instrument).value;
    }
    star_curve_title(star, shortest(star, layout), title, sizeof title);
    panels->has_curve = title[0] != '\0';
    int code = star_curve_create(star, shortest(star, layout), MOST_POINTS, &panels->curve);
    for (size_t i = 0; i < panels->curve.n && code == EXIT_CODE_OK; i++)
        panels->curve.time_days[i] -= panels->zero;
    return code;
}

static void release(struct panels *panels)
{
    free(panels->time_days);
    free(panels->velocity_m_s);
    star_curve_free(&panels->curve);
}

/* Years stand above, where the times are those of a calendar. */
static void draw_years(const struct panels *panels, const struct plot *plot,
                       const struct layout *layout)
{
    struct ticks years =
        ticks_years(plot->x.low + panels->zero, plot->x.high + panels->zero, layout->n_years);
    for (size_t i = 0; i < years.n; i++)
        years.tick[i].at -= panels->zero;
    plot_ticks(plot, PLOT_ABOVE, &years, true);
}

static int draw_velocities(const struct panels *panels, const struct plot *plot,
                           const struct layout *layout)
{
    struct ticks times = ticks_linear(plot->x.low, plot->x.high, layout->n_times);
    struct ticks velocities = ticks_linear(plot->y.low, plot->y.high, layout->n_velocities);
    bool is_drawn = true;
    plot_begin_inside(plot);
    if (panels->has_curve)
        is_drawn = plot_curve(plot, "curve", panels->curve.n, panels->curve.time_days,
                              panels->curve.total_m_s);
    star_marks_draw(plot, panels->star, panels->time_days, panels->velocity_m_s, layout->scale);
    plot_end_inside(plot);
    plot_frame(plot);
    plot_ticks(plot, PLOT_BELOW, &times, false);
    plot_ticks(plot, PLOT_LEFT, &velocities, true);
    draw_years(panels, plot, layout);
    plot_label_left(plot, layout->left - 12.0, "velocity (m/s)");
    return is_drawn ? EXIT_CODE_OK : messages_out_of_memory();
}

static void draw_residuals(const struct panels *panels, const struct plot *plot,
                           const struct layout *layout)
{
    char label[64];
    struct ticks times = ticks_linear(plot->x.low, plot->x.high, layout->n_times);
    struct ticks residuals = ticks_linear(plot->y.low, plot->y.high, 4);
    plot_begin_inside(plot);
    plot_level(plot, "zero", 0.0);
    star_marks_draw(plot, panels->star, panels->time_days, panels->star->residual_m_s,
                    layout->scale);
    plot_end_inside(plot);
    plot_frame(plot);
    plot_ticks(plot, PLOT_BELOW, &times, true);
    plot_ticks(plot, PLOT_LEFT, &residuals, true);
    plot_label_left(plot, layout->left - 12.0, "O − C (m/s)");
    if (panels->zero == 0.0)
        snprintf(label, sizeof label, "time (days)");
    else
        snprintf(label, sizeof label, "time − %.0f (days)", panels->zero);
    plot_label_below(plot, 36.0, label);
}

static int draw(FILE *page, const struct panels *panels, const struct layout *layout)
{
    const struct star_result *star = panels->star;
    struct star_range velocities =
        star_range_around(star, panels->velocity_m_s, panels->has_curve ? panels->curve.n : 0,
                          panels->curve.total_m_s);
    struct star_range residuals = star_range_around(star, star->residual_m_s, 0, NULL);
    struct plot plot = {.page = page,
                        .left = layout->left,
                        .top = top,
                        .width = layout->width - layout->left - right,
                        .height = layout->velocities,
                        .x = {.low = panels->curve.time_days[0],
                              .high = panels->curve.time_days[panels->curve.n - 1]},
                        .y = {.low = velocities.low, .high = velocities.high}};
    svg_begin(page, layout->class, layout->width,
              top + layout->velocities + between + layout->residuals + bottom,
              "Velocities over time with the model, and residuals below");
    int code = draw_velocities(panels, &plot, layout);
    plot.top += layout->velocities + between;
    plot.height = layout->residuals;
    plot.y = (struct plot_axis){.low = residuals.low, .high = residuals.high};
    draw_residuals(panels, &plot, layout);
    svg_end(page);
    return code;
}

int figure_velocities_write(FILE *page, const struct star_result *star)
{
    char wide[64], narrow[64];
    int code = EXIT_CODE_OK;
    star_curve_title(star, shortest(star, &layouts[0]), wide, sizeof wide);
    star_curve_title(star, shortest(star, &layouts[1]), narrow, sizeof narrow);
    star_marks_key(page, star, wide, narrow);
    fputs("<figure id=\"figure-velocities\">\n", page);
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0] && code == EXIT_CODE_OK; i++) {
        struct panels panels;
        code = collect(star, &layouts[i], &panels);
        if (code == EXIT_CODE_OK)
            code = draw(page, &panels, &layouts[i]);
        release(&panels);
    }
    fputs("<figcaption>Velocities less the offset of each instrument, and residuals below. "
          "Coloured bars are the stated uncertainties, pale ones have the fitted jitter added in "
          "quadrature.</figcaption>\n</figure>\n",
          page);
    return code;
}
