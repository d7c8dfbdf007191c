/* Loops on threads: every step is done once, by a thread whose number nobody else has at the time;
 * loops within loops, several callers, forked processes, and systems that start no thread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "parallel/parallel_for.h"

enum { STEPS = 203, THREADS = 4 };

typedef struct counted {
    atomic_int done[STEPS], at_work[THREADS];
    atomic_int n_wrong, largest;
    size_t n;
} counted;

static void do_nothing(void *context, size_t first, size_t end, int thread)
{
    (void)first, (void)end;
    if (thread != 0 || parallel_thread() != 0)
        atomic_fetch_add((atomic_int *)context, 1);
}

static void count_steps(void *context, size_t first, size_t end, int thread)
{
    counted *all = context;
    if (thread < 0 || thread >= THREADS || thread != parallel_thread() ||
        atomic_fetch_add(&all->at_work[thread], 1) != 0)
        atomic_fetch_add(&all->n_wrong, 1);
    parallel_for(THREADS, 3, 1, do_nothing, &all->n_wrong);
    if (thread != parallel_thread())
        atomic_fetch_add(&all->n_wrong, 1);
    for (size_t i = first; i < end; i++)
        atomic_fetch_add(&all->done[i], 1);
    parallel_keep_larger(&all->largest, (int)end);
    atomic_fetch_sub(&all->at_work[thread], 1);
}

static int count_errors(int n_threads, size_t n, size_t at_once)
{
    counted all;
    memset(&all, 0, sizeof all);
    parallel_for(n_threads, n, at_once, count_steps, &all);
    int n_errors = atomic_load(&all.n_wrong) + (atomic_load(&all.largest) != (int)n);
    for (size_t i = 0; i < STEPS; i++)
        n_errors += atomic_load(&all.done[i]) != (i < n);
    return n_errors + (parallel_thread() != 0);
}

static int count_all_errors(void)
{
    const size_t shares[] = {0, 1, 7, 1000};
    int n_errors = 0;
    for (int n_threads = THREADS; n_threads >= -1; n_threads--)
        for (size_t n = 0; n <= STEPS; n = n < 5 ? n + 1 : 2 * n + 3)
            for (size_t s = 0; s < sizeof shares / sizeof *shares; s++)
                n_errors += count_errors(n_threads, n, shares[s]);
    return n_errors;
}

static void each_step_is_done_once(void **state)
{
    (void)state;
    for (int again = 0; again < 20; again++)
        assert_int_equal(count_all_errors(), 0);
}

static void *run_elsewhere(void *n_errors)
{
    *(int *)n_errors = count_all_errors();
    return NULL;
}

static void several_callers_have_threads_of_their_own(void **state)
{
    (void)state;
    pthread_t callers[3];
    int n_errors[3];
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&callers[i], NULL, run_elsewhere, &n_errors[i]), 0);
    for (int i = 0; i < 3; i++) {
        pthread_join(callers[i], NULL);
        assert_int_equal(n_errors[i], 0);
    }
}

static int exit_code_of_child(rlim_t most_bytes)
{
    pid_t child = fork();
    if (child == 0) {
        struct rlimit limit = {most_bytes, most_bytes};
        alarm(20);
        if (most_bytes > 0)
            setrlimit(RLIMIT_AS, &limit);
        _exit(count_all_errors() == 0 ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

/* A child has none of its parent's threads, and waits for none of them. */
static void forked_processes_start_their_own(void **state)
{
    (void)state;
    assert_int_equal(count_all_errors(), 0);
    assert_int_equal(exit_code_of_child(0), 0);
    assert_int_equal(count_all_errors(), 0);
}

static void without_threads_the_caller_does_all(void **state)
{
    (void)state;
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    skip();
#endif
    assert_int_equal(exit_code_of_child(1), 0); /* no room for a stack, or for anything new */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_step_is_done_once),
        cmocka_unit_test(several_callers_have_threads_of_their_own),
        cmocka_unit_test(forked_processes_start_their_own),
        cmocka_unit_test(without_threads_the_caller_does_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
