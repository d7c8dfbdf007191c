/* The noise of a fit from its record. */
#ifndef EQUANT_INFERENCE_RECORD_STORED_NOISE_H
#define EQUANT_INFERENCE_RECORD_STORED_NOISE_H

#include "inference/record/fit_document.h"

/* NULL: white. `path` is the file that says so. */
equant_status stored_noise_take(const char *path, const document_noise *document,
                                const equant_dataset *dataset, fit_noise *made);

#endif
