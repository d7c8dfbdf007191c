/* Priors as people write them, in options and files alike: "log-uniform(1, 1000)". */
#ifndef EQUANT_INFERENCE_DENSITY_PRIOR_TEXT_H
#define EQUANT_INFERENCE_DENSITY_PRIOR_TEXT_H

#include <stddef.h>

#include "statistics/prior_density.h"

/* Reads one of
 *
 *   fixed(value), or the value alone
 *   uniform(lower, upper)                  log-uniform(lower, upper)
 *   modified-log-uniform(knee, upper)      ford-gregory(knee, upper, period)
 *   normal(mean, sigma)                    normal(mean, sigma, lower, upper)
 *   beta(alpha, beta)                      beta(alpha, beta, lower, upper)
 *   rayleigh(scale)                        rayleigh(scale, lower, upper)
 *
 * Where bounds may be left out and are, `lower` and `upper` take their place. Returns NULL, or
 * what is wrong, as the end of a sentence about the text. */
const char *prior_text_read(const char *text, double lower, double upper, prior_density *made);

/* Bytes that the longest text takes, with its end. */
enum { PRIOR_TEXT_SIZE = 160 };

/* The same prior in words that prior_text_read understands, every number to the bit. */
void prior_text_write(const prior_density *prior, char text[PRIOR_TEXT_SIZE]);

#endif
