/* The unit of a table: as it is written, as is custom, or as the numbers suggest. */
#include "data/table_unit.h"

#include <math.h>

#include "core/status_fail.h"
#include "data/velocity_unit.h"

typedef struct table_rows {
    const char *name;
    const table_layout *layout;
    dataset_builder *builder;
    const size_t *indicator; /* places of indicators in the builder */
} table_rows;

/* ---- velocities -------------------------------------------------------- */

/* A stated unit is kept, but doubted where the numbers speak against it: no
 * spectrograph reaches 0.05 m/s, and uncertainties above 1 km/s around a mean
 * near zero are what differential velocities in m/s look like. */
static equant_status doubt_stated_unit(const table_rows *rows, equant_unit unit,
                                       const velocity_statistics *statistics)
{
    double median = statistics->median_uncertainty;
    bool is_too_small = unit == EQUANT_UNIT_M_S && median < 0.05;
    bool is_too_large =
        unit == EQUANT_UNIT_KM_S && median > 1 && fabs(statistics->mean) < statistics->spread;
    if (!is_too_small && !is_too_large)
        return EQUANT_SUCCESS;
    const char *stated = velocity_unit_name(unit);
    return dataset_builder_warn(rows->builder,
                                "%s: the file says %s, but uncertainties around %g %s are hard to "
                                "believe; if it is wrong, correct the file or give the unit %s",
                                rows->name, stated, median, stated, is_too_small ? "km/s" : "m/s");
}

static equant_status guess_unit(const table_rows *rows, const velocity_statistics *statistics,
                                equant_unit *unit)
{
    *unit = velocity_unit_guess(statistics);
    if (*unit == rows->layout->customary_unit)
        return EQUANT_SUCCESS;
    bool is_km_s = *unit == EQUANT_UNIT_KM_S;
    return dataset_builder_warn(
        rows->builder, "%s: no unit is given; read as %s; if that is wrong, give the unit %s",
        rows->name, is_km_s ? "km/s, which the numbers look like" : "m/s, as is usual",
        is_km_s ? "m/s" : "km/s");
}

/* The DRS of Geneva and ESO writes velocities (rvc) in km/s and their uncertainties (dvrms) in
 * m/s. Tables made of its output may have converted either: no star moves at 500 km/s, and no
 * uncertainty is below 0.05 m/s. */
static equant_status guess_drs_units(const table_rows *rows, const velocity_statistics *statistics,
                                     equant_unit *velocity, equant_unit *uncertainty)
{
    if (*velocity != EQUANT_UNIT_FROM_FILE && *uncertainty != EQUANT_UNIT_FROM_FILE)
        return EQUANT_SUCCESS;
    if (*velocity == EQUANT_UNIT_FROM_FILE)
        *velocity = fabs(statistics->mean) < 500 ? EQUANT_UNIT_KM_S : EQUANT_UNIT_M_S;
    if (*uncertainty == EQUANT_UNIT_FROM_FILE)
        *uncertainty = statistics->median_uncertainty < 0.05 ? EQUANT_UNIT_KM_S : EQUANT_UNIT_M_S;
    return dataset_builder_warn(rows->builder,
                                "%s: no unit is given; rvc is read as %s and dvrms as %s, which "
                                "the numbers look like; if that is wrong, write the units into "
                                "the names of the columns",
                                rows->name, velocity_unit_name(*velocity),
                                velocity_unit_name(*uncertainty));
}

static equant_status doubt_uncertainties(const table_rows *rows,
                                         const velocity_statistics *statistics, double ratio)
{
    bool is_odd = rows->builder->n_obs > 2 &&
                  statistics->median_uncertainty * ratio > 10 * statistics->spread;
    if (!is_odd)
        return EQUANT_SUCCESS;
    return dataset_builder_warn(rows->builder,
                                "%s: the uncertainties are far larger than the velocities differ; "
                                "are both columns in the same unit?",
                                rows->name);
}

static void scale(double *values, size_t n, double factor)
{
    for (size_t k = 0; k < n; k++)
        values[k] *= factor;
}

/* Order of belief: the caller, the header of the column, the custom of the
 * format, the numbers themselves. */
static equant_status settle(const table_rows *rows, equant_unit forced)
{
    dataset_builder *builder = rows->builder;
    const table_layout *layout = rows->layout;
    velocity_statistics statistics;
    if (!velocity_unit_statistics(builder->n_obs, builder->velocity_m_s, builder->uncertainty_m_s,
                                  &statistics))
        return status_out_of_memory();
    equant_unit velocity = layout->velocity_unit, uncertainty = layout->uncertainty_unit;
    equant_status status = EQUANT_SUCCESS;
    if (forced != EQUANT_UNIT_FROM_FILE) {
        velocity = uncertainty = forced;
    } else if (layout->is_drs) {
        status = guess_drs_units(rows, &statistics, &velocity, &uncertainty);
    } else if (velocity == EQUANT_UNIT_FROM_FILE && uncertainty == EQUANT_UNIT_FROM_FILE) {
        if (layout->customary_unit == EQUANT_UNIT_KM_S)
            velocity = EQUANT_UNIT_KM_S;
        else
            status = guess_unit(rows, &statistics, &velocity);
    } else if (velocity == EQUANT_UNIT_FROM_FILE) {
        velocity = uncertainty;
    }
    if (uncertainty == EQUANT_UNIT_FROM_FILE)
        uncertainty = velocity;
    if (status == EQUANT_SUCCESS && layout->velocity_unit != EQUANT_UNIT_FROM_FILE)
        status = doubt_stated_unit(rows, uncertainty, &statistics);
    double velocity_scale = velocity_unit_scale(velocity);
    double uncertainty_scale = velocity_unit_scale(uncertainty);
    if (status == EQUANT_SUCCESS)
        status = doubt_uncertainties(rows, &statistics, uncertainty_scale / velocity_scale);
    scale(builder->velocity_m_s, builder->n_obs, velocity_scale);
    scale(builder->uncertainty_m_s, builder->n_obs, uncertainty_scale);
    builder->unit = velocity;
    return status;
}

equant_status table_unit_settle(const char *name, const table_layout *layout, equant_unit forced,
                                dataset_builder *builder)
{
    return settle(&(table_rows){name, layout, builder, NULL}, forced);
}

/* ---- indicators -------------------------------------------------------- */

/* Line widths and spans in km/s become m/s: by the header, else by their size. */
static equant_status settle_indicator(const table_rows *rows, size_t i)
{
    dataset_builder *builder = rows->builder;
    const indicator_info *info = indicator_catalogue_at(i);
    const indicator_column *column = &builder->indicators.columns[rows->indicator[i]];
    equant_unit stated = rows->layout->indicator_unit[i];
    double size = NAN;
    if (stated == EQUANT_UNIT_FROM_FILE &&
        !velocity_unit_median_size(builder->n_obs, column->values, &size))
        return status_out_of_memory();
    bool is_guessed = size > info->km_s_from && size < info->km_s_to;
    if (stated != EQUANT_UNIT_KM_S && !is_guessed)
        return EQUANT_SUCCESS;
    scale(column->values, builder->n_obs, 1000);
    scale(column->uncertainties, builder->n_obs, 1000);
    if (!is_guessed)
        return EQUANT_SUCCESS;
    return dataset_builder_warn(builder,
                                "%s: no unit is given for %s; read as km/s, which its numbers "
                                "look like",
                                rows->name, info->label);
}

equant_status table_unit_settle_indicators(const char *name, const table_layout *layout,
                                           const size_t *indicator, dataset_builder *builder)
{
    const table_rows rows = {name, layout, builder, indicator};
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < indicator_catalogue_n() && status == EQUANT_SUCCESS; i++)
        if (layout->indicator[i] >= 0 && indicator_catalogue_at(i)->is_velocity)
            status = settle_indicator(&rows, i);
    return status;
}
