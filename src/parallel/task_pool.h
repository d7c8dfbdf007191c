/* Independent pieces of work, shared among threads that sleep where there is none for a while.
 * Pieces may share out pieces of their own: whoever waits for these does some of them. */
#ifndef EQUANT_PARALLEL_TASK_POOL_H
#define EQUANT_PARALLEL_TASK_POOL_H

#include <stddef.h>

typedef struct task_pool task_pool;

/* Does piece `index`. Of the pieces that run at the same time no two have the same worker, but for
 * those that one of them has shared out and waits for. */
typedef void task_piece(void *context, size_t index, int worker);

/* n_threads with the calling one, which is worker 0; fewer where the system starts no more. NULL:
 * out of memory. */
task_pool *task_pool_create(int n_threads);
void task_pool_free(task_pool *pool);

/* Does pieces 0 to n - 1 and returns when all are done. `worker` is the one who calls. Worker 0
 * calls `meanwhile`, unless NULL, now and then while it waits. */
void task_pool_run(task_pool *pool, int worker, size_t n, task_piece *piece, void *context,
                   void (*meanwhile)(void *context));

/* The same for the first n_threads workers alone, of whom 0 calls. */
void task_pool_run_by(task_pool *pool, int n_threads, size_t n, task_piece *piece, void *context);

#endif
