#include "planning/effort_request.h"

#include "options/engine_options.h"

#define OPTIONS_OF struct effort_request
const struct option_row effort_request_rows[] = {
    {"draws", "N", OPTION_COUNT(max_draws, 2, 1000000),
     "number of posterior draws; default: 2000, in plans 1000 of\n"
     "each run"},
    {"backend", "B", OPTION_TEXT(engine.backend),
     "one of the backends of `equant info`; default: the fastest"},
    {"threads", "N", OPTION_COUNT(engine.n_threads, 1, ENGINE_OPTIONS_MOST_THREADS),
     "number of CPU threads; default: all of the machine"},
    {0}};

struct effort_request effort_request_default(void)
{
    return (struct effort_request){.engine = engine_options_default()};
}
