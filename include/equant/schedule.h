/* equant/schedule.h: schedules. Nights that are filled with observations of many stars, each where
 * it teaches most for the time that it takes. */
#ifndef EQUANT_SCHEDULE_H
#define EQUANT_SCHEDULE_H

#include <stddef.h>

#include "equant/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A star that may be observed. */
typedef struct equant_schedule_star {
    size_t struct_size;
    size_t n_posteriors;                       /* above 1: rival models of the same observations  */
    const equant_posterior *const *posteriors; /* [n_posteriors]                                  */
    const equant_candidates *candidates;       /* places and clock are those of all stars         */
    const char *target;                        /* as in equant_plan_options                       */
    const double *probabilities;               /* as there                                        */
    double min_gap_days;                       /* between two observations of this star           */
    size_t n_most;                             /* observations of it; 0: as many as fit           */
} equant_schedule_star;

/* Zeros mean the defaults. */
typedef struct equant_schedule_options {
    size_t struct_size;
    const equant_engine_options *engine; /* NULL: defaults                                        */
    size_t n_observations;               /* of all stars; 0: until nothing is left                */
    size_t max_draws;                    /* of each posterior; 0: 500                             */
    double least_value;                  /* nothing is chosen that is worth less                  */
    equant_progress progress;            /* may be NULL                                           */
    void *progress_context;
} equant_schedule_options;

typedef struct equant_schedule equant_schedule;

/* Chooses, one after the other, the star and the time that are worth most: gain times weight over
 * cost, given all that was chosen before. No place is taken twice at one time. Same arguments, same
 * schedule, on any number of threads. */
EQUANT_EXPERIMENTAL EQUANT_API equant_status
equant_schedule_create(size_t n_stars, const equant_schedule_star *stars,
                       const equant_schedule_options *options, equant_schedule **schedule);
EQUANT_EXPERIMENTAL EQUANT_API void equant_schedule_free(equant_schedule *schedule);

/* An observation that is to be made. */
typedef struct equant_scheduled {
    size_t struct_size;
    size_t star, number; /* which star, and which of the observations that its plan has
                            chosen, from 0: equant_plan_chosen has the rest             */
    int place;
    double start_days, end_days; /* when its place is taken, by the clock                        */
} equant_scheduled;

/* All of them, by the clock. */
EQUANT_EXPERIMENTAL EQUANT_API size_t equant_schedule_n(const equant_schedule *schedule);
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_schedule_at(const equant_schedule *schedule,
                                                                size_t index,
                                                                equant_scheduled *scheduled);

/* The plan of a star, which lives as long as the schedule; NULL: there is no such star. */
EQUANT_EXPERIMENTAL EQUANT_API size_t equant_schedule_n_stars(const equant_schedule *schedule);
EQUANT_EXPERIMENTAL EQUANT_API const equant_plan *
equant_schedule_plan(const equant_schedule *schedule, size_t star);

#ifdef __cplusplus
}
#endif
#endif
