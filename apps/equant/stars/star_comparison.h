/* How probable the planets of a fitted star are, and their number: chains over models of all
 * numbers of planets, under the eyes of a person. */
#ifndef EQUANT_APP_STARS_STAR_COMPARISON_H
#define EQUANT_APP_STARS_STAR_COMPARISON_H

#include "options/compare_request.h"
#include "stars/star_result.h"

/* Before the star is fitted: whether what is asked of the comparison can be meant. Returns an exit
 * code, with a sentence on failure. */
int star_comparison_check(const struct fit_request *fit, const struct compare_request *request,
                          const struct star_result *star);

/* Fills star->comparison, and the probabilities of its planets; where it is not done by `end_s` of
 * progress_clock_s, or INFINITY, these stay as they are, and a sentence says so. Returns an exit
 * code, with a sentence on failure. */
int star_comparison_run(const struct fit_request *fit, const struct compare_request *request,
                        double end_s, struct star_result *star);

#endif
