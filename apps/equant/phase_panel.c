#include "phase_panel.h"

#include <math.h>
#include <stdlib.h>

#include "messages.h"
#include "orbit_curve.h"
#include "phase_bins.h"
#include "quantity.h"
#include "star_points.h"

/* Means of fewer than three points each would say no more than the points. */
enum { CURVE_POINTS = 3001, N_TICS = 5, FEWEST_TO_BIN = 3 * PHASE_BINS };

struct phase_panel {
    double *phase, *velocity_m_s, *uncertainty_m_s; /* [n_obs]        */
    double curve_phase[CURVE_POINTS], curve_m_s[CURVE_POINTS];
};

static struct phase_panel *create(size_t n_obs)
{
    struct phase_panel *panel = calloc(1, sizeof *panel);
    if (panel == NULL)
        return NULL;
    panel->phase = calloc(n_obs, sizeof *panel->phase);
    panel->velocity_m_s = calloc(n_obs, sizeof *panel->velocity_m_s);
    panel->uncertainty_m_s = calloc(n_obs, sizeof *panel->uncertainty_m_s);
    return panel;
}

static void release(struct phase_panel *panel)
{
    if (panel == NULL)
        return;
    free(panel->phase);
    free(panel->velocity_m_s);
    free(panel->uncertainty_m_s);
    free(panel);
}

/* In turns since conjunction, from -1/2 to 1/2. */
static double phase_of(const equant_planet *planet, double time_days)
{
    double turns = (time_days - planet->t_conj) / planet->period_days;
    return turns - round(turns);
}

static int fold(const struct star_fit *star, size_t index, struct phase_panel *panel)
{
    const equant_planet *planet = &star->planets[index];
    const double *time_days = equant_dataset_times_days(star->dataset);
    size_t n_obs = equant_dataset_n_obs(star->dataset);
    int code = orbit_curve_evaluate(planet, equant_dataset_reference_time_days(star->dataset),
                                    n_obs, time_days, panel->velocity_m_s);
    for (size_t k = 0; k < n_obs && code == EXIT_CODE_OK; k++) {
        panel->phase[k] = phase_of(planet, time_days[k]);
        panel->velocity_m_s[k] += star->residual_m_s[k];
        panel->uncertainty_m_s[k] = star_points_uncertainty(star, k);
    }
    return code;
}

static int trace(const struct star_fit *star, size_t index, struct phase_panel *panel)
{
    const equant_planet *planet = &star->planets[index];
    double time_days[CURVE_POINTS];
    for (size_t i = 0; i < CURVE_POINTS; i++) {
        panel->curve_phase[i] = (double)i / (CURVE_POINTS - 1) - 0.5;
        time_days[i] = planet->t_conj + planet->period_days * panel->curve_phase[i];
    }
    return orbit_curve_evaluate(planet, equant_dataset_reference_time_days(star->dataset),
                                CURVE_POINTS, time_days, panel->curve_m_s);
}

/* Means of the residuals, each on the curve. */
static int write_means(FILE *script, const struct star_fit *star, size_t index,
                       const struct phase_panel *panel)
{
    const equant_planet *planet = &star->planets[index];
    struct phase_bin bins[PHASE_BINS];
    double time_days[PHASE_BINS], curve_m_s[PHASE_BINS];
    phase_bins_fill(equant_dataset_n_obs(star->dataset), panel->phase, star->residual_m_s,
                    panel->uncertainty_m_s, bins);
    for (size_t i = 0; i < PHASE_BINS; i++) {
        double middle = ((double)i + 0.5) / PHASE_BINS - 0.5; /* of a bin without points */
        double phase = bins[i].n > 0 ? bins[i].phase : middle;
        time_days[i] = planet->t_conj + planet->period_days * phase;
    }
    int code = orbit_curve_evaluate(planet, equant_dataset_reference_time_days(star->dataset),
                                    PHASE_BINS, time_days, curve_m_s);
    fputs("$means << EOD\n", script);
    for (size_t i = 0; i < PHASE_BINS && code == EXIT_CODE_OK; i++)
        if (bins[i].n > 0)
            fprintf(script, "%.6f %.8g %.6g\n", bins[i].phase, curve_m_s[i] + bins[i].residual_m_s,
                    bins[i].uncertainty_m_s);
    fputs("EOD\n", script);
    return code;
}

static int write_blocks(FILE *script, const struct star_fit *star, size_t index,
                        const struct phase_panel *panel)
{
    star_points_write(script, star, "folded", panel->phase, panel->velocity_m_s);
    fputs("$curve << EOD\n", script);
    for (size_t i = 0; i < CURVE_POINTS; i++)
        fprintf(script, "%.6f %.8g\n", panel->curve_phase[i], panel->curve_m_s[i]);
    fputs("EOD\n", script);
    return write_means(script, star, index, panel);
}

static void write_title(FILE *script, size_t index, const equant_planet *planet)
{
    fprintf(script,
            "set label 1 '{/:Bold %zu}  P %s d, K %s m/s, e %.2f' at graph 0, graph 1 "
            "left offset 0,0.6 font ',8'\n",
            index + 1, quantity_digits(planet->period_days, 4).text,
            quantity_digits(planet->k_m_s, 3).text, planet->eccentricity);
}

static void write_plot(FILE *script, const struct star_fit *star, size_t index,
                       struct picture_frame frame, struct phase_panel_labels labels,
                       const struct phase_panel *panel)
{
    picture_place(script, frame);
    write_title(script, index, &star->planets[index]);
    fprintf(script, "set xlabel '%s'\nset ylabel '%s'\n",
            labels.has_phase ? "phase since conjunction" : "",
            labels.has_velocity ? "velocity (m/s)" : "");
    fputs("set format x '%g'\nset xrange [-0.5:0.5]\nset xtics 0.25\n", script);
    star_points_axis(script, star, panel->velocity_m_s, CURVE_POINTS, panel->curve_m_s, N_TICS);
    fputs("plot ", script);
    star_points_plot_bars(script, star, "folded");
    star_points_plot(script, star, "folded", STAR_POINTS_UNTITLED);
    fputs(", \\\n  $curve using 1:2 with lines linewidth 1 linecolor rgb '" PICTURE_INK "'",
          script);
    if (equant_dataset_n_obs(star->dataset) >= FEWEST_TO_BIN)
        fputs(", \\\n  $means using 1:($2-$3):(0):(2*$3) with vectors nohead linewidth 1 "
              "linecolor rgb '" PICTURE_INK "'"
              ", \\\n  $means using 1:2 with points pointtype 7 pointsize 0.62 "
              "linecolor rgb '" PICTURE_INK "'"
              ", \\\n  $means using 1:2 with points pointtype 7 pointsize 0.4 "
              "linecolor rgb '#ffffff'",
              script);
    fputs("\nunset label 1\nset xtics autofreq\n", script);
}

int phase_panel_write(FILE *script, const struct star_fit *star, size_t index,
                      struct picture_frame frame, struct phase_panel_labels labels)
{
    struct phase_panel *panel = create(equant_dataset_n_obs(star->dataset));
    bool has_memory = panel != NULL && panel->phase != NULL && panel->velocity_m_s != NULL &&
                      panel->uncertainty_m_s != NULL;
    int code = has_memory ? fold(star, index, panel) : messages_out_of_memory();
    if (code == EXIT_CODE_OK)
        code = trace(star, index, panel);
    if (code == EXIT_CODE_OK)
        code = write_blocks(script, star, index, panel);
    if (code == EXIT_CODE_OK)
        write_plot(script, star, index, frame, labels, panel);
    release(panel);
    return code;
}
