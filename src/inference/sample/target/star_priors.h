/* What callers of the library hold as equant_priors: priors, and the words for them. */
#ifndef EQUANT_INFERENCE_SAMPLE_TARGET_STAR_PRIORS_H
#define EQUANT_INFERENCE_SAMPLE_TARGET_STAR_PRIORS_H

#include "inference/priors/prior_text.h"
#include "inference/sample/target/model_priors.h"

struct equant_priors {
    priors *set;
    char (*texts)[PRIOR_TEXT_SIZE]; /* [columns] */
};

/* Whether priors have this noise, in words; NULL is any. */
equant_status star_priors_check_noise(const equant_priors *held, const equant_dataset *dataset,
                                      const char *noise);

#endif
