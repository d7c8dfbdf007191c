/* equant/quantities.h: the catalogue of quantities. Everything that a parameter set holds or that
 * follows from one, under the names, units and words that results have everywhere. */
#ifndef EQUANT_QUANTITIES_H
#define EQUANT_QUANTITIES_H

#include <stddef.h>

#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum equant_quantity_axis {
    EQUANT_QUANTITY_ALONE = 0,
    EQUANT_QUANTITY_PER_PLANET = 1,
    EQUANT_QUANTITY_PER_INSTRUMENT = 2
} equant_quantity_axis;

typedef enum equant_quantity_role {
    EQUANT_QUANTITY_ELEMENT = 0, /* of an orbit                                   */
    EQUANT_QUANTITY_LINEAR = 1,  /* offsets and trend                             */
    EQUANT_QUANTITY_NOISE = 2,
    EQUANT_QUANTITY_DERIVED = 3 /* follows from others: no column of a parameter set */
} equant_quantity_role;

/* Strings are static; "" where there is nothing to say. */
typedef struct equant_quantity_info {
    size_t struct_size;
    const char *name;    /* "omega_rad", a variable of files of runs; elsewhere _1, _2 follow
                            where there is one per planet or instrument            */
    const char *unit;    /* "rad"                                                 */
    const char *meaning; /* "argument of pericentre of the star"                  */
    equant_quantity_axis axis;
    equant_quantity_role role;
    const char *derived_from;  /* "period_days m0_rad": names, and star_mass, star_luminosity */
    int needs_star_mass;       /* 1: unknown where the mass of the star is             */
    int is_angle;              /* 1: in [0, 2 pi)                                      */
    int is_posterior_only;     /* 1: fits do not list it                               */
    const char *shown_name;    /* "omega_deg": in JSON and tables of planets, which have
                                  angles in degrees, as texts and pages do             */
    const char *shown_unit;    /* "deg"                                                */
    double shown_factor;       /* what is shown is shown_factor times what is kept     */
    const char *table_unit;    /* "m / s": `unit` as astropy and VizieR write it       */
    const char *label;         /* "omega deg": before its value in a text              */
    const char *symbol;        /* its sign in a picture, in UTF-8                     */
    const char *html;          /* its symbol on a page; %s where a number goes         */
    const char *html_unit;     /* of what is shown                                     */
    int needs_star_luminosity; /* 1: unknown where that of the star is                */
} equant_quantity_info;

/* The first EQUANT_N_ELEMENTS are the elements of an orbit, in the order of its columns. */
EQUANT_API size_t equant_n_quantities(void);
EQUANT_API equant_status equant_quantity_at(size_t index, equant_quantity_info *info);
/* The index of a name with or without its number, "k_m_s_2" or "k_m_s";
 * EQUANT_ERROR_INVALID_ARGUMENT where there is none. */
EQUANT_API equant_status equant_quantity_find(const char *name, size_t *index);

/* m sin i, in Jupiter masses, of a planet with this orbit around a star of so many solar masses;
 * NaN where a number is not above zero. */
EQUANT_API double equant_minimum_mass_jupiter(double period_days, double k_m_s, double eccentricity,
                                              double star_mass);

#ifdef __cplusplus
}
#endif
#endif
