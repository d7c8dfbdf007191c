/* Numbers that archives write where an indicator was not measured. */
#ifndef EQUANT_DATA_MISSING_VALUE_H
#define EQUANT_DATA_MISSING_VALUE_H

#include "core/dataset.h"

/* Makes such numbers NaN in the i-th indicator of the builder, with a warning that counts them:
 *
 *   999, 9999, 99999 and 999999, of either sign, that lie outside the range of all other values;
 *   0 and -1 where an indicator has one sign (indicator_catalogue.h) that the number has not,
 *   as in tables of DACE and of HIRES.
 *
 * `name` is the file's. */
equant_status missing_value_remove(const char *name, size_t i, dataset_builder *builder);

#endif
