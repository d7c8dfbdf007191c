#include "inference/sample/target/xla_target_list.h"

#include <stdlib.h>

#include "core/status_fail.h"

/* Calls read the list for as long as they last: what is in it stays until they are done. */
static pthread_rwlock_t list_lock = PTHREAD_RWLOCK_INITIALIZER;
static xla_target *first = NULL;
static int64_t last_number = 0;

equant_status equant_xla_target_enter(equant_target *target, int64_t *number)
{
    if (!target || !number)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a target is entered with a place for its number");
    xla_target *entered = malloc(sizeof *entered);
    if (!entered)
        return status_out_of_memory();
    entered->target = target;
    pthread_mutex_init(&entered->turn, NULL);
    pthread_rwlock_wrlock(&list_lock);
    entered->number = *number = ++last_number;
    entered->next = first;
    first = entered;
    pthread_rwlock_unlock(&list_lock);
    return EQUANT_SUCCESS;
}

void equant_xla_target_leave(int64_t number)
{
    pthread_rwlock_wrlock(&list_lock);
    xla_target **place = &first;
    while (*place && (*place)->number != number)
        place = &(*place)->next;
    xla_target *leaving = *place;
    if (leaving)
        *place = leaving->next;
    pthread_rwlock_unlock(&list_lock);
    if (leaving)
        pthread_mutex_destroy(&leaving->turn);
    free(leaving);
}

xla_target *xla_target_acquire(int64_t number)
{
    pthread_rwlock_rdlock(&list_lock);
    xla_target *found = first;
    while (found && found->number != number)
        found = found->next;
    if (found)
        pthread_mutex_lock(&found->turn);
    else
        pthread_rwlock_unlock(&list_lock);
    return found;
}

void xla_target_release(xla_target *entered)
{
    pthread_mutex_unlock(&entered->turn);
    pthread_rwlock_unlock(&list_lock);
}
