/* With what the next observations are made: instruments, their errors, and how long an observation
 * takes. Each is said once for all sites, or once for each of them, in their order. */
#ifndef EQUANT_APP_PLANNING_SETUP_REQUEST_H
#define EQUANT_APP_PLANNING_SETUP_REQUEST_H

#include "equant.h"
#include "options/option_table.h"

struct setup_request {
    struct text_list instruments, errors, exposures, overheads;
};

/* Instrument and error; and what an observation costs. */
extern const struct option_row setup_request_rows[];
extern const struct option_row setup_request_cost_rows[];

enum { SETUP_REQUEST_MOST = 16 };

struct setup {
    size_t instrument;      /* of the run, from 1                    */
    double uncertainty_m_s; /* 0: the median of the instrument       */
    double exposure_days, overhead_days;
};

struct setups {
    size_t n; /* as many as sites; or, with one site or none, all of them at each time */
    struct setup of[SETUP_REQUEST_MOST];
};

/* For the instruments of a run. Returns an exit code, with a sentence on failure. */
int setup_request_find(const char *command, const struct setup_request *request,
                       const equant_dataset *velocities, size_t n_sites, struct setups *found);

/* Refuses what the run of a folder or file has not, before its draws are read. */
int setup_request_check(const char *command, const struct setup_request *request, const char *run,
                        size_t n_sites);
void setup_request_free(struct setup_request *request);

#endif
