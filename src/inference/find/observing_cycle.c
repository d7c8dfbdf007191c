#include "inference/find/observing_cycle.h"

#include <math.h>

#include "inference/scan/aliases.h"

/* Typical errors below which an amplitude may be of the instrument. */
#define SYSTEMATIC_ERRORS 2.0
/* Of the resolution 1 / span, how near is the same. */
#define SAME 0.5

const char *observing_cycle_of(const study *star, const double elements[N_ELEMENTS])
{
    const double *sigma = equant_dataset_uncertainties_m_s(star->dataset);
    double squares = 0.0;
    for (size_t k = 0; k < star->n_obs; k++)
        squares += sigma[k] * sigma[k] / (double)star->n_obs;
    return elements[ELEMENT_K] < SYSTEMATIC_ERRORS * sqrt(squares)
               ? aliases_cycle(1.0 / elements[ELEMENT_PERIOD], SAME / star->span_days)
               : NULL;
}
