/* A trans-dimensional Markov chain. Its state is the noise and slots, each empty or with a planet.
 * A sweep moves the noise and the orbit of every planet, and draws some slots from their
 * conditional distribution over the whole range of periods (slot_move.h). Some of these draws also
 * change the noise, so that a planet and noise that imitates it can replace each other. */
#ifndef EQUANT_INFERENCE_COMPARE_POPULATION_H
#define EQUANT_INFERENCE_COMPARE_POPULATION_H

#include "inference/compare/tally.h"

typedef struct population_planet {
    bool is_there;
    count_orbit orbit;
    size_t scale; /* of its amplitudes, among those of the priors */
} population_planet;

/* Candidates that are drawn for a slot. */
enum { POPULATION_CANDIDATES = 64 };

/* What a slot may become behind one noise, each state with its weight beside that of being
 * empty, which is 1. */
typedef struct slot_draw {
    slot_proposal proposal;
    bool knows_noise;        /* whether the proposal has taken the noise as it is */
    count_orbit *candidates; /* [POPULATION_CANDIDATES] */
    double *columns;         /* [POPULATION_CANDIDATES][2][n_obs] */
    double log_weight[POPULATION_CANDIDATES];
    double log_likelihood[POPULATION_CANDIDATES];
    double log_evidence; /* of everything, all states of the slot added up */
} slot_draw;

/* Whether a run is still wanted; asked often, by any thread. */
typedef bool population_wanted(void *context);

typedef struct population {
    const slot_space *space;
    population_wanted *is_wanted; /* NULL: always; else a sweep may end before its time */
    void *wanted_context;
    size_t index;
    uint64_t seed, sweep;
    population_planet slots[COUNT_MOST_PLANETS];
    double *columns;      /* [n_max][2][n_obs]: of the planets */
    count_noise noise[2]; /* that of the state, and one to try */
    slot_draw draws[2];   /* behind either */
    size_t current;
    background rest;
    count_orbit_room room;
    double *place; /* [n_noise] to try */
    tally tally;
} population;

/* Without planets and with the noise in the middle of its priors. */
equant_status population_create(const slot_space *space, uint64_t seed, size_t index,
                                population *made);
void population_free(population *chain);

/* Begins at these planets, at most n_max, and at this noise, [n_noise] places. */
equant_status population_start(population *chain, size_t n_planets, const count_orbit *planets,
                               const double *place);

/* One sweep that asks n_slots slots; what they say is kept where is_kept. */
equant_status population_sweep(population *chain, size_t n_slots, bool is_kept);

size_t population_n_planets(const population *chain);

#endif
