#include "pictures/phase_panel.h"

#include "stars/folded_planet.h"
#include "terminal/messages.h"
#include "terminal/spoken_number.h"
#include "pictures/star_points.h"

enum { N_TICS = 5 };

static void write_blocks(FILE *script, const struct star_result *star,
                         const struct folded_planet *folded)
{
    star_points_write(script, star, "folded", folded->phase, folded->velocity_m_s);
    fputs("$curve << EOD\n", script);
    for (size_t i = 0; i < FOLDED_CURVE_POINTS; i++)
        fprintf(script, "%.6f %.8g\n", folded->curve_phase[i], folded->curve_m_s[i]);
    fputs("EOD\n$means << EOD\n", script);
    for (size_t i = 0; i < PHASE_BINS; i++)
        if (folded->means[i].n > 0)
            fprintf(script, "%.6f %.8g %.6g\n", folded->means[i].phase, folded->mean_m_s[i],
                    folded->means[i].uncertainty_m_s);
    fputs("EOD\n", script);
}

static void write_title(FILE *script, size_t index, const struct star_planet *planet)
{
    fprintf(script,
            "set label 1 '{/:Bold %zu}  P %s d, K %s m/s, e %.2f' at graph 0, graph 1 "
            "left offset 0,0.6 font ',8'\n",
            index + 1, spoken_number_digits(planet->values[EQUANT_ELEMENT_PERIOD], 4).text,
            spoken_number_digits(planet->values[EQUANT_ELEMENT_K], 3).text,
            planet->values[EQUANT_ELEMENT_ECCENTRICITY]);
}

static void write_plot(FILE *script, const struct star_result *star, size_t index,
                       struct picture_frame frame, struct phase_panel_labels labels,
                       const struct folded_planet *folded)
{
    picture_place(script, frame);
    write_title(script, index, &star->planets[index]);
    fprintf(script, "set xlabel '%s'\nset ylabel '%s'\n",
            labels.has_phase ? "phase since conjunction" : "",
            labels.has_velocity ? "velocity (m/s)" : "");
    fputs("set format x '%g'\nset xrange [-0.5:0.5]\nset xtics 0.25\n", script);
    star_points_axis(script, star, folded->velocity_m_s, FOLDED_CURVE_POINTS, folded->curve_m_s,
                     N_TICS);
    fputs("plot ", script);
    star_points_plot_bars(script, star, "folded");
    star_points_plot(script, star, "folded", STAR_POINTS_UNTITLED);
    fputs(", \\\n  $curve using 1:2 with lines linewidth 1 linecolor rgb '" PICTURE_INK "'",
          script);
    if (folded->has_means)
        fputs(", \\\n  $means using 1:($2-$3):(0):(2*$3) with vectors nohead linewidth 1 "
              "linecolor rgb '" PICTURE_INK "'"
              ", \\\n  $means using 1:2 with points pointtype 7 pointsize 0.62 "
              "linecolor rgb '" PICTURE_INK "'"
              ", \\\n  $means using 1:2 with points pointtype 7 pointsize 0.4 "
              "linecolor rgb '#ffffff'",
              script);
    fputs("\nunset label 1\nset xtics autofreq\n", script);
}

int phase_panel_write(FILE *script, const struct star_result *star, size_t index,
                      struct picture_frame frame, struct phase_panel_labels labels)
{
    struct folded_planet *folded;
    int code = folded_planet_create(star, index, &folded);
    if (code == EXIT_CODE_OK) {
        write_blocks(script, star, folded);
        write_plot(script, star, index, frame, labels, folded);
    }
    folded_planet_free(folded);
    return code;
}
