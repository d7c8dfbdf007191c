#include "output/run_file.h"

#include <stdlib.h>
#include <string.h>

#include "core/files/replacement.h"
#include "core/status_fail.h"
#include "output/sealed_file.h"

#ifdef EQUANT_HAVE_NETCDF
#include "output/netcdf_reader.h"
#include "output/netcdf_writer.h"
#endif

static equant_status check(const run_file_contents *contents)
{
    const parameter_layout *layout = &contents->shape.layout;
    if (layout->n_parameters != contents->draws->shape.n_parameters)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "draws of %zu parameters do not fit a model of %zu",
                           contents->draws->shape.n_parameters, layout->n_parameters);
    if (layout->n_instruments != equant_dataset_n_instruments(contents->dataset))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a model of %zu instruments does not fit data of %zu",
                           layout->n_instruments, equant_dataset_n_instruments(contents->dataset));
    return EQUANT_SUCCESS;
}

#ifdef EQUANT_HAVE_NETCDF

equant_status run_file_is_possible(const char *path)
{
    return replacement_check(path, sealed_file_is_ours);
}

equant_status run_file_write(const char *path, const run_file_contents *contents)
{
    replacement made;
    void *bytes = NULL;
    size_t n_bytes = 0;
    equant_status status = check(contents);
    if (status == EQUANT_SUCCESS)
        status = netcdf_writer_make(contents, &bytes, &n_bytes);
    if (status == EQUANT_SUCCESS)
        status = replacement_begin(path, sealed_file_is_ours, &made);
    if (status == EQUANT_SUCCESS) {
        status = sealed_file_write(made.descriptor, path, n_bytes, bytes);
        status = replacement_end(path, &made, status);
    }
    free(bytes);
    return status;
}

equant_status run_file_read(const char *path, const equant_dataset *dataset, run_file **made)
{
    equant_status status = sealed_file_require(path);
    return status == EQUANT_SUCCESS ? netcdf_reader_read(path, dataset, made) : status;
}

equant_status run_file_read_dataset(const char *path, equant_dataset **made)
{
    equant_status status = sealed_file_require(path);
    return status == EQUANT_SUCCESS ? netcdf_reader_read_dataset(path, made) : status;
}

#else

equant_status run_file_is_possible(const char *path)
{
    return status_fail(EQUANT_ERROR_UNAVAILABLE,
                       "%s: this equant was built without NetCDF and cannot use files of runs; "
                       "install libnetcdf-dev and build it anew",
                       path);
}

equant_status run_file_write(const char *path, const run_file_contents *contents)
{
    equant_status status = check(contents);
    return status != EQUANT_SUCCESS ? status : run_file_is_possible(path);
}

equant_status run_file_read(const char *path, const equant_dataset *dataset, run_file **made)
{
    (void)dataset;
    (void)made;
    return run_file_is_possible(path);
}

equant_status run_file_read_dataset(const char *path, equant_dataset **made)
{
    (void)made;
    return run_file_is_possible(path);
}

#endif

void run_file_free(run_file *run)
{
    if (run == NULL)
        return;
    draws_free(run->draws);
    equant_dataset_free(run->dataset);
    for (size_t i = 0; i < run->n_provenance; i++) {
        free((char *)run->provenance[i].name);
        free((char *)run->provenance[i].value);
    }
    free(run->provenance);
    free(run->state);
    free((char *)run->evidence.method);
    free((double *)run->evidence.log_z_of_run);
    free(run);
}

const char *run_file_provenance(const run_file *run, const char *name)
{
    for (size_t i = 0; i < run->n_provenance; i++)
        if (strcmp(run->provenance[i].name, name) == 0)
            return run->provenance[i].value;
    return NULL;
}
