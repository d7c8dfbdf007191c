/* A star file as a list of values with their lines. */
#ifndef EQUANT_INFERENCE_PRIORS_STAR_FILE_VALUES_H
#define EQUANT_INFERENCE_PRIORS_STAR_FILE_VALUES_H

#include "equant.h"

typedef struct star_value {
    char *section, *item, *key, *value;
    long line;
} star_value;

struct equant_star_file {
    char *path;
    size_t n;
    star_value *values;
};

#endif
