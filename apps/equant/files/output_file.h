/* A file that is there whole or not at all: it is written under another name and gets
 * its own when it is complete. */
#ifndef EQUANT_APP_FILES_OUTPUT_FILE_H
#define EQUANT_APP_FILES_OUTPUT_FILE_H

#include <stdio.h>

struct output_file {
    FILE *stream;
    char *path, *temporary;
};

/* Opens FOLDER/NAME for writing. Returns an exit code, with a sentence on failure; close
 * it only after success. */
int output_file_open(struct output_file *file, const char *folder, const char *name);

/* With `code` EXIT_CODE_OK: completes the file, and answers EXIT_CODE_OK or, with a
 * sentence, EXIT_CODE_FAILED. With another code: takes the file away and returns it. */
int output_file_close(struct output_file *file, int code);

#endif
