/* The effective time base of a star's data under correlated noise: how many frequencies noise may
 * choose from (Delisle, Hara & Segransan 2020, A&A 635, A83). */
#ifndef EQUANT_INFERENCE_SEARCH_EFFECTIVE_SPAN_H
#define EQUANT_INFERENCE_SEARCH_EFFECTIVE_SPAN_H

#include "noise/noise_factor.h"

/* At frequencies of equal ratios: a covariance weighs the times otherwise at each. */
enum { EFFECTIVE_SPAN_N = 128 };
typedef struct effective_span {
    double first_per_day, last_per_day;
    double days[EFFECTIVE_SPAN_N];
} effective_span;

/* Those between two frequencies, 0 < first <= last. White noise has the same at all,
 * false_alarm_effective_span of the weights. */
equant_status effective_span_create(const noise_factor *factor, const double *time_days,
                                    double first_per_day, double last_per_day,
                                    effective_span *made);

/* Around a frequency, and the mean over a stretch of frequencies. */
double effective_span_near(const effective_span *spans, double frequency_per_day);
double effective_span_mean(const effective_span *spans, double from_per_day, double to_per_day);

#endif
