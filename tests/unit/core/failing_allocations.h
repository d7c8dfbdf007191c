/* An allocator that fails on request, for tests of memory that runs out: every allocation of a call
 * fails in turn, is reported as such, and leaves nothing behind.
 *
 * The linker (--wrap) leads the library's calls of malloc and its relatives here;
 * tests/CMakeLists.txt lists the programs. Those of shared libraries, such as the OpenMP run-time,
 * it leaves alone. */
#ifndef EQUANT_TESTS_FAILING_ALLOCATIONS_H
#define EQUANT_TESTS_FAILING_ALLOCATIONS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "equant.h"
#include "quick.h"

/* ---- an allocator that fails on request -------------------------------- */

typedef enum failure_mode {
    FAIL_NEVER,
    FAIL_ONCE,   /* allocation `fail_at` alone: is the failure noticed?       */
    FAIL_ONWARD, /* from `fail_at` on: does cleaning up need memory?          */
} failure_mode;

static failure_mode mode;
static size_t fail_at; /* counted from 1 */
static atomic_size_t n_allocations, n_live;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *string);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_strdup(const char *string);
void __wrap_free(void *memory);

static inline bool is_refused(void)
{
    size_t number = ++n_allocations;
    return (mode == FAIL_ONCE && number == fail_at) || (mode == FAIL_ONWARD && number >= fail_at);
}

static inline void *counted(void *memory)
{
    n_live += memory != NULL;
    return memory;
}

void *__wrap_malloc(size_t size)
{
    return is_refused() ? NULL : counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return is_refused() ? NULL : counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *memory, size_t size)
{
    if (is_refused())
        return NULL;
    bool is_new = memory == NULL;
    void *grown = __real_realloc(memory, size);
    return is_new ? counted(grown) : grown;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return is_refused() ? NULL : counted(__real_aligned_alloc(alignment, size));
}

char *__wrap_strdup(const char *string)
{
    return is_refused() ? NULL : counted(__real_strdup(string));
}

void __wrap_free(void *memory)
{
    n_live -= memory != NULL;
    __real_free(memory);
}

/* What outputs hold before a call, and after one that fails. */
static char nowhere;
#define UNTOUCHED ((void *)&nowhere)

/* ---- failing ----------------------------------------------------------- */

typedef struct scenario {
    const char *name;
    bool must_allocate;
    equant_status (*call)(void);
} scenario;

/* Runs a call with a fresh count of allocations, and sees that all it made are gone. */
static inline equant_status run(const scenario *s, failure_mode how, size_t number)
{
    size_t live_before = n_live;
    n_allocations = 0;
    fail_at = number;
    mode = how;
    equant_status status = s->call();
    mode = FAIL_NEVER;
    if (n_live != live_before)
        fail_msg("%s: allocation %zu failed, and %td blocks were left behind", s->name, number,
                 (ptrdiff_t)(n_live - live_before));
    return status;
}

static inline void fail_one(const scenario *s, failure_mode how, size_t number)
{
    /* A sentence about something else, so that an old one is not taken for a new one. */
    assert_int_equal(equant_model_create(NULL, NULL), EQUANT_ERROR_INVALID_ARGUMENT);
    equant_status status = run(s, how, number);
    if (status != EQUANT_ERROR_OUT_OF_MEMORY)
        fail_msg("%s: allocation %zu failed, and the status is '%s'", s->name, number,
                 equant_status_name(status));
    assert_string_equal(equant_last_error(), "there is not enough memory for this");
}

/* Calls that allocate more often than this do so again and again in the same places: failures
 * spread evenly over them meet every place at some time. */
static inline size_t most_failures(void)
{
    return quick_run() ? 20 : 150;
}

static inline void fail_some(const scenario *s, size_t most)
{
    assert_int_equal(s->call(), EQUANT_SUCCESS); /* what a GPU's library makes once is not ours */
    assert_int_equal(run(s, FAIL_NEVER, 0), EQUANT_SUCCESS);
    size_t n = n_allocations;
    printf("%s: %zu allocations\n", s->name, n);
    assert_true(n > 0 || !s->must_allocate);
    for (size_t number = 1; number <= n; number += n / most + 1) {
        fail_one(s, FAIL_ONCE, number);
        fail_one(s, FAIL_ONWARD, number);
    }
    assert_int_equal(run(s, FAIL_NEVER, 0), EQUANT_SUCCESS);
}

static inline void fail_each(const scenario *s)
{
    fail_some(s, most_failures());
}

#endif
