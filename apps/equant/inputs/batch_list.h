/* The stars of a batch: a text file with a line for each, its name and its files. */
#ifndef EQUANT_APP_INPUTS_BATCH_LIST_H
#define EQUANT_APP_INPUTS_BATCH_LIST_H

#include <stddef.h>

struct batch_star {
    char *name;   /* of its folder       */
    char **paths; /* [n_paths] its files */
    int n_paths;
};

struct batch_list {
    size_t n;
    struct batch_star *stars;
};

/* Reads lines "NAME FILE [FILE...]", or "FILE" alone, whose name is then that of the file
 * without folder and ending. Fields are separated by blanks or, in a line that has tabs,
 * by tabs. "-" is standard input. Returns an exit code, with a sentence on failure; free
 * it in any case. */
int batch_list_read(struct batch_list *list, const char *path);
void batch_list_free(struct batch_list *list);

#endif
