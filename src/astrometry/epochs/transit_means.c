/* One row for each passage of a source: weighted means of its CCDs. */
#include <math.h>
#include <stdlib.h>

#include "astrometry/epochs/sky_builder.h"
#include "astrometry/epochs/sky_source.h"
#include "core/status_fail.h"
#include "model/circle.h"

/* A row by its number, in the order of passages and then of rows. */
typedef struct passage_row {
    int64_t transit;
    int frame;
    size_t k;
} passage_row;

static int compare_passages(const void *left, const void *right)
{
    const passage_row *a = left, *b = right;
    if (a->transit != b->transit)
        return a->transit < b->transit ? -1 : 1;
    if (a->frame != b->frame)
        return a->frame < b->frame ? -1 : 1;
    return a->k < b->k ? -1 : 1;
}

/* Means of differences to the first row: times and angles keep their digits, and angles on both
 * sides of a turn stay together. */
static equant_status mean_of(const equant_astrometry *ccds, const passage_row *members, size_t n,
                             sky_row *mean)
{
    size_t first = members[0].k;
    double weights = 0, time = 0, abscissa = 0, angle = 0, parallax = 0, colour = 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = members[i].k;
        if (ccds->kind[k] != ccds->kind[first])
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "transit %lld has rows of more than one kind, which have no mean",
                               (long long)members[0].transit);
        double turn = ccds->angle_rad[k] - ccds->angle_rad[first];
        double weight = 1 / (ccds->uncertainty_mas[k] * ccds->uncertainty_mas[k]);
        weights += weight;
        time += weight * (ccds->time_days[k] - ccds->time_days[first]);
        abscissa += weight * (ccds->abscissa_mas[k] - ccds->abscissa_mas[first]);
        angle += weight * remainder(turn, TWO_PI);
        parallax += weight * ccds->parallax_factor[k];
        colour += ccds->colour_factor != NULL ? weight * ccds->colour_factor[k] : 0;
    }
    *mean = (sky_row){
        .time_days = ccds->time_days[first] + time / weights,
        .abscissa_mas = ccds->abscissa_mas[first] + abscissa / weights,
        .uncertainty_mas = 1 / sqrt(weights),
        .angle_rad = ccds->angle_rad[first] + angle / weights,
        .parallax_factor = parallax / weights,
        .colour_factor = colour / weights,
        .kind = ccds->kind[first],
        .transit = members[0].transit,
        .frame = members[0].frame,
    };
    return EQUANT_SUCCESS;
}

static equant_status add_means(const equant_astrometry *ccds, const passage_row *members,
                               sky_builder *builder)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t k = 0; k < ccds->n_rows && status == EQUANT_SUCCESS;) {
        size_t n = 1;
        while (k + n < ccds->n_rows && members[k + n].transit == members[k].transit &&
               members[k + n].frame == members[k].frame)
            n++;
        sky_row mean;
        status = mean_of(ccds, members + k, n, &mean);
        if (status == EQUANT_SUCCESS)
            status = sky_builder_add(builder, mean);
        k += n;
    }
    return status;
}

/* What is known of the source besides its rows. */
static equant_status copy_words(const equant_astrometry *ccds, sky_builder *builder)
{
    builder->reference_jd = ccds->reference_jd;
    builder->source_id = ccds->source_id;
    builder->lacks_parallax = ccds->lacks_parallax;
    builder->lacks_motion = ccds->lacks_motion;
    builder->has_colour = ccds->colour_factor != NULL;
    equant_status status = sky_builder_set_name(builder, ccds->name);
    if (status == EQUANT_SUCCESS)
        status = sky_builder_set_format(builder, ccds->format);
    for (size_t i = 0; i < ccds->n_remarks && status == EQUANT_SUCCESS; i++)
        status = sky_builder_remark(builder, "%s", ccds->remarks[i]);
    return status;
}

equant_status equant_astrometry_transits(const equant_astrometry *ccds, equant_astrometry **means)
{
    if (ccds == NULL || means == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "means of transits need a source and a place for them");
    passage_row *members = malloc((ccds->n_rows + 1) * sizeof *members);
    if (members == NULL)
        return status_out_of_memory();
    for (size_t k = 0; k < ccds->n_rows; k++)
        members[k] = (passage_row){ccds->transit[k], ccds->frame[k], k};
    qsort(members, ccds->n_rows, sizeof *members, compare_passages);

    sky_builder builder = {0};
    equant_status status = copy_words(ccds, &builder);
    if (status == EQUANT_SUCCESS)
        status = add_means(ccds, members, &builder);
    free(members);
    if (status == EQUANT_SUCCESS)
        return sky_builder_finish(&builder, means);
    sky_builder_free(&builder);
    return status;
}
