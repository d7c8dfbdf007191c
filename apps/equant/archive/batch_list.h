/* The stars of a batch: a text file with a line for each, its name and its files. */
#ifndef EQUANT_APP_ARCHIVE_BATCH_LIST_H
#define EQUANT_APP_ARCHIVE_BATCH_LIST_H

#include <stddef.h>

#include "options/shard.h"

struct batch_star {
    char *name;
    int n_paths;
    char **paths;
    size_t line; /* of the list */
};

struct batch_list {
    size_t n;
    struct batch_star *stars;
};

/* Reads the list; names are unique, and can be the names of folders. Returns an exit code, with
 * a sentence on failure; free it in any case. */
int batch_list_read(struct batch_list *list, const char *path);
void batch_list_free(struct batch_list *list);

/* Leaves the stars of a shard, in their order. */
void batch_list_take_shard(struct batch_list *list, const struct shard *shard);

/* A line of a list in place, which is cut up: "NAME FILE [FILE...]" with blanks or with tabs
 * between, or "FILE" alone. Returns an exit code, with a sentence on failure; free it in any
 * case. */
int batch_star_read(char *line, struct batch_star *star);
void batch_star_free(struct batch_star *star);

/* The same line in new memory, with tabs; NULL, with a sentence, where there is none. */
char *batch_star_line(const struct batch_star *star);

#endif
