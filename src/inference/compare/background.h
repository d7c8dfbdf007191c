/* Everything of a model but one planet, integrated: with M the columns of the rest, each times the
 * standard deviation of its factor, and L L' = 1 + M' C^-1 M,
 *
 *   Q = C^-1 M L'^-1,   r = C^-1 y - Q Q' y,
 *   ln L = -1/2 (y' C^-1 y - |Q' y|^2 + ln |C| + 2 ln |L| + N ln 2 pi),
 *
 * and the columns X of a planet more have F = X' C^-1 X - (Q' X)' (Q' X) and b = X' r. */
#ifndef EQUANT_INFERENCE_COMPARE_BACKGROUND_H
#define EQUANT_INFERENCE_COMPARE_BACKGROUND_H

#include "inference/compare/count_noise.h"
#include "inference/select/orbits/orbit_products.h"

typedef struct background {
    const count_star *star;
    size_t n, room;   /* columns, and at most */
    double *columns;  /* [room][n_obs]: M, the caller's to fill behind the base */
    double *solved;   /* [room][n_obs]: Q */
    double *residual; /* [n_obs]: r */
    double *matrix;   /* [room][room] */
    double log_likelihood;
} background;

/* With room for so many planets beside the base, which stands at the beginning of the columns. */
equant_status background_create(const count_star *star, size_t most_planets, background *made);
void background_free(background *rest);

/* Takes away all planets, and adds one: its two columns, [2][n_obs], times a scale. */
void background_clear(background *rest);
void background_add(background *rest, const double *columns, double scale);

/* Makes the rest of the columns and the noise. False where rounding leaves no such model. */
bool background_solve(background *rest, count_noise *noise);

/* Products of an orbit's columns, [2][n_obs], beside it. */
orbit_products background_products(const background *rest, count_noise *noise,
                                   const double *columns);

#endif
