/* What a fit has found, as callers ask for it. fit.c and its neighbours fill it in, fit_record.c
 * answers. */
#ifndef EQUANT_INFERENCE_FIT_FIT_RECORD_H
#define EQUANT_INFERENCE_FIT_FIT_RECORD_H

#include "inference/select/planets/planet_rivals.h"
#include "inference/select/planets/refusal.h"
#include "inference/fit/fit_noise.h"
#include "inference/fit/fit_outliers.h"
#include "inference/fit/fit_quantities.h"
#include "inference/select/aliases/alias_family.h"
#include "inference/select/aliases/alias_pairs.h"

struct equant_fit {
    equant_model *model;
    size_t n_planets, n_parameters;
    int trend_order;
    double *parameters, *covariance;
    double *velocities_m_s, *residuals_m_s; /* [n_obs] */
    equant_planet *planets;
    char letters[STUDY_MAX_PLANETS + 1]; /* of the planets, b, c, ... where nobody said others */
    bool has_letters;                    /* states said them */
    double masses_jupiter[STUDY_MAX_PLANETS][2]; /* with errors; NaN: unknown */
    alias_family *families;                      /* [n_planets] */
    size_t n_pairs;
    equant_alias_pair pairs[ALIAS_PAIRS_MOST];
    fit_quantities quantities;
    bool has_candidate;
    equant_planet candidate;
    size_t max_planets;                    /* that `numbers` knows */
    double numbers[STUDY_MAX_PLANETS + 2]; /* probabilities of 0 to max_planets planets */
    bool is_sampled, chains_agree;         /* these and those of planets are of a comparison */
    char refusal[REFUSAL_SENTENCE_SIZE];
    fit_quantities candidate_quantities;
    planet_rivals rivals;
    fit_noise noise;
    fit_outliers outliers;
    equant_fit_summary summary;
};

#endif
