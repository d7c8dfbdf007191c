/* The fit of a star of a batch. */
#ifndef EQUANT_APP_ARCHIVE_FIT_WORKER_H
#define EQUANT_APP_ARCHIVE_FIT_WORKER_H

#include "archive/star_batch.h"
#include "options/fit_request.h"
#include "results/fit_folder.h"

/* The context of its work. */
struct fit_worker {
    const struct fit_request *request;
    const struct fit_folder_options *options;
    const char *command;
};

int fit_worker_fit(void *context, const struct batch_star *star, const char *folder,
                   struct star_result *result, char remark[STAR_BATCH_REMARK_SIZE]);

#endif
