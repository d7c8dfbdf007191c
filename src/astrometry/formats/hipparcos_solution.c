#include "astrometry/formats/hipparcos_solution.h"

#include <math.h>

#include "core/status_fail.h"

#define DAYS_PER_YEAR 365.25

/* What the solution adds to an abscissa: accelerations go with t^2 - 0.81 and jerks with
 * t^3 - 1.69 t, as in the catalogue. The catalogue's position stays the zero. */
static double value_at(const hipparcos_solution *own, const sky_row *row)
{
    double years = row->time_days / DAYS_PER_YEAR, sum = own->parallax_mas * row->parallax_factor;
    double square = 0.5 * (years * years - 0.81), cube = (pow(years, 3.0) - 1.69 * years) / 6.0;
    for (int axis = 0; axis < 2 && own->has_motion; axis++)
        sum += (axis == 0 ? sin(row->angle_rad) : cos(row->angle_rad)) *
               (own->pm_mas_yr[axis] * years + own->acceleration[axis] * square +
                own->jerk[axis] * cube);
    return sum;
}

static equant_status remark(const hipparcos_solution *own, bool is_given, sky_builder *builder)
{
    if (!own->has_parallax)
        return sky_builder_remark(
            builder, "abscissae: residuals to the catalogue's solution, which the file does not "
                     "tell, so that fitted parameters are corrections to it; sizes in au and "
                     "masses need the catalogue's parallax, which can be given");
    if (!own->has_motion)
        return sky_builder_remark(
            builder,
            "abscissae: residuals to the catalogue's solution, of which the parallax of %g mas%s "
            "is put back; a fitted proper motion is a correction to the catalogue's",
            own->parallax_mas, is_given ? ", as given," : "");
    return sky_builder_remark(builder,
                              "abscissae: residuals to the catalogue's solution, of which parallax "
                              "and motion are put back, %g mas and %g, %g mas/yr; its position is "
                              "the zero",
                              own->parallax_mas, own->pm_mas_yr[0], own->pm_mas_yr[1]);
}

equant_status hipparcos_solution_put_back(const hipparcos_solution *solution,
                                          const sky_input *input, sky_builder *builder)
{
    hipparcos_solution own = *solution;
    bool is_given = input->catalogue_parallax_mas != 0.0;
    if (is_given && own.has_parallax)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "%s: the file tells its catalogue's parallax, %g mas; leave the given "
                           "one, %g mas, out",
                           input->path, own.parallax_mas, input->catalogue_parallax_mas);
    if (is_given) {
        own.has_parallax = true;
        own.parallax_mas = input->catalogue_parallax_mas;
    }
    for (size_t k = 0; k < builder->n_rows && own.has_parallax; k++)
        builder->rows[k].abscissa_mas += value_at(&own, &builder->rows[k]);
    builder->lacks_parallax = !own.has_parallax;
    builder->lacks_motion = !own.has_motion;
    return remark(&own, is_given, builder);
}
