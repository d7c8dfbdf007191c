/* What correlated noise has made of the velocities. */
#ifndef EQUANT_INFERENCE_LIKELIHOOD_SET_PROCESS_H
#define EQUANT_INFERENCE_LIKELIHOOD_SET_PROCESS_H

#include "inference/likelihood/study.h"

/* What correlated noise contributes to residuals of a set, as expected from all rows, [n_obs]. */
equant_status set_process_expect(study *star, const study_shape *shape, const double *set,
                                 const double *residuals, double *process);

#endif
