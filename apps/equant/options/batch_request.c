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
     "file with one star per line: NAME FILE [FILE...], or FILE\n"
     "alone. Results go to DIR/NAME, and one row per star to\n"
     "DIR/summary.ecsv; the same command continues an interrupted\n"
     "batch"},
    {"workers", "N", OPTION_COUNT(n_workers, 1, MOST_WORKERS),
     "number of stars processed at the same time, each in its own\n"
     "process; they share the threads. Default: number of threads"},
    {"devices", "LIST", OPTION_TEXT(devices),
     "GPUs of this machine, such as 0,1, assigned to the workers\n"
     "in turn by CUDA_VISIBLE_DEVICES; default: every worker sees\n"
     "all of them"},
    {"time-limit", "S", OPTION_POSITIVE(time_limit_s),
     "seconds after which a star is abandoned; default: 3600"},
    {"attempts", "N", OPTION_COUNT(most_attempts, 1, 1000000),
     "number of attempts at a star that crashes or is abandoned,\n"
     "over all runs; default: 3"},
    {"shard", "I/N", OPTION_CALL(take_shard),
     "processes every Nth star, starting with the Ith: N machines\n"
     "share DIR, and `equant merge DIR` writes the table of all"},
    {"pictures", NULL, OPTION_FLAG(has_pictures), "draws pictures in a batch, too"},
    {"worker", NULL, OPTION_FLAG(is_worker),
     "reads stars from standard input, NAME and files separated by\n"
     "tabs, and answers with one line each; used by --batch"},
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
                              "--devices wants GPUs with commas between, such as 0,1, "
                              "not '%s'",
                              request->devices);
    if (as_json)
        return messages_usage(command, "--batch writes the results of every star to its folder; "
                                       "leave --json out");
    return EXIT_CODE_OK;
}
