/* The posterior on a page: whether it has converged, in words; pairs of parameters; a table. */
#ifndef EQUANT_APP_PAGE_POSTERIOR_SECTION_H
#define EQUANT_APP_PAGE_POSTERIOR_SECTION_H

#include <stdio.h>

#include "posteriors/posterior_view.h"

/* The rest of a section that the caller has opened, to its end. Returns an exit code, with a
 * sentence on failure. */
int posterior_section_write(FILE *page, const struct posterior_view *posterior);

#endif
