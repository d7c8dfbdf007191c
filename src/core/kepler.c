/* Kepler's equation alone, through the same backends. */
#include "core/engine.h"
#include "core/placement.h"
#include "core/status_fail.h"

equant_status equant_kepler_solve(size_t n, const double *mean_anomaly_rad,
                                  const double *eccentricity, const equant_engine_options *options,
                                  double *eccentric_anomaly_rad, double *sine, double *cosine)
{
    placement found;
    equant_status status = placement_find(NULL, options, &placement_small_batches, &found);
    if (status != EQUANT_SUCCESS || n == 0)
        return status;
    if (!mean_anomaly_rad || !eccentricity)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "mean anomalies and eccentricities are needed to solve for");
    const backend *chosen = found.chosen;
    return engine_report(chosen, chosen->solve(&found.engine, n, mean_anomaly_rad, eccentricity,
                                               eccentric_anomaly_rad, sine, cosine));
}

equant_status equant_kepler_solve_on_device(size_t n, const double *mean_anomaly_rad,
                                            const double *eccentricity,
                                            const equant_engine_options *options,
                                            double *eccentric_anomaly_rad, double *sine,
                                            double *cosine, void *stream)
{
    placement found;
    equant_status status = placement_find(NULL, options, &placement_small_batches, &found);
    if (status == EQUANT_SUCCESS)
        status = engine_require_device(found.chosen);
    if (status != EQUANT_SUCCESS || n == 0)
        return status;
    if (found.engine.first_guess == EQUANT_FIRST_GUESS_TABULATED)
        return status_fail(EQUANT_ERROR_UNAVAILABLE,
                           "a tabulated first guess is for evaluators and for arrays on the host");
    if (!mean_anomaly_rad || !eccentricity)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "mean anomalies and eccentricities are needed to solve for");
    const backend *chosen = found.chosen;
    return engine_report(chosen,
                         chosen->device->solve(&found.engine, n, mean_anomaly_rad, eccentricity,
                                               eccentric_anomaly_rad, sine, cosine, stream));
}
