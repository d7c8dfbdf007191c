/* What a comparison has found: the public equant_comparison. */
#ifndef EQUANT_INFERENCE_COMPARE_COMPARISON_H
#define EQUANT_INFERENCE_COMPARE_COMPARISON_H

#include "inference/compare/comparison_start.h"
#include "inference/compare/signals.h"

enum { COMPARISON_MOST_POPULATIONS = 64 };

/* From populations that have run, whose tallies it takes. */
equant_status comparison_create(const comparison_start *start, size_t n_populations,
                                population *populations, equant_comparison **made);

#endif
