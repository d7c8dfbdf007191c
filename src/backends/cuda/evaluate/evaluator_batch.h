/* Many data sets under one model on a GPU: the slot `lists` of cuda_backend. */
#ifndef EQUANT_BACKENDS_CUDA_EVALUATE_EVALUATOR_BATCH_H
#define EQUANT_BACKENDS_CUDA_EVALUATE_EVALUATOR_BATCH_H

#include "backends/backend.h"

extern const backend_lists lists_on_device;

#endif
