#include "platform/system_file.h"

#include <errno.h>
#include <sys/file.h>

int system_file_try_lock(int descriptor, bool is_shared)
{
    if (flock(descriptor, (is_shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0)
        return 0;
    return errno == EWOULDBLOCK ? SYSTEM_FILE_BUSY : errno;
}
