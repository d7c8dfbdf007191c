/* A library to be loaded before others (LD_PRELOAD): allocation number FAIL_AT of the program
 * itself fails, from 1 on; how many there were goes to the file COUNT_TO. Those of libraries that
 * the program uses are left alone: what they make of it is their own affair. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

static uintptr_t first, last;
static atomic_long n_allocations, fail_at;

/* Where the program lies in memory: the first entry of the list of what is loaded. */
static int find_program(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size, (void)context;
    first = UINTPTR_MAX;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD)
            continue;
        uintptr_t start = info->dlpi_addr + part->p_vaddr, end = start + part->p_memsz;
        first = start < first ? start : first;
        last = end > last ? end : last;
    }
    return 1;
}

static __attribute__((constructor)) void begin(void)
{
    const char *text = getenv("FAIL_AT");
    dl_iterate_phdr(find_program, NULL);
    atomic_store(&fail_at, text != NULL ? atol(text) : 0);
}

static __attribute__((destructor)) void end(void)
{
    const char *path = getenv("COUNT_TO");
    FILE *file = path != NULL ? fopen(path, "w") : NULL;
    if (file != NULL) {
        fprintf(file, "%ld\n", (long)n_allocations);
        fclose(file);
    }
}

static int is_refused(const void *caller)
{
    uintptr_t at = (uintptr_t)caller;
    if (at < first || at >= last || first == 0)
        return 0;
    if (++n_allocations != fail_at)
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return is_refused(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return is_refused(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return is_refused(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}

char *strdup(const char *text)
{
    size_t n = strlen(text) + 1;
    char *copy = is_refused(__builtin_return_address(0)) ? NULL : __libc_malloc(n);
    return copy != NULL ? memcpy(copy, text, n) : NULL;
}
