#include "inference/fit/fit_quantities.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"

static quantity_estimate estimate_of(const fit_quantities_source *source, const quantity_row *row)
{
    const quantity *entry = &row->entry;
    if (row->planet > 0)
        return source->planets[row->planet - 1][quantity_catalogue_index(entry->kind)];
    size_t column = entry->column + row->index * entry->stride;
    size_t n = source->shape.layout.n_parameters;
    return (quantity_estimate){source->parameters[column],
                               sqrt(source->covariance[column * n + column])};
}

equant_status fit_quantities_create(const fit_quantities_source *source, fit_quantities *made)
{
    size_t n = quantities_n_rows(&source->shape);
    made->rows = calloc(n + 1, sizeof *made->rows);
    if (!made->rows)
        return status_out_of_memory();
    made->n = n;
    for (size_t i = 0; i < n; i++) {
        made->rows[i].what = quantities_row(&source->shape, i);
        made->rows[i].estimate = estimate_of(source, &made->rows[i].what);
    }
    return EQUANT_SUCCESS;
}

void fit_quantities_free(fit_quantities *made)
{
    free(made->rows);
    *made = (fit_quantities){0};
}

equant_status fit_quantities_give(const fit_quantities *known, size_t index,
                                  equant_fitted_quantity *out)
{
    if (!out || index >= known->n)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "there are %zu quantities, so none has index %zu", known->n, index);
    equant_status status = OPTIONS_CHECK(out);
    if (status != EQUANT_SUCCESS)
        return status;
    const fit_quantity *row = &known->rows[index];
    equant_fitted_quantity given = {.name = row->what.name,
                                    .kind = quantity_catalogue_index(row->what.entry.kind),
                                    .planet = row->what.planet,
                                    .instrument = row->what.instrument,
                                    .value = row->estimate.value,
                                    .err = row->estimate.error};
    OPTIONS_FILL(given, out);
    return EQUANT_SUCCESS;
}

#define MEMBER(member)                                                                             \
    {                                                                                              \
#member, offsetof(equant_planet, member), offsetof(equant_planet, member##_err)            \
    }

equant_planet fit_quantities_planet(const quantity_estimate estimates[QUANTITIES_MOST])
{
    static const struct {
        const char *name;
        size_t value, error;
    } members[] = {MEMBER(period_days), MEMBER(k_m_s),           MEMBER(eccentricity),
                   MEMBER(omega_rad),   MEMBER(m0_rad),          MEMBER(t_peri),
                   MEMBER(t_conj),      MEMBER(m_sin_i_jupiter), MEMBER(a_au)};
    equant_planet planet = {.struct_size = sizeof planet};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        const quantity_kind *kind = quantity_catalogue_find(members[i].name);
        const quantity_estimate *known = &estimates[quantity_catalogue_index(kind)];
        memcpy((char *)&planet + members[i].value, &known->value, sizeof known->value);
        memcpy((char *)&planet + members[i].error, &known->error, sizeof known->error);
    }
    return planet;
}
