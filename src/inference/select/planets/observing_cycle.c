#include "inference/select/planets/observing_cycle.h"

#include <math.h>

#include "inference/search/aliases.h"

/* Times the noise below which an amplitude may be of the instrument. */
#define SYSTEMATIC 2.0
/* Of the resolution 1 / span, how near is the same. */
#define SAME 0.5

/* Root mean square of the noise of an observation. */
static double typical_noise(const study *star, const solution *fitted)
{
    const double *sigma = equant_dataset_uncertainties_m_s(star->dataset);
    const int *made_by = equant_dataset_instruments(star->dataset);
    double squares = 0.0;
    for (size_t k = 0; k < star->n_obs; k++) {
        double more = solution_restlessness(star, fitted, (size_t)made_by[k]);
        squares += (sigma[k] * sigma[k] + more * more) / (double)star->n_obs;
    }
    return sqrt(squares);
}

const char *observing_cycle_of(const study *star, const solution *fitted, size_t planet)
{
    const double *elements = fitted->set + N_ELEMENTS * planet;
    return elements[ELEMENT_K] < SYSTEMATIC * typical_noise(star, fitted)
               ? aliases_cycle(1.0 / elements[ELEMENT_PERIOD], SAME / star->span_days)
               : NULL;
}
