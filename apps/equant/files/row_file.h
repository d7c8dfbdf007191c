/* A file that grows row by row, so that what is there after an interruption can be gone on with:
 * the one kind of output that does not wait under another name until it is complete. One program
 * at a time writes to it; what a full disk has cut is taken back to the last whole batch of rows.
 */
#ifndef EQUANT_APP_FILES_ROW_FILE_H
#define EQUANT_APP_FILES_ROW_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "files/output_check.h"

struct row_file {
    FILE *stream; /* NULL: nothing is open */
    char *path;
    bool is_regular; /* and no terminal or pipe */
    long end;        /* of what is safely there */
};

/* Opens a file for reading and writing and locks it against other programs; one that is not there
 * is made, and nothing is changed otherwise. Where it is not empty it must be of the kind. Returns
 * an exit code, with a sentence on failure; close it only after success. */
int row_file_open(struct row_file *file, const char *command, const char *path,
                  const struct output_kind *kind);

/* What is there, in bytes; 0 of a terminal or pipe. */
long row_file_size(const struct row_file *file);

/* Keeps the first `size` bytes, and goes on behind them. An exit code. */
int row_file_cut(struct row_file *file, long size);

/* Hands all rows over to the system. Where that fails, takes the file back to where it was after
 * the last success. An exit code. */
int row_file_flush(struct row_file *file);

/* Closes a file to which nothing was written, and takes it away where it is empty. */
void row_file_abandon(struct row_file *file);

/* With an exit code, which it hands on unless closing fails. */
int row_file_close(struct row_file *file, int code);

#endif
