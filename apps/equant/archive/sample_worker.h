/* The sampling of a star of a batch. */
#ifndef EQUANT_APP_ARCHIVE_SAMPLE_WORKER_H
#define EQUANT_APP_ARCHIVE_SAMPLE_WORKER_H

#include "archive/star_batch.h"
#include "options/sample_request.h"

/* The context of its work. */
struct sample_worker {
    const struct sample_request *request;
    const char *command, *typed;
};

/* Where the star's folder holds a run that was not brought to its end, goes on with it. The row has
 * medians; a run that stopped before its goals is remarked. */
int sample_worker_sample(void *context, const struct batch_star *star, const char *folder,
                         struct star_result *result, char remark[STAR_BATCH_REMARK_SIZE]);

#endif
