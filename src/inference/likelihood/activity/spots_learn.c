/* Data with what their indicators say of spots. */
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/likelihood/activity/spots.h"

/* The data with two indicators more, in the place of those of these names. */
static equant_status extend(const equant_dataset *dataset, const double *means,
                            equant_dataset **made)
{
    size_t n = equant_dataset_n_obs(dataset), n_given = equant_dataset_n_indicators(dataset),
           n_instruments = equant_dataset_n_instruments(dataset), n_kept = 0;
    equant_indicator *indicators = calloc(n_given + 2, sizeof *indicators);
    const char **names = calloc(n_instruments + 1, sizeof *names);
    equant_status status = indicators && names ? EQUANT_SUCCESS : status_out_of_memory();
    for (size_t i = 0; i < n_given && status == EQUANT_SUCCESS; i++) {
        const equant_indicator *own = equant_dataset_indicator(dataset, i);
        if (strcmp(own->name, EQUANT_SPOTS) != 0 && strcmp(own->name, EQUANT_SPOTS_RATE) != 0)
            indicators[n_kept++] = *own;
    }
    for (size_t i = 0; i < n_instruments && status == EQUANT_SUCCESS; i++)
        names[i] = equant_dataset_instrument_name(dataset, i);
    if (status == EQUANT_SUCCESS) {
        indicators[n_kept++] = (equant_indicator){
            .struct_size = sizeof *indicators, .name = EQUANT_SPOTS, .values = means};
        indicators[n_kept++] = (equant_indicator){
            .struct_size = sizeof *indicators, .name = EQUANT_SPOTS_RATE, .values = means + n};
        const equant_dataset_options options = {.struct_size = sizeof options,
                                                .has_reference_time = 1,
                                                .reference_time_days =
                                                    equant_dataset_reference_time_days(dataset),
                                                .n_indicators = n_kept,
                                                .indicators = indicators,
                                                .time_name = equant_dataset_time_name(dataset)};
        status = equant_dataset_from_arrays(
            n, equant_dataset_times_days(dataset), equant_dataset_velocities_m_s(dataset),
            equant_dataset_uncertainties_m_s(dataset), equant_dataset_instruments(dataset),
            n_instruments, names, &options, made);
    }
    free(indicators);
    free(names);
    return status;
}

static void tell(const spot_finding *finding, equant_spots *found)
{
    size_t n_without = finding->n_values;
    for (size_t s = 0; s < finding->n_series; s++)
        n_without -= finding->series[s].n_uncertainties;
    equant_spots told = {.struct_size = sizeof told,
                         .period_days = finding->period_days,
                         .decay_days = finding->decay_days,
                         .width = finding->width,
                         .log_likelihood_gain = finding->gain,
                         .n_series = finding->n_series,
                         .n_values = finding->n_values,
                         .n_without_uncertainty = n_without};
    OPTIONS_FILL(told, found);
}

equant_status equant_spots_learn(const equant_dataset *dataset, const equant_spots_options *options,
                                 equant_spots *found, equant_dataset **made)
{
    if (!dataset || !made)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "spots are learnt from data, and need a place to put them");
    equant_status status = OPTIONS_CHECK(options);
    if (status == EQUANT_SUCCESS && found)
        status = OPTIONS_CHECK(found);
    if (status != EQUANT_SUCCESS)
        return status;
    spot_finding finding;
    double *means = malloc(2 * equant_dataset_n_obs(dataset) * sizeof *means);
    status = means ? spots_find(dataset, options, &finding, means) : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = extend(dataset, means, made);
    if (status == EQUANT_SUCCESS && found)
        tell(&finding, found);
    free(means);
    return status;
}
