#include "planning/effort_request.h"

#include "options/engine_options.h"

#define OPTIONS_OF struct effort_request
const struct option_row effort_request_rows[] = {
    {"draws", "N", OPTION_COUNT(max_draws, 2, 1000000),
     "how many to look at; default 2000, and 1000 of each run in\n"
     "plans"},
    {"backend", "B", OPTION_TEXT(engine.backend),
     "a name that `equant info` lists; default: the fastest"},
    {"threads", "N", OPTION_COUNT(engine.n_threads, 1, ENGINE_OPTIONS_MOST_THREADS),
     "default: all that the machine offers"},
    {0}};

struct effort_request effort_request_default(void)
{
    return (struct effort_request){.engine = engine_options_default()};
}
