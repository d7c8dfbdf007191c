/* Brings the rows of a table to m/s. */
#ifndef EQUANT_DATA_TABLE_UNIT_H
#define EQUANT_DATA_TABLE_UNIT_H

#include "core/dataset.h"
#include "data/layout/table_layout.h"

/* Velocities and uncertainties; `forced` is what the caller says, or FROM_FILE. Guesses become
 * warnings; `name` is the file's. */
equant_status table_unit_settle(const char *name, const table_layout *layout, equant_unit forced,
                                dataset_builder *builder);

/* Line widths and bisector spans; indicator[i] is the place in the builder of the i-th of the
 * catalogue, where the layout has it. */
equant_status table_unit_settle_indicators(const char *name, const table_layout *layout,
                                           const size_t *indicator, dataset_builder *builder);

#endif
