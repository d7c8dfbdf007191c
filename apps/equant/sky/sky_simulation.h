/* Sources that Gaia might have seen: what a star with these companions shows along given scans. */
#ifndef EQUANT_APP_SKY_SKY_SIMULATION_H
#define EQUANT_APP_SKY_SKY_SIMULATION_H

#include <stdio.h>

#include "options/option_table.h"

struct sky_simulation {
    const char *scans; /* the file of scans; NULL: none is wanted */
    int64_t source_id; /* of a file with several; 0: the only one */
    double magnitude;  /* G; NaN: not given */
    double error_mas;  /* of a row; 0: by magnitude, or that of the file */
    double excess_mas; /* of whole transits, beyond what is stated */
    double parallax_mas, pm_ra_mas_yr, pm_dec_mas_yr;
    struct text_list companions; /* "P=600,e=0.3,a0=2,i=60,omega=30,node=100,M0=50" */
    const char *bias;            /* "cos3=0.1,sin5=0.2"; NULL: none */
    uint64_t n_sources;
};

extern const struct option_row sky_simulation_rows[];

struct sky_simulation sky_simulation_default(void);

/* Writes a table that fit and catalogue read. The same seed gives the same bytes. Returns an exit
 * code, with a sentence on failure. */
int sky_simulation_write(const char *command, const struct sky_simulation *wanted, uint64_t seed,
                         FILE *out);

#endif
