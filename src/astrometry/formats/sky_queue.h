/* Sources that a reader has finished and nobody has taken yet, and the numbers of all that it
 * finished: the rows of one source must stand together. */
#ifndef EQUANT_ASTROMETRY_SKY_QUEUE_H
#define EQUANT_ASTROMETRY_SKY_QUEUE_H

#include <stdbool.h>

#include "equant.h"

/* Zero-initialise. */
typedef struct sky_queue {
    size_t first, n, capacity; /* of those that wait */
    equant_astrometry **waiting;
    size_t n_known, known_capacity; /* a table of numbers, half empty; 0 marks a free place */
    int64_t *known;
    size_t n_left_out; /* sources without a row that could be used */
} sky_queue;

/* Takes the source over, also where it fails. */
equant_status sky_queue_put(sky_queue *queue, equant_astrometry *source);

/* The next source, which is the caller's; NULL where none waits. */
equant_astrometry *sky_queue_take(sky_queue *queue);

/* Notes the number of a source; *is_new tells whether it was not noted before. */
equant_status sky_queue_note(sky_queue *queue, int64_t source_id, bool *is_new);

void sky_queue_free(sky_queue *queue);

#endif
