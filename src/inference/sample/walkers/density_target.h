/* A posterior as a sampler sees it. */
#ifndef EQUANT_INFERENCE_SAMPLE_WALKERS_DENSITY_TARGET_H
#define EQUANT_INFERENCE_SAMPLE_WALKERS_DENSITY_TARGET_H

#include "inference/sample/target/posterior_density.h"
#include "inference/sample/walkers/sampler_target.h"

/* The posterior must outlive whatever is done with it. */
sampler_target density_target(posterior_density *p);

#endif
