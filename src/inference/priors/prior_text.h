/* Priors as people write them, in options and files alike: "log-uniform(1, 1000)". The table in
 * prior_text.c has all of them, and docs/sampling.md says what they mean. */
#ifndef EQUANT_INFERENCE_PRIORS_PRIOR_TEXT_H
#define EQUANT_INFERENCE_PRIORS_PRIOR_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "statistics/prior_density.h"

/* Bytes that the longest text takes, and the longest complaint, with their ends. */
enum { PRIOR_TEXT_SIZE = 160, PRIOR_COMPLAINT_SIZE = 400 };

/* Reads a name and its numbers, or a number alone, which is a fixed value. Where bounds may be
 * left out and are, `lower` and `upper` take their place, and the mean of a normal one has to lie
 * between them. Where it returns false, nothing is made and `complaint` says what is wrong, as the
 * end of a sentence about the text. */
bool prior_text_read(const char *text, double lower, double upper, prior_density *made,
                     char complaint[PRIOR_COMPLAINT_SIZE]);

/* The same prior in words that prior_text_read understands, every number to the bit. */
void prior_text_write(const prior_density *prior, char text[PRIOR_TEXT_SIZE]);

#endif
