/* Whether planets that were found attract each other so much that a sum of Keplerians is not what
 * they do to their star. */
#ifndef EQUANT_INFERENCE_INTERACTION_INTERACTION_DOUBT_H
#define EQUANT_INFERENCE_INTERACTION_INTERACTION_DOUBT_H

#include "inference/optimise/solution.h"

/* What matters: a difference that one more parameter of a model may be worth, and a period ratio so
 * near to a resonance, relatively. */
#define INTERACTION_CHI_SQUARE 10.0
#define INTERACTION_RESONANCE 0.02

/* Two planets and how near they are to each other. */
typedef struct interaction_pair {
    size_t inner, outer;
    double hill_radii;    /* the difference of their axes in mutual Hill radii          */
    int resonance[2];     /* p : q, order two at most, next to the ratio of their periods */
    double off_resonance; /* by how much that ratio differs from it, relatively          */
    double mass_share;    /* of both, of the star                                        */
} interaction_pair;

typedef struct interaction_doubt {
    bool matters;
    bool is_unstable;      /* integrated, a planet is lost or collides within the data  */
    double chi_square;     /* between integration and Keplerians over the data, less what
                              other Keplerians would take up; NaN where it is unstable   */
    interaction_pair pair; /* the nearest in Hill radii                                  */
} interaction_doubt;

/* Of a solution with white noise or any other whose planets are in the order of their periods; its
 * planets have the masses of edge-on orbits around a star of star_mass (solar masses). Less than
 * two planets do not matter to each other. */
equant_status interaction_doubt_find(study *star, const solution *best, double star_mass,
                                     interaction_doubt *found);

#endif
