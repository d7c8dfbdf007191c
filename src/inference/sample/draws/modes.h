/* The modes of a posterior in the periods of its planets: aliases and rival solutions, each
 * with its share of the draws. */
#ifndef EQUANT_INFERENCE_SAMPLE_DRAWS_MODES_H
#define EQUANT_INFERENCE_SAMPLE_DRAWS_MODES_H

#include <stdint.h>

#include "inference/sample/draws/draws.h"

#define MODES_NONE UINT32_MAX

typedef struct mode {
    double weight, weight_err; /* share of the draws; its standard error from the differences
                                  between populations, NaN with one                            */
    const double *period_days; /* [n_planets]: medians                                         */
} mode;

typedef struct modes {
    size_t n_planets, n;
    mode *mode;        /* [n], the heaviest first                                              */
    double rest;       /* share of the draws in none of them                                   */
    uint32_t *of_draw; /* [draws_n]: the mode of each draw, or MODES_NONE                       */
    double *periods;   /* behind period_days                                                   */
} modes;

/* Draws are in one mode when their frequencies, planet by planet, connect with each other in
 * small steps, measured by what observations over span_days can tell apart (0: nothing). A
 * group lighter than least_weight is no mode: its draws count for the mode that they lie next
 * to, or for the rest. */
equant_status modes_find(const draws *kept, size_t n_planets, double span_days, double least_weight,
                         modes **found);
void modes_free(modes *found);

#endif
