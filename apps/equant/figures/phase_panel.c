#include "figures/phase_panel.h"

#include <math.h>

#include "figures/star_marks.h"
#include "posteriors/posterior_band.h"
#include "stars/folded_planet.h"
#include "stars/star_range.h"
#include "terminal/messages.h"

static void draw_means(const struct plot *plot, const struct folded_planet *folded)
{
    const double radius = 4.0;
    svg_path_begin(plot->page, "mean-bar");
    for (size_t i = 0; i < PHASE_BINS; i++) {
        const struct phase_bin *mean = &folded->means[i];
        if (mean->n == 0)
            continue;
        double x = plot_x(plot, mean->phase);
        svg_path_move(plot->page, x, plot_y(plot, folded->mean_m_s[i] - mean->uncertainty_m_s));
        svg_path_line(plot->page, x, plot_y(plot, folded->mean_m_s[i] + mean->uncertainty_m_s));
    }
    svg_path_end(plot->page);
    svg_path_begin(plot->page, "mean");
    for (size_t i = 0; i < PHASE_BINS; i++)
        if (folded->means[i].n > 0)
            svg_path_symbol(plot->page, 0, plot_x(plot, folded->means[i].phase),
                            plot_y(plot, folded->mean_m_s[i]), radius);
    svg_path_end(plot->page);
}

static int draw_inside(const struct plot *plot, const struct phase_panel *panel,
                       const struct star_result *star, size_t index,
                       const struct folded_planet *folded)
{
    const struct star_planet *planet = &star->planets[index];
    const equant_posterior *posterior = panel->posterior;
    size_t number = posterior != NULL ? panel->run_planet : 0;
    struct posterior_band band;
    int code = EXIT_CODE_OK;
    plot_begin_inside(plot);
    plot_level(plot, "zero", 0.0);
    star_marks_draw(plot, star, folded->phase, folded->velocity_m_s, panel->scale);
    if (number > 0)
        code = posterior_band_fill(posterior, number, planet, &band);
    if (number > 0 && code == EXIT_CODE_OK) {
        plot_band(plot, "band-95", band.n, band.phase, band.low_95, band.high_95);
        plot_band(plot, "band-68", band.n, band.phase, band.low_68, band.high_68);
    }
    if (code == EXIT_CODE_OK &&
        !plot_curve(plot, "curve strong", folded->n_curve, folded->curve_phase, folded->curve_m_s))
        code = messages_out_of_memory();
    if (folded->has_means)
        draw_means(plot, folded);
    plot_end_inside(plot);
    return code;
}

/* The numbers at the ends of the axis stay within its width, so that neighbours do not touch. */
static struct ticks phases_within(double width)
{
    const double roomy = 250.0;
    struct ticks ticks = {
        .n = 5,
        .tick = {{-0.5, "−0.5"}, {-0.25, "−0.25"}, {0.0, "0"}, {0.25, "0.25"}, {0.5, "0.5"}}};
    if (width < roomy)
        ticks.tick[1].text[0] = ticks.tick[3].text[0] = '\0';
    return ticks;
}

static int draw(const struct phase_panel *panel, const struct star_result *star, size_t index,
                const struct folded_planet *folded)
{
    const double units_per_number = 24.0, most = 6.0;
    struct star_range range =
        star_range_around(star, folded->velocity_m_s, folded->n_curve, folded->curve_m_s);
    struct plot plot = {.page = panel->page,
                        .left = panel->left,
                        .top = panel->top,
                        .width = panel->width,
                        .height = panel->height,
                        .x = {.low = -0.5, .high = 0.5},
                        .y = {.low = range.low, .high = range.high}};
    struct ticks phases = phases_within(panel->width);
    struct ticks velocities =
        ticks_linear(range.low, range.high, (int)fmin(panel->height / units_per_number, most));
    int code = draw_inside(&plot, panel, star, index, folded);
    plot_frame(&plot);
    plot_ticks(&plot, PLOT_BELOW, &phases, true);
    plot_ticks(&plot, PLOT_LEFT, &velocities, true);
    if (panel->has_phase)
        plot_label_below(&plot, 34.0, "phase since conjunction");
    if (panel->has_velocity)
        plot_label_left(&plot, panel->label_distance, "velocity (m/s)");
    return code;
}

int phase_panel_draw(const struct phase_panel *panel, const struct star_result *star, size_t index)
{
    struct folded_planet *folded;
    int code = folded_planet_create(star, index, &folded);
    if (code == EXIT_CODE_OK)
        code = draw(panel, star, index, folded);
    folded_planet_free(folded);
    return code;
}
