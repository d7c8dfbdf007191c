#include "sky/sky_panels.h"

#include <math.h>
#include <stdlib.h>

#include "drawing/figure_style.h"
#include "drawing/plot.h"
#include "drawing/text_width.h"
#include "figures/power_area.h"
#include "sky/sky_points.h"
#include "terminal/angles.h"
#include "terminal/messages.h"
#include "terminal/spoken_number.h"

enum { N_CURVE = 2000 };

static struct plot plot_of(const struct sky_panel *panel)
{
    return (struct plot){.page = panel->page,
                         .left = panel->left,
                         .top = panel->top,
                         .width = panel->width,
                         .height = panel->height};
}

/* ---- over time ----------------------------------------------------------------------------- */

/* Round days are taken from all times. */
static double zero_of(const struct sky_star *star)
{
    const double round_to = 1000.0;
    return round_to * floor(star->summary.reference_jd / round_to);
}

/* From the first to the last time of a table, and a little more. */
static void set_times(const struct sky_star *star, size_t n, const double *time_days,
                      struct plot_axis *axis)
{
    double low = INFINITY, high = -INFINITY, shift = star->summary.reference_jd - zero_of(star);
    for (size_t k = 0; k < n; k++) {
        low = fmin(low, time_days[k]);
        high = fmax(high, time_days[k]);
    }
    double more = fmax(0.03 * (high - low), 1.0);
    *axis = (struct plot_axis){low + shift - more, high + shift + more, false};
}

static void write_times(const struct plot *plot, const struct sky_star *star, bool has_years,
                        bool has_numbers)
{
    struct ticks times = ticks_linear(plot->x.low, plot->x.high, 6);
    plot_ticks(plot, PLOT_BELOW, &times, has_numbers);
    if (has_years) {
        double zero = zero_of(star);
        struct ticks years = ticks_years(plot->x.low + zero, plot->x.high + zero, 7);
        for (size_t i = 0; i < years.n; i++)
            years.tick[i].at -= zero;
        plot_ticks(plot, PLOT_ABOVE, &years, true);
    }
    if (has_numbers) {
        char label[48];
        snprintf(label, sizeof label, "JD − %.0f (days, TCB)", zero_of(star));
        plot_label_below(plot, 34.0, label);
    }
}

/* About zero, with all points and most of their bars. */
static struct plot_axis values_of(size_t n, const double *values, const double *errors)
{
    double most = 0.0;
    for (size_t k = 0; k < n; k++)
        most = fmax(most, fabs(values[k]) + (errors != NULL ? fmin(errors[k], 1e300) : 0.0));
    most = most > 0.0 ? 1.08 * most : 1.0;
    return (struct plot_axis){-most, 1.35 * most, false}; /* with room for a title */
}

static void write_title(const struct plot *plot, const char *title)
{
    svg_text(plot->page, "small quiet halo", 8.0, 14.0, title);
}

static void draw_points(const struct plot *plot, size_t n, const double *x, const double *y,
                        const double *half)
{
    double radius = sky_points_radius(n);
    svg_path_begin(plot->page, "bar own i1");
    for (size_t k = 0; k < n; k++) {
        svg_path_move(plot->page, plot_x(plot, x[k]), plot_y(plot, y[k] - half[k]));
        svg_path_line(plot->page, plot_x(plot, x[k]), plot_y(plot, y[k] + half[k]));
    }
    svg_path_end(plot->page);
    svg_path_begin(plot->page, "dot i1");
    for (size_t k = 0; k < n; k++)
        svg_path_symbol(plot->page, 0, plot_x(plot, x[k]), plot_y(plot, y[k]), radius);
    svg_path_end(plot->page);
}

/* Times as they are on the axis; NULL, with a sentence, without memory. */
static double *shifted(const struct sky_star *star, size_t n, const double *time_days)
{
    double *moved = malloc((n + 1) * sizeof *moved);
    if (moved == NULL)
        messages_out_of_memory();
    for (size_t k = 0; k < n && moved != NULL; k++)
        moved[k] = time_days[k] + star->summary.reference_jd - zero_of(star);
    return moved;
}

void sky_panels_residuals(const struct sky_panel *panel, const struct sky_star *star,
                          enum sky_scan_column column, enum sky_panels_abscissa over,
                          const char *title, bool has_years, bool has_numbers)
{
    struct plot plot = plot_of(panel);
    size_t n = star->scans.n_rows;
    const double *values = star->scans.column[column];
    const double *errors = star->scans.column[SKY_SCAN_UNCERTAINTY];
    double *x = over == SKY_OVER_TIME ? shifted(star, n, star->scans.column[SKY_SCAN_TIME])
                                      : malloc((n + 1) * sizeof *x);
    if (x == NULL)
        return;
    plot.y = values_of(n, values, errors);
    if (over == SKY_OVER_TIME) {
        set_times(star, n, star->scans.column[SKY_SCAN_TIME], &plot.x);
    } else {
        plot.x = (struct plot_axis){0.0, 360.0, false};
        for (size_t k = 0; k < n; k++) {
            double turned = fmod(star->scans.column[SKY_SCAN_ANGLE][k], 360.0);
            x[k] = turned < 0.0 ? turned + 360.0 : turned;
        }
    }
    plot_begin_inside(&plot);
    plot_level(&plot, "zero", 0.0);
    draw_points(&plot, n, x, values, errors);
    write_title(&plot, title);
    plot_end_inside(&plot);
    free(x);
    plot_frame(&plot);
    struct ticks sizes = ticks_linear(plot.y.low, plot.y.high, 4);
    plot_ticks(&plot, PLOT_LEFT, &sizes, true);
    plot_label_left(&plot, SKY_PANELS_LEFT - 12.0, "w (mas)");
    if (over == SKY_OVER_TIME) {
        write_times(&plot, star, has_years, has_numbers);
    } else {
        struct ticks angles = {
            .n = 5,
            .tick = {{0.0, "0"}, {90.0, "90"}, {180.0, "180"}, {270.0, "270"}, {360.0, "360"}}};
        plot_ticks(&plot, PLOT_BELOW, &angles, has_numbers);
        plot_label_below(&plot, 34.0, "scan angle, North through East (degrees)");
    }
}

/* Large velocities are told in km/s. */
struct speed {
    double per_m_s;
    const char *label;
};

static struct speed speed_of(const struct sky_star *star)
{
    const double large = 5000.0;
    double most = 0.0;
    for (size_t k = 0; k < star->velocities.n_rows; k++)
        most = fmax(most, fabs(star->velocities.column[SKY_VELOCITY_VALUE][k]));
    return most > large ? (struct speed){1e-3, "velocity (km/s)"}
                        : (struct speed){1.0, "velocity (m/s)"};
}

/* Times, values and errors of the velocities as they are drawn, [3][n]; NULL without memory. */
static double *speeds(const struct sky_star *star, enum sky_velocity_column column, double per_m_s)
{
    size_t n = star->velocities.n_rows;
    double *made = malloc((3 * n + 1) * sizeof *made);
    for (size_t k = 0; k < n && made != NULL; k++) {
        made[k] = star->velocities.column[SKY_VELOCITY_TIME][k] + star->summary.reference_jd -
                  zero_of(star);
        made[n + k] = per_m_s * star->velocities.column[column][k];
        made[2 * n + k] = per_m_s * star->velocities.column[SKY_VELOCITY_UNCERTAINTY][k];
    }
    return made;
}

int sky_panels_velocities(const struct sky_panel *panel, const struct sky_star *star)
{
    struct plot plot = plot_of(panel);
    struct speed speed = speed_of(star);
    size_t n = star->velocities.n_rows;
    double *points = speeds(star, SKY_VELOCITY_VALUE, speed.per_m_s);
    double *curve = malloc(2 * N_CURVE * sizeof *curve);
    double low = INFINITY, high = -INFINITY;
    bool is_drawn = points != NULL && curve != NULL;
    if (is_drawn) {
        set_times(star, n, star->velocities.column[SKY_VELOCITY_TIME], &plot.x);
        for (size_t i = 0; i < N_CURVE; i++) {
            curve[i] = plot.x.low + (plot.x.high - plot.x.low) * (double)i / (N_CURVE - 1);
            double time = curve[i] + zero_of(star) - star->summary.reference_jd;
            curve[N_CURVE + i] = speed.per_m_s * sky_star_velocity(star, time);
            low = fmin(low, curve[N_CURVE + i]);
            high = fmax(high, curve[N_CURVE + i]);
        }
        for (size_t k = 0; k < n; k++) {
            low = fmin(low, points[n + k]);
            high = fmax(high, points[n + k]);
        }
        double more = fmax(0.07 * (high - low), 1e-6);
        plot.y = (struct plot_axis){low - more, high + more, false};
        plot_begin_inside(&plot);
        plot_level(&plot, "zero", 0.0);
        is_drawn = plot_curve(&plot, "curve strong", N_CURVE, curve, curve + N_CURVE);
        draw_points(&plot, n, points, points + n, points + 2 * n);
        plot_end_inside(&plot);
        plot_frame(&plot);
        struct ticks sizes = ticks_linear(plot.y.low, plot.y.high, 6);
        plot_ticks(&plot, PLOT_LEFT, &sizes, true);
        plot_label_left(&plot, SKY_PANELS_LEFT - 12.0, speed.label);
        write_times(&plot, star, true, false);
    }
    free(points);
    free(curve);
    return is_drawn ? EXIT_CODE_OK : messages_out_of_memory();
}

void sky_panels_velocity_residuals(const struct sky_panel *panel, const struct sky_star *star)
{
    struct plot plot = plot_of(panel);
    size_t n = star->velocities.n_rows;
    double *points = speeds(star, SKY_VELOCITY_RESIDUAL, speed_of(star).per_m_s);
    if (points == NULL)
        return;
    set_times(star, n, star->velocities.column[SKY_VELOCITY_TIME], &plot.x);
    plot.y = values_of(n, points + n, points + 2 * n);
    plot_begin_inside(&plot);
    plot_level(&plot, "zero", 0.0);
    draw_points(&plot, n, points, points + n, points + 2 * n);
    write_title(&plot, "what the orbit leaves");
    plot_end_inside(&plot);
    free(points);
    plot_frame(&plot);
    struct ticks sizes = ticks_linear(plot.y.low, plot.y.high, 4);
    plot_ticks(&plot, PLOT_LEFT, &sizes, true);
    write_times(&plot, star, false, true);
}

/* ---- over periods ----------------------------------------------------------------------- */

static void mark_period(const struct plot *plot, double period_days)
{
    char text[40];
    const double above = 4.0, edge = 6.0;
    double x = plot_x(plot, period_days);
    if (!(x >= 0.0 && x <= plot->width))
        return;
    svg_line(plot->page, "planet-mark", x, 0.0, x, plot->height);
    snprintf(text, sizeof text, "%s d", spoken_number_digits(period_days, 4).text);
    double half = 0.5 * text_width_of(text, FIGURE_SMALL_SIZE);
    x = fmin(fmax(x, half + edge), plot->width - half - edge);
    svg_text(plot->page, "mid small halo", x, 12.0 + above, text);
}

void sky_panels_periodogram(const struct sky_panel *panel, const struct sky_star *star)
{
    const double headroom = 1.2;
    struct plot plot = plot_of(panel);
    size_t n = star->periodogram.n_rows;
    double *const *column = star->periodogram.column;
    double highest = 0.0;
    for (size_t i = 0; i < n; i++)
        if (isfinite(column[SKY_PERIODOGRAM_GAIN][i]))
            highest = fmax(highest, column[SKY_PERIODOGRAM_GAIN][i]);
    for (int i = 0; i < SKY_STAR_N_LEVELS; i++)
        if (isfinite(star->levels[i]))
            highest = fmax(highest, star->levels[i]);
    plot.x = (struct plot_axis){1.0 / column[SKY_PERIODOGRAM_FREQUENCY][n - 1],
                                1.0 / column[SKY_PERIODOGRAM_FREQUENCY][0], true};
    plot.y = (struct plot_axis){0.0, headroom * fmax(highest, 1.0), false};
    plot_begin_inside(&plot);
    power_area_draw(&plot, "power", n, column[SKY_PERIODOGRAM_FREQUENCY],
                    column[SKY_PERIODOGRAM_GAIN]);
    plot_end_inside(&plot);
    power_area_levels(&plot, SKY_STAR_N_LEVELS, sky_star_false_alarms, star->levels);
    plot_begin_inside(&plot);
    for (size_t i = 0; i < star->n_companions; i++)
        mark_period(&plot, star->companions[i].period_days);
    plot_end_inside(&plot);
    plot_frame(&plot);
    struct ticks periods = ticks_logarithmic(plot.x.low, plot.x.high);
    struct ticks gains = ticks_linear(plot.y.low, plot.y.high, 5);
    plot_ticks(&plot, PLOT_BELOW, &periods, true);
    plot_ticks(&plot, PLOT_LEFT, &gains, true);
    plot_label_below(&plot, 34.0, "period (days)");
    plot_label_left(&plot, SKY_PANELS_LEFT - 12.0, "gain in ln L");
}
