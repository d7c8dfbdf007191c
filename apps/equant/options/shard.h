/* One part of many of an archive: "3/8" is every eighth star of the list, from the third on. Who
 * computes a star does not depend on what has been computed, so that machines need not talk. */
#ifndef EQUANT_APP_OPTIONS_SHARD_H
#define EQUANT_APP_OPTIONS_SHARD_H

#include <stdbool.h>
#include <stddef.h>

struct shard {
    size_t number, n; /* the first is 1; n is 0 where the archive is not cut */
};

/* Takes "I/N" with I from 1 to N. Returns an exit code, with a sentence on failure. */
int shard_take(const char *command, const char *argument, struct shard *shard);

bool shard_has(const struct shard *shard, size_t index);

#endif
