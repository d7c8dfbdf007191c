/* Catalogues of velocities: stars whose planets are looked for, many at a time. */
#ifndef EQUANT_APP_ARCHIVE_CATALOGUE_STARS_H
#define EQUANT_APP_ARCHIVE_CATALOGUE_STARS_H

#include "archive/catalogue_run.h"
#include "equant.h"

/* Returns an exit code, with a sentence on failure. Progress of the options is the catalogue's. */
int catalogue_stars_run(const equant_fit_options *options, const equant_dataset_options *reading,
                        const struct catalogue_work *work, const struct file_list *files);

#endif
