#include "output/netcdf_observations.h"

#include <netcdf.h>
#include <stdlib.h>
#include <string.h>

#include "core/numbers/memory_size.h"
#include "core/time_name.h"

/* Numbers beyond these are damage, and no memory is asked for them. */
#define MOST_OBSERVATIONS 1000000000
#define MOST_INSTRUMENTS 1000000
#define MOST_INDICATORS 1000

typedef struct observations {
    size_t n, n_instruments;
    double *time, *velocity, *uncertainty;
    int64_t *number;
    int *instrument;
    char **names;
} observations;

static void free_observations(observations *read)
{
    for (size_t i = 0; read->names != NULL && i < read->n_instruments; i++)
        free(read->names[i]);
    free(read->time);
    free(read->velocity);
    free(read->uncertainty);
    free(read->number);
    free(read->instrument);
    free(read->names);
}

static void allocate(netcdf_group root, observations *read)
{
    if (*root.error == NC_NOERR &&
        (read->n > MOST_OBSERVATIONS || read->n_instruments > MOST_INSTRUMENTS))
        *root.error = NC_EEDGE;
    if (*root.error != NC_NOERR)
        return;
    read->time = malloc((read->n + 1) * sizeof *read->time);
    read->velocity = malloc((read->n + 1) * sizeof *read->velocity);
    read->uncertainty = malloc((read->n + 1) * sizeof *read->uncertainty);
    read->number = calloc(read->n + 1, sizeof *read->number);
    read->instrument = malloc((read->n + 1) * sizeof *read->instrument);
    read->names = calloc(read->n_instruments + 1, sizeof *read->names);
    if (!read->time || !read->velocity || !read->uncertainty || !read->number ||
        !read->instrument || !read->names)
        *root.error = NC_ENOMEM;
}

/* ---- indicators -------------------------------------------------------- */

typedef struct indicators {
    size_t n;
    char **texts; /* names, labels, units: [n] each */
    double *numbers;
    equant_indicator *list;
} indicators;

static void free_indicators(indicators *read)
{
    for (size_t i = 0; read->texts != NULL && i < 3 * read->n; i++)
        free(read->texts[i]);
    free(read->texts);
    free(read->numbers);
    free(read->list);
}

static void read_indicators(netcdf_group constant, size_t n_obs, indicators *read)
{
    if (*constant.error != NC_NOERR || !netcdf_group_has_variable(constant, "indicator_value"))
        return;
    size_t n = netcdf_group_length(constant, "indicator");
    if (*constant.error == NC_NOERR && n > MOST_INDICATORS)
        *constant.error = NC_EEDGE;
    if (*constant.error != NC_NOERR)
        return;
    read->n = n;
    read->texts = calloc(3 * n + 1, sizeof *read->texts);
    read->numbers = malloc(memory_size_times(memory_size_plus(memory_size_times(2 * n, n_obs), 1),
                                             sizeof *read->numbers));
    read->list = calloc(n + 1, sizeof *read->list);
    if (read->texts == NULL || read->numbers == NULL || read->list == NULL) {
        *constant.error = NC_ENOMEM;
        return;
    }
    double *values = read->numbers, *uncertainties = values + n * n_obs;
    netcdf_group_get_names(constant, "indicator", n, read->texts);
    netcdf_group_get_names(constant, "indicator_label", n, read->texts + n);
    netcdf_group_get_names(constant, "indicator_unit", n, read->texts + 2 * n);
    netcdf_group_get_numbers(constant, "indicator_value", n * n_obs, values);
    netcdf_group_get_numbers(constant, "indicator_uncertainty", n * n_obs, uncertainties);
    for (size_t i = 0; i < n; i++)
        read->list[i] = (equant_indicator){.struct_size = sizeof *read->list,
                                           .name = read->texts[i],
                                           .label = read->texts[n + i],
                                           .unit = read->texts[2 * n + i],
                                           .values = values + i * n_obs,
                                           .uncertainties = uncertainties + i * n_obs};
}

/* What the times are called; files from before there was a name for them have none, and a name
 * that is not known here is none either. */
static const char *read_time_name(netcdf_group constant)
{
    char *text = netcdf_group_find_text(constant, "time_name");
    const char *name = text != NULL ? time_name_find(text, strlen(text)) : NULL;
    free(text);
    return name;
}

/* ---- the whole --------------------------------------------------------- */

equant_dataset *netcdf_observations_read(netcdf_group root, double reference_time_days)
{
    netcdf_group observed = netcdf_group_open(root, "observed_data");
    netcdf_group constant = netcdf_group_open(root, "constant_data");
    netcdf_group posterior = netcdf_group_open(root, "posterior");
    observations read = {.n = netcdf_group_length(observed, "obs"),
                         .n_instruments = netcdf_group_length(posterior, "instrument")};
    equant_dataset *made = NULL;
    equant_dataset_options options = {.struct_size = sizeof options,
                                      .velocity_unit = EQUANT_UNIT_M_S,
                                      .has_reference_time = 1,
                                      .reference_time_days = reference_time_days};
    allocate(root, &read);
    if (*root.error == NC_NOERR) {
        netcdf_group_get_numbers(constant, "t", read.n, read.time);
        netcdf_group_get_numbers(observed, "rv", read.n, read.velocity);
        netcdf_group_get_numbers(constant, "sigma", read.n, read.uncertainty);
        netcdf_group_get_integers(constant, "instrument_number", read.n, read.number);
        netcdf_group_get_names(posterior, "instrument", read.n_instruments, read.names);
    }
    for (size_t k = 0; *root.error == NC_NOERR && k < read.n; k++) {
        bool is_valid = read.number[k] >= 0 && read.number[k] < (int64_t)read.n_instruments;
        read.instrument[k] = is_valid ? (int)read.number[k] : -1;
    }
    indicators beside = {0};
    read_indicators(constant, read.n, &beside);
    options.n_indicators = beside.n;
    options.indicators = beside.list;
    options.time_name = read_time_name(constant);
    if (*root.error == NC_NOERR &&
        equant_dataset_from_arrays(
            read.n, read.time, read.velocity, read.uncertainty, read.instrument, read.n_instruments,
            (const char *const *)read.names, &options, &made) != EQUANT_SUCCESS)
        *root.error = NC_EEDGE;
    free_observations(&read);
    free_indicators(&beside);
    return made;
}
