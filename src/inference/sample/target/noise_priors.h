/* What is believed of the parameters of noise terms before the data. Words that a fit takes,
 * "rotation(period=20:30), night", become densities: the ranges of the fit, uniform in the
 * logarithm. */
#ifndef EQUANT_INFERENCE_SAMPLE_TARGET_NOISE_PRIORS_H
#define EQUANT_INFERENCE_SAMPLE_TARGET_NOISE_PRIORS_H

#include "equant.h"
#include "model/noise_kind.h"
#include "noise/noise_text.h"
#include "statistics/prior_density.h"

/* Terms in the order of the catalogue and of instruments, in which priors, posteriors and runs have
 * them. */
typedef struct noise_priors {
    size_t n_terms;
    noise_term terms[NOISE_TEXT_MOST_TERMS];
    int owners[NOISE_TEXT_MOST_TERMS]; /* 0, or their instruments in the data, from 1 */
    char names[NOISE_KINDS_TEXT_SIZE]; /* as equant_model takes them */
} noise_priors;

/* NULL, nothing and "white" have no terms. Instruments are those of the data. */
equant_status noise_priors_read(const char *words, const equant_dataset *dataset,
                                noise_priors *made);

/* The other way: words that have these terms again. */
enum { NOISE_PRIORS_WORDS_SIZE = NOISE_TEXT_MOST_TERMS * (32 + NOISE_TEXT_OWNER_SIZE) };
void noise_priors_words(const noise_kinds *kinds, const equant_dataset *dataset,
                        char words[NOISE_PRIORS_WORDS_SIZE]);

/* One density for each parameter of all terms. */
void noise_priors_fill(const noise_priors *noise, const equant_dataset *dataset,
                       prior_density *density);

/* One column of noise: a parameter of a term. */
typedef struct noise_priors_column {
    noise_kind kind;
    size_t index;
} noise_priors_column;

/* The parameter in a place among those of all terms. */
noise_priors_column noise_priors_at(const noise_kinds *kinds, size_t place);

/* Whether a prior in turns is one of this parameter: a decay behind a period. */
bool noise_priors_take_turns(noise_priors_column column);

#endif
