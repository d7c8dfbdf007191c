/* The trend of one parameter set as the kernels compute with it. */
#ifndef EQUANT_BACKENDS_CUDA_EVALUATE_PARAMETER_SET_CUH
#define EQUANT_BACKENDS_CUDA_EVALUATE_PARAMETER_SET_CUH

#include "backends/cuda/evaluate/planet.cuh"
#include "physics/linear_nuisance.h"

/* Time in the units in which trends are computed; of no consequence where there is none. */
LANE_FUNCTION double set_tau(const cuda_layout &layout, size_t i)
{
    return layout.model.trend_order > 0 ? (layout.time[i] - layout.time_middle) / layout.time_scale
                                        : 0.0;
}

/* The trend that is given, in these units; zeros where there is none. */
LANE_FUNCTION linear_trend set_given_trend(const cuda_layout &layout, const parameter_view &given)
{
    return linear_trend_given(given.trend, layout.model.trend_order, layout.time_middle,
                              layout.time_scale);
}

#endif
