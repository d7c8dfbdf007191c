#include "options/shard.h"

#include <stdio.h>

#include "terminal/messages.h"

enum { MOST_SHARDS = 1000000 };

int shard_take(const char *command, const char *argument, struct shard *shard)
{
    int end = 0;
    if (sscanf(argument, "%9zu/%9zu%n", &shard->number, &shard->n, &end) != 2 ||
        argument[end] != '\0' || shard->number < 1 || shard->number > shard->n ||
        shard->n > MOST_SHARDS)
        return messages_usage(
            command, "--shard wants I/N, part I of N, such as 3/8; it has '%.40s'", argument);
    return EXIT_CODE_OK;
}

bool shard_has(const struct shard *shard, size_t index)
{
    return shard->n == 0 || index % shard->n == shard->number - 1;
}
