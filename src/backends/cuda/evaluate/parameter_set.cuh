/* One parameter set as it lies in memory: where its columns are, and whether it is inside the
 * domain. */
#ifndef EQUANT_BACKENDS_CUDA_EVALUATE_PARAMETER_SET_CUH
#define EQUANT_BACKENDS_CUDA_EVALUATE_PARAMETER_SET_CUH

#include "backends/cuda/evaluate/planet.cuh"
#include "physics/linear_nuisance.h"

/* The columns behind the planets; null when absent. */
struct set_columns {
    const double *offsets, *trend, *jitter;
};

LANE_FUNCTION set_columns set_columns_of(const cuda_layout &layout, const double *set)
{
    set_columns columns = {nullptr, nullptr, nullptr};
    const double *next = set + 5 * layout.n_planets;
    if (layout.offsets_given) {
        columns.offsets = next;
        next += layout.n_segments;
    }
    if (layout.trend_given && layout.trend_order > 0) {
        columns.trend = next;
        next += layout.trend_order;
    }
    if (layout.with_jitter)
        columns.jitter = next;
    return columns;
}

/* True when what lies behind the planets is finite and no jitter is negative. */
LANE_FUNCTION bool set_columns_inside_domain(const cuda_layout &layout, const double *set)
{
    bool inside = true;
    for (size_t i = 5 * layout.n_planets; i < layout.n_parameters; i++)
        inside = inside && isfinite(set[i]);
    const double *jitter = set_columns_of(layout, set).jitter;
    for (size_t i = 0; jitter && i < layout.n_segments; i++)
        inside = inside && jitter[i] >= 0.0 && isfinite(jitter[i] * jitter[i]);
    return inside;
}

LANE_FUNCTION bool set_inside_domain(const cuda_layout &layout, const double *set)
{
    bool inside = true;
    for (size_t p = 0; p < layout.n_planets; p++)
        inside = inside && planet_inside_domain(layout, set + 5 * p);
    return inside && set_columns_inside_domain(layout, set);
}

/* Time in the units in which trends are computed; of no consequence where there is none. */
LANE_FUNCTION double set_tau(const cuda_layout &layout, size_t i)
{
    return layout.trend_order > 0 ? (layout.time[i] - layout.time_middle) / layout.time_scale : 0.0;
}

/* The trend that is given, in these units; zeros where there is none. */
LANE_FUNCTION linear_trend set_given_trend(const cuda_layout &layout, const set_columns &columns)
{
    double d1 = columns.trend ? columns.trend[0] : 0.0;
    double d2 = columns.trend && layout.trend_order > 1 ? columns.trend[1] : 0.0;
    return linear_trend_about(d1, d2, layout.time_middle, layout.time_scale);
}

#endif
