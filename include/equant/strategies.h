/* equant/strategies.h: strategies. How many observations different ways to choose the next one
 * need, on simulated stars. */
#ifndef EQUANT_STRATEGIES_H
#define EQUANT_STRATEGIES_H

#include <stddef.h>
#include <stdint.h>

#include "equant/evaluate.h"
#include "equant/progress.h"
#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How the next observation is chosen. The last three look at all times of the coming days and take
 * the one that is expected to tell most, by what is believed after all observations so far. */
typedef enum equant_strategy {
    EQUANT_STRATEGY_RANDOM = 0,     /* a random night, on average as often as the next     */
    EQUANT_STRATEGY_UNIFORM = 1,    /* a night every so many days                          */
    EQUANT_STRATEGY_EVERYTHING = 2, /* about all parameters: maximum entropy               */
    EQUANT_STRATEGY_MODES = 3,      /* about which of all periods is right                 */
    EQUANT_STRATEGY_CANDIDATE = 4   /* about whether the most probable one is              */
} equant_strategy;
#define EQUANT_N_STRATEGIES 5

/* "random", "uniform", ...; NULL where there is no such strategy. */
EQUANT_EXPERIMENTAL EQUANT_API const char *equant_strategy_name(equant_strategy strategy);

typedef enum equant_question {
    EQUANT_QUESTION_PERIOD = 0, /* which of all periods, or none                           */
    EQUANT_QUESTION_ALIAS = 1   /* the period or its alias of a day, when these two remain */
} equant_question;

/* Zeros mean the defaults, but for times, which have none. Velocities are in units of the error of
 * an observation. */
typedef struct equant_strategies_options {
    size_t struct_size;
    const equant_engine_options *engine; /* NULL: defaults                                     */
    size_t n_times;          /* at which a star can be observed, in their order                  */
    const double *time_days; /* [n_times]: those of one night within 0.3 days of each other      */
    equant_question question;
    size_t n_stars;         /* 0: 200                                              */
    size_t n_first;         /* observations that all have; 0: 20                   */
    size_t n_most;          /* further ones, at most; 0: 150                       */
    double amplitude;       /* K over the error of an observation; 0: 1            */
    double rotation;        /* amplitude of noise by rotation, over the error;
                               0: 0.5; negative: none                              */
    double period_min_days; /* of the planets, log-uniform; 0: 5                   */
    double period_max_days; /* 0: 300                                              */
    double probability;     /* at which the answer counts as given; 0: 0.95        */
    double cadence_days;    /* of uniform and random nights; 0: 5                  */
    double ahead_days;      /* that others look at; 0: 15                          */
    double span_days;       /* after which a star is given up; 0: 1500             */
    uint64_t seed;
    equant_progress progress; /* may be NULL                                                     */
    void *progress_context;
} equant_strategies_options;

typedef struct equant_strategies equant_strategies;

/* Every star is observed by every strategy: the same planet, the same noise, the same first
 * observations. Times reach over a year more than span_days, as stars begin in different seasons.
 * Same arguments, same result, on any number of threads. */
EQUANT_EXPERIMENTAL EQUANT_API equant_status
equant_strategies_compare(const equant_strategies_options *options, equant_strategies **study);
EQUANT_EXPERIMENTAL EQUANT_API void equant_strategies_free(equant_strategies *study);
EQUANT_EXPERIMENTAL EQUANT_API size_t equant_strategies_n_stars(const equant_strategies *study);

/* A star under a strategy. */
typedef struct equant_strategy_trial {
    size_t struct_size;
    double period_days;    /* of its planet                                                     */
    int is_answered;       /* the right answer has come to the probability that was asked for   */
    int is_misled;         /* a wrong one had come there before                                 */
    size_t n_observations; /* after the first ones, until then or until it was given up         */
    double days;           /* from the last of the first ones                                   */
    double probability;    /* of the right answer in the end                                    */
} equant_strategy_trial;

EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_strategies_trial(const equant_strategies *study,
                                                                     equant_strategy strategy,
                                                                     size_t star,
                                                                     equant_strategy_trial *trial);

/* All stars under a strategy. One without an answer counts with all n_most observations, however
 * many it was given: means are then too small. Errors are of 1000 bootstrap samples of the stars.
 */
typedef struct equant_strategy_summary {
    size_t struct_size;
    size_t n_answered, n_misled;
    double mean_observations, mean_error; /* after the first ones                              */
    double median_observations;
    double saving, saving_error;               /* 1 - mean / mean of uniform nights               */
    double saving_of_all, saving_of_all_error; /* the same, with the first ones counted         */
    double mean_days;
} equant_strategy_summary;

EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_strategies_summarize(
    const equant_strategies *study, equant_strategy strategy, equant_strategy_summary *summary);

#ifdef __cplusplus
}
#endif
#endif
