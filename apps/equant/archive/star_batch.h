/* Many stars, each computed by a process of its own into a folder of its own: what `--batch` deals
 * out, and what a worker does with it. */
#ifndef EQUANT_APP_ARCHIVE_STAR_BATCH_H
#define EQUANT_APP_ARCHIVE_STAR_BATCH_H

#include <stdbool.h>

#include "archive/batch_list.h"
#include "files/output_check.h"
#include "options/batch_request.h"
#include "stars/star_result.h"

enum { STAR_BATCH_OPTIONS_SIZE = 4096, STAR_BATCH_REMARK_SIZE = 256 };

/* What is done with a star, and what all of them have in common. */
struct star_batch_work {
    const char *folder;                    /* of all results                                   */
    char options[STAR_BATCH_OPTIONS_SIZE]; /* that results depend on, as a line                */
    const char *verb;                      /* "fitted"                                         */
    const char *mark;                      /* a file in the folder of a star that is done: it is
                                              written last                                     */
    const struct output_member *members;   /* the files of such a folder                       */
    int n_threads;                         /* 0: all                                           */
    bool is_forced;                        /* without locks                                    */
    void *context;
    /* Computes a star into its folder, which is there. Returns an exit code, with a sentence on
     * failure, and what the star's row tells; a remark is told beside it. The result is freed in
     * any case. */
    int (*work)(void *context, const struct batch_star *star, const char *folder,
                struct star_result *result, char remark[STAR_BATCH_REMARK_SIZE]);
};

/* Computes the stars of the list in FOLDER/NAME each, and keeps FOLDER/summary.ecsv; a shard leaves
 * that to `equant merge`. A star that fails does not stop the others; stars that an earlier run
 * has finished are passed over. argv is the command's, for its workers. Returns EXIT_CODE_OK,
 * EXIT_CODE_FAILED when stars failed, or another exit code, with a sentence. */
int star_batch_run(const struct batch_request *batch, const struct star_batch_work *work, int argc,
                   char **argv);

/* Computes what comes on standard input, a line NAME<tab>FILE<tab>... for each star, and answers a
 * line for each on standard output: STATUS<tab>WORDS. */
int star_worker_run(const struct star_batch_work *work);

#endif
