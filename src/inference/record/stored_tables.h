/* The tables of a folder, read back into a fit. */
#ifndef EQUANT_INFERENCE_RECORD_STORED_TABLES_H
#define EQUANT_INFERENCE_RECORD_STORED_TABLES_H

#include "inference/record/fit_document.h"

/* parameters.ecsv and covariance.ecsv, of the columns of the fit's model. */
equant_status stored_tables_parameters(const char *folder, equant_fit *fit);

/* residuals.ecsv: the observations, what the model predicts and leaves, and what correlated noise
 * explains of that. Instruments, warnings and the reference time are those of the document. */
equant_status stored_tables_residuals(const char *folder, const fit_document *document,
                                      equant_fit *fit, equant_dataset **dataset);

#endif
