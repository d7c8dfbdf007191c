#include "figures/figure_phase.h"

#include "figures/phase_panel.h"

static const double width = 440.0, height = 300.0;
static const double left = 50.0, right = 14.0, top = 8.0, bottom = 42.0;

int figure_phase_write(FILE *page, const struct star_result *star, size_t index,
                       const equant_posterior *posterior, size_t run_planet)
{
    char label[96];
    struct phase_panel panel = {.page = page,
                                .left = left,
                                .top = top,
                                .width = width - left - right,
                                .height = height - top - bottom,
                                .has_phase = true,
                                .has_velocity = true,
                                .label_distance = left - 12.0,
                                .scale = 0.9,
                                .posterior = posterior,
                                .run_planet = run_planet};
    fprintf(page, "<figure id=\"figure-phase-%zu\">\n", index + 1);
    snprintf(label, sizeof label, "Velocities folded at the period of %s",
             planet_name_of(&star->letters, index).text);
    svg_begin(page, "phase", width, height, label);
    int code = phase_panel_draw(&panel, star, index);
    svg_end(page);
    fputs("</figure>\n", page);
    return code;
}
