/* How many draws predictions and plans look at, and on what they compute. */
#ifndef EQUANT_APP_PLANNING_EFFORT_REQUEST_H
#define EQUANT_APP_PLANNING_EFFORT_REQUEST_H

#include "equant.h"
#include "options/option_table.h"

struct effort_request {
    size_t max_draws; /* 0: as is usual */
    equant_engine_options engine;
};

extern const struct option_row effort_request_rows[];

struct effort_request effort_request_default(void);

#endif
