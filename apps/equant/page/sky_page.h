/* The page of a fit of astrometry: from scans to the orbit and the mass of a companion, in one file
 * that needs nothing else. */
#ifndef EQUANT_APP_PAGE_SKY_PAGE_H
#define EQUANT_APP_PAGE_SKY_PAGE_H

#include <stdio.h>

#include "sky/sky_star.h"

struct sky_page {
    const struct sky_star *star;
    const char *star_name;              /* "": unknown */
    double star_mass;                   /* 0: unknown */
    const char *command, *version;      /* of the fit; NULL: unknown */
    const equant_sky_posterior *run;    /* NULL: none */
    const char *typed;                  /* the command line of the report */
    const struct text_list *references; /* papers of the data */
};

/* Returns an exit code, with a sentence on failure. */
int sky_page_write(FILE *page, const struct sky_page *contents);

#endif
