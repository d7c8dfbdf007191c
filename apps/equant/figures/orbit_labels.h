/* How the quantities of an orbit are called on a page and in its figures. */
#ifndef EQUANT_APP_FIGURES_ORBIT_LABELS_H
#define EQUANT_APP_FIGURES_ORBIT_LABELS_H

#include <stdio.h>

struct orbit_label {
    const char *kind;   /* "k_m_s": how its names begin              */
    const char *symbol; /* "K" in a figure                           */
    const char *html;   /* the same on a page, "%s" where the number of the planet goes    */
    const char *unit;   /* "m/s"; "" for none                        */
    const char *words;  /* "semi-amplitude"                          */
};

/* The label of a name such as "k_m_s_1"; NULL where there is none. */
const struct orbit_label *orbit_label_of(const char *name);

/* The header of its row in a table, with its unit; planet 0: without a number. `more` follows the
 * symbol: " of HARPS". */
void orbit_label_header(FILE *page, const struct orbit_label *label, size_t planet,
                        const char *more);

/* "K₁ (m/s)" for the axis of a figure; planet 0: without a number. */
void orbit_label_write(const struct orbit_label *label, size_t planet, char *text, size_t n);

#endif
