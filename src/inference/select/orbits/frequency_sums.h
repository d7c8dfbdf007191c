/* What orbits around a frequency hold together, of several eccentricities: the sum over frequencies
 * of rows of all phases. Sharp orbits have hundreds of them with thousands of phases each, and most
 * of these eccentricities hold next to nothing: each is summed over as few frequencies as it
 * takes. */
#ifndef EQUANT_INFERENCE_SELECT_ORBITS_FREQUENCY_SUMS_H
#define EQUANT_INFERENCE_SELECT_ORBITS_FREQUENCY_SUMS_H

#include "inference/select/orbits/phase_rows.h"

/* An eccentricity: frequencies `step` apart, `reach` of them to each side of the best. */
typedef struct frequency_sum {
    double log_share; /* of its prior                             */
    double step;      /* the finest                               */
    int reach;        /* -1: none counts                          */
    int stride;       /* of steps, which the sum is taken with    */
    int thinning;     /* one of so many phases is taken           */
    double *held;     /* [2 reach + 1], ln of what each row holds */
    double *halved;   /* the same by every second of these phases */
} frequency_sum;

/* ln of the sum over the eccentricities of the rows of the best frequency, whose log_share, step
 * and reach are given. Frequencies and phases are added until half of them would change the whole
 * by no more than four thousandths for any of the eccentricities. */
equant_status frequency_sums_find(study *star, const phase_rows *centre, frequency_sum *sums,
                                  double *log_evidence);

#endif
