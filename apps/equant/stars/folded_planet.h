/* One planet's share of the velocities, all else taken away, folded at its period: points, curve
 * and means. Phases are turns since conjunction, from -1/2 to 1/2. */
#ifndef EQUANT_APP_STARS_FOLDED_PLANET_H
#define EQUANT_APP_STARS_FOLDED_PLANET_H

#include "stars/orbit_curve.h"
#include "stars/phase_bins.h"
#include "stars/star_result.h"

enum {
    FOLDED_EVEN_POINTS = 1001,
    FOLDED_CURVE_POINTS = FOLDED_EVEN_POINTS + ORBIT_CURVE_TURN_MOST
};

struct folded_planet {
    double *phase, *velocity_m_s, *uncertainty_m_s; /* [n_obs]; jitter is in the last    */
    size_t n_curve;
    double curve_phase[FOLDED_CURVE_POINTS], curve_m_s[FOLDED_CURVE_POINTS];
    struct phase_bin means[PHASE_BINS]; /* of the residuals; velocities are those of the
                                           curve and the residual together               */
    double mean_m_s[PHASE_BINS];
    bool has_means; /* enough points to be worth them                                    */
};

/* Returns an exit code, with a sentence on failure; free it in any case. */
int folded_planet_create(const struct star_result *star, size_t index, struct folded_planet **made);
void folded_planet_free(struct folded_planet *folded);

/* Phases at which its curve has to be known to look smooth, ascending: n_even at even steps, and
 * those of the orbit (orbit_curve_turn); `phase` has room for both. */
void folded_planet_phases(const struct star_planet *planet, size_t n_even, double *phase,
                          size_t *n);

/* Whether a star has points enough for means of them. */
bool folded_planet_has_means(const struct star_result *star);

#endif
