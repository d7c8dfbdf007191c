/* What a person asks of a batch: many stars, each computed by a process of its own. */
#ifndef EQUANT_APP_OPTIONS_BATCH_REQUEST_H
#define EQUANT_APP_OPTIONS_BATCH_REQUEST_H

#include <stdbool.h>

#include "options/option_table.h"
#include "options/shard.h"

struct batch_request {
    const char *list; /* file of stars; NULL: no batch */
    struct shard shard;
    int n_workers;       /* 0: as many as threads             */
    int most_attempts;   /* of a star that crashes or hangs   */
    double time_limit_s; /* of a star                         */
    const char *devices; /* "0,1": GPUs, in turn for the workers; NULL: all see all */
    bool has_pictures, is_worker;
};

extern const struct option_row batch_request_rows[];

struct batch_request batch_request_default(void);

/* Whether the options of a command make sense together: it has n_files of its own, a folder, and
 * may be about to print JSON. Returns an exit code, with a sentence on failure. */
int batch_request_check(const char *command, const struct batch_request *request,
                        const char *folder, int n_files, bool as_json);

#endif
