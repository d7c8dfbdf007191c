/* The figure of periodograms: of the data, of what the planets leave, and of the times alone. */
#ifndef EQUANT_APP_FIGURES_FIGURE_PERIODOGRAMS_H
#define EQUANT_APP_FIGURES_FIGURE_PERIODOGRAMS_H

#include <stdio.h>

#include "stars/star_result.h"

struct figure_periodograms {
    const struct star_result *star;
    const equant_periodogram *data_periodogram;
    const equant_periodogram
        *residual_periodogram; /* beside the star's planets; NULL: it has none */
    bool is_eccentric;         /* orbits of any e were tried                   */
};

/* Returns an exit code, with a sentence on failure. */
int figure_periodograms_write(FILE *page, const struct figure_periodograms *contents);

#endif
