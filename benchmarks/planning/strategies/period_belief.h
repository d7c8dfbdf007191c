/* What is believed of the period of one circular orbit, exactly: a list of frequencies, "no planet"
 * among them where that may be, each with its probability and with a normal distribution of offset
 * and amplitudes given that frequency. Noise is correlated, with known parameters.
 *
 * Observations come one after the other. A row is whitened by the recursion of noise_process.h, as
 * are the columns x = (1, cos w t, sin w t) of every frequency: with z of the velocity, z_x of the
 * columns and D of the noise,
 *
 *   z | frequency ~ N(z_x' m, V),   V = D + z_x' P z_x
 *
 * is what the frequency predicted, P and m are updated as by Kalman, and ln P(frequency) gains
 * -(z - z_x' m)^2 / 2 V - ln V / 2. An observation costs (states + 20) operations a frequency. */
#ifndef EQUANT_BENCHMARKS_PERIOD_BELIEF_H
#define EQUANT_BENCHMARKS_PERIOD_BELIEF_H

#include <stdbool.h>

#include "equant.h"
#include "statistics/noise_process.h"

/* Offset and amplitudes, and the upper triangle of their covariance. */
enum { PERIOD_BELIEF_COLUMNS = 3, PERIOD_BELIEF_COVARIANCES = 6 };

typedef struct period_belief {
    noise_process process;
    double *noise; /* the state after the last observation, over no gap */
    double first_days, last_days;
    size_t n_observations;
    size_t n;             /* of frequencies                                              */
    double *per_day;      /* [n]; 0: no planet                                           */
    double *log_weight;   /* [n]: ln of prior times evidence, the highest is 0           */
    double *probability;  /* [n], of sum 1                                               */
    double *means;        /* [COLUMNS][n]                                                */
    double *covariances;  /* [COVARIANCES][n]: 11 12 13 22 23 33                         */
    double *states;       /* [n_states][2][n]: of cosines and sines                      */
    double *level_states; /* [n_states]: of the column of ones                           */
    double *row;          /* [2][n]: cosines and sines of a time                         */
    double *room;         /* [2][n]                                                      */
} period_belief;

/* What is known before the first observation. */
typedef struct period_prior {
    size_t n;
    const double *per_day;       /* [n]; 0: no planet                                     */
    const double *probabilities; /* [n], above zero, of any sum                           */
    double offset_m_s;           /* standard deviations                                   */
    double amplitude_m_s;        /* of the cosine and of the sine                         */
} period_prior;

/* The process has states, and no nights. */
equant_status period_belief_create(const period_prior *prior, const noise_process *process,
                                   period_belief *made);
void period_belief_free(period_belief *belief);

/* Takes an observation in, not before the last one. */
void period_belief_take(period_belief *belief, double time_days, double velocity_m_s,
                        double variance);

/* What every frequency predicts of a later time, [n] each; returns the variance of the noise,
 * given the data. */
double period_belief_predict(period_belief *belief, double time_days, double variance,
                             double *means, double *variances);

/* How probable frequencies within `away` of one are, with all that "no planet" is not. */
double period_belief_near(const period_belief *belief, double per_day, double away);

/* The index of the most probable frequency that is a planet. */
size_t period_belief_best(const period_belief *belief);

#endif
