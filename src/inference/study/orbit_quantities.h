/* What follows from the elements of one orbit: of a fit, or of every draw of a posterior. */
#ifndef EQUANT_INFERENCE_STUDY_ORBIT_QUANTITIES_H
#define EQUANT_INFERENCE_STUDY_ORBIT_QUANTITIES_H
#include "model/orbit_elements.h"

typedef struct orbit_quantities {
    double lambda_rad;            /* mean longitude M0 + omega, in [0, 2 pi)           */
    double to_pericentre_days;    /* from the reference time to the next to it of the
                                     passages of pericentre, and of the inferior       */
    double to_conjunction_days;   /* conjunctions; within half a period                */
    double m_sin_i_jupiter, a_au; /* NaN where the mass of the star is unknown         */
} orbit_quantities;

/* Of P, K, e, omega, M0; the star's mass in solar masses, 0 where it is unknown. */
orbit_quantities orbit_quantities_of(const double elements[N_ELEMENTS], double star_mass);

#endif
