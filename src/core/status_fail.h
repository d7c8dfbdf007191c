/* How failures travel inside the library: a status up the call chain and one
 * sentence, kept per thread, for the person at the end of it. */
#ifndef EQUANT_CORE_STATUS_FAIL_H
#define EQUANT_CORE_STATUS_FAIL_H

#include <string.h>

#include "equant.h"

/* Stores the sentence and returns `status`, so that a failing function ends
 * with `return status_fail(...)`. Sentences are cut at 1023 bytes. */
__attribute__((format(printf, 2, 3))) equant_status status_fail(equant_status status,
                                                                const char *format, ...);

/* The usual sentence for a failed allocation. */
equant_status status_out_of_memory(void);

/* And for an index that is out of range: "there are 3 modes, so none has index 3". */
equant_status status_fail_range(const char *noun, size_t n, size_t index);

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

/* Takes a struct of the caller, or none, as far as both know it; the rest is zero. */
#define OPTIONS_TAKE(own, given)                                                                   \
    ((void)memset(&(own), 0, sizeof(own)),                                                         \
     (void)((given) != NULL                                                                        \
                ? memcpy(&(own), (given),                                                          \
                         (given)->struct_size < sizeof(own) ? (given)->struct_size : sizeof(own))  \
                : NULL))

/* What a getter of one of n things begins with: an index in range, and a struct of the caller. */
#define STATUS_CHECK_ITEM(out, noun, n, index)                                                     \
    ((out) == NULL || (index) >= (n) ? status_fail_range(noun, n, index) : OPTIONS_CHECK(out))

/* The value of a member, or zero where the caller's struct has none. */
#define OPTION_OR_ZERO(options, type, member)                                                      \
    (OPTIONS_HAVE(options, type, member) ? (options)->member : 0)

#endif
