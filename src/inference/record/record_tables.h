/* The tables of a folder of results. */
#ifndef EQUANT_INFERENCE_RECORD_RECORD_TABLES_H
#define EQUANT_INFERENCE_RECORD_RECORD_TABLES_H

#include <stdio.h>

#include "inference/record/fit_document.h"

typedef struct record_tables_source {
    const equant_fit *fit;
    const equant_dataset *dataset;
    const fit_document *document;
} record_tables_source;

/* Contents of files (record_files.h), of a source. */
bool record_tables_planets(FILE *stream, const void *source);
bool record_tables_parameters(FILE *stream, const void *source);
bool record_tables_covariance(FILE *stream, const void *source);
bool record_tables_residuals(FILE *stream, const void *source);

#endif
