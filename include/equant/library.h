/* equant/library.h: the library and the machine. Its version, and the backends found on this
 * machine. */
#ifndef EQUANT_LIBRARY_H
#define EQUANT_LIBRARY_H

#include <stddef.h>

#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the library that is running, e.g. "0.1.0". */
EQUANT_API const char *equant_version(void);

/* What one backend is, for listing. Strings are static. */
typedef struct equant_backend_info {
    size_t struct_size;
    const char *name;        /* "cpu/avx512"; what engine options take       */
    const char *description; /* one line for a person                        */
    int available;           /* 1 when this machine can run it               */
    int is_default;          /* 1 for the one chosen by backend = NULL       */
} equant_backend_info;

/* Number of backends built into this library, best first. */
EQUANT_API size_t equant_n_backends(void);

/* Describes backend `index` (< equant_n_backends()). */
EQUANT_API equant_status equant_backend_at(size_t index, equant_backend_info *info);

/* Number of threads that n_threads = 0 means: what OMP_NUM_THREADS says, or all that the machine
 * offers. */
EQUANT_API int equant_default_threads(void);

#ifdef __cplusplus
}
#endif
#endif
