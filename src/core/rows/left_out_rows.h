/* Observations that the caller leaves out by their times. */
#ifndef EQUANT_CORE_LEFT_OUT_ROWS_H
#define EQUANT_CORE_LEFT_OUT_ROWS_H

#include "core/dataset.h"

/* Takes them out of the builder, and instruments that have none left; a warning for each span and
 * each ephemeris counts them. Fails where a span or an ephemeris cannot be, and where nothing is
 * left. */
equant_status left_out_rows_apply(const equant_dataset_options *options, dataset_builder *builder);

#endif
