/* A folder in which one program at a time may write. The lock is the operating system's and goes
 * with its program, however that ends; the file .equant.lock only says whose it is. */
#ifndef EQUANT_APP_FILES_FOLDER_LOCK_H
#define EQUANT_APP_FILES_FOLDER_LOCK_H

#include <stdbool.h>

struct folder_lock {
    int descriptor;
    char *path; /* NULL: nothing is locked */
    bool is_shared;
};

#define FOLDER_LOCK_FILE ".equant.lock"
enum folder_lock_kind { FOLDER_LOCK_ALONE, FOLDER_LOCK_SHARED /* with others that share it */ };

/* Locks a folder by a file of this name in it. Returns an exit code, with a sentence on failure;
 * release it in any case. */
int folder_lock_take_named(struct folder_lock *lock, const char *folder, const char *name,
                           enum folder_lock_kind kind);

/* Locks a folder that is there, alone. `is_forced` goes on where another program has the lock or
 * the file system knows none. Returns an exit code, with a sentence on failure; release it in any
 * case. */
int folder_lock_take(struct folder_lock *lock, const char *folder, bool is_forced);
void folder_lock_release(struct folder_lock *lock);

#endif
