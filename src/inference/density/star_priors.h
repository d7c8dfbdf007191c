/* What callers of the library hold as equant_priors: priors, and the words for them. */
#ifndef EQUANT_INFERENCE_DENSITY_STAR_PRIORS_H
#define EQUANT_INFERENCE_DENSITY_STAR_PRIORS_H

#include "inference/states/prior_text.h"
#include "inference/density/priors.h"

struct equant_priors {
    priors *set;
    char (*texts)[PRIOR_TEXT_SIZE]; /* [columns] */
};

/* Whether priors have this noise, in words; NULL is any. */
equant_status star_priors_check_noise(const equant_priors *held, const equant_dataset *dataset,
                                      const char *noise);

#endif
