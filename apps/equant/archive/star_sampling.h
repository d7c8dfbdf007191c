/* One star on its way through the sampler: its data and priors, and the run. */
#ifndef EQUANT_APP_ARCHIVE_STAR_SAMPLING_H
#define EQUANT_APP_ARCHIVE_STAR_SAMPLING_H

#include "inputs/known_planets.h"
#include "options/sample_request.h"

struct star_sampling {
    const struct sample_request *request;
    const char *name, *typed; /* of the star, and the command line: kept with the run */
    char *path;               /* of the run's file; NULL: none; freed with the rest */
    equant_dataset *dataset;
    equant_priors *priors;
    struct known_planets known;
    uint64_t step;     /* of the sampler, that it was at last */
    bool is_too_short; /* the run ended within its burn-in: nothing is there yet to be told */
};

/* Data, planets to begin with and priors; a run that goes on has them. The reader's warnings are
 * printed where they are wanted. Returns an exit code, with a sentence on failure. */
int star_sampling_load(struct star_sampling *star, const char *command,
                       const struct file_list *files, bool has_warnings);

/* Samples, or goes on with the run in the file. Returns EXIT_CODE_INTERRUPTED, without a word,
 * after Ctrl-C, else an exit code with a sentence on failure. The caller frees the posterior. */
int star_sampling_run(struct star_sampling *star, bool goes_on, equant_posterior **posterior);

void star_sampling_free(struct star_sampling *star);

#endif
