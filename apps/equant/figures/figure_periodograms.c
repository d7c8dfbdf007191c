#include "figures/figure_periodograms.h"

#include <stdlib.h>

#include "figures/periodogram_panel.h"
#include "terminal/messages.h"
#include "terminal/spoken_number.h"

struct layout {
    const char *class;
    double width, left, height, window;
    size_t most_peaks;
};

static const struct layout layouts[] = {
    {"wide", 920.0, 58.0, 170.0, 60.0, 4},
    {"narrow", 380.0, 54.0, 140.0, 50.0, 2},
};

static const double top = 22.0, between = 10.0, bottom = 44.0;

static void draw(FILE *page, const struct layout *layout,
                 const struct figure_periodograms *contents, const double *period_days)
{
    size_t n_planets = contents->star->n_planets;
    const equant_periodogram *of_data = contents->data_periodogram,
                             *of_residuals = contents->residual_periodogram;
    char title[64];
    struct periodogram_panel panel = {.page = page,
                                      .left = layout->left,
                                      .top = top,
                                      .width =
                                          layout->width - layout->left - PERIODOGRAM_PANEL_RIGHT,
                                      .height = layout->height,
                                      .title = "the data",
                                      .most_peaks = layout->most_peaks};
    double n_panels = of_residuals != NULL ? 2.0 : 1.0;
    svg_begin(page, layout->class, layout->width,
              top + n_panels * (layout->height + between) + layout->window + bottom,
              "Periodograms of the data, of what the planets leave, and of the times alone");
    periodogram_panel_marks(&panel, of_data, n_planets, period_days, &contents->star->letters);
    periodogram_panel_draw(&panel, of_data);
    panel.top += layout->height + between;
    if (of_residuals != NULL) {
        snprintf(title, sizeof title, "beside %s planet%s", spoken_number_words(n_planets).text,
                 n_planets == 1 ? "" : "s");
        panel.title = title;
        periodogram_panel_marks(&panel, of_residuals, n_planets, period_days, NULL);
        periodogram_panel_draw(&panel, of_residuals);
        panel.top += layout->height + between;
    }
    panel.height = layout->window;
    panel.title = "window: the times of observation";
    periodogram_panel_window(&panel, of_data);
    svg_end(page);
}

int figure_periodograms_write(FILE *page, const struct figure_periodograms *contents)
{
    const struct star_result *star = contents->star;
    double *period_days = calloc(star->n_planets + 1, sizeof *period_days);
    if (period_days == NULL)
        return messages_out_of_memory();
    for (size_t i = 0; i < star->n_planets; i++)
        period_days[i] = star->planets[i].values[EQUANT_ELEMENT_PERIOD];
    fputs("<figure id=\"figure-periodograms\">\n", page);
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
        draw(page, &layouts[i], contents, period_days);
    free(period_days);
    fprintf(page,
            "<figcaption>Power is the share of chi-square that the best %s of a period explains, "
            "offsets and trend refitted for each. Dashed lines have false-alarm probabilities "
            "(FAP) of 10&nbsp;%%, 1&nbsp;%% and 0.1&nbsp;%%. Letters mark the "
            "planets.</figcaption>\n</figure>\n",
            contents->is_eccentric ? "Keplerian orbit" : "circular orbit");
    return EXIT_CODE_OK;
}
