/* Sentences about what was done with the data, for people to read behind a result. */
#ifndef EQUANT_INFERENCE_LIKELIHOOD_REMARKS_H
#define EQUANT_INFERENCE_LIKELIHOOD_REMARKS_H

#include <stddef.h>

enum { REMARKS_MOST = 24, REMARKS_SIZE = 240 };

typedef struct remarks {
    size_t n;
    char texts[REMARKS_MOST][REMARKS_SIZE];
} remarks;

/* Adds one, unless it is there already or there is no room. */
__attribute__((format(printf, 2, 3))) void remarks_add(remarks *made, const char *format, ...);

#endif
