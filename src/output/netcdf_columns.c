#include "output/netcdf_columns.h"

#include <netcdf.h>
#include <stdlib.h>
#include <string.h>

#include "core/numbers/memory_size.h"
#include "core/status_fail.h"
#include "output/netcdf_group.h"

/* Counts beyond these are damage, and no memory is asked for them. */
#define MOST_VALUES 1000000000
#define MOST_COLUMNS 100000

static void check_that(netcdf_group group, bool holds)
{
    if (!holds && *group.error == NC_NOERR)
        *group.error = NC_EEDGE;
}

/* Zeroed memory for n things, one at least; NULL with the error set. */
static void *make_room(netcdf_group group, size_t n, size_t size)
{
    check_that(group, n <= MOST_VALUES);
    void *made = *group.error == NC_NOERR && n <= MOST_VALUES ? calloc(n + 1, size) : NULL;
    if (made == NULL && *group.error == NC_NOERR)
        *group.error = NC_ENOMEM;
    return made;
}

/* The variables of a group that have `n_dimensions` of them, the first of which is `first`. */
static size_t list_variables(netcdf_group group, int n_dimensions, const char *first, int *ids)
{
    int n = 0, dimension = 0;
    size_t n_found = 0;
    if (*group.error == NC_NOERR)
        *group.error = nc_inq_dimid(group.id, first, &dimension);
    if (*group.error == NC_NOERR)
        *group.error = nc_inq_varids(group.id, &n, NULL);
    check_that(group, n <= MOST_COLUMNS);
    int *all = make_room(group, (size_t)n, sizeof *all);
    if (all != NULL)
        *group.error = nc_inq_varids(group.id, &n, all);
    for (int i = 0; i < n && *group.error == NC_NOERR; i++) {
        int own[NC_MAX_VAR_DIMS], n_own = 0;
        nc_type type = NC_DOUBLE;
        *group.error = nc_inq_var(group.id, all[i], NULL, &type, &n_own, own, NULL);
        bool is_wanted = n_own == n_dimensions && own[0] == dimension && type == NC_DOUBLE;
        if (*group.error == NC_NOERR && is_wanted && ids != NULL)
            ids[n_found] = all[i];
        n_found += is_wanted;
    }
    free(all);
    return *group.error == NC_NOERR ? n_found : 0;
}

static char *read_unit(netcdf_group group, int variable)
{
    size_t n = 0;
    bool is_there = nc_inq_attlen(group.id, variable, "units", &n) == NC_NOERR;
    char *unit = make_room(group, n, 1);
    if (is_there && unit != NULL)
        *group.error = nc_get_att_text(group.id, variable, "units", unit);
    return unit;
}

/* Variables of n values each as columns, which are the file's from the first on. */
static void read_columns(netcdf_group group, int n_dimensions, const char *first, size_t n_values,
                         size_t *n_columns, const column_file_column **columns)
{
    size_t n = list_variables(group, n_dimensions, first, NULL);
    int *ids = make_room(group, n, sizeof *ids);
    column_file_column *made = make_room(group, n, sizeof *made);
    *columns = made;
    if (ids != NULL && made != NULL)
        list_variables(group, n_dimensions, first, ids);
    for (size_t i = 0; i < n && *group.error == NC_NOERR; i++) {
        char name[NC_MAX_NAME + 1] = "";
        *group.error = nc_inq_varname(group.id, ids[i], name);
        double *values = make_room(group, n_values, sizeof *values);
        made[i] = (column_file_column){strdup(name), read_unit(group, ids[i]), values};
        *n_columns = i + 1;
        if (made[i].name == NULL && *group.error == NC_NOERR)
            *group.error = NC_ENOMEM;
        netcdf_group_get_numbers(group, name, n_values, values);
    }
    free(ids);
}

static void read_draws(netcdf_group root, column_file_contents *made)
{
    netcdf_group posterior = netcdf_group_open(root, "posterior");
    made->n_chains = netcdf_group_length(posterior, "chain");
    made->n_draws = netcdf_group_length(posterior, "draw");
    check_that(root, made->n_chains > 0 && made->n_chains < MOST_VALUES && made->n_draws > 0 &&
                         made->n_draws < MOST_VALUES / made->n_chains);
    size_t n = made->n_chains * made->n_draws;
    int64_t *walkers = make_room(root, made->n_draws, sizeof *walkers);
    double *log_likelihood = make_room(root, n, sizeof *log_likelihood);
    made->log_likelihood = log_likelihood;
    netcdf_group_get_integers(posterior, "walker", made->n_draws, walkers);
    for (size_t i = 0; i < made->n_draws && *root.error == NC_NOERR; i++)
        if (walkers[i] >= 0 && (size_t)walkers[i] >= made->n_walkers)
            made->n_walkers = (size_t)walkers[i] + 1;
    check_that(root, made->n_walkers > 0 && made->n_draws % made->n_walkers == 0);
    read_columns(posterior, 2, "chain", n, &made->n_columns, &made->columns);
    netcdf_group_get_numbers(netcdf_group_open(root, "sample_stats"), "log_likelihood", n,
                             log_likelihood);
    free(walkers);
}

/* The table along a dimension of a group. */
static void read_table(netcdf_group group, int dimension, column_file_table *made)
{
    char name[NC_MAX_NAME + 1] = "";
    if (*group.error == NC_NOERR)
        *group.error = nc_inq_dim(group.id, dimension, name, &made->n_rows);
    check_that(group, made->n_rows < MOST_VALUES);
    made->dimension = strdup(name);
    if (made->dimension == NULL && *group.error == NC_NOERR)
        *group.error = NC_ENOMEM;
    read_columns(group, 1, name, made->n_rows, &made->n_columns, &made->columns);
}

static void read_tables(netcdf_group root, column_file_contents *made)
{
    netcdf_group observed = netcdf_group_open(root, "observed_data");
    int n = 0;
    if (*root.error == NC_NOERR)
        *root.error = nc_inq_dimids(observed.id, &n, NULL, 0);
    check_that(root, n <= MOST_COLUMNS);
    int *ids = make_room(root, (size_t)n, sizeof *ids);
    column_file_table *tables = make_room(root, (size_t)n, sizeof *tables);
    made->tables = tables;
    if (ids != NULL && tables != NULL)
        *root.error = nc_inq_dimids(observed.id, &n, ids, 0);
    for (int i = 0; i < n && *root.error == NC_NOERR; i++) {
        made->n_tables = (size_t)i + 1;
        read_table(observed, ids[i], tables + i);
    }
    free(ids);
}

static void read_starts(netcdf_group root, column_file_contents *made)
{
    if (*root.error != NC_NOERR || !netcdf_group_has_group(root, COLUMN_FILE_STARTS))
        return;
    netcdf_group group = netcdf_group_open(root, COLUMN_FILE_STARTS);
    int n = 0, dimension = 0;
    if (*root.error == NC_NOERR)
        *root.error = nc_inq_dimids(group.id, &n, NULL, 0);
    check_that(root, n == 1);
    if (*root.error == NC_NOERR)
        *root.error = nc_inq_dimids(group.id, &n, &dimension, 0);
    read_table(group, dimension, &made->starts);
}

static void read_figures(netcdf_group root, column_file_contents *made)
{
    netcdf_group sampler = netcdf_group_open(root, "sampler");
    size_t n = netcdf_group_n_attributes(sampler);
    column_file_figure *figures = make_room(root, n, sizeof *figures);
    made->figures = figures;
    for (size_t i = 0; i < n && *root.error == NC_NOERR; i++) {
        char name[NC_MAX_NAME + 1] = "";
        *root.error = nc_inq_attname(sampler.id, NC_GLOBAL, (int)i, name);
        figures[i] = (column_file_figure){strdup(name), netcdf_group_get_number(sampler, name)};
        made->n_figures = i + 1;
        if (figures[i].name == NULL && *root.error == NC_NOERR)
            *root.error = NC_ENOMEM;
    }
}

static void read_provenance(netcdf_group root, provenance *made_with)
{
    netcdf_group group = netcdf_group_open(root, "provenance");
    size_t n = netcdf_group_n_attributes(group);
    for (size_t i = 0; i < n && *root.error == NC_NOERR; i++) {
        char *name = NULL, *text = NULL;
        netcdf_group_get_text(group, i, &name, &text);
        if (*root.error == NC_NOERR && provenance_add(made_with, name, text) != EQUANT_SUCCESS)
            *root.error = NC_ENOMEM;
        free(name);
        free(text);
    }
}

static equant_status read_all(netcdf_group root, const char *path, column_file *file)
{
    if (!netcdf_group_has_attribute(root, COLUMN_FILE_NAME))
        return status_fail(EQUANT_ERROR_FORMAT, "%s: this is not the file of a run of astrometry",
                           path);
    int64_t layout = netcdf_group_get_integer(root, COLUMN_FILE_NAME);
    if (layout > COLUMN_FILE_LAYOUT)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: this file was written by a newer equant; this one is %s", path,
                           equant_version());
    if (layout < COLUMN_FILE_LAYOUT)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: this file was written by an older equant, which did not keep what "
                           "was observed; sample again",
                           path);
    read_draws(root, &file->contents);
    read_tables(root, &file->contents);
    read_starts(root, &file->contents);
    read_figures(root, &file->contents);
    read_provenance(root, &file->made_with);
    file->contents.made_with = &file->made_with;
    if (*root.error == NC_ENOMEM)
        return status_out_of_memory();
    return *root.error == NC_NOERR
               ? EQUANT_SUCCESS
               : status_fail(EQUANT_ERROR_FORMAT, "%s: this file of a run makes no sense: %s", path,
                             nc_strerror(*root.error));
}

equant_status netcdf_columns_read(const char *path, column_file *file)
{
    int error = NC_NOERR;
    netcdf_group root = {.error = &error};
    error = nc_open(path, NC_NOWRITE, &root.id);
    if (error != NC_NOERR)
        return status_fail(EQUANT_ERROR_IO, "%s: cannot be read: %s", path, nc_strerror(error));
    equant_status status = read_all(root, path, file);
    nc_close(root.id);
    return status;
}

bool netcdf_columns_recognise(const char *path)
{
    int error = NC_NOERR;
    netcdf_group root = {.error = &error};
    if (nc_open(path, NC_NOWRITE, &root.id) != NC_NOERR)
        return false;
    bool is_one = netcdf_group_has_attribute(root, COLUMN_FILE_NAME);
    nc_close(root.id);
    return is_one;
}
