/* Folders in which one program at a time may write: the public equant_folder_lock_take. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "platform/system_clock.h"
#include "platform/system_file.h"
#include "platform/system_host.h"

struct equant_folder_lock {
    int descriptor;
    bool is_shared;
    char path[];
};

/* Whoever releases a lock removes its file: one that was opened before and locked after that is
 * not the file of the folder any more. */
static bool is_current(const equant_folder_lock *lock)
{
    system_file_facts ours, there;
    return system_file_find_open(lock->descriptor, &ours) && system_file_find(lock->path, &there) &&
           system_file_is_same(&ours, &there);
}

/* 0, SYSTEM_FILE_BUSY or an errno; the descriptor is open where the file could be opened. */
static int try_lock(equant_folder_lock *lock)
{
    do {
        if (lock->descriptor >= 0)
            system_file_close(lock->descriptor);
        lock->descriptor = system_file_open(lock->path, SYSTEM_FILE_LOCKED);
        if (lock->descriptor < 0)
            return errno;
        int error = system_file_try_lock(lock->descriptor, lock->is_shared);
        if (error != 0)
            return error;
    } while (!is_current(lock));
    return 0;
}

/* For the sentence of the next one. */
static void sign(const equant_folder_lock *lock)
{
    char host[128] = "", since[32] = "", text[256];
    system_host_name(host, sizeof host);
    system_clock_text(since, sizeof since, "%Y-%m-%d %H:%M:%S UTC");
    int n = snprintf(text, sizeof text, "process %ld on host %s since %s", system_host_process(),
                     host, since);
    bool is_signed = system_file_cut(lock->descriptor, 0) &&
                     system_file_write(lock->descriptor, text, (size_t)n) == n;
    if (!is_signed && !system_file_cut(lock->descriptor, 0))
        return; /* half a name harms nobody: the lock itself holds */
}

static equant_status refuse(const equant_folder_lock *lock, const char *folder, int error)
{
    char owner[256] = "";
    if (error != SYSTEM_FILE_BUSY)
        return status_fail(EQUANT_ERROR_IO, "%s: cannot be locked against other programs: %s",
                           folder, strerror(error));
    ptrdiff_t n = system_file_peek(lock->descriptor, owner, sizeof owner - 1);
    for (ptrdiff_t i = 0; i < n; i++)
        if (owner[i] < ' ' || owner[i] > '~')
            owner[i] = '?';
    return status_fail(EQUANT_ERROR_IO, "%s: in use by %s; wait for it, or name another folder",
                       folder, n > 0 ? owner : "another program");
}

equant_status equant_folder_lock_take(const char *folder, const char *name, int is_shared,
                                      equant_folder_lock **out)
{
    if (!folder || !out)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a lock needs a folder and a place to put it");
    const char *file = name ? name : EQUANT_FOLDER_LOCK;
    size_t n = strlen(folder) + strlen(file) + 2;
    equant_folder_lock *lock = malloc(sizeof *lock + n);
    if (!lock)
        return status_out_of_memory();
    *lock = (equant_folder_lock){.descriptor = -1, .is_shared = is_shared != 0};
    snprintf(lock->path, n, "%s/%s", folder, file);
    int error = try_lock(lock);
    if (error == 0) {
        sign(lock);
        *out = lock;
        return EQUANT_SUCCESS;
    }
    equant_status status = refuse(lock, folder, error);
    if (lock->descriptor >= 0)
        system_file_close(lock->descriptor);
    free(lock);
    return status;
}

void equant_folder_lock_release(equant_folder_lock *lock)
{
    if (!lock)
        return;
    /* Of those who share it the last one takes the file away. */
    if (!lock->is_shared || system_file_try_lock(lock->descriptor, false) == 0)
        system_file_remove(lock->path);
    system_file_close(lock->descriptor);
    free(lock);
}
