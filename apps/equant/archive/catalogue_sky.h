/* Catalogues of astrometry: sources whose orbits on the sky are looked for. */
#ifndef EQUANT_APP_ARCHIVE_CATALOGUE_SKY_H
#define EQUANT_APP_ARCHIVE_CATALOGUE_SKY_H

#include "archive/catalogue_joint.h"
#include "archive/catalogue_run.h"
#include "equant.h"

/* Returns an exit code, with a sentence on failure. */
int catalogue_sky_run(const equant_sky_catalogue_options *options,
                      const struct catalogue_work *work, const struct file_list *files,
                      struct catalogue_joint *joint);

#endif
