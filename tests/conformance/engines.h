/* Every way to compute that this machine offers: backends x precisions x
 * solvers x summations, found through the public API. EQUANT_REQUIRE_BACKENDS,
 * a list such as "cpu/avx2,cpu/avx512", makes a missing backend a failure.
 * EQUANT_GPU_WAY, "split" or "tabulated", has GPUs compute in these ways. */
#ifndef CONFORMANCE_ENGINES_H
#define CONFORMANCE_ENGINES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "equant.h"

enum { ENGINES_MAX_BACKENDS = 16, ENGINES_N_WAYS = 4 * 2 * 2 };

/* Names of the available backends, best first. */
static inline const char *const *engines_backends(size_t *n)
{
    static const char *names[ENGINES_MAX_BACKENDS];
    *n = 0;
    for (size_t i = 0; i < equant_n_backends() && *n < ENGINES_MAX_BACKENDS; i++) {
        equant_backend_info info = {.struct_size = sizeof info};
        if (equant_backend_at(i, &info) == EQUANT_SUCCESS && info.available)
            names[(*n)++] = info.name;
    }
    return names;
}

static inline size_t engines_n_backends(void)
{
    size_t n;
    engines_backends(&n);
    return n;
}

static inline const char *engines_backend(size_t index)
{
    size_t n;
    return engines_backends(&n)[index];
}

/* Processors share their bits with each other; a GPU approximates some primitives and
 * shares them only with itself. */
static inline bool engines_is_processor(size_t index)
{
    return strncmp(engines_backend(index), "cpu/", 4) == 0;
}

/* Prints what will run; false where a required backend is missing. */
static inline bool engines_announce(void)
{
    size_t n;
    const char *const *names = engines_backends(&n);
    printf("backends:");
    for (size_t b = 0; b < n; b++)
        printf(" %s", names[b]);
    printf("\n");
    const char *required = getenv("EQUANT_REQUIRE_BACKENDS");
    bool complete = n > 0;
    while (required && *required) {
        size_t length = strcspn(required, ",");
        bool found = length == 0;
        for (size_t b = 0; b < n; b++)
            found = found || (strlen(names[b]) == length && !strncmp(names[b], required, length));
        if (!found)
            printf("required backend %.*s is missing\n", (int)length, required);
        complete = complete && found;
        required += length + (required[length] == ',');
    }
    return complete;
}

static inline bool engines_is_double(const equant_engine_options *options)
{
    return options->precision == EQUANT_PRECISION_DOUBLE;
}

/* True when the environment asks for this way on a backend that is no processor. */
static inline bool engines_gpu_way(const char *backend, const char *way)
{
    const char *asked = getenv("EQUANT_GPU_WAY");
    return asked && strcmp(asked, way) == 0 && *backend && strncmp(backend, "cpu", 3) != 0;
}

/* Way `index` < ENGINES_N_WAYS of computing on one backend. Danby's tolerance
 * is set to what the precision can reach. */
static inline equant_engine_options engines_way(const char *backend, size_t index)
{
    equant_engine_options options = {.struct_size = sizeof options,
                                     .backend = backend,
                                     .precision = (equant_precision)(index / 4),
                                     .solver = (equant_solver)(index / 2 % 2),
                                     .summation = (equant_summation)(index % 2)};
    if (options.solver == EQUANT_SOLVER_DANBY && engines_is_double(&options))
        options.danby_tolerance = 1e-14;
    static const equant_paper_options split = {.struct_size = sizeof split,
                                               .implementation = EQUANT_IMPLEMENTATION_SPLIT};
    static const equant_paper_options table = {.struct_size = sizeof table,
                                               .first_guess = EQUANT_FIRST_GUESS_TABULATED};
    if (engines_gpu_way(backend, "split"))
        options.paper = &split;
    if (options.solver == EQUANT_SOLVER_DANBY && engines_gpu_way(backend, "tabulated"))
        options.paper = &table;
    return options;
}

/* "double fast plain" and the like, for messages. Static memory. */
static inline const char *engines_way_name(const equant_engine_options *options)
{
    static const char *const precisions[] = {"double", "mixed", "single", "pair"};
    static char name[64];
    snprintf(name, sizeof name, "%s %s %s", precisions[options->precision],
             options->solver == EQUANT_SOLVER_DANBY ? "danby" : "fast",
             options->summation == EQUANT_SUMMATION_COMPENSATED ? "compensated" : "plain");
    return name;
}

static inline const char *engines_name(const equant_engine_options *options)
{
    static char name[128];
    snprintf(name, sizeof name, "%s %s", options->backend, engines_way_name(options));
    return name;
}

#endif
