/* Velocities and transit times of planets that attract each other as a model of data: an offset and
 * a jitter for each instrument, and for each planet ln m, ln P, e cos omega, e sin omega and mean
 * longitude, with one inclination for all planets. Offsets are at their best values everywhere. */
#ifndef EQUANT_INFERENCE_INTERACTION_INTERACTING_MODEL_H
#define EQUANT_INFERENCE_INTERACTION_INTERACTING_MODEL_H

#include "dynamics/nbody_velocities.h"

enum { INTERACTING_OF_PLANET = 5, INTERACTING_MOST = 5 * EQUANT_NBODY_MAX_PLANETS + 1 };

/* Transits that were observed, borrowed: times from the epoch; planets are those of the model, and
 * transit 0 of one the nearest to its zero_days by its period. */
typedef struct interacting_transits {
    size_t n;
    const int *planet, *number;
    const double *time_days, *error_days;
    double zero_days[EQUANT_NBODY_MAX_PLANETS], period_days[EQUANT_NBODY_MAX_PLANETS];
} interacting_transits;

/* The data of a model, borrowed: times from the epoch, in any order. */
typedef struct interacting_data {
    size_t n, n_instruments; /* velocities */
    const double *time_days, *velocity_m_s, *uncertainty_m_s;
    const int *instrument;
    interacting_transits transits;
} interacting_data;

typedef struct interacting_model {
    interacting_data data;
    size_t n_planets,
        n_columns; /* columns: 5 for each planet, then the inclination where it is free */
    nbody_velocities velocities;
    nbody_transits transits;
    double *jacobian;  /* [n_columns][n], m/s */
    double *values;    /* [n]: velocities of planets; */
    double *residuals; /* [n]: less offsets */
    double *offsets;   /* [n_instruments] */
    double *jitters;   /* [n_instruments], m/s */
} interacting_model;

equant_status interacting_model_create(const interacting_data *data, size_t n_planets,
                                       bool has_inclination, double star_mass, double step_days,
                                       const equant_engine_options *engine,
                                       interacting_model *made);
void interacting_model_free(interacting_model *own);

/* Values, offsets, residuals and, where wanted, the Jacobian of elements, which is left alone
 * otherwise; chi-square with the model's jitters, infinite where the integration has no result. */
equant_status interacting_model_evaluate(interacting_model *own, const double *elements,
                                         bool with_jacobian, double *chi_square);

/* Jitters that make the residuals most likely, and ln L with them. */
double interacting_model_fit_jitters(interacting_model *own);
double interacting_model_chi_square(const interacting_model *own);
double interacting_model_chi_square_transits(const interacting_model *own);

/* J' W J [n_columns][n_columns] and J' W r with offsets projected out. */
void interacting_model_normal(const interacting_model *own, double *matrix, double *gradient);

/* Elements moved by a step of the columns. False where they are none any more. */
bool interacting_model_move(const interacting_model *own, const double *elements,
                            const double *step, double *moved);

#endif
