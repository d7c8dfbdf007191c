/* The folder that --out names. */
#ifndef EQUANT_APP_FILES_OUTPUT_FOLDER_H
#define EQUANT_APP_FILES_OUTPUT_FOLDER_H

/* Makes the folder, and those above it, where they are missing. Returns an exit code,
 * with a sentence on failure. */
int output_folder_create(const char *path);

/* "FOLDER/NAME" in new memory that the caller frees; NULL, with a sentence, when there
 * is none. */
char *output_folder_join(const char *folder, const char *name);

#endif
