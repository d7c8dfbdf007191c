/* Panels of a figure of periodograms: power with its false-alarm levels and the periods of its
 * peaks, and the window function of the times. */
#ifndef EQUANT_APP_FIGURES_PERIODOGRAM_PANEL_H
#define EQUANT_APP_FIGURES_PERIODOGRAM_PANEL_H

#include "equant.h"
#include "drawing/plot.h"
#include "stars/planet_name.h"

/* What is left free at the right of the frames, for the false-alarm levels. */
#define PERIODOGRAM_PANEL_RIGHT 46.0

struct periodogram_panel {
    FILE *page;
    double left, top, width, height; /* of the frame                               */
    const char *title;
    bool has_circular; /* also the power of circular orbits, as a line             */
    size_t most_peaks; /* how many of them get their period written above them     */
};

/* The axis of periods is that of the periodogram, logarithmic. */
void periodogram_panel_draw(const struct periodogram_panel *panel,
                            const equant_periodogram *periodogram);

/* The window function, and the axis below it. */
void periodogram_panel_window(const struct periodogram_panel *panel,
                              const equant_periodogram *periodogram);

/* Dashed lines at n periods, ascending, through the panel; with what the planets are called above
 * it, unless `letters` is NULL. */
void periodogram_panel_marks(const struct periodogram_panel *panel,
                             const equant_periodogram *periodogram, size_t n,
                             const double *period_days, const struct planet_letters *letters);

#endif
