#include "output/column_file.h"

#include <stdlib.h>

#include "core/status.h"
#include "output/replacement.h"
#include "output/sealed_file.h"

#ifdef EQUANT_HAVE_NETCDF

#include <netcdf.h>
#include <netcdf_mem.h>

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

static void put_all(netcdf_group root, const column_file_contents *contents)
{
    const column_file_column likelihood = {"log_likelihood", "", contents->log_likelihood};
    netcdf_group_put_integer(root, COLUMN_FILE_NAME, 1);
    netcdf_group posterior = netcdf_group_add(root, "posterior");
    netcdf_shape shape = put_axes(posterior, contents);
    for (size_t i = 0; i < contents->n_columns; i++)
        put_column(posterior, shape, contents->columns + i);
    netcdf_group stats = netcdf_group_add(root, "sample_stats");
    put_column(stats, put_axes(stats, contents), &likelihood);
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
    status = replacement_begin(path, &made);
    if (status == EQUANT_SUCCESS) {
        status = sealed_file_write(made.descriptor, path, image.size, image.memory);
        status = replacement_end(path, &made, status);
    }
    free(image.memory);
    return status;
}

#else

equant_status column_file_write(const char *path, const column_file_contents *contents)
{
    (void)contents;
    return run_file_is_possible(path);
}

#endif
