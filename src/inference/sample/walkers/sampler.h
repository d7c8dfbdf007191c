/* Ensemble sampling of a density: differential evolution (ter Braak 2006) and related moves, in two
 * half steps, with optional parallel tempering, in several independent populations. It knows the
 * density as a sampler_target only.
 *
 * A run: create; sampler_advance and sampler_adapt_ladder by turns; then sampler_freeze; then
 * sampler_advance and keep what the cold rung holds. */
#ifndef EQUANT_INFERENCE_SAMPLE_WALKERS_SAMPLER_H
#define EQUANT_INFERENCE_SAMPLE_WALKERS_SAMPLER_H

#include <stdbool.h>

#include "inference/sample/walkers/sampler_guide.h"
#include "inference/sample/walkers/sampler_target.h"
#include "statistics/ensemble_moves.h"

typedef struct sampler sampler;

typedef struct sampler_options {
    uint64_t seed;
    size_t n_populations;  /* 0 means 4                                                      */
    size_t n_temperatures; /* 0 means 1: no tempering                                        */
    size_t n_walkers;      /* per temperature and population, even, at least 8 and
                              2 (n_coordinates + 1); 0 means sampler_usual_walkers            */
    double hottest_beta;   /* of the last of several temperatures, below 1; 0: the prior      */
    const double *beta;    /* [n_temperatures] falling from 1: the ladder to begin with; NULL:
                              one that ends at hottest_beta                                  */
    int n_threads;         /* 0: all that the machine offers                                 */
    /* How often steps are made of each kind of moves, in any unit; all zero: the usual shares. */
    double shares[ENSEMBLE_N_MOVES];
} sampler_options;

size_t sampler_usual_walkers(size_t n_coordinates);

/* Walkers live on the device of the target's evaluator, where it has one and room for them;
 * else here. Random numbers are the same, results equal but for rounding. They begin at
 * start[population][temperature][walker][n_coordinates], where the prior must not be zero;
 * start = NULL draws them from the prior, where the target can. Copies the target,
 * whose context must outlive the sampler. */
equant_status sampler_create(const sampler_target *target, const sampler_options *options,
                             const double *start, sampler **made);
void sampler_free(sampler *s);

/* Each step updates both halves of every ensemble, then swaps across every other gap between
 * temperatures. The same bits for any number of threads and however steps are divided between
 * calls. After a failure (of the target) the sampler is to be restored or freed. */
equant_status sampler_advance(sampler *s, size_t n_steps);
uint64_t sampler_n_steps(const sampler *s);

/* The same step in pieces, for whoever evaluates proposals of many samplers together; walkers live
 * here, as they do where the target has no evaluator. Of each half the proposals, whose
 * log-likelihoods are to be filled in; then their acceptance; behind both the end of the step. */
typedef struct sampler_proposals {
    size_t n_sets;
    const double *parameters; /* [n_sets][n_parameters] */
    double *log_likelihood;   /* [n_sets] */
} sampler_proposals;

sampler_proposals sampler_propose(sampler *s, size_t half);
void sampler_accept(sampler *s, size_t half);
void sampler_end_step(sampler *s);

/* Between rounds: moves the rungs to equal increments of the barrier that swaps met since the
 * last call, and begins all figures anew. Fails when the ladder is frozen. */
equant_status sampler_adapt_ladder(sampler *s);
/* Half of the guided steps, by chance, take the coldest walkers to where this guide draws; NULL:
 * none do. It is borrowed, and not part of the state. To be changed in a burn-in only. Walkers on a
 * device cannot follow. */
void sampler_follow(sampler *s, const sampler_guide *guide);
bool sampler_can_follow(const sampler *s);
/* From here on the ladder stays as it is, and figures count anew. */
void sampler_freeze(sampler *s);

/* Where walkers live on a device, steps return before they are made, and what follows waits for
 * them. Should the device be lost meanwhile, it tells of older steps, and the next call that
 * returns a status fails. */

/* ---- the cold rung now, [population][walker]; valid until the sampler changes ---- */

/* Parameter sets [n_parameters]: worked out by this call. */
const double *sampler_cold_parameters(sampler *s);
const double *sampler_cold_log_likelihood(const sampler *s);
const double *sampler_cold_log_prior(const sampler *s);

size_t sampler_n_populations(const sampler *s);
size_t sampler_n_temperatures(const sampler *s);
size_t sampler_n_walkers(const sampler *s);

/* ---- figures, since the last sampler_adapt_ladder or sampler_freeze -------------- */

const double *sampler_beta(const sampler *s); /* [n_temperatures] */
/* Share of the proposals of a kind that were accepted at a temperature; NaN where none was
 * made. */
double sampler_acceptance(const sampler *s, size_t temperature, ensemble_move move);
/* The same of proposals of all kinds. */
double sampler_acceptance_of_all(const sampler *s, size_t temperature);
/* Mean probability that a swap between temperatures gap and gap + 1 is refused; NaN before
 * there was one. */
double sampler_swap_rejection(const sampler *s, size_t gap);
/* Walkers that came from the cold rung to the hottest and back. */
uint64_t sampler_round_trips(const sampler *s);
/* What a sampler has done, for whoever reports it. */
typedef struct sampler_figures {
    size_t n_temperatures, n_populations, n_walkers;
    uint64_t n_steps;
    double acceptance; /* of all proposals at the cold rung */
    uint64_t round_trips;
} sampler_figures;

sampler_figures sampler_figures_of(const sampler *s);
/* A sampler that can do nothing but tell its figures, from what sampler_save has written. */
equant_status sampler_tell(const void *blob, size_t n_bytes, sampler **made);
/* Whether bytes look like what sampler_save has written. */
bool sampler_is_state(const void *blob, size_t n_bytes);

/* ---- interruption ------------------------------------------------------------------ */

/* All that decides the future, as bytes for this kind of machine: a sampler made of the same
 * target and options and restored goes on to the bit. Saving fails where walkers live on a
 * device that is lost, with nothing written; restoring checks that the bytes fit. */
size_t sampler_state_bytes(const sampler *s);
equant_status sampler_save(const sampler *s, void *blob);
equant_status sampler_restore(sampler *s, const void *blob, size_t n_bytes);

#endif
