/* What draws of orbits on the sky put where: columns of a posterior as places and velocities. */
#ifndef EQUANT_ASTROMETRY_POSTERIOR_SKY_VIEW_H
#define EQUANT_ASTROMETRY_POSTERIOR_SKY_VIEW_H

#include "astrometry/posterior/sky_posterior.h"

/* Columns of a companion; NULL where draws have none. */
typedef struct sky_view_orbit {
    const double *period, *eccentricity, *m0, *a, *b, *f, *g;
    const double *k, *omega;            /* of the velocity                                       */
    const double *axis_ratio;           /* of the orbit of both to that of the light             */
    const double *whole_axis, *of_star; /* in astronomical units: that ratio, where nothing else */
} sky_view_orbit;

typedef struct sky_view {
    const equant_sky_posterior *posterior;
    size_t n_orbits;
    sky_view_orbit orbits[SKY_SOLUTION_MAX_ORBITS];
    bool has_star;   /* rows of the star itself */
    sky_model model; /* of the motion of the source */
    const double *columns[SKY_MODEL_MAX_COLUMNS];
    double reference_jd;
} sky_view;

/* A view of the posterior's memory. */
sky_view sky_view_of(const equant_sky_posterior *posterior);

typedef struct sky_view_place {
    double ra, dec;
} sky_view_place;

/* Where one draw has the light at some days behind the reference time, moved by all companions, or
 * by one alone. */
sky_view_place sky_view_light(const sky_view *view, size_t draw, double days);
sky_view_place sky_view_light_of(const sky_view *view, size_t orbit, size_t draw, double days);

/* What the columns of the motion are at a scan, [n columns]: the same for all draws. */
void sky_view_scan(const sky_view *view, double days, double angle_rad, double parallax_factor,
                   double factors[SKY_MODEL_MAX_COLUMNS]);
/* The abscissa of one draw there. */
double sky_view_abscissa(const sky_view *view, size_t draw, double days, double angle_rad,
                         const double *factors);

/* Whether draws know where a companion is beside its star; the ratio of a draw, by which the light
 * of its own orbit is seen from the other side. */
bool sky_view_knows_companion(const sky_view *view, size_t orbit);
double sky_view_ratio(const sky_view *view, size_t orbit, size_t draw);

/* The velocity of the star by its orbits, without an offset. */
double sky_view_velocity(const sky_view *view, size_t draw, double days);

#endif
