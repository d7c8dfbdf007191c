/* Folders and names of files. */
#ifndef EQUANT_PLATFORM_SYSTEM_FOLDER_H
#define EQUANT_PLATFORM_SYSTEM_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

bool system_folder_make(const char *path);
bool system_folder_is_writable(const char *path);
/* Names in it to the disk, where the file system can do that. */
void system_folder_flush(const char *path);

/* What is in a folder, in any order. NULL: it cannot be read, or there is nothing more. */
typedef struct system_folder system_folder;
system_folder *system_folder_open(const char *path);
const char *system_folder_next(system_folder *folder);
void system_folder_close(system_folder *folder);

/* The whole name of a file that is there, for the caller to free. */
char *system_folder_resolve(const char *path);

/* How many bytes of a path are its folder, the last slash included; 0: it names none. */
size_t system_folder_length(const char *path);

#endif
