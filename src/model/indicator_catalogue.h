/* The activity indicators that tables of velocities carry: one row each, with the names that the
 * field gives their columns. */
#ifndef EQUANT_MODEL_INDICATOR_CATALOGUE_H
#define EQUANT_MODEL_INDICATOR_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>

/* An upper bound of indicator_catalogue_n(), for arrays. */
enum { INDICATOR_CATALOGUE_MOST = 24 };

typedef struct indicator_info {
    const char *name;          /* as files, C and Python say it: "log_rhk" */
    const char *label;         /* for people: "log R'HK"                   */
    const char *unit;          /* "" where it has none, or none that all pipelines share */
    bool is_velocity;          /* written in m/s or in km/s; kept in m/s   */
    double km_s_from, km_s_to; /* where no unit is written: sizes that say km/s */
    const char *aliases; /* other headings, small letters and digits with '_' between, set apart by
                            blanks */
    bool has_one_sign;   /* a ratio of fluxes, its logarithm, a width, a depth: where the others
                            are positive, none is 0 or negative                            */
} indicator_info;

size_t indicator_catalogue_n(void);

const indicator_info *indicator_catalogue_at(size_t index);

/* The indicator called `name`; NULL where there is none. */
const indicator_info *indicator_catalogue_find(const char *name);

/* What a heading means, given in small letters and digits with '_' between: its index, or -1.
 * *is_uncertainty tells "e_fwhm" and "fwhm_err" from "fwhm". */
int indicator_catalogue_of_heading(const char *heading, bool *is_uncertainty);

#endif
