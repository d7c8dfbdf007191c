/* A record as JSON. */
#ifndef EQUANT_INFERENCE_RECORD_RECORD_WRITER_H
#define EQUANT_INFERENCE_RECORD_RECORD_WRITER_H

#include <stdio.h>

#include "inference/record/record_field.h"

/* An object with all fields of a row, and a line end. */
void record_writer_write(FILE *stream, const record_group *group, const void *row);

#endif
