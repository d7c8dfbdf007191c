#include "output/netcdf_group.h"

#include <netcdf.h>
#include <stdlib.h>
#include <string.h>

#include "core/numbers/memory_size.h"

/* Values of a draw are read together far more often than far apart. */
enum { CHUNK_ROWS = 8192, DEFLATE_LEVEL = 1 };

/* Does `call` unless something went wrong before. */
#define UNLESS_FAILED(group, call)                                                                 \
    do {                                                                                           \
        if (*(group).error == NC_NOERR)                                                            \
            *(group).error = (call);                                                               \
    } while (0)

/* --- Writing ------------------------------------------------------------------------- */

netcdf_group netcdf_group_add(netcdf_group parent, const char *name)
{
    netcdf_group group = {.error = parent.error};
    UNLESS_FAILED(parent, nc_def_grp(parent.id, name, &group.id));
    return group;
}

netcdf_shape netcdf_group_extend(netcdf_group group, netcdf_shape shape, const char *name,
                                 size_t length)
{
    /* For NetCDF a length of 0 is one that may grow, which is as empty to begin with. */
    UNLESS_FAILED(group, nc_def_dim(group.id, name, length, &shape.dimension[shape.n]));
    shape.length[shape.n++] = length;
    return shape;
}

void netcdf_group_put_text(netcdf_group group, const char *name, const char *text)
{
    netcdf_group_describe(group, NC_GLOBAL, name, text);
}

void netcdf_group_put_texts(netcdf_group group, const char *name, size_t n, const char **texts)
{
    UNLESS_FAILED(group, nc_put_att_string(group.id, NC_GLOBAL, name, n, texts));
}

void netcdf_group_put_integer(netcdf_group group, const char *name, int64_t value)
{
    long long number = value;
    UNLESS_FAILED(group, nc_put_att_longlong(group.id, NC_GLOBAL, name, NC_INT64, 1, &number));
}

void netcdf_group_put_number(netcdf_group group, const char *name, double value)
{
    UNLESS_FAILED(group, nc_put_att_double(group.id, NC_GLOBAL, name, NC_DOUBLE, 1, &value));
}

void netcdf_group_describe(netcdf_group group, int variable, const char *name, const char *text)
{
    UNLESS_FAILED(group, nc_put_att_text(group.id, variable, name, strlen(text), text));
}

static int define(netcdf_group group, const char *name, nc_type type, netcdf_shape shape)
{
    int variable = 0;
    UNLESS_FAILED(group, nc_def_var(group.id, name, type, shape.n, shape.dimension, &variable));
    if (shape.n > 0)
        UNLESS_FAILED(group, nc_def_var_fletcher32(group.id, variable, NC_FLETCHER32));
    return variable;
}

int netcdf_group_define(netcdf_group group, const char *name, netcdf_shape shape)
{
    int variable = define(group, name, NC_DOUBLE, shape);
    size_t chunk[NETCDF_MOST_DIMENSIONS] = {1, 1, 1};
    for (int i = 1; i < shape.n; i++)
        chunk[i] = shape.length[i] > 0 ? shape.length[i] : 1;
    if (chunk[1] > CHUNK_ROWS)
        chunk[1] = CHUNK_ROWS;
    UNLESS_FAILED(group, nc_def_var_chunking(group.id, variable, NC_CHUNKED, chunk));
    UNLESS_FAILED(group, nc_def_var_deflate(group.id, variable, 1, 1, DEFLATE_LEVEL));
    return variable;
}

void netcdf_group_put_row(netcdf_group group, int variable, netcdf_shape shape, size_t row,
                          const double *values)
{
    size_t first[NETCDF_MOST_DIMENSIONS] = {row}, count[NETCDF_MOST_DIMENSIONS] = {1};
    for (int i = 1; i < shape.n; i++)
        count[i] = shape.length[i];
    UNLESS_FAILED(group, nc_put_vara_double(group.id, variable, first, count, values));
}

void netcdf_group_put_numbers(netcdf_group group, const char *name, netcdf_shape shape,
                              const double *values)
{
    int variable = define(group, name, NC_DOUBLE, shape);
    UNLESS_FAILED(group, nc_put_var_double(group.id, variable, values));
}

void netcdf_group_put_integers(netcdf_group group, const char *name, netcdf_shape shape,
                               const int64_t *values)
{
    int variable = define(group, name, NC_INT64, shape);
    size_t first[NETCDF_MOST_DIMENSIONS] = {0};
    UNLESS_FAILED(group, nc_put_vara(group.id, variable, first, shape.length, values));
}

void netcdf_group_put_bytes(netcdf_group group, const char *name, netcdf_shape shape,
                            const void *bytes)
{
    int variable = define(group, name, NC_UBYTE, shape);
    UNLESS_FAILED(group, nc_put_var_ubyte(group.id, variable, bytes));
}

void netcdf_group_put_names(netcdf_group group, const char *name, netcdf_shape shape,
                            const char **names)
{
    int variable = 0; /* of strings, which have no checksums */
    UNLESS_FAILED(group,
                  nc_def_var(group.id, name, NC_STRING, shape.n, shape.dimension, &variable));
    UNLESS_FAILED(group, nc_put_var_string(group.id, variable, names));
}

/* --- Reading ------------------------------------------------------------------------- */

bool netcdf_group_has_variable(netcdf_group group, const char *name)
{
    int id;
    return *group.error == NC_NOERR && nc_inq_varid(group.id, name, &id) == NC_NOERR;
}

bool netcdf_group_has_attribute(netcdf_group group, const char *name)
{
    int id;
    return *group.error == NC_NOERR && nc_inq_attid(group.id, NC_GLOBAL, name, &id) == NC_NOERR;
}

bool netcdf_group_has_group(netcdf_group group, const char *name)
{
    int id;
    return *group.error == NC_NOERR && nc_inq_ncid(group.id, name, &id) == NC_NOERR;
}

netcdf_group netcdf_group_open(netcdf_group parent, const char *name)
{
    netcdf_group group = {.error = parent.error};
    UNLESS_FAILED(parent, nc_inq_ncid(parent.id, name, &group.id));
    return group;
}

size_t netcdf_group_length(netcdf_group group, const char *dimension)
{
    int id = 0;
    size_t length = 0;
    UNLESS_FAILED(group, nc_inq_dimid(group.id, dimension, &id));
    UNLESS_FAILED(group, nc_inq_dimlen(group.id, id, &length));
    return length;
}

/* A single number of any kind that fits; more than one would overrun it. */
static void check_single(netcdf_group group, const char *name)
{
    size_t n = 0;
    UNLESS_FAILED(group, nc_inq_attlen(group.id, NC_GLOBAL, name, &n));
    UNLESS_FAILED(group, n == 1 ? NC_NOERR : NC_EEDGE);
}

int64_t netcdf_group_get_integer(netcdf_group group, const char *name)
{
    long long value = 0;
    check_single(group, name);
    UNLESS_FAILED(group, nc_get_att_longlong(group.id, NC_GLOBAL, name, &value));
    return value;
}

double netcdf_group_get_number(netcdf_group group, const char *name)
{
    double value = 0.0;
    check_single(group, name);
    UNLESS_FAILED(group, nc_get_att_double(group.id, NC_GLOBAL, name, &value));
    return value;
}

size_t netcdf_group_n_attributes(netcdf_group group)
{
    int n = 0;
    UNLESS_FAILED(group, nc_inq_natts(group.id, &n));
    return (size_t)n;
}

void netcdf_group_get_text(netcdf_group group, size_t index, char **name, char **text)
{
    char found[NC_MAX_NAME + 1] = "";
    size_t n = 0;
    nc_type type = NC_CHAR;
    UNLESS_FAILED(group, nc_inq_attname(group.id, NC_GLOBAL, (int)index, found));
    UNLESS_FAILED(group, nc_inq_att(group.id, NC_GLOBAL, found, &type, &n));
    UNLESS_FAILED(group, type == NC_CHAR ? NC_NOERR : NC_ECHAR);
    *name = strdup(found);
    *text = calloc(n + 1, 1);
    UNLESS_FAILED(group, *name != NULL && *text != NULL ? NC_NOERR : NC_ENOMEM);
    UNLESS_FAILED(group, nc_get_att_text(group.id, NC_GLOBAL, found, *text));
}

char *netcdf_group_find_text(netcdf_group group, const char *name)
{
    int index = 0;
    char *same_name = NULL, *text = NULL;
    if (!netcdf_group_has_attribute(group, name))
        return NULL;
    UNLESS_FAILED(group, nc_inq_attid(group.id, NC_GLOBAL, name, &index));
    netcdf_group_get_text(group, (size_t)index, &same_name, &text);
    free(same_name);
    return text;
}

/* The variable, if it has n values from dimension number `first` on. */
static int find(netcdf_group group, const char *name, int first, size_t n)
{
    int variable = 0, n_dimensions = 0, dimension[NC_MAX_VAR_DIMS] = {0};
    size_t product = 1;
    UNLESS_FAILED(group, nc_inq_varid(group.id, name, &variable));
    UNLESS_FAILED(group, nc_inq_varndims(group.id, variable, &n_dimensions));
    UNLESS_FAILED(group, n_dimensions <= NETCDF_MOST_DIMENSIONS ? NC_NOERR : NC_EDIMSIZE);
    UNLESS_FAILED(group, nc_inq_vardimid(group.id, variable, dimension));
    /* All of them are asked for: the library reads a variable whose dimension is gone from the file
     * as if it were there. */
    for (int i = 0; i < n_dimensions && *group.error == NC_NOERR; i++) {
        size_t length = 0;
        UNLESS_FAILED(group, nc_inq_dimlen(group.id, dimension[i], &length));
        product = memory_size_times(product, i < first ? 1 : length);
    }
    UNLESS_FAILED(group, product == n && n < SIZE_MAX ? NC_NOERR : NC_EEDGE);
    return variable;
}

void netcdf_group_get_numbers(netcdf_group group, const char *name, size_t n, double *values)
{
    int variable = find(group, name, 0, n);
    UNLESS_FAILED(group, nc_get_var_double(group.id, variable, values));
}

void netcdf_group_get_integers(netcdf_group group, const char *name, size_t n, int64_t *values)
{
    int variable = find(group, name, 0, n);
    nc_type type = NC_INT64;
    UNLESS_FAILED(group, nc_inq_vartype(group.id, variable, &type));
    UNLESS_FAILED(group, type == NC_INT64 ? NC_NOERR : NC_EBADTYPE);
    UNLESS_FAILED(group, nc_get_var(group.id, variable, values));
}

void netcdf_group_get_bytes(netcdf_group group, const char *name, size_t n, void *bytes)
{
    int variable = find(group, name, 0, n);
    UNLESS_FAILED(group, nc_get_var_ubyte(group.id, variable, bytes));
}

void netcdf_group_get_names(netcdf_group group, const char *name, size_t n, char **names)
{
    int variable = find(group, name, 0, n);
    for (size_t i = 0; i < n; i++)
        names[i] = NULL;
    UNLESS_FAILED(group, nc_get_var_string(group.id, variable, names));
    for (size_t i = 0; i < n; i++)
        UNLESS_FAILED(group, names[i] != NULL ? NC_NOERR : NC_EBADTYPE);
}

bool netcdf_group_same_names(netcdf_group group, const char *name, size_t n, const char **names)
{
    char **found = calloc(n + 1, sizeof *found);
    if (found == NULL) {
        UNLESS_FAILED(group, NC_ENOMEM);
        return false;
    }
    netcdf_group_get_names(group, name, n, found);
    bool same = *group.error == NC_NOERR;
    for (size_t i = 0; i < n && same; i++)
        same = strcmp(found[i], names[i]) == 0;
    for (size_t i = 0; i < n; i++)
        free(found[i]);
    free(found);
    return same;
}

void netcdf_group_get_row(netcdf_group group, const char *name, size_t row, size_t n,
                          double *values)
{
    int variable = find(group, name, 1, n), dimension[NC_MAX_VAR_DIMS] = {0}, n_dimensions = 0;
    size_t first[NETCDF_MOST_DIMENSIONS] = {row}, count[NETCDF_MOST_DIMENSIONS] = {1};
    UNLESS_FAILED(group, nc_inq_varndims(group.id, variable, &n_dimensions));
    UNLESS_FAILED(group, nc_inq_vardimid(group.id, variable, dimension));
    for (int i = 1; i < n_dimensions && *group.error == NC_NOERR; i++)
        UNLESS_FAILED(group, nc_inq_dimlen(group.id, dimension[i], &count[i]));
    UNLESS_FAILED(group, nc_get_vara_double(group.id, variable, first, count, values));
}
