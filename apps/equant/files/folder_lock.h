/* A folder in which one program at a time may write, as equant_folder_lock has it. */
#ifndef EQUANT_APP_FILES_FOLDER_LOCK_H
#define EQUANT_APP_FILES_FOLDER_LOCK_H

#include <stdbool.h>

#include "equant.h"

/* Locks a folder by a file of this name in it. Returns an exit code, with a sentence on failure;
 * release it in any case. */
int folder_lock_take_named(equant_folder_lock **lock, const char *folder, const char *name,
                           bool is_shared);

/* Locks a folder that is there, alone. `is_forced` goes on where another program has the lock or
 * the file system knows none. Returns an exit code, with a sentence on failure; release it in any
 * case. */
int folder_lock_take(equant_folder_lock **lock, const char *folder, bool is_forced);

#endif
