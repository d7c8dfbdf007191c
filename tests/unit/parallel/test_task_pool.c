/* Every piece is done once, by whom it may be, also where pieces share out pieces; and who waits is
 * asked meanwhile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "parallel/task_pool.h"

enum { OUTER = 7, INNER = 40, THREADS = 4 };

typedef struct counted {
    task_pool *pool;
    atomic_int done[OUTER][INNER];
    atomic_int at_work[THREADS]; /* pieces of the outer job */
    atomic_int n_asked, n_shared_places;
} counted;

typedef struct row {
    counted *all;
    size_t number;
} row;

static void do_inner(void *context, size_t i, int worker)
{
    row *own = context;
    assert_true(worker >= 0 && worker < THREADS);
    atomic_fetch_add(&own->all->done[own->number][i], 1);
}

static void do_outer(void *context, size_t i, int worker)
{
    counted *all = context;
    row own = {all, i};
    /* Nobody is at two outer pieces at the same time. */
    if (atomic_fetch_add(&all->at_work[worker], 1) != 0)
        atomic_fetch_add(&all->n_shared_places, 1);
    task_pool_run(all->pool, worker, INNER, do_inner, &own, NULL);
    atomic_fetch_sub(&all->at_work[worker], 1);
}

static void pieces_within_pieces(void **state)
{
    (void)state;
    static counted all;
    for (int n_threads = 1; n_threads <= THREADS; n_threads++)
        for (int again = 0; again < 20; again++) {
            memset(&all, 0, sizeof all);
            all.pool = task_pool_create(n_threads);
            assert_non_null(all.pool);
            task_pool_run(all.pool, 0, OUTER, do_outer, &all, NULL);
            for (int i = 0; i < OUTER; i++)
                for (int j = 0; j < INNER; j++)
                    assert_int_equal(atomic_load(&all.done[i][j]), 1);
            assert_int_equal(atomic_load(&all.n_shared_places), 0);
            task_pool_run(all.pool, 0, 0, do_outer, &all, NULL); /* nothing at all */
            task_pool_free(all.pool);
        }
}

static void ask(void *context)
{
    counted *all = context;
    atomic_fetch_add(&all->n_asked, 1);
}

/* Worker 0 has little to do, the other one waits until it was asked. */
static void wait_for_question(void *context, size_t i, int worker)
{
    counted *all = context;
    const struct timespec pause = {.tv_nsec = 1000000};
    (void)i;
    for (int tries = 0; worker != 0 && atomic_load(&all->n_asked) == 0 && tries < 10000; tries++)
        nanosleep(&pause, NULL);
    for (int tries = 0; worker == 0 && tries < 50; tries++)
        nanosleep(&pause, NULL);
}

static void who_waits_is_asked(void **state)
{
    (void)state;
    static counted all;
    all.pool = task_pool_create(2);
    assert_non_null(all.pool);
    for (int again = 0; again < 20 && atomic_load(&all.n_asked) == 0; again++)
        task_pool_run(all.pool, 0, 2, wait_for_question, &all, ask);
    assert_true(atomic_load(&all.n_asked) > 0);
    task_pool_free(all.pool);
    task_pool_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pieces_within_pieces),
                                       cmocka_unit_test(who_waits_is_asked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
