/* equant/sky_fit.h: fits of astrometry. How a source moves on the sky, and the orbit of a companion
 * that nobody has to guess. */
#ifndef EQUANT_SKY_FIT_H
#define EQUANT_SKY_FIT_H

#include <stddef.h>

#include "equant/astrometry.h"
#include "equant/data.h"
#include "equant/evaluate.h"
#include "equant/fit.h"
#include "equant/progress.h"
#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Motion without companions. With years t since the reference time, J = 365.25 days, a row of the
 * star says
 *
 *     w = (ra + pm_ra t + acceleration_ra t^2/2 + jerk_ra t^3/6) sin psi
 *       + (dec + pm_dec t + ...) cos psi + parallax x parallax factor
 *       + colour x (-colour factor) + sum of cos and sin of 3 psi, 5 psi, 7 psi
 *
 * in mas and mas per year. The colour, an offset in 1/micrometre of what the catalogue took the
 * source's colour for, has a prior of 0.085 around zero, as in Gaia's own solutions. */
typedef struct equant_sky_solve_options {
    size_t struct_size;
    int n_motion;            /* 5, 7 (with acceleration) or 9 (with jerk); 0: 5            */
    int n_harmonics;         /* of the scan angle: 0 to 3, for 3, 5 and 7 times it         */
    int no_colour;           /* 1: the column of the colour is left out                    */
    int as_ccds;             /* 1: rows as they are; 0: means of transits                  */
    double excess_noise_mas; /* added to all errors in quadrature                          */
    int with_jitter;         /* 1: a jitter is found besides                               */
} equant_sky_solve_options;

/* The fitted columns of a model, with their covariance. */
typedef struct equant_sky_solution equant_sky_solution;

/* The solution of these columns, for the caller to free; options may be NULL.
 * EQUANT_ERROR_INVALID_ARGUMENT where the rows do not determine a column: the sentence names it. */
EQUANT_API equant_status equant_sky_solve(const equant_astrometry *source,
                                          const equant_sky_solve_options *options,
                                          equant_sky_solution **solution);
EQUANT_API void equant_sky_solution_free(equant_sky_solution *solution);

typedef struct equant_sky_solution_summary {
    size_t struct_size;
    size_t n_rows;
    double jitter_mas; /* with excess_noise_mas in it                                  */
    double chi_square; /* the prior of the colour included, as in the next             */
    double log_likelihood;
} equant_sky_solution_summary;
EQUANT_API equant_status equant_sky_solution_summarize(const equant_sky_solution *solution,
                                                       equant_sky_solution_summary *summary);

/* A column: "ra", "dec", "parallax", "pm_ra", "pm_dec", "acceleration_ra", ..., "jerk_dec",
 * "colour", "cos3", "sin3", ..., "sin7". Names are static. */
typedef struct equant_sky_column {
    size_t struct_size;
    const char *name;
    double value, error;
} equant_sky_column;
EQUANT_API size_t equant_sky_solution_n_columns(const equant_sky_solution *solution);
EQUANT_API equant_status equant_sky_solution_column(const equant_sky_solution *solution,
                                                    size_t index, equant_sky_column *column);
/* [n_columns][n_columns], valid until the solution is freed. */
EQUANT_API const double *equant_sky_solution_covariance(const equant_sky_solution *solution);

/* What the data ask for. Values are pinned. */
typedef enum equant_sky_verdict {
    EQUANT_SKY_5P = 0,        /* position, parallax, proper motion                             */
    EQUANT_SKY_7P = 1,        /* and an acceleration                                           */
    EQUANT_SKY_9P = 2,        /* and its change                                                */
    EQUANT_SKY_ORBIT = 3,     /* the orbit of a companion                                      */
    EQUANT_SKY_SCAN_ANGLE = 4 /* harmonics of the scan angle: a pair that is hardly resolved,
                                 or the instrument; no orbit                                   */
} equant_sky_verdict;

/* "5p", "7p", "9p", "orbit", "scan_angle"; never NULL. */
EQUANT_API const char *equant_sky_verdict_name(equant_sky_verdict verdict);

typedef struct equant_sky_fit_options {
    size_t struct_size;
    const equant_engine_options *engine; /* of the scans; NULL: the usual                      */
    int as_ccds;                         /* 1: rows as they are; 0: means of transits          */
    int no_jitter;                       /* 1: uncertainties are taken as they are             */
    int no_colour;                       /* 1: without the column of the colour                */
    int force_orbit;                     /* 1: the best orbit is the verdict, whatever noise does */
    double false_alarm_max;              /* of an orbit, and of columns more; 0: 1e-3          */
    double period_min_days;              /* 0: 1 day; of companions a tenth of the span        */
    double period_max_days;              /* 0: 20 times the span                               */
    double eccentricity_max;             /* 0: 0.95                                            */
    double star_mass, star_mass_err;     /* solar masses, for the companion's; 0: unknown      */
    double parallax_zero_point_mas;      /* taken from the parallax before it is a distance    */
    const equant_dataset *velocities;    /* of the same star; NULL: none                       */
    int free_velocities;                 /* 1: their amplitude is not that of the orbit on the sky,
                                            as where the companion shines                      */
    int max_companions;                  /* that are looked for, one behind the other; 0: 3, and
                                            with no_jitter, which makes some of errors, 1      */
    const equant_sky_motions *motions;   /* of the star, beside positions of its companion and
                                            velocities; NULL: none                             */
    size_t n_scans;                      /* behind the motions: of GOST, of Hipparcos; without
                                            them motions are averaged over each mission        */
    const equant_astrometry *const *scans;
    double radial_velocity_km_s; /* of the star, away from us: nearby stars seem to speed up
                                    as they come; 0: unknown, or none                  */
    equant_progress progress;    /* may be NULL; asked between the models that are tried */
    void *progress_context;
    int keeps_partial; /* as that of equant_fit_options; the first model, of five parameters, is
                          fitted in any case */
} equant_sky_fit_options;

typedef struct equant_sky_fit equant_sky_fit;

/* Optimises from five parameters to an orbit that it looks for at every period, eccentricity and
 * phase, and says which model the data ask for. An orbit must be improbable as noise, both behind
 * five parameters and behind the harmonics of the scan angle, and better than all models without
 * one. The same result on any number of threads. options may be NULL; the caller frees *fit. */
EQUANT_API equant_status equant_sky_fit_create(const equant_astrometry *source,
                                               const equant_sky_fit_options *options,
                                               equant_sky_fit **fit);
EQUANT_API void equant_sky_fit_free(equant_sky_fit *fit);

typedef struct equant_sky_summary {
    size_t struct_size;
    equant_sky_verdict verdict;
    size_t n_rows;     /* that were fitted: means of transits or CCDs, and velocities */
    size_t n_transits; /* of the star                                                 */
    size_t n_companions;
    double span_days, reference_jd;
    double parallax_mas, parallax_mas_err; /* of the model of the verdict, as all of these; NaN
                                              where what was fitted is a correction to one that
                                              the file does not tell                          */
    double pm_ra_mas_yr, pm_ra_mas_yr_err;
    double pm_dec_mas_yr, pm_dec_mas_yr_err;
    double jitter_mas;
    double chi_square, log_likelihood;
    double gain;        /* in ln L of the best orbit, taken or not; NaN: none was tried      */
    double false_alarm; /* of it: the larger of the next two                                 */
    double false_alarm_plain, false_alarm_scan_angle; /* behind 5 parameters; behind harmonics  */
    double goodness_f2;         /* of the verdict's model with the uncertainties as they are     */
    double velocity_jitter_m_s; /* of the first instrument; NaN: no velocities                */
    int is_tied;                /* velocities are those of the orbit on the sky                  */
    double tie_excess; /* by how much chi-square is larger than with velocities of their own
                          amplitude, at the jitters of these; NaN: not tied                      */
    double tie_chance; /* how often noise makes it as large: where this is small, sky and velocities
                          disagree. NaN: not tied, or no row is the star's                       */
    size_t n_motions;  /* proper motions of a catalogue that were fitted: 0 or 6                 */
    equant_fit_end end; /* EQUANT_FIT_CANCELLED: models that come later were not tried, and what
                           they would be compared with is NaN */
    double gain_sky, gain_velocities; /* in ln L, of the amplitudes of the one orbit by the rows of
                                         the sky (four) and by the velocities (two), at the shape
                                         and the jitters of the fit; NaN without one of these */
} equant_sky_summary;

EQUANT_API equant_status equant_sky_fit_summarize(const equant_sky_fit *fit,
                                                  equant_sky_summary *summary);

/* Why, in a sentence or two. */
EQUANT_API const char *equant_sky_fit_words(const equant_sky_fit *fit);

/* Words behind commas, each a rule that the orbit does not meet, or "": of DR3's acceptance
 * "dr3_significance", "dr3_parallax", "dr3_eccentricity", "dr3_goodness", "dr3_visibility";
 * "beyond_span" (period longer than the data), "near_year", "eccentricity_at_limit". */
EQUANT_API const char *equant_sky_fit_flags(const equant_sky_fit *fit);

/* The models that were tried: "5p", "7p", "9p", "scan_angle", "orbit", "orbit_scan_angle". */
typedef struct equant_sky_model {
    size_t struct_size;
    const char *name;    /* static */
    size_t n_parameters; /* all of them fitted; jitters are not among them */
    double chi_square;   /* with the weights of the verdict's model: to be compared       */
    double log_likelihood, bic, jitter_mas; /* with a jitter of its own                       */
} equant_sky_model;

EQUANT_API size_t equant_sky_fit_n_models(const equant_sky_fit *fit);
EQUANT_API equant_status equant_sky_fit_model(const equant_sky_fit *fit, size_t index,
                                              equant_sky_model *model);

/* The columns of the verdict's model beside orbits, as equant_sky_solve gives them, for the caller
 * to free. */
EQUANT_API equant_status equant_sky_fit_solution(const equant_sky_fit *fit,
                                                 equant_sky_solution **solution);

/* Rows of equant_sky_companion.covariance. */
#define EQUANT_SKY_N_ELEMENTS 8

/* A companion, by the orbit of the star's light. omega is the star's; the node is the position
 * angle, North through East, where the star recedes. Without velocities (node_rad, omega_rad) and
 * both turned by half a circle are the same orbit on the sky: then the node is in [0, pi), and
 * node_is_known is 0. Inclinations below pi/2 turn from North to East. */
typedef struct equant_sky_companion {
    size_t struct_size;
    double period_days, period_days_err;
    double eccentricity, eccentricity_err;
    double m0_rad, m0_rad_err;       /* mean anomaly at the reference time                 */
    double t_peri_jd, t_peri_jd_err; /* passage of pericentre next to it                   */
    double a0_mas, a0_mas_err;
    double inclination_rad, inclination_rad_err;
    double omega_rad, omega_rad_err;
    double node_rad, node_rad_err;
    int node_is_known;
    double thiele_innes_mas[4], thiele_innes_mas_err[4]; /* A, B, F, G                       */
    double k_m_s, k_m_s_err; /* of the star: predicted from the sky, or of the velocities   */
    double a1_au, a1_au_err; /* semi-major axis of the star's orbit                         */
    double mass_jupiter, mass_jupiter_err; /* of a dark companion; NaN without a star's mass */
    double a_au, a_au_err;    /* of the companion about the star; NaN without a star's mass  */
    double mass_function_sun; /* m^3/(M + m)^2                                               */
    double covariance[64];    /* [8][8] of period, eccentricity, m0, a0, inclination, omega, node,
                                 parallax                                                       */
    double covariance_linear[49]; /* [7][7] of A, B, F, G, ln P, e cos M0, e sin M0           */
    double gain;                  /* in ln L over the same model without it                   */
    double false_alarm;           /* that noise gains as much, behind the companions before it */
} equant_sky_companion;

EQUANT_API equant_status equant_sky_fit_companion(const equant_sky_fit *fit, size_t index,
                                                  equant_sky_companion *companion);

/* How well orbits of every period explain a source. */
typedef struct equant_sky_search equant_sky_search;

/* Scans for one orbit behind five parameters, with the options of a fit: no verdict, no further
 * companions. Rows are means of transits, whatever as_ccds says. options may be NULL; the caller
 * frees *found. */
EQUANT_EXPERIMENTAL EQUANT_API equant_status
equant_sky_search_create(const equant_astrometry *source, const equant_sky_fit_options *options,
                         size_t n_peaks, equant_sky_search **found);
EQUANT_EXPERIMENTAL EQUANT_API void equant_sky_search_free(equant_sky_search *found);

/* The best node of each frequency, [n]: gain in ln L with the jitter of five parameters. Views that
 * are valid until it is freed; each pointer may be NULL. */
EQUANT_EXPERIMENTAL EQUANT_API size_t equant_sky_search_n(const equant_sky_search *found);
EQUANT_EXPERIMENTAL EQUANT_API equant_status
equant_sky_search_bins(const equant_sky_search *found, const double **frequency_per_day,
                       const double **gain, const double **eccentricity, const double **m0_rad);

/* A peak, refined between the nodes. */
typedef struct equant_sky_peak {
    size_t struct_size;
    double period_days, eccentricity, m0_rad, a0_mas;
    double gain; /* in ln L with the jitter of five parameters */
    double chi_square;
    double false_alarm; /* that noise gains so much at any frequency of the search */
} equant_sky_peak;

/* The best first. */
EQUANT_EXPERIMENTAL EQUANT_API size_t equant_sky_search_n_peaks(const equant_sky_search *found);
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_sky_search_peak(const equant_sky_search *found,
                                                                    size_t index,
                                                                    equant_sky_peak *peak);

/* What the verdict's model leaves of each row that was fitted, [n_rows] of the summary: times since
 * the reference time, residuals and uncertainties with jitter, in mas; rows of the sky first, then
 * velocities in m/s. Views that are valid until the fit is freed; each pointer may be NULL. */
EQUANT_API equant_status equant_sky_fit_residuals(const equant_sky_fit *fit, size_t *n_sky,
                                                  const double **time_days, const double **residual,
                                                  const double **uncertainty);

#ifdef __cplusplus
}
#endif
#endif
