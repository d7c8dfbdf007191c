/* Solutions with a planet more than what is accepted so far: where a search finds them, second
 * thoughts about them, and their order. */
#ifndef EQUANT_INFERENCE_SELECT_PLANETS_CANDIDATE_POOL_H
#define EQUANT_INFERENCE_SELECT_PLANETS_CANDIDATE_POOL_H

#include "inference/select/planets/planet_finder.h"
#include "inference/search/scan_grid.h"

enum { CANDIDATE_POOL_BEAM = 3, CANDIDATE_POOL_SIZE = 24 };

typedef struct candidate_pool {
    study *star;
    const planet_finder_options *options;
    scan_grid first_grid, second_grid, later_grid, circular_grid;
    solution current;                   /* accepted so far */
    solution beam[CANDIDATE_POOL_BEAM]; /* its best forms, the first of them `current` */
    size_t n_beam;
    solution found[CANDIDATE_POOL_SIZE]; /* with one planet more, the best first */
    size_t n;
    solution trial, check; /* to work with */
} candidate_pool;

/* Freed with candidate_pool_free, also when this fails. */
equant_status candidate_pool_create(candidate_pool *pool, study *star,
                                    const planet_finder_options *options);
void candidate_pool_free(candidate_pool *pool);

/* The trend that suits a solution, where that was left open. */
equant_status candidate_pool_choose_trend(candidate_pool *pool, solution *fitted);

/* Looks again for every planet that was found: with other noise another alias may be the best. */
equant_status candidate_pool_reconsider(candidate_pool *pool, solution *fitted);

/* `current` is where it begins. */
void candidate_pool_begin(candidate_pool *pool);

/* Fills it from all of the beam; the planet that is new is the last of the best. */
equant_status candidate_pool_fill(candidate_pool *pool);

/* The best is no measurement after all: the next one takes its place. */
void candidate_pool_pass_over(candidate_pool *pool);

/* Makes a solution of the pool its first. */
void candidate_pool_promote(candidate_pool *pool, solution *one);

/* The solution that would be the best if all its planets were measurements, where it is another
 * than the first; the planet that is new is its last. NULL where there is none. */
solution *candidate_pool_passed_over(candidate_pool *pool);

/* Fills it with the best solution of two planets more, if there is one. */
equant_status candidate_pool_fill_with_two(candidate_pool *pool, bool *has_found);

/* The best becomes `current` and head of the next beam, the near misses follow. */
void candidate_pool_accept(candidate_pool *pool);

#endif
