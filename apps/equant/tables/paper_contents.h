/* The tables of a paper: what is in each, filled in from a fit or a run. */
#ifndef EQUANT_APP_TABLES_PAPER_CONTENTS_H
#define EQUANT_APP_TABLES_PAPER_CONTENTS_H

#include "tables/paper_entries.h"
#include "tables/paper_grid.h"

/* Parameters of the model, or what follows from them and from the star. */
int paper_contents_parameters(const struct paper_source *source, enum paper_mass_unit unit,
                              bool are_derived, struct paper_grid *grid);

/* Times, velocities without the offsets of their instruments, errors with and without jitter. */
int paper_contents_velocities(const struct paper_source *source, struct paper_grid *grid);

/* The models that a fit compared. */
int paper_contents_models(const struct paper_source *source, struct paper_grid *grid);

#endif
