#include "figures/velocity_panels.h"

#include <stdlib.h>

#include "drawing/plot.h"
#include "drawing/time_axis.h"
#include "figures/long_planets.h"
#include "figures/star_marks.h"
#include "stars/conditional_noise.h"
#include "stars/star_curve.h"
#include "stars/star_range.h"
#include "terminal/messages.h"

enum { MOST_POINTS = 20000, NOISE_POINTS = 800 };

/* Above, between and below the frames. */
static const double years = 26.0, no_years = 8.0, between = 10.0, bottom = 44.0;

/* What is drawn, whatever the layout. */
struct panels {
    const struct star_result *star;
    struct time_axis axis;
    double *time_days, *velocity_m_s; /* [n_obs], less the axis' zero and offsets */
    struct star_curve curve;
    bool has_curve;
    struct long_planets long_planets; /* a panel each                     */
    double *share_m_s;                /* [n of them][n_obs]               */
    double *rest_m_s; /* residuals less correlated noise, [n_obs]; NULL: it is white */
    double noise_days[NOISE_POINTS], noise_m_s[NOISE_POINTS], noise_low[NOISE_POINTS],
        noise_high[NOISE_POINTS]; /* what the noise was */
};

/* A panel more. */
static bool has_noise(const struct star_result *star)
{
    return star->noise.process_m_s != NULL;
}

/* The noise over time, and what it leaves. */
static int collect_noise(const struct star_result *star, struct panels *panels)
{
    size_t n_obs = equant_dataset_n_obs(star->dataset), last = panels->curve.n - 1;
    double first_day = panels->curve.time_days[0], last_day = panels->curve.time_days[last];
    if (!has_noise(star))
        return EXIT_CODE_OK;
    panels->rest_m_s = calloc(n_obs, sizeof *panels->rest_m_s);
    if (panels->rest_m_s == NULL)
        return messages_out_of_memory();
    for (size_t k = 0; k < n_obs; k++)
        panels->rest_m_s[k] = star_noise_rest(star, k);
    for (size_t i = 0; i < NOISE_POINTS; i++)
        panels->noise_days[i] =
            first_day + (last_day - first_day) * (double)i / (double)(NOISE_POINTS - 1);
    int code = conditional_noise_predict(star, NOISE_POINTS, panels->noise_days, panels->noise_m_s,
                                         panels->noise_low, panels->noise_high);
    for (size_t i = 0; i < NOISE_POINTS; i++)
        panels->noise_days[i] -= panels->axis.zero;
    return code;
}

double velocity_panels_shortest(const struct star_result *star,
                                const struct velocity_panels_layout *layout)
{
    return star_result_span_days(star) / layout->most_turns;
}

/* Panels of long planets are as high as this part of that of all velocities. */
static const double long_part = 0.6;

static struct long_planets long_planets(const struct star_result *star,
                                        const struct velocity_panels_layout *layout)
{
    return long_planets_of(star, velocity_panels_shortest(star, layout));
}

static int collect_long_planets(const struct star_result *star,
                                const struct velocity_panels_layout *layout, struct panels *panels)
{
    size_t n_obs = equant_dataset_n_obs(star->dataset);
    int code = EXIT_CODE_OK;
    panels->long_planets = long_planets(star, layout);
    panels->share_m_s = calloc(panels->long_planets.n * n_obs + 1, sizeof *panels->share_m_s);
    if (panels->share_m_s == NULL)
        return messages_out_of_memory();
    for (size_t i = 0; i < panels->long_planets.n && code == EXIT_CODE_OK; i++)
        code =
            long_planets_share(star, panels->long_planets.index[i], panels->share_m_s + i * n_obs);
    return code;
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
    if (code == EXIT_CODE_OK)
        code = collect_long_planets(star, layout, panels);
    if (code == EXIT_CODE_OK)
        code = collect_noise(star, panels);
    for (size_t i = 0; i < panels->curve.n && code == EXIT_CODE_OK; i++)
        panels->curve.time_days[i] -= panels->axis.zero;
    return code;
}

static void release(struct panels *panels)
{
    free(panels->time_days);
    free(panels->velocity_m_s);
    free(panels->rest_m_s);
    free(panels->share_m_s);
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

/* One of the long planets, alone. */
static int draw_long_planet(const struct panels *panels, struct plot plot,
                            const struct velocity_panels_layout *layout, size_t number)
{
    const struct star_result *star = panels->star;
    size_t planet = panels->long_planets.index[number];
    const double *share = panels->share_m_s + number * equant_dataset_n_obs(star->dataset),
                 *curve = panels->curve.planets_m_s + planet * panels->curve.n;
    struct star_range range = star_range_around(star, share, panels->curve.n, curve);
    char label[48];
    plot.y = (struct plot_axis){.low = range.low, .high = range.high};
    struct ticks times = ticks_linear(plot.x.low, plot.x.high, layout->n_times);
    struct ticks velocities =
        ticks_linear(plot.y.low, plot.y.high, (int)(long_part * layout->n_velocities) + 1);
    plot_begin_inside(&plot);
    plot_level(&plot, "zero", 0.0);
    bool is_drawn =
        plot_curve(&plot, "curve strong", panels->curve.n, panels->curve.time_days, curve);
    star_marks_draw(&plot, star, panels->time_days, share, layout->scale);
    plot_end_inside(&plot);
    plot_frame(&plot);
    plot_ticks(&plot, PLOT_BELOW, &times, false);
    plot_ticks(&plot, PLOT_LEFT, &velocities, true);
    snprintf(label, sizeof label, "%s (m/s)", planet_name_of(&star->letters, planet).text);
    plot_label_left(&plot, layout->left - 14.0, label);
    return is_drawn ? EXIT_CODE_OK : messages_out_of_memory();
}

/* A panel of residuals; the last of them has the axis of time. */
static int draw_residuals(const struct panels *panels, const struct plot *plot,
                          const struct velocity_panels_layout *layout, bool is_last)
{
    struct ticks times = ticks_linear(plot->x.low, plot->x.high, layout->n_times);
    struct ticks residuals = ticks_linear(plot->y.low, plot->y.high, 4);
    bool has_process = has_noise(panels->star), is_drawn = true;
    plot_begin_inside(plot);
    plot_level(plot, "zero", 0.0);
    if (has_process && !is_last) {
        plot_band(plot, "band-68", NOISE_POINTS, panels->noise_days, panels->noise_low,
                  panels->noise_high);
        is_drawn = plot_curve(plot, "curve", NOISE_POINTS, panels->noise_days, panels->noise_m_s);
    }
    star_marks_draw(plot, panels->star, panels->time_days,
                    has_process && is_last ? panels->rest_m_s : panels->star->residual_m_s,
                    layout->scale);
    plot_end_inside(plot);
    plot_frame(plot);
    plot_ticks(plot, PLOT_BELOW, &times, is_last);
    plot_ticks(plot, PLOT_LEFT, &residuals, true);
    plot_label_left(plot, layout->left - 14.0,
                    has_process && is_last ? "rest (m/s)" : "O − C (m/s)");
    if (is_last)
        plot_label_below(plot, 36.0, panels->axis.label);
    return is_drawn ? EXIT_CODE_OK : messages_out_of_memory();
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
    plot.height = long_part * layout->velocities;
    for (size_t i = 0; i < panels->long_planets.n && code == EXIT_CODE_OK; i++) {
        code = draw_long_planet(panels, plot, layout, i);
        plot.top += plot.height + between;
    }
    plot.height = layout->residuals;
    plot.y = (struct plot_axis){.low = residuals.low, .high = residuals.high};
    if (code == EXIT_CODE_OK)
        code = draw_residuals(panels, &plot, layout, !has_noise(star));
    if (code == EXIT_CODE_OK && has_noise(star)) {
        struct star_range rest = star_range_around(star, panels->rest_m_s, 0, NULL);
        plot.top += layout->residuals + between;
        plot.y = (struct plot_axis){.low = rest.low, .high = rest.high};
        code = draw_residuals(panels, &plot, layout, true);
    }
    return code;
}

double velocity_panels_height(const struct star_result *star,
                              const struct velocity_panels_layout *layout)
{
    double noise = has_noise(star) ? layout->residuals + between : 0.0,
           long_ones =
               (double)long_planets(star, layout).n * (long_part * layout->velocities + between);
    return room_above(star) + layout->velocities + between + long_ones + layout->residuals + noise +
           bottom;
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
