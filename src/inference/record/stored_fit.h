/* A fit from its record: what fit_document.h makes of a fit, the other way round. */
#ifndef EQUANT_INFERENCE_RECORD_STORED_FIT_H
#define EQUANT_INFERENCE_RECORD_STORED_FIT_H

#include "inference/record/fit_document.h"

/* What fit.json alone says; the model is made, and has no parameters yet. `path` is that file, for
 * sentences. Free the fit in any case. */
equant_status stored_fit_begin(const char *path, const fit_document *document, equant_fit *fit);

/* The rest, where the tables have been read into the fit. */
equant_status stored_fit_finish(const char *path, const fit_document *document,
                                const equant_dataset *dataset, equant_fit *fit);

/* Whether parameters, observations and fit.json are of one fit: whoever copies files, or is
 * stopped in between, may leave those of two in a folder. */
equant_status stored_fit_check(const char *folder, const equant_dataset *dataset,
                               const equant_fit *fit);

#endif
