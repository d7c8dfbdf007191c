/* The files of a folder of results: what each is called, and how one that is there is known. */
#ifndef EQUANT_INFERENCE_RECORD_RECORD_FILES_H
#define EQUANT_INFERENCE_RECORD_RECORD_FILES_H

#include <stdbool.h>
#include <stdio.h>

#include "equant.h"

typedef enum record_file {
    RECORD_FILE_PLANETS,
    RECORD_FILE_PARAMETERS,
    RECORD_FILE_COVARIANCE,
    RECORD_FILE_RESIDUALS,
    RECORD_FILE_ORIGIN,
    RECORD_FILE_FIT, /* last: a folder with it is complete */
    N_RECORD_FILES
} record_file;

const char *record_files_name(record_file file);

/* "FOLDER/NAME" in new memory; NULL where there is none. */
char *record_files_path(const char *folder, record_file file);

/* Refuses a folder in which a file of one of these names is of another kind. */
equant_status record_files_check(const char *folder);

/* All of a file as text that ends with NUL, in new memory. */
equant_status record_files_read(const char *path, char **text);

/* Makes a folder, and those above it, where they are missing. */
equant_status record_files_make_folder(const char *folder);

/* What a file holds, written to a stream in memory; false where there is no memory. */
typedef bool record_file_contents(FILE *stream, const void *context);

/* As text in new memory that ends with NUL. */
equant_status record_files_text(record_file_contents *contents, const void *context, char **text,
                                size_t *n_bytes);

/* Whole or not at all, in the place of one of its kind. */
equant_status record_files_write(const char *folder, record_file file,
                                 record_file_contents *contents, const void *context);

#endif
