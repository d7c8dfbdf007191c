#include "options/batch_request.h"

#include <string.h>

#include "terminal/messages.h"

enum { MOST_WORKERS = 1024, DEFAULT_ATTEMPTS = 3 };
static const double default_time_limit_s = 3600.0;

static int take_shard(const char *command, char *argument, void *into)
{
    return shard_take(command, argument, &((struct batch_request *)into)->shard);
}

#define OPTIONS_OF struct batch_request
const struct option_row batch_request_rows[] = {
    {"batch", "LIST", OPTION_FILE(list),
     "a line for each star: NAME FILE [FILE...], or FILE alone;\n"
     "results go to DIR/NAME, a row for each to DIR/summary.ecsv;\n"
     "started again it goes on where it stopped"},
    {"workers", "N", OPTION_COUNT(n_workers, 1, MOST_WORKERS),
     "stars at a time, each in a process of its own; threads are\n"
     "shared between them; default: as many as threads"},
    {"devices", "LIST", OPTION_TEXT(devices),
     "cards of this machine, such as 0,1: each worker sees one of\n"
     "them, in turn, by CUDA_VISIBLE_DEVICES; default: all see all"},
    {"time-limit", "S", OPTION_POSITIVE(time_limit_s),
     "seconds after which a star is given up; default 3600"},
    {"attempts", "N", OPTION_COUNT(most_attempts, 1, 1000000),
     "how often a star is begun that crashes or is given up,\n"
     "all runs together; default 3"},
    {"shard", "I/N", OPTION_CALL(take_shard),
     "every Nth star from the Ith on: N machines share DIR, and\n"
     "`equant merge DIR` makes the table of all"},
    {"pictures", NULL, OPTION_FLAG(has_pictures), "pictures also in a batch"},
    {"worker", NULL, OPTION_FLAG(is_worker),
     "takes stars from standard input, NAME and files with tabs\n"
     "between, and answers a line for each: what --batch starts"},
    {0}};

struct batch_request batch_request_default(void)
{
    return (struct batch_request){.most_attempts = DEFAULT_ATTEMPTS,
                                  .time_limit_s = default_time_limit_s};
}

int batch_request_check(const char *command, const struct batch_request *request,
                        const char *folder, int n_files, bool as_json)
{
    if (request->list == NULL)
        return request->shard.n > 0 || request->is_worker || request->n_workers > 0 ||
                       request->devices != NULL
                   ? messages_usage(command, "--workers, --devices, --shard and --worker are "
                                             "about many stars: name their list with --batch")
                   : EXIT_CODE_OK;
    if (folder == NULL)
        return messages_usage(command, "--batch wants a folder for its results; name it with "
                                       "--out");
    if (n_files > 0)
        return messages_usage(command, "--batch takes the files from its list; leave the others "
                                       "out");
    if (request->devices != NULL && (request->devices[0] == '\0' || request->devices[0] == ',' ||
                                     strstr(request->devices, ",,") != NULL))
        return messages_usage(command,
                              "--devices wants cards with commas between, such as 0,1, "
                              "not '%s'",
                              request->devices);
    if (as_json)
        return messages_usage(command, "--batch writes the results of every star to its folder; "
                                       "leave --json out");
    return EXIT_CODE_OK;
}
