/* equant/sky_predict.h: predictions of astrometry. What draws of orbits on the sky say of times at
 * which nobody has observed: positions, abscissae of scans, companions, velocities. */
#ifndef EQUANT_SKY_PREDICT_H
#define EQUANT_SKY_PREDICT_H

#include <stddef.h>

#include "equant/evaluate.h"
#include "equant/progress.h"
#include "equant/sky_sample.h"
#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where draws put the light of the star at a time, around the barycentre: RA with the cosine of the
 * declination. 68.3 % of the draws lie between low and high. */
typedef struct equant_sky_predicted {
    size_t struct_size;
    double jd;
    double ra_mas, ra_low_mas, ra_high_mas; /* median, and interval                            */
    double dec_mas, dec_low_mas, dec_high_mas;
    double ra_sd_mas, dec_sd_mas, correlation;
    double abscissa_mas, abscissa_low_mas, abscissa_high_mas; /* along a scan, position, motion and
                                                  parallax included; NaN: none is asked for      */
} equant_sky_predicted;

/* At n times, Julian dates; with the position angles of scans and their parallax factors, [n] each,
 * abscissae too (both NULL: none). struct_size of each of predicted[n] is set. */
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_sky_posterior_predict(
    const equant_sky_posterior *posterior, size_t n, const double *jd, const double *scan_angle_rad,
    const double *parallax_factor, equant_sky_predicted *predicted);

/* What is predicted. */
typedef enum equant_sky_observable {
    EQUANT_SKY_OBSERVABLE_ABSCISSA = 0, /* of the star along a scan: position, motion, parallax and
                                         orbits (mas)                                           */
    EQUANT_SKY_OBSERVABLE_LIGHT_RA = 1, /* of its light around the barycentre, towards East and   */
    EQUANT_SKY_OBSERVABLE_LIGHT_DEC = 2, /* North (mas)                                           */
    EQUANT_SKY_OBSERVABLE_COMPANION_RA = 3,  /* a companion minus the star, towards East and      */
    EQUANT_SKY_OBSERVABLE_COMPANION_DEC = 4, /* North (mas)                                       */
    EQUANT_SKY_OBSERVABLE_VELOCITY = 5       /* of the star, as an instrument has its zero (m/s)  */
} equant_sky_observable;

/* Zeros mean the defaults. */
typedef struct equant_sky_predict_options {
    size_t struct_size;
    const equant_engine_options *engine; /* NULL: defaults                                      */
    equant_sky_observable what;
    int without_noise;  /* 1: the thing itself; 0: what an observation would see, with its
                           uncertainty and jitter. The light is never observed by itself      */
    size_t number;      /* of a companion, or of an instrument, from 1; 0: the first companion,
                           the instrument of the last velocity                                */
    double uncertainty; /* of an observation, in the unit of what is predicted; 0: the median of
                           such data; where there are none, the thing itself is predicted      */
    const double *scan_angle_rad;  /* of abscissae, [n]: position angles of the scans            */
    const double *parallax_factor; /* and their parallax factors                                */
    size_t max_draws;              /* spread evenly over all; 0: 2000                           */
    equant_progress progress;      /* may be NULL                                               */
    void *progress_context;
} equant_sky_predict_options;

typedef struct equant_sky_prediction equant_sky_prediction;

/* The predictive distribution at n times, Julian dates: a mixture over the draws of normal
 * distributions of their noise. What draws do not know is EQUANT_ERROR_INVALID_ARGUMENT: a velocity
 * where none was fitted, a companion whose distance from the star nothing tells. Draws whose
 * parallax is not above zero have no velocity and are left out there. */
EQUANT_EXPERIMENTAL EQUANT_API equant_status
equant_sky_predict(const equant_sky_posterior *posterior, size_t n, const double *jd,
                   const equant_sky_predict_options *options, equant_sky_prediction **prediction);
EQUANT_EXPERIMENTAL EQUANT_API void equant_sky_prediction_free(equant_sky_prediction *prediction);

#define EQUANT_SKY_MOST_MODES 4

typedef struct equant_sky_predicted_value {
    size_t struct_size;
    double jd;
    double mean, sd;
    double low_95, low_68, median, high_68, high_95; /* 95.4 and 68.3 %                         */
    double entropy;     /* of the distribution, in nats                                         */
    double information; /* that one observation is expected to bring about everything, in nats;
                           NaN where none is predicted                                           */
    size_t n_modes;     /* maxima of the distribution, the heaviest first                       */
    double mode[EQUANT_SKY_MOST_MODES];
    double mode_share[EQUANT_SKY_MOST_MODES]; /* between the minima beside it                   */
} equant_sky_predicted_value;
EQUANT_EXPERIMENTAL EQUANT_API size_t
equant_sky_prediction_n(const equant_sky_prediction *prediction);
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_sky_prediction_at(
    const equant_sky_prediction *prediction, size_t index, equant_sky_predicted_value *value);

/* What was asked for, or chosen: the companion or instrument, from 1 (0: of none); the uncertainty,
 * 0 where no observation is predicted. */
EQUANT_EXPERIMENTAL EQUANT_API size_t
equant_sky_prediction_number(const equant_sky_prediction *prediction);
EQUANT_EXPERIMENTAL EQUANT_API double
equant_sky_prediction_uncertainty(const equant_sky_prediction *prediction);
EQUANT_EXPERIMENTAL EQUANT_API size_t
equant_sky_prediction_n_draws(const equant_sky_prediction *prediction);

/* 1 where draws know it: scans of the star, an instrument of velocities or a companion of this
 * number (0: any). */
EQUANT_EXPERIMENTAL EQUANT_API int equant_sky_posterior_knows(const equant_sky_posterior *posterior,
                                                              equant_sky_observable what,
                                                              size_t number);
/* The Julian date of the last thing that was seen, be it position or velocity. */
EQUANT_EXPERIMENTAL EQUANT_API double
equant_sky_posterior_end_jd(const equant_sky_posterior *posterior);

#ifdef __cplusplus
}
#endif
#endif
