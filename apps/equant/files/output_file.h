/* A file that is there whole or not at all: it is written under a name of its own beside the
 * target, which nobody can foresee, and takes the target's place when it is complete and on the
 * disk. */
#ifndef EQUANT_APP_FILES_OUTPUT_FILE_H
#define EQUANT_APP_FILES_OUTPUT_FILE_H

#include <stdio.h>

#include "files/output_check.h"

struct output_file {
    FILE *stream;
    char *path, *temporary; /* temporary NULL: a terminal, a pipe; written to at once */
};

/* Opens FOLDER/NAME, one of `members`, for writing. A file of its kind that is there is replaced,
 * and so is a link to one. Returns an exit code, with a sentence on failure; close it only after
 * success. */
int output_file_open(struct output_file *file, const char *folder, const char *name,
                     const struct output_member *members);

/* The same for a path that a person gave: a link stays and what it leads to is replaced, and
 * terminals, pipes and /dev/null are written to as they are. */
int output_file_open_path(struct output_file *file, const char *path,
                          const struct output_kind *kind);

/* With `code` EXIT_CODE_OK: completes the file, and answers EXIT_CODE_OK or, with a
 * sentence, EXIT_CODE_FAILED. With another code: takes the file away and returns it. */
int output_file_close(struct output_file *file, int code);

/* Takes FOLDER/NAME, one of `members`, away where it is there. One of another kind stays, and is a
 * failure. Returns an exit code, with a sentence on failure. */
int output_file_remove(const char *folder, const char *name, const struct output_member *members);

#endif
