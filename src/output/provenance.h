/* How a run was made, in words: its settings, its priors, and what its caller says about it. */
#ifndef EQUANT_OUTPUT_PROVENANCE_H
#define EQUANT_OUTPUT_PROVENANCE_H

#include "output/run_file.h"

/* A list that owns its texts. Zero-initialise. */
typedef struct provenance {
    size_t n, capacity;
    run_file_text *texts;
} provenance;

/* Appends a copy; a value of NULL is left out. */
equant_status provenance_add(provenance *list, const char *name, const char *value);
/* Appends copies of all these. */
equant_status provenance_add_all(provenance *list, size_t n, const run_file_text *texts);
void provenance_free(provenance *list);

/* The value of a name; NULL where there is none. */
const char *provenance_find(const provenance *list, const char *name);

#endif
