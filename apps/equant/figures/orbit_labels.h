/* How the quantities of an orbit are called on a page and in its figures. */
#ifndef EQUANT_APP_FIGURES_ORBIT_LABELS_H
#define EQUANT_APP_FIGURES_ORBIT_LABELS_H

#include <stdio.h>

#include "equant.h"

/* Its symbol on a page, with what its planet is called as an index, "b"; "": without one. */
void orbit_label_symbol(FILE *page, const equant_quantity_info *kind, const char *planet);

/* The header of its row in a table, with its unit. `more` follows the
 * symbol: " of HARPS". */
void orbit_label_header(FILE *page, const equant_quantity_info *kind, const char *planet,
                        const char *more);

/* The header of its column. */
void orbit_label_column(FILE *page, const equant_quantity_info *kind);

/* "K" in a figure, with the planet as an index. */
void orbit_label_sign(const equant_quantity_info *kind, const char *planet, char *text, size_t n);

#endif
