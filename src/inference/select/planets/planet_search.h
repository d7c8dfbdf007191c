/* The planets of a star from a solution on: one more at a time while it is significant, and those
 * that the rest can do without taken out again. */
#ifndef EQUANT_INFERENCE_SELECT_PLANETS_PLANET_SEARCH_H
#define EQUANT_INFERENCE_SELECT_PLANETS_PLANET_SEARCH_H

#include "inference/select/planets/candidate_pool.h"
#include "inference/select/planets/partial_result.h"
#include "inference/select/planets/planet_weighing.h"
#include "inference/search/significance.h"

/* The last planet of a model, of those that noise took the place of the most probable. */
typedef struct outweighed_planet {
    solution model; /* its set is NULL where there is none */
    double probability, false_alarm;
} outweighed_planet;

/* The families of aliases that the result has: of how many planets, 0 where there are none, and
 * beside what they were compared. */
typedef struct compared_families {
    size_t n;
    noise_choice noise;
    int trend_order;
} compared_families;

typedef struct planet_search {
    study *star;
    const planet_finder_options *options;
    candidate_pool pool;
    significance significance;
    planet_weighing by;
    seen_models seen;
    planet_rests rests;    /* of the current solution, when its planets have been weighed */
    const solution *rival; /* what a search with white noise is measured against; NULL: nothing */
    outweighed_planet outweighed;
    weighed_models models; /* of the last odds */
    compared_families families;
    partial_result partial; /* what to end with where the search is cut off */
    bool is_out_of_time;
    solution other_way; /* of the two ways to look beside noise, what the one that was not taken has
                           found; its set is NULL where there is none */
} planet_search;

/* Whether one model is preferred to another, which may have other planets and other noise. */
bool planet_search_prefers(const planet_search *search, const solution *one, const solution *other);

/* False alarms are those under the noise of the current solution from now on. */
equant_status planet_search_judge(planet_search *search);

/* Whether a solution of the pool is worth having instead of the current one. */
equant_status planet_search_weigh(planet_search *search, solution *best, verdict *made);

/* Remembers a solution as refused. */
equant_status planet_search_refuse(planet_search *search, const solution *best,
                                   const verdict *judged, planet_finder_result *result);

/* Whether a search with white noise is so far behind a model with other noise that it need not go
 * on. */
bool planet_search_is_behind(const planet_search *search);

/* Adds planets while they are significant, or as many as were asked for; the second begins anew
 * from the current solution. */
equant_status planet_search_add(planet_search *search, planet_finder_result *result);
equant_status planet_search_go_on(planet_search *search, planet_finder_result *result);

/* Planets that noise may take the place of are to be more probable than not. */
#define EVEN_ODDS 0.5

/* Whether a planet of the current solution that is no chance of the noise that it is found with is
 * more probable than the noise of a model without it. One that is not is remembered. */
equant_status planet_search_outweighs_noise(planet_search *search, size_t planet,
                                            const solution *without, bool *outweighs);

/* Takes out, one by one, the planets found here that the rest of the model can do without. */
equant_status planet_search_drop(planet_search *search, double tolerance,
                                 planet_finder_result *result);

#endif
