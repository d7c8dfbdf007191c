/* Quantities and modes in the words of people: "time of conjunction of c", "41.7 from 0.974 days".
 */
#ifndef EQUANT_INFERENCE_PLAN_PLAN_WORDS_H
#define EQUANT_INFERENCE_PLAN_PLAN_WORDS_H

#include <stdbool.h>

#include "inference/sample/draws/modes.h"

/* A quantity of a posterior by its meaning, with the letter of its planet or the name of its
 * instrument. Planets are b, c, ... in their order. */
void plan_words_quantity(const equant_posterior *posterior, const equant_sampled_quantity *own,
                         char *text, size_t n_bytes);

/* Two modes by the periods that one has and the other has not. False, and nothing is written,
 * where either has none of its own. */
bool plan_words_modes(const modes *found, size_t first, size_t second, char *text, size_t n_bytes);

#endif
