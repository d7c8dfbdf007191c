/* The noise that a fit chose beside jitters, as its callers see it. */
#ifndef EQUANT_INFERENCE_FIT_FIT_NOISE_H
#define EQUANT_INFERENCE_FIT_FIT_NOISE_H

#include "inference/select/planets/planet_finder.h"

typedef struct fit_noise {
    size_t n_parameters, n_trials, n_indicators, n_indicator_trials, n_series;
    char names[NOISE_MENU_MOST_TERMS][NOISE_MENU_NAME_SIZE]; /* of terms */
    equant_fitted_noise_parameter parameters[NOISE_MENU_MOST_PARAMETERS];
    equant_fitted_noise_trial trials[NOISE_MENU_MOST_TERMS];
    equant_fitted_indicator indicators[NOISE_MENU_MOST_INDICATORS];
    equant_fitted_indicator_trial indicator_trials[NOISE_MENU_MOST_INDICATORS];
    equant_fitted_series series[SPOTS_MOST_SERIES];
    double lead_days, lead_days_err; /* NaN without series */
    double rotation_probability;     /* of a period (optimise/noise_period.h); NaN: not asked */
    remarks remarks;
    double *process_m_s; /* [n_obs] */
} fit_noise;

/* Zero-initialised ones may be freed. */
equant_status fit_noise_create(study *star, const planet_finder_result *finding,
                               const uncertainty *known, const double *residuals_m_s,
                               fit_noise *made);
void fit_noise_free(fit_noise *noise);

#endif
