/* Two missions that saw one star, as one source: each with a zero of position of its own. */
#include "astrometry/epochs/sky_builder.h"
#include "astrometry/epochs/sky_source.h"
#include "core/status_fail.h"

static equant_status check(const equant_astrometry *source)
{
    for (size_t k = 0; k < source->n_rows; k++) {
        if (source->kind[k] != EQUANT_SKY_STAR)
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "%s: only measurements of the star itself stand in one frame with "
                               "those of another mission",
                               source->name[0] != '\0' ? source->name : "the source");
        if (source->frame[k] != 0)
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "two missions are joined, and this source has two already");
    }
    if (source->lacks_parallax || source->lacks_motion)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "%s: its abscissae are residuals to a solution that the file does not "
                           "tell (%s), so that no motion can be shared; scans of 2014 have it",
                           source->name, source->format);
    return EQUANT_SUCCESS;
}

/* Passages of two missions may have the same numbers: those of the second become negative. */
static equant_status add_rows(const equant_astrometry *source, int frame, double shift_days,
                              sky_builder *builder)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t k = 0; k < source->n_rows && status == EQUANT_SUCCESS; k++) {
        sky_row row = {.time_days = source->time_days[k] + shift_days,
                       .abscissa_mas = source->abscissa_mas[k],
                       .uncertainty_mas = source->uncertainty_mas[k],
                       .angle_rad = source->angle_rad[k],
                       .parallax_factor = source->parallax_factor[k],
                       .colour_factor = source->colour_factor ? source->colour_factor[k] : 0.0,
                       .kind = source->kind[k],
                       .transit = frame == 0 ? source->transit[k] : -1 - source->transit[k],
                       .frame = frame};
        status = sky_builder_add(builder, row);
    }
    for (size_t i = 0; i < source->n_remarks && status == EQUANT_SUCCESS; i++)
        status = sky_builder_remark(builder, "%s", source->remarks[i]);
    return status;
}

equant_status equant_astrometry_join(const equant_astrometry *first,
                                     const equant_astrometry *second, equant_astrometry **joined)
{
    if (first == NULL || second == NULL || joined == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "two sources and a place for the joined one are needed");
    sky_builder builder = {.reference_jd = first->reference_jd,
                           .source_id = first->source_id,
                           .has_colour =
                               first->colour_factor != NULL || second->colour_factor != NULL};
    equant_status status = check(first);
    if (status == EQUANT_SUCCESS)
        status = check(second);
    if (status == EQUANT_SUCCESS)
        status = sky_builder_set_name(&builder, first->name);
    if (status == EQUANT_SUCCESS)
        status = sky_builder_set_format(&builder, first->format);
    if (status == EQUANT_SUCCESS)
        status = add_rows(first, 0, 0.0, &builder);
    if (status == EQUANT_SUCCESS)
        status = add_rows(second, 1, second->reference_jd - first->reference_jd, &builder);
    if (status == EQUANT_SUCCESS)
        return sky_builder_finish(&builder, joined);
    sky_builder_free(&builder);
    return status;
}
