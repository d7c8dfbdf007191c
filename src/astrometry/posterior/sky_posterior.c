#include "astrometry/posterior/sky_posterior.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "core/time_name.h"

/* ---- making ---------------------------------------------------------------------------------- */

equant_status sky_posterior_keep_velocities(equant_sky_posterior *posterior,
                                            const sky_velocities *rows, const char *const *names)
{
    const equant_dataset_options options = {
        .struct_size = sizeof options,
        .velocity_unit = EQUANT_UNIT_M_S,
        .time_name = rows->time_name != NULL
                         ? time_name_find(rows->time_name, strlen(rows->time_name))
                         : NULL};
    return equant_dataset_from_arrays(rows->n, rows->time_days, rows->velocity_m_s,
                                      rows->uncertainty_m_s, rows->instrument, rows->n_instruments,
                                      names, &options, &posterior->velocities);
}

/* One row of the summary, of the values that are numbers. */
static equant_status summarise(const equant_sky_posterior *posterior, size_t column,
                               summary_row *row)
{
    const equant_posterior_summary *facts = &posterior->facts;
    const double *values = posterior->values + column * posterior->n_draws;
    bool is_angle = posterior->columns[column].is_angle;
    double *finite = malloc(posterior->n_draws * sizeof *finite);
    size_t n_finite = 0;
    if (finite == NULL)
        return status_out_of_memory();
    for (size_t i = 0; i < posterior->n_draws; i++)
        if (isfinite(values[i]))
            finite[n_finite++] = values[i];
    row->best = values[posterior->best_draw];
    row->median = row->low = row->high = row->mode = NAN;
    const diagnostics_series series = {.n_populations = facts->n_populations,
                                       .n_steps = facts->n_kept,
                                       .n_walkers = facts->n_walkers,
                                       .values = values,
                                       .is_angle = is_angle,
                                       .n_starts = posterior->starts ? posterior->n_starts : 0,
                                       .starts = posterior->starts + column * posterior->n_starts};
    equant_status status = diagnostics_compute(&series, &row->quality);
    if (n_finite > 0)
        summary_describe(n_finite, finite, is_angle, row);
    free(finite);
    return status;
}

equant_status sky_posterior_summarise(equant_sky_posterior *posterior)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t j = 0; j < posterior->n_columns && status == EQUANT_SUCCESS; j++)
        status = summarise(posterior, j, posterior->rows + j);
    return status;
}

void equant_sky_posterior_free(equant_sky_posterior *posterior)
{
    if (posterior == NULL)
        return;
    equant_astrometry_free(posterior->source);
    equant_dataset_free(posterior->velocities);
    free(posterior->values);
    free(posterior->starts);
    provenance_free(&posterior->made_with);
    free(posterior);
}

/* ---- access ---------------------------------------------------------------------------------- */

const double *sky_posterior_column(const equant_sky_posterior *posterior, const char *name)
{
    for (size_t j = 0; j < posterior->n_columns; j++)
        if (strcmp(posterior->columns[j].name, name) == 0)
            return posterior->values + j * posterior->n_draws;
    return NULL;
}

const equant_astrometry *equant_sky_posterior_source(const equant_sky_posterior *posterior)
{
    return posterior ? posterior->source : NULL;
}

const equant_dataset *equant_sky_posterior_velocities(const equant_sky_posterior *posterior)
{
    return posterior ? posterior->velocities : NULL;
}

const char *equant_sky_posterior_provenance(const equant_sky_posterior *posterior, const char *name)
{
    return posterior ? provenance_find(&posterior->made_with, name) : NULL;
}

equant_status equant_sky_posterior_summarize(const equant_sky_posterior *posterior,
                                             equant_posterior_summary *out)
{
    if (!posterior)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no sky posterior");
    equant_status status = OPTIONS_CHECK(out);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_posterior_summary facts = posterior->facts;
    OPTIONS_FILL(facts, out);
    return EQUANT_SUCCESS;
}

size_t equant_sky_posterior_n_quantities(const equant_sky_posterior *posterior)
{
    return posterior ? posterior->n_columns : 0;
}

static equant_status check_index(const equant_sky_posterior *posterior, size_t index)
{
    return index < posterior->n_columns
               ? EQUANT_SUCCESS
               : status_fail_range("quantities", posterior->n_columns, index);
}

equant_status equant_sky_posterior_quantity(const equant_sky_posterior *posterior, size_t index,
                                            equant_sampled_quantity *out)
{
    if (!posterior)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no sky posterior");
    equant_status status = OPTIONS_CHECK(out);
    if (status == EQUANT_SUCCESS)
        status = check_index(posterior, index);
    if (status != EQUANT_SUCCESS)
        return status;
    const sky_quantities_column *column = posterior->columns + index;
    equant_sampled_quantity known = posterior_facts_quantity(posterior->rows + index);
    known.name = column->name;
    known.unit = column->unit;
    known.is_angle = column->is_angle;
    known.is_derived = column->is_derived;
    known.planet = column->planet;
    known.instrument = column->instrument;
    known.instrument_name =
        column->instrument > 0
            ? equant_dataset_instrument_name(posterior->velocities, column->instrument - 1)
            : NULL;
    known.kind = SIZE_MAX;
    OPTIONS_FILL(known, out);
    return EQUANT_SUCCESS;
}

equant_status equant_sky_posterior_values(const equant_sky_posterior *posterior, size_t index,
                                          double *values)
{
    if (!posterior)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no sky posterior");
    equant_status status = check_index(posterior, index);
    if (status == EQUANT_SUCCESS)
        memcpy(values, posterior->values + index * posterior->n_draws,
               posterior->n_draws * sizeof *values);
    return status;
}

equant_status equant_sky_posterior_log_likelihoods(const equant_sky_posterior *posterior,
                                                   double *values)
{
    if (!posterior)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no sky posterior");
    memcpy(values, posterior->log_likelihood, posterior->n_draws * sizeof *values);
    return EQUANT_SUCCESS;
}
