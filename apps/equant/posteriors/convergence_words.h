/* What a run lacks that has not converged, as a sentence. */
#ifndef EQUANT_APP_POSTERIORS_CONVERGENCE_WORDS_H
#define EQUANT_APP_POSTERIORS_CONVERGENCE_WORDS_H

#include "posteriors/posterior_view.h"

enum { CONVERGENCE_WORDS_SIZE = 256 };

/* "planet 2, K m/s: the early and the late half of the run differ by ...": the quantity that misses
 * its goal by most, by which criterion, and the goal; empty where nothing is lacking. No full stop.
 */
void convergence_words(const struct posterior_view *view, const equant_posterior_summary *facts,
                       char text[CONVERGENCE_WORDS_SIZE]);

/* A word for the criterion; NULL where nothing is lacking. */
const char *convergence_words_criterion(const equant_posterior_summary *facts);

/* The name of the quantity; NULL: of none. It is valid as long as the posterior. */
const char *convergence_words_quantity(const struct posterior_view *view,
                                       const equant_posterior_summary *facts);

#endif
