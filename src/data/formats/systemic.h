/* Systemic's .sys: a star and the names of its files of velocities. */
#ifndef EQUANT_DATA_SYSTEMIC_H
#define EQUANT_DATA_SYSTEMIC_H

#include <stdbool.h>
#include <stddef.h>

#include "data/text_table.h"

/* True when the text names files the way a .sys does. */
bool systemic_is(const char *text, size_t n_bytes);

/* The next file of velocities, as named in the text; false when there is none. */
bool systemic_next_file(text_lines *lines, text_slice *file);

/* Number of files of transit times, which equant does not use. */
size_t systemic_n_transit_files(const char *text, size_t n_bytes);

/* The path of `file`, which is relative to the folder of the .sys unless it is
 * absolute. The caller frees it; NULL when memory ran out. */
char *systemic_path(const char *sys_path, text_slice file);

/* The name and the mass of the star, in solar masses; a slice of NULL and 0 where they are not
 * said. */
text_slice systemic_star(const char *text, size_t n_bytes, double *mass);

#endif
