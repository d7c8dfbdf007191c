/* equant/model.h: models. How many planets, which nuisance parameters: the columns of a parameter
 * set. */
#ifndef EQUANT_MODEL_H
#define EQUANT_MODEL_H

#include <stddef.h>

#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which parameters describe a star: the columns of a parameter set. */
typedef struct equant_model equant_model;

/* Elements of a planet, and their places among its columns. */
#define EQUANT_N_ELEMENTS 5
typedef enum equant_element {
    EQUANT_ELEMENT_PERIOD = 0, /* period_days                                   */
    EQUANT_ELEMENT_K = 1,      /* k_m_s                                         */
    EQUANT_ELEMENT_ECCENTRICITY = 2,
    EQUANT_ELEMENT_OMEGA = 3, /* omega_rad                                      */
    EQUANT_ELEMENT_M0 = 4     /* m0_rad                                         */
} equant_element;

typedef enum equant_nuisance {
    EQUANT_NUISANCE_SOLVED = 0, /* left out of the parameter sets; found exactly
                                   for each of them by weighted least squares  */
    EQUANT_NUISANCE_GIVEN = 1   /* columns of the parameter sets               */
} equant_nuisance;

/* Drift of a star beside its planets. */
typedef enum equant_trend {
    EQUANT_TREND_DEFAULT = 0, /* none; of equant_search and equant_fit_star a line or a
                                 parabola where the data ask for one            */
    EQUANT_TREND_NONE = 1,
    EQUANT_TREND_LINEAR = 2,
    EQUANT_TREND_QUADRATIC = 3
} equant_trend;

typedef struct equant_model_options {
    size_t struct_size;
    size_t n_planets;     /* 0 to 100,000                                   */
    size_t n_instruments; /* 0 means 1; must equal the data set's           */
    equant_trend trend;
    equant_nuisance offset_columns; /* one per instrument                      */
    equant_nuisance trend_columns;  /* one or two, where there is a trend      */
    int with_jitter;                /* 1: one jitter column per instrument, added in
                                       quadrature to the uncertainties                */
    const char *noise;              /* names of noise terms (equant/noise.h), each at most once:
                                       "rotation, night"; their parameters are columns; NULL: none.
                                       "night@1" is of instrument 1 alone, counted from 0, and may
                                       be there beside those of others and of all               */
} equant_model_options;

EQUANT_API equant_status equant_model_create(const equant_model_options *options,
                                             equant_model **model);
EQUANT_API void equant_model_free(equant_model *model);

/* Columns of one parameter set, in this order:
 *   for each planet: period_days, k_m_s, eccentricity, omega_rad, m0_rad;
 *   offsets in m/s, one per instrument, where they are given;
 *   trend in m/s/day, m/s/day^2, where it is given;
 *   jitter in m/s, one per instrument, where the model has it;
 *   the parameters of each noise term, in the order of the text and of the catalogue of terms. */
EQUANT_API size_t equant_model_n_parameters(const equant_model *model);
/* "period_days_1", ..., "offset_m_s_1", "trend_m_s_day", "jitter_m_s_1", "rotation_period_days";
 * NULL when out of range. Valid until the model is freed. */
EQUANT_API const char *equant_model_parameter_name(const equant_model *model, size_t column);
/* Linear parameters, given or solved: offsets first, then trend terms. */
EQUANT_API size_t equant_model_n_linear(const equant_model *model);
EQUANT_API size_t equant_model_n_planets(const equant_model *model);

#ifdef __cplusplus
}
#endif
#endif
