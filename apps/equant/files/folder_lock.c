#include "files/folder_lock.h"

#include <stddef.h>

#include "terminal/messages.h"

int folder_lock_take_named(equant_folder_lock **lock, const char *folder, const char *name,
                           bool is_shared)
{
    *lock = NULL;
    if (equant_folder_lock_take(folder, name, is_shared, lock) == EQUANT_SUCCESS)
        return EXIT_CODE_OK;
    return messages_failure("%s; --force goes on all the same", equant_last_error());
}

int folder_lock_take(equant_folder_lock **lock, const char *folder, bool is_forced)
{
    *lock = NULL;
    return is_forced ? EXIT_CODE_OK : folder_lock_take_named(lock, folder, NULL, false);
}
