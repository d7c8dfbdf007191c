/* Planets of a solution, looked for again now that others are beside them: what was taken for one
 * may have been an alias, or a mixture of two. */
#ifndef EQUANT_INFERENCE_SELECT_PLANETS_SECOND_LOOK_H
#define EQUANT_INFERENCE_SELECT_PLANETS_SECOND_LOOK_H

#include "inference/search/scan_grid.h"
#include "inference/optimise/solution.h"

/* At n_checks planets behind those known, with scans of this grid, several at a time where there
 * are threads for it: what was found behind the first that changes is not used. Better ones are
 * in `fitted` then. */
equant_status second_look_take(study *star, const scan_grid *grid, size_t n_known, size_t n_fixed,
                               size_t n_checks, solution *fitted);

#endif
