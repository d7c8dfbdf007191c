/* Transit times beside velocities: which of the files of a command has them. */
#ifndef EQUANT_APP_STARS_TRANSIT_REQUEST_H
#define EQUANT_APP_STARS_TRANSIT_REQUEST_H

#include "equant.h"
#include "options/option_table.h"

struct transit_request {
    const char *path;       /* the file that names the columns; NULL: none */
    const char **others;    /* owned: the files that are left */
    equant_transits *times; /* owned */
};

/* Takes the file of transits out of the files; one at most. */
int transit_request_take(struct transit_request *own, const char *command, struct file_list *files);

/* Reads it where there is one. */
int transit_request_load(struct transit_request *own);
void transit_request_free(struct transit_request *own);

#endif
