/* The best whole solution that a search has found so far: its result where it is cancelled or its
 * time is over. */
#ifndef EQUANT_INFERENCE_SELECT_PLANETS_PARTIAL_RESULT_H
#define EQUANT_INFERENCE_SELECT_PLANETS_PARTIAL_RESULT_H

#include "inference/select/planets/planet_finder.h"

/* What is known of the planets of a solution that was kept. */
typedef enum partial_knowledge {
    PARTIAL_FOUND,   /* nothing but their orbits */
    PARTIAL_WEIGHED, /* false alarms and gains, too */
    PARTIAL_JUDGED   /* and odds, aliases, pairs */
} partial_knowledge;

typedef struct partial_result {
    solution best; /* its set is NULL before the first */
    partial_knowledge knowledge;
    planet_finder_result known; /* its figures; its solutions mean nothing */
} partial_result;

/* Keeps a solution. One that was only found takes the place of no other than one that was only
 * found and has a higher BIC. */
equant_status partial_result_keep(const study *star, const solution *found,
                                  partial_knowledge knowledge, const planet_finder_result *known,
                                  partial_result *kept);

/* Makes what was kept the result, without a candidate. */
equant_status partial_result_take(study *star, const partial_result *kept,
                                  planet_finder_result *result);

void partial_result_free(partial_result *kept);

#endif
