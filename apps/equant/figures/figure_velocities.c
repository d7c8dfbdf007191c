#include "figures/figure_velocities.h"

#include "figures/star_marks.h"
#include "figures/star_notes.h"
#include "drawing/svg.h"
#include "figures/velocity_panels.h"
#include "files/html.h"
#include "stars/star_curve.h"
#include "terminal/messages.h"

/* On a desk and on a phone. */
static const struct {
    const char *class;
    struct velocity_panels_layout panels;
} layouts[] = {
    {"wide", {920.0, 58.0, 18.0, 300.0, 110.0, 100.0, 1.0, 9, 10, 7}},
    {"narrow", {380.0, 54.0, 18.0, 230.0, 90.0, 30.0, 0.85, 4, 4, 6}},
};

enum { N_LAYOUTS = sizeof layouts / sizeof layouts[0] };

static double shortest(const struct star_result *star, size_t layout)
{
    return velocity_panels_shortest(star, &layouts[layout].panels);
}

static void write_captions(FILE *page, const struct star_result *star)
{
    fputs("<figcaption>", page);
    for (size_t i = 0; i < N_LAYOUTS; i++) {
        fprintf(page, "<span class=\"%s\">", layouts[i].class);
        html_text(page, star_notes_of(star, shortest(star, i)).text);
        fputs("</span>", page);
    }
    fputs("</figcaption>\n", page);
}

int figure_velocities_write(FILE *page, const struct star_result *star)
{
    char titles[N_LAYOUTS][64];
    int code = EXIT_CODE_OK;
    for (size_t i = 0; i < N_LAYOUTS; i++)
        star_curve_title(star, shortest(star, i), titles[i], sizeof titles[i]);
    star_marks_list(page, star, titles[0], titles[1]);
    fputs("<figure id=\"figure-velocities\">\n", page);
    for (size_t i = 0; i < N_LAYOUTS && code == EXIT_CODE_OK; i++) {
        const struct velocity_panels_layout *panels = &layouts[i].panels;
        svg_begin(page, layouts[i].class, panels->width, velocity_panels_height(star, panels),
                  "Velocities over time with the model, and residuals below");
        code = velocity_panels_draw(page, star, panels, 0.0);
        svg_end(page);
    }
    write_captions(page, star);
    fputs("</figure>\n", page);
    return code;
}
