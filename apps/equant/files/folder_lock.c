#include "files/folder_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "files/output_folder.h"
#include "terminal/messages.h"

/* Whoever releases a lock removes its file: one that was opened before and locked after that is
 * not the file of the folder any more. */
static bool is_current(const struct folder_lock *lock)
{
    struct stat ours, there;
    return fstat(lock->descriptor, &ours) == 0 && stat(lock->path, &there) == 0 &&
           ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

/* 0 or an errno; the descriptor is open where the file could be opened. */
static int try_lock(struct folder_lock *lock)
{
    do {
        if (lock->descriptor >= 0)
            close(lock->descriptor);
        lock->descriptor = open(lock->path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (lock->descriptor < 0 ||
            flock(lock->descriptor, (lock->is_shared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0)
            return errno;
    } while (!is_current(lock));
    return 0;
}

/* For the sentence of the next one. */
static void sign(const struct folder_lock *lock)
{
    char host[128] = "", since[32] = "", text[256];
    time_t now = time(NULL);
    struct tm utc;
    gethostname(host, sizeof host - 1);
    if (gmtime_r(&now, &utc) != NULL)
        strftime(since, sizeof since, "%Y-%m-%d %H:%M:%S UTC", &utc);
    int n =
        snprintf(text, sizeof text, "process %ld on host %s since %s", (long)getpid(), host, since);
    bool is_signed =
        ftruncate(lock->descriptor, 0) == 0 && write(lock->descriptor, text, (size_t)n) == n;
    if (!is_signed && ftruncate(lock->descriptor, 0) != 0)
        return; /* half a name harms nobody: the lock itself holds */
}

static int refuse(const struct folder_lock *lock, const char *folder, int error)
{
    char owner[256] = "";
    if (error != EWOULDBLOCK)
        return messages_failure("%s: cannot be locked against other programs: %s; if there are "
                                "none, say --force",
                                folder, strerror(error));
    ssize_t n = pread(lock->descriptor, owner, sizeof owner - 1, 0);
    for (ssize_t i = 0; i < n; i++)
        if (owner[i] < ' ' || owner[i] > '~')
            owner[i] = '?';
    return messages_failure("%s: in use by %s; wait for it, or name another folder; --force goes "
                            "on all the same",
                            folder, n > 0 ? owner : "another program");
}

int folder_lock_take(struct folder_lock *lock, const char *folder, bool is_forced)
{
    *lock = (struct folder_lock){.descriptor = -1};
    return is_forced ? EXIT_CODE_OK
                     : folder_lock_take_named(lock, folder, FOLDER_LOCK_FILE, FOLDER_LOCK_ALONE);
}

int folder_lock_take_named(struct folder_lock *lock, const char *folder, const char *name,
                           enum folder_lock_kind kind)
{
    *lock = (struct folder_lock){.descriptor = -1, .is_shared = kind == FOLDER_LOCK_SHARED};
    lock->path = output_folder_join(folder, name);
    if (lock->path == NULL)
        return EXIT_CODE_FAILED;
    int error = try_lock(lock);
    if (error == 0) {
        sign(lock);
        return EXIT_CODE_OK;
    }
    int code = refuse(lock, folder, error);
    if (lock->descriptor >= 0)
        close(lock->descriptor);
    free(lock->path);
    *lock = (struct folder_lock){.descriptor = -1};
    return code;
}

void folder_lock_release(struct folder_lock *lock)
{
    if (lock->path == NULL)
        return;
    /* Of those who share it the last one takes the file away. */
    if (!lock->is_shared || flock(lock->descriptor, LOCK_EX | LOCK_NB) == 0)
        unlink(lock->path);
    close(lock->descriptor);
    free(lock->path);
    lock->path = NULL;
}
