/* A source from arrays, and what can be seen of one. */
#include "astrometry/epochs/sky_source.h"

#include <math.h>
#include <stdlib.h>

#include "astrometry/epochs/sky_builder.h"
#include "core/status_fail.h"

/* ---- arrays ------------------------------------------------------------ */

static sky_row row_of(const equant_sky_rows *rows, size_t k)
{
    return (sky_row){
        .time_days = rows->time_days[k],
        .abscissa_mas = rows->abscissa_mas[k],
        .uncertainty_mas = rows->uncertainty_mas[k],
        .angle_rad = rows->angle_rad[k],
        .parallax_factor = rows->parallax_factor != NULL ? rows->parallax_factor[k] : 0,
        .colour_factor = rows->colour_factor != NULL ? rows->colour_factor[k] : 0,
        .kind = rows->kind != NULL ? rows->kind[k] : EQUANT_SKY_STAR,
        .transit = rows->transit != NULL ? rows->transit[k] : (int64_t)k,
        .frame = rows->frame != NULL ? rows->frame[k] : 0,
    };
}

static equant_status check_row(const sky_row *row, size_t k)
{
    const struct {
        double value;
        const char *what;
    } values[] = {{row->time_days, "time"},
                  {row->abscissa_mas, "abscissa"},
                  {row->uncertainty_mas, "uncertainty"},
                  {row->angle_rad, "angle"},
                  {row->parallax_factor, "parallax factor"},
                  {row->colour_factor, "colour factor"}};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (!isfinite(values[i].value))
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "the %s of row %zu is not a finite number", values[i].what, k);
    if (row->uncertainty_mas <= 0)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the uncertainty of row %zu is %g mas; it must be above zero", k,
                           row->uncertainty_mas);
    if ((int)row->kind < EQUANT_SKY_STAR || row->kind > EQUANT_SKY_SCAN)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the kind of row %zu is %d, and there is none with this number", k,
                           (int)row->kind);
    if (row->frame != 0 && row->frame != 1)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the frame of row %zu is %d; there are 0 and 1", k, row->frame);
    return EQUANT_SUCCESS;
}

static equant_status fill_builder(const equant_sky_rows *rows, const char *name,
                                  sky_builder *builder)
{
    builder->has_colour = rows->colour_factor != NULL;
    equant_status status = sky_builder_set_name(builder, name != NULL ? name : "");
    for (size_t k = 0; k < rows->n_rows && status == EQUANT_SUCCESS; k++) {
        sky_row row = row_of(rows, k);
        status = check_row(&row, k);
        if (status == EQUANT_SUCCESS)
            status = sky_builder_add(builder, row);
    }
    return status;
}

equant_status equant_astrometry_create(const equant_sky_rows *rows, double reference_jd,
                                       const char *name, equant_astrometry **source)
{
    equant_sky_rows given;
    equant_status status = OPTIONS_CHECK(rows);
    if (status != EQUANT_SUCCESS)
        return status;
    OPTIONS_TAKE(given, rows);
    if (source == NULL || given.n_rows == 0 || given.time_days == NULL ||
        given.abscissa_mas == NULL || given.uncertainty_mas == NULL || given.angle_rad == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "astrometry needs at least one row, with time, abscissa, uncertainty "
                           "and angle, and a place for the source");
    if (!isfinite(reference_jd))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the reference time of astrometry is not a finite number");
    sky_builder builder = {.reference_jd = reference_jd};
    status = fill_builder(&given, name, &builder);
    if (status == EQUANT_SUCCESS)
        return sky_builder_finish(&builder, source);
    sky_builder_free(&builder);
    return status;
}

equant_status equant_astrometry_create_empty(int64_t source_id, const char *name,
                                             equant_astrometry **source)
{
    if (source == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a source without rows needs a place for it");
    sky_builder builder = {.reference_jd = EQUANT_SKY_GAIA_JD, .source_id = source_id};
    equant_status status = sky_builder_set_name(&builder, name != NULL ? name : "");
    if (status == EQUANT_SUCCESS)
        return sky_builder_finish(&builder, source);
    sky_builder_free(&builder);
    return status;
}

void equant_astrometry_free(equant_astrometry *source)
{
    if (source == NULL)
        return;
    for (size_t i = 0; i < source->n_remarks; i++)
        free(source->remarks[i]);
    free(source->remarks);
    free(source->time_days);
    free(source->abscissa_mas);
    free(source->uncertainty_mas);
    free(source->angle_rad);
    free(source->parallax_factor);
    free(source->colour_factor);
    free(source->kind);
    free(source->transit);
    free(source->frame);
    free(source->name);
    free(source->format);
    free(source);
}

/* ---- views ------------------------------------------------------------- */

equant_status equant_astrometry_rows(const equant_astrometry *source, equant_sky_rows *rows)
{
    if (source == NULL || rows == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the rows of a source need the source and a place for them");
    equant_status status = OPTIONS_CHECK(rows);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_sky_rows known = {
        .n_rows = source->n_rows,
        .time_days = source->time_days,
        .abscissa_mas = source->abscissa_mas,
        .uncertainty_mas = source->uncertainty_mas,
        .angle_rad = source->angle_rad,
        .parallax_factor = source->parallax_factor,
        .colour_factor = source->colour_factor,
        .kind = source->kind,
        .transit = source->transit,
        .frame = source->frame,
    };
    OPTIONS_FILL(known, rows);
    return EQUANT_SUCCESS;
}

double equant_astrometry_reference_jd(const equant_astrometry *source)
{
    return source != NULL ? source->reference_jd : NAN;
}

const char *equant_astrometry_name(const equant_astrometry *source)
{
    return source != NULL ? source->name : "";
}

int64_t equant_astrometry_source_id(const equant_astrometry *source)
{
    return source != NULL ? source->source_id : 0;
}

const char *equant_astrometry_format(const equant_astrometry *source)
{
    return source != NULL ? source->format : "";
}

size_t equant_astrometry_n_transits(const equant_astrometry *source)
{
    return source != NULL ? source->n_transits : 0;
}

int equant_astrometry_lacks_parallax(const equant_astrometry *source)
{
    return source != NULL && source->lacks_parallax;
}

size_t equant_astrometry_n_remarks(const equant_astrometry *source)
{
    return source != NULL ? source->n_remarks : 0;
}

const char *equant_astrometry_remark(const equant_astrometry *source, size_t index)
{
    return source != NULL && index < source->n_remarks ? source->remarks[index] : NULL;
}
