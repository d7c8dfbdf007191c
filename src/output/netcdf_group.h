/* A group of a NetCDF-4 file, written and read with errors that wait: after the first one
 * every call does nothing, and whoever opened the file asks once. Knows nothing of runs. */
#ifndef EQUANT_OUTPUT_NETCDF_GROUP_H
#define EQUANT_OUTPUT_NETCDF_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct netcdf_group {
    int id;
    int *error; /* of the file: NC_NOERR, or the first thing that went wrong */
} netcdf_group;

enum { NETCDF_MOST_DIMENSIONS = 3 };

/* The shape of a variable; n = 0: a single number. */
typedef struct netcdf_shape {
    int n;
    int dimension[NETCDF_MOST_DIMENSIONS];
    size_t length[NETCDF_MOST_DIMENSIONS];
} netcdf_shape;

/* --- Writing ------------------------------------------------------------------------- */

netcdf_group netcdf_group_add(netcdf_group parent, const char *name);

/* A shape with one dimension more, which is made in this group. A length of 0 is allowed. */
netcdf_shape netcdf_group_extend(netcdf_group group, netcdf_shape shape, const char *name,
                                 size_t length);

/* Attributes of the group. */
void netcdf_group_put_text(netcdf_group group, const char *name, const char *text);
void netcdf_group_put_texts(netcdf_group group, const char *name, size_t n, const char **texts);
void netcdf_group_put_integer(netcdf_group group, const char *name, int64_t value);
void netcdf_group_put_number(netcdf_group group, const char *name, double value);

/* A variable of numbers that is written row by row: along its first dimension, a row a time.
 * Compressed, and with checksums that tell damage when it is read. */
int netcdf_group_define(netcdf_group group, const char *name, netcdf_shape shape);
void netcdf_group_put_row(netcdf_group group, int variable, netcdf_shape shape, size_t row,
                          const double *values);
/* An attribute of the variable. */
void netcdf_group_describe(netcdf_group group, int variable, const char *name, const char *text);

/* Variables that are written whole; those of numbers and bytes with checksums. */
void netcdf_group_put_numbers(netcdf_group group, const char *name, netcdf_shape shape,
                              const double *values);
void netcdf_group_put_integers(netcdf_group group, const char *name, netcdf_shape shape,
                               const int64_t *values);
void netcdf_group_put_bytes(netcdf_group group, const char *name, netcdf_shape shape,
                            const void *bytes);
void netcdf_group_put_names(netcdf_group group, const char *name, netcdf_shape shape,
                            const char **names);

/* --- Reading ------------------------------------------------------------------------- */

/* Whether it is there; no error where it is not. */
bool netcdf_group_has_variable(netcdf_group group, const char *name);
bool netcdf_group_has_attribute(netcdf_group group, const char *name);
bool netcdf_group_has_group(netcdf_group group, const char *name);

netcdf_group netcdf_group_open(netcdf_group parent, const char *name);
size_t netcdf_group_length(netcdf_group group, const char *dimension);
int64_t netcdf_group_get_integer(netcdf_group group, const char *name);
double netcdf_group_get_number(netcdf_group group, const char *name);

/* Attribute number `index` with its name, both for the caller to free. */
size_t netcdf_group_n_attributes(netcdf_group group);
void netcdf_group_get_text(netcdf_group group, size_t index, char **name, char **text);
/* The attribute called `name`, for the caller to free; NULL where there is none. */
char *netcdf_group_find_text(netcdf_group group, const char *name);

/* Variables, which must have n values in all. */
void netcdf_group_get_numbers(netcdf_group group, const char *name, size_t n, double *values);
void netcdf_group_get_integers(netcdf_group group, const char *name, size_t n, int64_t *values);
void netcdf_group_get_bytes(netcdf_group group, const char *name, size_t n, void *bytes);
/* Names for the caller to free, each of them; NULL where one could not be read. */
void netcdf_group_get_names(netcdf_group group, const char *name, size_t n, char **names);
/* Whether a variable holds these names. */
bool netcdf_group_same_names(netcdf_group group, const char *name, size_t n, const char **names);
/* A row along the first dimension of a variable, which must have n values. */
void netcdf_group_get_row(netcdf_group group, const char *name, size_t row, size_t n,
                          double *values);

#endif
