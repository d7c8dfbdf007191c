/* equant/sb2.h: double-lined spectroscopic binaries (SB2). Two velocities at each epoch, of which
 * nobody says which star is which, and the orbit that both share. */
#ifndef EQUANT_SB2_H
#define EQUANT_SB2_H

#include <stddef.h>
#include <stdint.h>

#include "equant/data.h"
#include "equant/evaluate.h"
#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Epochs of one binary. */
typedef struct equant_sb2 equant_sb2;

/* Two columns of velocities, [n_rows] each; NaN where a column has none. is_ordered [n_rows] or
 * NULL: 1 where column 1 is known to be star 1 and column 2 star 2. */
typedef struct equant_sb2_rows {
    size_t struct_size;
    size_t n_rows;
    const double *time_days;
    const double *velocity_1_m_s;
    const double *uncertainty_1_m_s;
    const double *velocity_2_m_s;
    const double *uncertainty_2_m_s;
    const int *is_ordered;
} equant_sb2_rows;

typedef struct equant_sb2_reading {
    size_t struct_size;
    equant_unit velocity_unit; /* FROM_FILE: of headings, else a guess with a warning */
    int64_t source_id;         /* of Gaia: the rows of this source; 0: a file has one */
} equant_sb2_reading;

/* Whether a file has two columns of velocities: rv1 and rv2, or as Gaia calls them. */
EQUANT_EXPERIMENTAL EQUANT_API int equant_sb2_recognises(const char *path);

/* Reads files, csv, ECSV, VOTable or FITS, a folder or an archive of them: columns of time, rv1,
 * rv1_err, rv2, rv2_err, or those of Gaia's rvs_epoch_parameters_double, whose times become BJD
 * (TDB). The caller frees *data with equant_sb2_free. */
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_sb2_read(size_t n_paths,
                                                             const char *const *paths,
                                                             const equant_sb2_reading *options,
                                                             equant_sb2 **data);
/* The same from arrays, which are copied. */
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_sb2_create(const equant_sb2_rows *rows,
                                                               equant_sb2 **data);
EQUANT_EXPERIMENTAL EQUANT_API void equant_sb2_free(equant_sb2 *data);
/* Views, in the order in which they were read, valid until the data are freed. */
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_sb2_rows_of(const equant_sb2 *data,
                                                                equant_sb2_rows *rows);
/* What a person should know of what was read; NULL behind the last sentence. */
EQUANT_EXPERIMENTAL EQUANT_API const char *equant_sb2_warning(const equant_sb2 *data, size_t index);

typedef struct equant_sb2_options {
    size_t struct_size;
    const equant_engine_options *engine; /* its threads                       */
    double period_min_days;              /* 0: 0.5 days                       */
    double period_max_days;              /* 0: twice the span                 */
    double eccentricity_max;             /* 0: 0.95                           */
    int keep_roles;                      /* 1: column 1 is star 1 in all rows */
    int no_jitter;                       /* 1: uncertainties as given         */
} equant_sb2_options;

/* Elements in the order of the covariance. */
#define EQUANT_SB2_N_ELEMENTS 7

/* The orbit: v1 = gamma + K1 [cos(omega + nu) + e cos omega], v2 = gamma - K2 [the same]. Star 1 is
 * that of rows that are ordered, without such rows the more massive one. Uncertainties are of the
 * likelihood's curvature. */
typedef struct equant_sb2_orbit {
    size_t struct_size;
    double period_days, eccentricity, omega_rad, t_peri_days, gamma_m_s;
    double k_m_s[2]; /* of stars 1 and 2 */
    double period_days_err, eccentricity_err, omega_rad_err, t_peri_days_err, gamma_m_s_err;
    double k_m_s_err[2];
    double mass_ratio, mass_ratio_err;             /* M2 / M1 = K1 / K2 */
    double mass_sin3_sun[2], mass_sin3_sun_err[2]; /* M sin^3 i */
    double a_sin_i_au[2], a_sin_i_au_err[2];       /* of each star's own orbit */
    double jitter_m_s;                             /* added in quadrature to all uncertainties */
    double log_likelihood;                         /* roles marginalised */
    double chi_square; /* by the likelier role of each row, jitter included */
    double gain;       /* in ln L over two constant velocities */
    double log_odds;   /* of an orbit, from it: the search and five parameters counted by BIC */
    double next_period_days, next_log_ratio; /* the best other period, and its ln L less that of
                                                this one; NaN: there is none */
    size_t n_rows, n_velocities, n_swapped;  /* swapped: column 1 is likelier star 2 */
    double covariance[49]; /* [7][7] of period, e cos omega, e sin omega, longitude omega + M at the
                              mean time, gamma, K1, K2 */
} equant_sb2_orbit;

/* Finds the orbit without a guess; what rows' roles are is marginalised, each swap being as likely
 * as none. swapped [n_rows] or NULL: how likely column 1 is star 2. Fewer than five rows with two
 * velocities are EQUANT_ERROR_INVALID_ARGUMENT. options may be NULL. */
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_sb2_fit(const equant_sb2 *data,
                                                            const equant_sb2_options *options,
                                                            equant_sb2_orbit *orbit,
                                                            double *swapped);

/* Velocities of both stars at times [n], by an orbit; either may be NULL. */
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_sb2_velocities(const equant_sb2_orbit *orbit,
                                                                   size_t n,
                                                                   const double *time_days,
                                                                   double *velocity_1_m_s,
                                                                   double *velocity_2_m_s);

#ifdef __cplusplus
}
#endif
#endif
