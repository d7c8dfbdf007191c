#include "figures/velocity_panels.h"

#include <stdlib.h>

#include "drawing/plot.h"
#include "figures/star_marks.h"
#include "drawing/time_axis.h"
#include "stars/star_curve.h"
#include "stars/star_range.h"
#include "terminal/messages.h"

enum { MOST_POINTS = 6000 };

/* Above, between and below the frames. */
static const double years = 26.0, no_years = 8.0, between = 10.0, bottom = 44.0;

/* What is drawn, whatever the layout. */
struct panels {
    const struct star_result *star;
    struct time_axis axis;
    double *time_days, *velocity_m_s; /* [n_obs], less the axis' zero and offsets */
    struct star_curve curve;
    bool has_curve;
};

double velocity_panels_shortest(const struct star_result *star,
                                const struct velocity_panels_layout *layout)
{
    return star_result_span_days(star) / layout->most_turns;
}

static double room_above(const struct star_result *star)
{
    double first = equant_dataset_times_days(star->dataset)[0];
    return ticks_years(first, first + star_result_span_days(star), 4).n > 0 ? years : no_years;
}

static int collect(const struct star_result *star, const struct velocity_panels_layout *layout,
                   struct panels *panels)
{
    char title[64];
    size_t n_obs = equant_dataset_n_obs(star->dataset);
    *panels = (struct panels){.star = star, .axis = time_axis_of(star->dataset)};
    panels->time_days = calloc(n_obs, sizeof *panels->time_days);
    panels->velocity_m_s = calloc(n_obs, sizeof *panels->velocity_m_s);
    if (panels->time_days == NULL || panels->velocity_m_s == NULL)
        return messages_out_of_memory();
    for (size_t k = 0; k < n_obs; k++) {
        size_t instrument = (size_t)equant_dataset_instruments(star->dataset)[k];
        panels->time_days[k] = equant_dataset_times_days(star->dataset)[k] - panels->axis.zero;
        panels->velocity_m_s[k] = equant_dataset_velocities_m_s(star->dataset)[k] -
                                  star_result_offset(star, instrument).value;
    }
    star_curve_title(star, velocity_panels_shortest(star, layout), title, sizeof title);
    panels->has_curve = title[0] != '\0';
    int code = star_curve_create(star, velocity_panels_shortest(star, layout), MOST_POINTS,
                                 &panels->curve);
    for (size_t i = 0; i < panels->curve.n && code == EXIT_CODE_OK; i++)
        panels->curve.time_days[i] -= panels->axis.zero;
    return code;
}

static void release(struct panels *panels)
{
    free(panels->time_days);
    free(panels->velocity_m_s);
    star_curve_free(&panels->curve);
}

static int draw_velocities(const struct panels *panels, const struct plot *plot,
                           const struct velocity_panels_layout *layout)
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
    time_axis_years(&panels->axis, plot, layout->n_years);
    plot_label_left(plot, layout->left - 14.0, "velocity (m/s)");
    return is_drawn ? EXIT_CODE_OK : messages_out_of_memory();
}

static void draw_residuals(const struct panels *panels, const struct plot *plot,
                           const struct velocity_panels_layout *layout)
{
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
    plot_label_left(plot, layout->left - 14.0, "O − C (m/s)");
    plot_label_below(plot, 36.0, panels->axis.label);
}

static int draw(FILE *page, const struct panels *panels,
                const struct velocity_panels_layout *layout, double top)
{
    const struct star_result *star = panels->star;
    struct star_range velocities =
        star_range_around(star, panels->velocity_m_s, panels->has_curve ? panels->curve.n : 0,
                          panels->curve.total_m_s);
    struct star_range residuals = star_range_around(star, star->residual_m_s, 0, NULL);
    struct plot plot = {.page = page,
                        .left = layout->left,
                        .top = top + room_above(star),
                        .width = layout->width - layout->left - layout->right,
                        .height = layout->velocities,
                        .x = {.low = panels->curve.time_days[0],
                              .high = panels->curve.time_days[panels->curve.n - 1]},
                        .y = {.low = velocities.low, .high = velocities.high}};
    int code = draw_velocities(panels, &plot, layout);
    plot.top += layout->velocities + between;
    plot.height = layout->residuals;
    plot.y = (struct plot_axis){.low = residuals.low, .high = residuals.high};
    draw_residuals(panels, &plot, layout);
    return code;
}

double velocity_panels_height(const struct star_result *star,
                              const struct velocity_panels_layout *layout)
{
    return room_above(star) + layout->velocities + between + layout->residuals + bottom;
}

int velocity_panels_draw(FILE *page, const struct star_result *star,
                         const struct velocity_panels_layout *layout, double top)
{
    struct panels panels;
    int code = collect(star, layout, &panels);
    if (code == EXIT_CODE_OK)
        code = draw(page, &panels, layout, top);
    release(&panels);
    return code;
}
