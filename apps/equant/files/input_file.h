/* The files that a command reads, by device and inode, so that no output of it takes the place of
 * one of them: not by another name, a link or a hard link, and not with --force.
 *
 * Files named on a command line are noted when it is parsed, files in folders of results and lists
 * when they are opened. One thread at a time. */
#ifndef EQUANT_APP_FILES_INPUT_FILE_H
#define EQUANT_APP_FILES_INPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "platform/system_file.h"

/* Notes a file that the library opens; "-" is standard input. What is no regular file, or is not
 * there, is not noted. Without memory for its name, it is noted without one. */
void input_file_note(const char *path);

/* Opens a file for reading and notes it. NULL, with errno, where that fails. */
FILE *input_file_open(const char *path);

/* The same as a descriptor; -1, with errno, where that fails. */
int input_file_descriptor(const char *path);

/* The name under which a file was read; NULL where it was not. */
const char *input_file_name(const system_file_facts *file);

/* Whether a file could not be noted, so that no output is safe. */
bool input_file_lacks_memory(void);

#endif
