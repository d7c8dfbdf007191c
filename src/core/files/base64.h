/* Bytes out of base64, in pieces of any length. */
#ifndef EQUANT_CORE_FILES_BASE64_H
#define EQUANT_CORE_FILES_BASE64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is left of the pieces so far. Zero-initialise. */
typedef struct base64 {
    uint32_t bits;
    unsigned n_letters; /* of the four that make three bytes */
    bool is_at_end;     /* an equals sign was there */
} base64;

/* Appends the bytes of a piece of text to the *n_bytes that `bytes` has, which has room for 3 n/4 +
 * 3 more; blanks are stepped over. False for letters that are none of base64. */
bool base64_decode(base64 *state, const char *text, size_t n, unsigned char *bytes,
                   size_t *n_bytes);

#endif
