/* The table of priors: what a run believed before the data. */
#ifndef EQUANT_APP_TABLES_PAPER_PRIORS_H
#define EQUANT_APP_TABLES_PAPER_PRIORS_H

#include "tables/paper_grid.h"
#include "tables/paper_source.h"

/* A row for each parameter, in the unit in which the table of parameters has it, and a note that
 * says what each kind of prior is. Returns an exit code, with a sentence on failure. */
int paper_priors_fill(const struct paper_source *source, struct paper_grid *grid);

#endif
