/* The two columns of orbits behind a background: cos and sin of the true anomaly at every
 * observation, whitened, of which K and omega make velocities. */
#ifndef EQUANT_INFERENCE_SELECT_ORBITS_ORBIT_COLUMNS_H
#define EQUANT_INFERENCE_SELECT_ORBITS_ORBIT_COLUMNS_H

#include "inference/select/orbits/orbit_products.h"
#include "inference/search/base_columns.h"

/* Those of some orbits of one frequency and eccentricity that differ in M0, with room for making
 * them. */
typedef struct orbit_columns {
    size_t n_obs, n_nodes;
    double *mean, *eccentricity, *sine, *cosine, *x, *y; /* [n_nodes][n_obs] */
    double *whitened, *state;                            /* of columns that are whitened together */
} orbit_columns;

equant_status orbit_columns_create(size_t n_obs, size_t n_nodes, orbit_columns *columns);
void orbit_columns_free(orbit_columns *columns);

/* cos and sin of the true anomaly, whitened, into x and y, for each of the m0, one for each
 * node. */
equant_status orbit_columns_set(const study *star, const base_columns *base, double frequency,
                                double e, const double *m0, const orbit_columns *columns);

/* Products of the columns x and y of an orbit beside the basis. */
orbit_products orbit_columns_products(const base_columns *base, const double *x, const double *y);

double orbit_columns_dot(size_t n, const double *a, const double *b);

/* What solves Kepler's equation for columns: they are a piece's own, so on one thread. */
equant_engine_options orbit_columns_engine(const study *star);

#endif
