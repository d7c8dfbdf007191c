/* Kepler's equation alone, through the same backends. */
#include "core/engine.h"
#include "core/status.h"

equant_status equant_kepler_solve(size_t n, const double *mean_anomaly_rad,
                                  const double *eccentricity, const equant_engine_options *options,
                                  double *eccentric_anomaly_rad, double *sine, double *cosine)
{
    backend_engine engine;
    const backend *chosen;
    equant_status status = engine_choose(options, &engine, &chosen);
    if (status != EQUANT_SUCCESS || n == 0)
        return status;
    if (!mean_anomaly_rad || !eccentricity)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "mean anomalies and eccentricities are needed to solve for");
    return engine_report(chosen, chosen->solve(&engine, n, mean_anomaly_rad, eccentricity,
                                               eccentric_anomaly_rad, sine, cosine));
}

equant_status equant_kepler_solve_on_device(size_t n, const double *mean_anomaly_rad,
                                            const double *eccentricity,
                                            const equant_engine_options *options,
                                            double *eccentric_anomaly_rad, double *sine,
                                            double *cosine, void *stream)
{
    backend_engine engine;
    const backend *chosen;
    equant_status status = engine_choose(options, &engine, &chosen);
    if (status == EQUANT_SUCCESS)
        status = engine_require_device(chosen);
    if (status != EQUANT_SUCCESS || n == 0)
        return status;
    if (engine.first_guess == EQUANT_FIRST_GUESS_TABULATED)
        return status_fail(EQUANT_ERROR_UNAVAILABLE,
                           "a tabulated first guess is for evaluators and for arrays on the host");
    if (!mean_anomaly_rad || !eccentricity)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "mean anomalies and eccentricities are needed to solve for");
    return engine_report(chosen,
                         chosen->device->solve(&engine, n, mean_anomaly_rad, eccentricity,
                                               eccentric_anomaly_rad, sine, cosine, stream));
}
