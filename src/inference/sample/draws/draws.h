/* The draws that a run keeps: parameter sets of the cold rung, with their log-likelihoods and
 * log-priors, as they grow step by step. */
#ifndef EQUANT_INFERENCE_SAMPLE_DRAWS_DRAWS_H
#define EQUANT_INFERENCE_SAMPLE_DRAWS_DRAWS_H

#include <stddef.h>
#include <stdint.h>

#include "equant.h"

/* Populations are independent of each other; the walkers of one population are not. */
typedef struct draws_shape {
    size_t n_populations, n_walkers;
    size_t n_parameters; /* columns of one parameter set                                      */
    size_t n_planets;    /* the first of them, five each, are kept in the order of periods:
                            planets that may change places are told apart by nothing else.
                            0 keeps the order of the sampler                                  */
} draws_shape;

/* Kept by population, so that each can grow at its end. */
typedef struct draws_population {
    double *parameters;     /* [n_steps][n_walkers][n_parameters] */
    double *log_likelihood; /* [n_steps][n_walkers]               */
    double *log_prior;      /* [n_steps][n_walkers]               */
} draws_population;

typedef struct draws {
    draws_shape shape;
    size_t n_steps, capacity;
    uint64_t *step;               /* [n_steps]: which step of the sampler each is, ascending */
    draws_population *population; /* [n_populations]                                         */
} draws;

equant_status draws_create(const draws_shape *shape, draws **made);
void draws_free(draws *kept);

/* Room for n_steps in all, so that as many can be appended without failing. */
equant_status draws_reserve(draws *kept, size_t n_steps);

/* Keeps what all populations show after sampler step `step`: [population][walker][...] each. */
equant_status draws_append(draws *kept, uint64_t step, const double *parameters,
                           const double *log_likelihood, const double *log_prior);

/* Drops every other step, the first, the third and so on: the way to stay within a memory
 * when nobody knows how long a run will be. */
void draws_halve(draws *kept);

/* Forgets the first n_steps: those of before the run had settled. */
void draws_drop(draws *kept, size_t n_steps);

/* Draws in all: populations times steps times walkers. */
size_t draws_n(const draws *kept);

/* One column of all draws, [population][step][walker]. */
void draws_column(const draws *kept, size_t column, double *values);

/* A draw by its place in that order. */
typedef struct draws_row {
    const double *parameters;
    double log_likelihood, log_prior;
} draws_row;
draws_row draws_at(const draws *kept, size_t index);

/* The place of the draw with the highest posterior density (in the sampler's coordinates), the
 * first of them where there are several; 0 without draws. */
size_t draws_best(const draws *kept);

#endif
