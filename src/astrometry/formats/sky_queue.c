#include "astrometry/formats/sky_queue.h"

#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"

equant_status sky_queue_put(sky_queue *queue, equant_astrometry *source)
{
    if (queue->first > 0 && queue->first + queue->n == queue->capacity) {
        memmove(queue->waiting, queue->waiting + queue->first,
                queue->n * sizeof(equant_astrometry *));
        queue->first = 0;
    }
    if (queue->n == queue->capacity) {
        size_t capacity = 2 * queue->capacity + 16;
        equant_astrometry **grown = realloc(queue->waiting, capacity * sizeof(equant_astrometry *));
        if (grown == NULL) {
            equant_astrometry_free(source);
            return status_out_of_memory();
        }
        queue->waiting = grown;
        queue->capacity = capacity;
    }
    queue->waiting[queue->first + queue->n++] = source;
    return EQUANT_SUCCESS;
}

equant_astrometry *sky_queue_take(sky_queue *queue)
{
    if (queue->n == 0)
        return NULL;
    queue->n--;
    return queue->waiting[queue->first++];
}

/* The place of a number in a table, or the free one where it belongs. */
static int64_t *place_of(int64_t *table, size_t capacity, int64_t number)
{
    size_t i = (size_t)(((uint64_t)number * UINT64_C(0x9E3779B97F4A7C15)) >> 16) % capacity;
    while (table[i] != 0 && table[i] != number)
        i = i + 1 < capacity ? i + 1 : 0;
    return &table[i];
}

static equant_status grow_known(sky_queue *queue)
{
    size_t capacity = 2 * queue->known_capacity + 64;
    int64_t *grown = calloc(capacity, sizeof *grown);
    if (grown == NULL)
        return status_out_of_memory();
    for (size_t i = 0; i < queue->known_capacity; i++)
        if (queue->known[i] != 0)
            *place_of(grown, capacity, queue->known[i]) = queue->known[i];
    free(queue->known);
    queue->known = grown;
    queue->known_capacity = capacity;
    return EQUANT_SUCCESS;
}

equant_status sky_queue_note(sky_queue *queue, int64_t source_id, bool *is_new)
{
    *is_new = true;
    if (source_id == 0) /* nobody's number */
        return EQUANT_SUCCESS;
    if (2 * (queue->n_known + 1) > queue->known_capacity) {
        equant_status status = grow_known(queue);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    int64_t *place = place_of(queue->known, queue->known_capacity, source_id);
    *is_new = *place == 0;
    *place = source_id;
    queue->n_known += *is_new;
    return EQUANT_SUCCESS;
}

void sky_queue_free(sky_queue *queue)
{
    equant_astrometry *source;
    while ((source = sky_queue_take(queue)) != NULL)
        equant_astrometry_free(source);
    free(queue->waiting);
    free(queue->known);
    *queue = (sky_queue){0};
}
