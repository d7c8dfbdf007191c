/* Observations that could be made: times, each with an instrument, an error, a cost and what an
 * answer then is worth. */
#ifndef EQUANT_APP_PLANNING_CANDIDATE_LIST_H
#define EQUANT_APP_PLANNING_CANDIDATE_LIST_H

#include "planning/future_times.h"
#include "planning/setup_request.h"

/* What an answer is worth that comes later. */
struct horizon_request {
    double fall_days;   /* worth falls by e in so many; 0: it does not                    */
    double within_days; /* it is wanted within so many, and sooner rather than later      */
};

extern const struct option_row horizon_request_rows[];

struct candidate_list {
    equant_candidates given;   /* as the library takes them */
    struct candidate_sky *sky; /* [given.n]; NULL: no site was named */
    size_t room;
    double *columns; /* behind the members of `given`, [..][room] */
    int *numbers;
};

/* All setups at all times, or that of the site which a time is for. Returns an exit code, with a
 * sentence on failure; free it in any case. */
int candidate_list_make(const struct future_times *times, const struct setups *setups,
                        const struct horizon_request *horizon, struct candidate_list *made);
void candidate_list_free(struct candidate_list *list);

#endif
