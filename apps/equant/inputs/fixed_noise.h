/* Correlated noise for a table of orbits, in words: terms with values, "night(amplitude=1.5)", or
 * by their names alone, with columns of the table as their values. */
#ifndef EQUANT_APP_INPUTS_FIXED_NOISE_H
#define EQUANT_APP_INPUTS_FIXED_NOISE_H

#include <stdbool.h>

#include "equant.h"

struct fixed_noise {
    char names[256];     /* as a model takes them; "": white */
    equant_noise *noise; /* NULL: values are in the table */
    size_t n_values;
    double *values;
    bool is_whole; /* has a term that evaluators lack */
};

/* NULL and "white" are no noise; instruments are called as in the data. Returns an exit code, with
 * a sentence on failure; free it in any case. */
int fixed_noise_read(const char *command, const char *text, const equant_dataset *dataset,
                     struct fixed_noise *made);
void fixed_noise_free(struct fixed_noise *noise);

/* What it says of one orbit, for noise that evaluators lack: residuals [n_obs] without what the
 * n columns [n][n_obs] explain, solved for. jitters: one for each instrument, or NULL. */
struct fixed_noise_verdict {
    double chi_square, log_likelihood;
    double *coefficients; /* [n] */
};
equant_status fixed_noise_judge(const struct fixed_noise *noise, const equant_dataset *dataset,
                                const double *residuals, const double *jitters, size_t n,
                                const double *columns, struct fixed_noise_verdict *verdict);

#endif
