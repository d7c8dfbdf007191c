/* The public face of the catalogue of quantities. */
#include <math.h>

#include "core/status_fail.h"
#include "model/quantity_catalogue.h"

size_t equant_n_quantities(void)
{
    return quantity_catalogue_n();
}

equant_status equant_quantity_at(size_t index, equant_quantity_info *info)
{
    const quantity_kind *kind = quantity_catalogue_at(index);
    if (!info || !kind)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "there are %zu quantities in the catalogue, so none has index %zu",
                           quantity_catalogue_n(), index);
    equant_status status = OPTIONS_CHECK(info);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_quantity_info known = kind->info;
    OPTIONS_FILL(known, info);
    return EQUANT_SUCCESS;
}

equant_status equant_quantity_find(const char *name, size_t *index)
{
    const quantity_kind *kind = name ? quantity_catalogue_find(name) : NULL;
    if (!kind || !index)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no quantity '%s'",
                           name ? name : "");
    *index = quantity_catalogue_index(kind);
    return EQUANT_SUCCESS;
}

double equant_minimum_mass_jupiter(double period_days, double k_m_s, double eccentricity,
                                   double star_mass)
{
    const keplerian_orbit orbit = {
        .P = period_days, .K = k_m_s, .e = eccentricity, .M_star = star_mass, .L_star = NAN};
    if (!(period_days > 0.0 && k_m_s > 0.0 && star_mass > 0.0 && eccentricity >= 0.0 &&
          eccentricity < 1.0))
        return NAN;
    return orbit_minimum_mass(&orbit);
}
