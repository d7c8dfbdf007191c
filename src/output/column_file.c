#include "output/column_file.h"

#include <stdlib.h>
#include <string.h>

#include "core/files/replacement.h"
#include "core/status_fail.h"
#include "output/sealed_file.h"

#ifdef EQUANT_HAVE_NETCDF

#include <netcdf.h>
#include <netcdf_mem.h>

#include "output/netcdf_columns.h"
#include "output/netcdf_group.h"

enum { FIRST_SIZE = 1 << 16 }; /* of the memory, which grows */

/* Axes chain and draw, with the walker of every draw. */
static netcdf_shape put_axes(netcdf_group group, const column_file_contents *contents)
{
    const netcdf_shape none = {0};
    netcdf_shape chain = netcdf_group_extend(group, none, "chain", contents->n_chains);
    netcdf_shape both = netcdf_group_extend(group, chain, "draw", contents->n_draws);
    netcdf_shape draw = {1, {both.dimension[1]}, {both.length[1]}};
    size_t n = contents->n_draws > contents->n_chains ? contents->n_draws : contents->n_chains;
    int64_t *counts = malloc((n + 1) * sizeof *counts);
    if (counts == NULL) {
        *group.error = NC_ENOMEM;
        return both;
    }
    for (size_t i = 0; i < n; i++)
        counts[i] = (int64_t)i;
    netcdf_group_put_integers(group, "chain", chain, counts);
    netcdf_group_put_integers(group, "draw", draw, counts);
    for (size_t i = 0; i < contents->n_draws; i++)
        counts[i] = (int64_t)(i % contents->n_walkers);
    netcdf_group_put_integers(group, "walker", draw, counts);
    free(counts);
    netcdf_group_put_text(group, "inference_library", "equant");
    netcdf_group_put_text(group, "inference_library_version", equant_version());
    return both;
}

static void put_column(netcdf_group group, netcdf_shape shape, const column_file_column *column)
{
    int variable = netcdf_group_define(group, column->name, shape);
    if (column->unit != NULL && column->unit[0] != '\0')
        netcdf_group_describe(group, variable, "units", column->unit);
    for (size_t p = 0; p < shape.length[0]; p++)
        netcdf_group_put_row(group, variable, shape, p, column->values + p * shape.length[1]);
}

static void put_table(netcdf_group group, const column_file_table *table)
{
    const netcdf_shape none = {0};
    if (table->n_rows == 0)
        return;
    netcdf_shape shape = netcdf_group_extend(group, none, table->dimension, table->n_rows);
    for (size_t i = 0; i < table->n_columns; i++)
        netcdf_group_put_numbers(group, table->columns[i].name, shape, table->columns[i].values);
}

static void put_all(netcdf_group root, const column_file_contents *contents)
{
    const column_file_column likelihood = {"log_likelihood", "", contents->log_likelihood};
    netcdf_group_put_integer(root, COLUMN_FILE_NAME, COLUMN_FILE_LAYOUT);
    netcdf_group posterior = netcdf_group_add(root, "posterior");
    netcdf_shape shape = put_axes(posterior, contents);
    for (size_t i = 0; i < contents->n_columns; i++)
        put_column(posterior, shape, contents->columns + i);
    netcdf_group stats = netcdf_group_add(root, "sample_stats");
    put_column(stats, put_axes(stats, contents), &likelihood);
    netcdf_group observed = netcdf_group_add(root, "observed_data");
    for (size_t i = 0; i < contents->n_tables; i++)
        put_table(observed, contents->tables + i);
    if (contents->starts.n_rows > 0)
        put_table(netcdf_group_add(root, COLUMN_FILE_STARTS), &contents->starts);
    netcdf_group sampler = netcdf_group_add(root, "sampler");
    for (size_t i = 0; i < contents->n_figures; i++)
        netcdf_group_put_number(sampler, contents->figures[i].name, contents->figures[i].value);
    netcdf_group origin = netcdf_group_add(root, "provenance");
    for (size_t i = 0; i < contents->made_with->n; i++)
        netcdf_group_put_text(origin, contents->made_with->texts[i].name,
                              contents->made_with->texts[i].value);
}

static equant_status make(const column_file_contents *contents, NC_memio *image)
{
    int error = NC_NOERR, old_mode;
    netcdf_group root = {.error = &error};
    error = nc_create_mem("columns", NC_NETCDF4, FIRST_SIZE, &root.id);
    if (error == NC_NOERR) {
        error = nc_set_fill(root.id, NC_NOFILL, &old_mode);
        put_all(root, contents);
        int closing = nc_close_memio(root.id, image);
        error = error != NC_NOERR ? error : closing;
    }
    if (error == NC_NOERR)
        return EQUANT_SUCCESS;
    free(image->memory);
    return error == NC_ENOMEM
               ? status_out_of_memory()
               : status_fail(EQUANT_ERROR_INTERNAL, "the file of the draws cannot be made: %s",
                             nc_strerror(error));
}

equant_status column_file_write(const char *path, const column_file_contents *contents)
{
    NC_memio image = {0};
    replacement made;
    equant_status status = make(contents, &image);
    if (status != EQUANT_SUCCESS)
        return status;
    status = replacement_begin(path, sealed_file_is_ours, &made);
    if (status == EQUANT_SUCCESS) {
        status = sealed_file_write(made.descriptor, path, image.size, image.memory);
        status = replacement_end(path, &made, status);
    }
    free(image.memory);
    return status;
}

equant_status column_file_read(const char *path, column_file **made)
{
    equant_status status = sealed_file_require(path);
    if (status != EQUANT_SUCCESS)
        return status;
    column_file *file = calloc(1, sizeof *file);
    if (file == NULL)
        return status_out_of_memory();
    status = netcdf_columns_read(path, file);
    if (status == EQUANT_SUCCESS)
        *made = file;
    else
        column_file_free(file);
    return status;
}

bool column_file_recognises(const char *path)
{
    bool is_intact = false;
    return sealed_file_check(path, &is_intact) == EQUANT_SUCCESS && is_intact &&
           netcdf_columns_recognise(path);
}

#else

bool column_file_recognises(const char *path)
{
    (void)path;
    return false;
}

equant_status column_file_write(const char *path, const column_file_contents *contents)
{
    (void)contents;
    return run_file_is_possible(path);
}

equant_status column_file_read(const char *path, column_file **made)
{
    (void)made;
    return run_file_is_possible(path);
}

#endif

static void free_columns(size_t n, const column_file_column *columns)
{
    for (size_t i = 0; i < n; i++) {
        free((char *)columns[i].name);
        free((char *)columns[i].unit);
        free((double *)columns[i].values);
    }
    free((column_file_column *)columns);
}

static void free_table(const column_file_table *table)
{
    free((char *)table->dimension);
    free_columns(table->n_columns, table->columns);
}

void column_file_free(column_file *file)
{
    if (file == NULL)
        return;
    const column_file_contents *own = &file->contents;
    free_columns(own->n_columns, own->columns);
    free((double *)own->log_likelihood);
    for (size_t i = 0; i < own->n_tables; i++)
        free_table(own->tables + i);
    free_table(&own->starts);
    free((column_file_table *)own->tables);
    for (size_t i = 0; i < own->n_figures; i++)
        free((char *)own->figures[i].name);
    free((column_file_figure *)own->figures);
    provenance_free(&file->made_with);
    free(file);
}

const column_file_table *column_file_find_table(const column_file *file, const char *dimension)
{
    for (size_t i = 0; i < file->contents.n_tables; i++)
        if (strcmp(file->contents.tables[i].dimension, dimension) == 0)
            return file->contents.tables + i;
    return NULL;
}

const double *column_file_find_column(const column_file_table *table, const char *name)
{
    for (size_t i = 0; i < table->n_columns; i++)
        if (strcmp(table->columns[i].name, name) == 0)
            return table->columns[i].values;
    return NULL;
}

double column_file_find_figure(const column_file *file, const char *name, double usual)
{
    for (size_t i = 0; i < file->contents.n_figures; i++)
        if (strcmp(file->contents.figures[i].name, name) == 0)
            return file->contents.figures[i].value;
    return usual;
}

const char *column_file_find_text(const column_file *file, const char *name)
{
    return provenance_find(&file->made_with, name);
}
