/* A fit as its folder has it: what `equant fit --out` or Fit.save of Python wrote, read back. */
#ifndef EQUANT_APP_RESULTS_FIT_ARCHIVE_H
#define EQUANT_APP_RESULTS_FIT_ARCHIVE_H

#include <stdbool.h>

#include "stars/star_result.h"

struct fit_archive {
    struct star_result star;
    equant_origin *origin;
    const char *version, *star_name, *command; /* of the origin; NULL: unknown */
    equant_star host;                          /* zeros: unknown               */
};

/* Whether a fit was completed here. */
bool fit_archive_is_there(const char *folder);

/* Reads the folder of a fit. Returns an exit code, with a sentence on failure; free it in any
 * case. */
int fit_archive_read(const char *folder, struct fit_archive *archive);

/* Of these, only what origin.json says, where it is there; the archive is empty before. */
int fit_archive_read_origin(const char *folder, struct fit_archive *archive);

void fit_archive_free(struct fit_archive *archive);

#endif
