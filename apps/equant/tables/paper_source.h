/* What a table for a paper is made from: a fit, or the draws of a run, as their folder has them. */
#ifndef EQUANT_APP_TABLES_PAPER_SOURCE_H
#define EQUANT_APP_TABLES_PAPER_SOURCE_H

#include "results/fit_archive.h"

enum paper_origin { PAPER_ORIGIN_BEST, PAPER_ORIGIN_FIT, PAPER_ORIGIN_RUN };

struct paper_source {
    struct fit_archive fit;
    bool has_fit;
    equant_posterior *posterior; /* NULL: of the fit alone */
    struct star_result sampled;  /* the best draw, where there is no fit */
    char star_name[128];         /* "": unknown */
    equant_star host;
};

/* Reads a folder or the file of a run; with PAPER_ORIGIN_BEST the run, where there is one. Returns
 * an exit code, with a sentence on failure; free it in any case. */
int paper_source_load(const char *path, enum paper_origin wanted, struct paper_source *source);
void paper_source_free(struct paper_source *source);

/* What states call the planets of the fit or of the run. */
struct planet_letters paper_source_letters(const struct paper_source *source);

/* Data, residuals and noise, of the fit or else of the best draw. */
const struct star_result *paper_source_star(const struct paper_source *source);

#endif
