/* A posterior as a sampler sees it. */
#ifndef EQUANT_INFERENCE_POSTERIOR_TARGET_H
#define EQUANT_INFERENCE_POSTERIOR_TARGET_H

#include "inference/density/density.h"
#include "inference/sampler/sampler_target.h"

/* The posterior must outlive whatever is done with it. */
sampler_target posterior_target(posterior *p);

#endif
