/* Many stars, each fitted by a process of its own into a folder of its own: what `fit --batch`
 * deals out, and what a worker does with it. */
#ifndef EQUANT_APP_ARCHIVE_FIT_BATCH_H
#define EQUANT_APP_ARCHIVE_FIT_BATCH_H

#include <stdbool.h>

#include "archive/shard.h"
#include "options/fit_request.h"
#include "options/option_table.h"
#include "results/fit_folder.h"

struct fit_batch_request {
    const char *list; /* file of stars; NULL: no batch */
    struct shard shard;
    int n_workers;       /* 0: as many as threads             */
    int most_attempts;   /* of a star that crashes or hangs   */
    double time_limit_s; /* of a star                         */
    bool has_pictures, is_forced, is_worker;
};

extern const struct option_row fit_batch_rows[];

struct fit_batch_request fit_batch_default(void);

/* What all stars have in common. */
struct fit_batch_common {
    const struct fit_request *request;
    const struct fit_folder_options *options;
    const char *command, *folder;
};

/* Fits the stars of the list in FOLDER/NAME each, and keeps FOLDER/summary.ecsv; a shard leaves
 * that to `equant merge`. A star that fails does not stop the others; stars that an earlier run
 * has finished are passed over. argv is the command's, for its workers. Returns EXIT_CODE_OK,
 * EXIT_CODE_FAILED when stars failed, or another exit code, with a sentence. */
int fit_batch_run(const struct fit_batch_request *batch, const struct fit_batch_common *common,
                  int argc, char **argv);

/* Fits what comes on standard input, a line NAME<tab>FILE<tab>... for each star, and answers a
 * line for each on standard output: STATUS<tab>WORDS. */
int fit_batch_work(const struct fit_batch_common *common);

#endif
