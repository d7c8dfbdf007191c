#include "pictures/time_panels.h"

#include <math.h>
#include <stdlib.h>

#include "terminal/messages.h"
#include "stars/star_curve.h"
#include "pictures/star_points.h"

/* More turns than this over the axis of time would melt into a band. */
static const double most_turns = 100.0;
enum { MOST_POINTS = 20000, VELOCITY_TICS = 6, RESIDUAL_TICS = 4 };

static void write_curve(FILE *script, const struct star_curve *curve, double zero)
{
    fputs("$curve << EOD\n", script);
    for (size_t i = 0; i < curve->n; i++)
        fprintf(script, "%.10g %.8g\n", curve->time_days[i] - zero, curve->total_m_s[i]);
    fputs("EOD\n", script);
}

/* Which part of the model can be seen over time: planets from this period on. */
static double shortest_visible(const struct star_result *star)
{
    return star_result_span_days(star) / most_turns;
}

static void write_axis_label(FILE *script, double zero)
{
    if (zero == 0.0)
        fputs("set xlabel 'time (days)'\n", script);
    else
        fprintf(script, "set xlabel 'time − %.0f (days)'\n", zero);
}

static void write_velocities(FILE *script, const struct star_result *star,
                             struct picture_frame frame, const struct star_curve *curve,
                             const double *velocity_m_s, double key_top)
{
    char title[48];
    star_curve_title(star, shortest_visible(star), title, sizeof title);
    picture_place(script, frame);
    fprintf(script,
            "set key at screen 0.5, screen %.4f center top horizontal Left reverse noenhanced "
            "samplen 1.2 "
            "spacing 0.9 font ',8'\n"
            "set format x ''\nunset xlabel\nset ylabel 'velocity (m/s)'\n",
            key_top);
    star_points_axis(script, star, velocity_m_s, title[0] != '\0' ? curve->n : 0, curve->total_m_s,
                     VELOCITY_TICS);
    fputs("plot ", script);
    star_points_plot_bars(script, star, "velocity");
    if (title[0] != '\0')
        fprintf(script,
                "$curve using 1:2 with lines linewidth 0.6 linecolor rgb '" PICTURE_INK
                "' title '%s', \\\n  ",
                title);
    star_points_plot(script, star, "velocity", STAR_POINTS_TITLED);
    fputs("\nunset key\n", script);
}

static void write_residuals(FILE *script, const struct star_result *star,
                            struct picture_frame frame, double zero)
{
    picture_place(script, frame);
    fputs("set format x '%.6g'\nset ylabel 'O − C (m/s)'\n"
          "set xzeroaxis linetype 1 linewidth 0.5 linecolor rgb '" PICTURE_GREY "'\n",
          script);
    write_axis_label(script, zero);
    star_points_axis(script, star, star->residual_m_s, 0, NULL, RESIDUAL_TICS);
    fputs("plot ", script);
    star_points_plot_bars(script, star, "residual");
    star_points_plot(script, star, "residual", STAR_POINTS_UNTITLED);
    fputs("\nunset xzeroaxis\n", script);
}

static int write_both(FILE *script, const struct star_result *star, struct picture_frame velocities,
                      struct picture_frame residuals, double key_top,
                      const struct star_curve *curve)
{
    const equant_dataset *dataset = star->dataset;
    size_t n_obs = equant_dataset_n_obs(dataset);
    double zero = star_curve_zero(dataset);
    double *time_days = calloc(n_obs, sizeof *time_days);
    double *velocity_m_s = calloc(n_obs, sizeof *velocity_m_s);
    if (time_days == NULL || velocity_m_s == NULL) {
        free(time_days);
        free(velocity_m_s);
        return messages_out_of_memory();
    }
    for (size_t k = 0; k < n_obs; k++) {
        size_t instrument = (size_t)equant_dataset_instruments(dataset)[k];
        time_days[k] = equant_dataset_times_days(dataset)[k] - zero;
        velocity_m_s[k] =
            equant_dataset_velocities_m_s(dataset)[k] - star_result_offset(star, instrument).value;
    }
    star_points_write(script, star, "velocity", time_days, velocity_m_s);
    star_points_write(script, star, "residual", time_days, star->residual_m_s);
    write_curve(script, curve, zero);
    fprintf(script, "set xrange [%.10g:%.10g]\n", curve->time_days[0] - zero,
            curve->time_days[curve->n - 1] - zero);
    write_velocities(script, star, velocities, curve, velocity_m_s, key_top);
    write_residuals(script, star, residuals, zero);
    free(time_days);
    free(velocity_m_s);
    return EXIT_CODE_OK;
}

int time_panels_write(FILE *script, const struct star_result *star, struct picture_frame velocities,
                      struct picture_frame residuals, double key_top)
{
    struct star_curve curve;
    int code = star_curve_create(star, shortest_visible(star), MOST_POINTS, &curve);
    if (code == EXIT_CODE_OK)
        code = write_both(script, star, velocities, residuals, key_top, &curve);
    star_curve_free(&curve);
    return code;
}
