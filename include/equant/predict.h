/* equant/predict.h: predictions. What the draws of a posterior say of times at which nobody has
 * observed: velocities with their noise, conjunctions. */
#ifndef EQUANT_PREDICT_H
#define EQUANT_PREDICT_H

#include <stddef.h>

#include "equant/evaluate.h"
#include "equant/progress.h"
#include "equant/sample.h"
#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is predicted. */
typedef enum equant_predicted {
    EQUANT_PREDICTED_OBSERVATION = 0, /* with its uncertainty and jitter                    */
    EQUANT_PREDICTED_VELOCITY = 1     /* without: orbits, trend, offset and noise process   */
} equant_predicted;

/* Zeros mean the defaults. */
typedef struct equant_predict_options {
    size_t struct_size;
    const equant_engine_options *engine; /* NULL: defaults                                   */
    equant_predicted what;
    size_t max_draws;         /* spread evenly over all; 0: 2000                               */
    size_t instrument;        /* whose observations, from 1; 0: that of the last one           */
    double uncertainty_m_s;   /* of an observation; 0: the median of that instrument           */
    equant_progress progress; /* may be NULL                                                 */
    void *progress_context;
} equant_predict_options;

typedef struct equant_prediction equant_prediction;

/* The predictive distribution at each of the times, which ascend: a mixture of a normal
 * distribution for each draw, with the mean of its orbits, trend, offset and noise process given
 * the data, and the variance that the data leave of that process, beside uncertainty and jitter.
 * Times may lie among the data or after them; after them is fast, among them it takes time in
 * proportion to the observations. A run with a kernel of fixed numbers is refused. */
EQUANT_API equant_status equant_predict(const equant_posterior *posterior, size_t n_times,
                                        const double *time_days,
                                        const equant_predict_options *options,
                                        equant_prediction **prediction);
EQUANT_API void equant_prediction_free(equant_prediction *prediction);

typedef struct equant_predicted_time {
    size_t struct_size;
    double time_days;
    double mean_m_s, sd_m_s;
    double low_95_m_s, low_68_m_s, median_m_s, high_68_m_s, high_95_m_s; /* 95.4 and 68.3 %    */
    double entropy;     /* of the distribution, in nats                                      */
    double information; /* that one observation is expected to bring about everything: entropy
                           less that of the noise, in nats; NaN where none is predicted       */
    size_t n_modes;     /* maxima of the distribution, up to 4                                */
} equant_predicted_time;
EQUANT_API size_t equant_prediction_n(const equant_prediction *prediction);
EQUANT_API equant_status equant_prediction_at(const equant_prediction *prediction, size_t index,
                                              equant_predicted_time *time);
/* A maximum, the heaviest first, and the share of the distribution between the minima beside it. */
EQUANT_API equant_status equant_prediction_mode(const equant_prediction *prediction, size_t index,
                                                size_t mode, double *velocity_m_s, double *share);

/* What was asked for, or chosen: the instrument, from 1, and the uncertainty. */
EQUANT_API size_t equant_prediction_instrument(const equant_prediction *prediction);
EQUANT_API double equant_prediction_uncertainty_m_s(const equant_prediction *prediction);
EQUANT_API size_t equant_prediction_n_draws(const equant_prediction *prediction);

/* A time at which a planet passes between the star and us, or would if its orbit were seen edge on:
 * the middle of a transit. Of the draws of the heaviest mode. */
typedef struct equant_conjunction {
    size_t struct_size;
    size_t planet;                           /* from 1                                   */
    double median_days, low_days, high_days; /* 68.3 % of the draws lie between low and high */
    double half_width_99_days; /* half of the time that holds 99.7 % of the draws            */
} equant_conjunction;

/* Those whose median lies from start to end, planet by planet. Writes the first n_most of them
 * (found may be NULL where that is 0), and *n_found tells how many there are, up to 100,000. */
EQUANT_API equant_status equant_predict_conjunctions(const equant_posterior *posterior,
                                                     double start_days, double end_days,
                                                     size_t n_most, equant_conjunction *found,
                                                     size_t *n_found);

#ifdef __cplusplus
}
#endif
#endif
