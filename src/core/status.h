/* How failures travel inside the library: a status up the call chain and one
 * sentence, kept per thread, for the person at the end of it. */
#ifndef EQUANT_CORE_STATUS_H
#define EQUANT_CORE_STATUS_H

#include <string.h>

#include "equant.h"

/* Stores the sentence and returns `status`, so that a failing function ends
 * with `return status_fail(...)`. Sentences are cut at 1023 bytes. */
__attribute__((format(printf, 2, 3))) equant_status status_fail(equant_status status,
                                                                const char *format, ...);

/* The usual sentence for a failed allocation. */
equant_status status_out_of_memory(void);

/* True when an options struct of the caller reaches far enough to hold a member:
 * older callers pass shorter structs, and what they lack means zero. */
#define OPTIONS_HAVE(options, type, member)                                                        \
    ((options) != NULL &&                                                                          \
     (options)->struct_size >= offsetof(type, member) + sizeof((options)->member))

/* Fails when a caller passes a struct and forgot its first member: taking it for all
 * zeros would silently drop what the caller did set. */
#define OPTIONS_CHECK(options)                                                                     \
    ((options) != NULL && (options)->struct_size < sizeof(size_t)                                  \
         ? status_fail(EQUANT_ERROR_INVALID_ARGUMENT,                                              \
                       "struct_size is not set: write {.struct_size = sizeof ...}")                \
         : EQUANT_SUCCESS)

/* Fills a struct of the caller from ours as far as it reaches; its struct_size stays. */
#define OPTIONS_FILL(known, out)                                                                   \
    ((known).struct_size = (out)->struct_size,                                                     \
     (void)memcpy((out), &(known),                                                                 \
                  (out)->struct_size < sizeof(known) ? (out)->struct_size : sizeof(known)))

/* The value of a member, or zero where the caller's struct has none. */
#define OPTION_OR_ZERO(options, type, member)                                                      \
    (OPTIONS_HAVE(options, type, member) ? (options)->member : 0)

#endif
