/* equant/search.h: the search for planets. The Keplerian periodogram and its peaks. */
#ifndef EQUANT_SEARCH_H
#define EQUANT_SEARCH_H

#include <stddef.h>
#include <stdint.h>

#include "equant/data.h"
#include "equant/evaluate.h"
#include "equant/model.h"
#include "equant/progress.h"
#include "equant/star.h"
#include "equant/states.h"
#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct equant_search_options {
    size_t struct_size;
    const equant_engine_options *engine;     /* NULL: defaults; its precision counts only
                                                with exact_precision, else mixed    */
    int exact_precision;                     /* 1: take engine.precision as it is   */
    double period_min_days, period_max_days; /* 0: 0.5 days, twice the span         */
    double eccentricity_max;                 /* 0: 0.9                              */
    int circular_only;                       /* 1: a generalised Lomb-Scargle scan  */
    equant_trend trend;
    size_t n_known;      /* planets: their amplitudes and, to first order, their
                            orbits are refitted at every node              */
    const double *known; /* [n_known][EQUANT_N_ELEMENTS]                   */
    size_t n_peaks;      /* to report; 0: 10                             */
    size_t n_draws;      /* Monte Carlo false-alarm probabilities; 0: none */
    uint64_t seed;
    equant_progress progress; /* may be NULL                                */
    void *progress_context;
    const char *noise, *indicators; /* as in equant_fit_options: fitted without the planets that
                                       are looked for, and again with each peak; NULL: white */
    const char *outliers; /* as in equant_fit_options, beside the same model: a planet that is
                             looked for may be among them. Remarks name them. NULL: "none"   */
    const equant_states *states; /* NULL: nothing is known. Planets whose period is fixed or has a
                                    normal prior stand beside the known ones, and move as far as
                                    states let them; one more is looked for, of which period and
                                    eccentricity may be bounded                     */
    const equant_star *star;     /* NULL: unknown; where something is said of masses */
} equant_search_options;

/* A periodogram: at each frequency the best orbit that has it. */
typedef struct equant_periodogram equant_periodogram;

/* One peak, refined. Strings are valid until the periodogram is freed. */
typedef struct equant_peak {
    size_t struct_size;
    double period_days, k_m_s, eccentricity, omega_rad, m0_rad;
    double power;               /* share of chi-square that it explains, 0 to 1     */
    double log_likelihood_gain; /* gain over the model without it, all refitted  */
    double false_alarm;         /* analytic */
    double false_alarm_drawn;   /* by Monte Carlo; NaN without draws                */
    const char *remark;         /* "alias of 4.23 days with the day", or ""         */
} equant_peak;

EQUANT_API equant_status equant_search(const equant_dataset *dataset,
                                       const equant_search_options *options,
                                       equant_periodogram **periodogram);
EQUANT_API void equant_periodogram_free(equant_periodogram *periodogram);

/* Views, valid until the periodogram is freed; frequencies ascend, [n]. */
EQUANT_API size_t equant_periodogram_n(const equant_periodogram *periodogram);
EQUANT_API const double *equant_periodogram_frequency_per_day(const equant_periodogram *p);
EQUANT_API const double *equant_periodogram_power(const equant_periodogram *p);    /* any e      */
EQUANT_API const double *equant_periodogram_circular(const equant_periodogram *p); /* e = 0   */
EQUANT_API const double *equant_periodogram_eccentricity(const equant_periodogram *p);
EQUANT_API const double *equant_periodogram_window(const equant_periodogram *p); /* of times  */
/* The power that has this false-alarm probability by the analytic bound. */
EQUANT_API double equant_periodogram_level(const equant_periodogram *p, double false_alarm);
EQUANT_API size_t equant_periodogram_n_peaks(const equant_periodogram *periodogram);
EQUANT_API equant_status equant_periodogram_peak(const equant_periodogram *periodogram,
                                                 size_t index, equant_peak *peak);
/* Planets that the model has without a new one. */
EQUANT_API size_t equant_periodogram_n_known(const equant_periodogram *periodogram);
/* 1 where circles alone were tried. */
EQUANT_API int equant_periodogram_is_circular(const equant_periodogram *periodogram);
/* Orbits (nodes of the grid) tried, and seconds that the scan alone took. */
EQUANT_API double equant_periodogram_n_nodes(const equant_periodogram *periodogram);
EQUANT_API double equant_periodogram_seconds(const equant_periodogram *periodogram);

/* The noise beside jitters that the model without a new planet has, as equant_noise_create takes
 * it, "night(amplitude=1.5)", and the indicators that its velocities follow, "fwhm of HARPS"; ""
 * where there are none. Powers are shares of chi-square under this noise. */
EQUANT_API const char *equant_periodogram_noise(const equant_periodogram *periodogram);
EQUANT_API const char *equant_periodogram_indicators(const equant_periodogram *periodogram);
/* Whole sentences about what the search did with the data, as equant_fit_remark. */
EQUANT_API size_t equant_periodogram_n_remarks(const equant_periodogram *periodogram);
EQUANT_API const char *equant_periodogram_remark(const equant_periodogram *periodogram,
                                                 size_t index);

/* A periodogram as bytes, n_bytes of them, for another process or a later one with the same version
 * of the library on the same kind of machine; and back. */
EQUANT_EXPERIMENTAL EQUANT_API size_t
equant_periodogram_n_bytes(const equant_periodogram *periodogram);
EQUANT_EXPERIMENTAL EQUANT_API void
equant_periodogram_to_bytes(const equant_periodogram *periodogram, void *bytes);
EQUANT_EXPERIMENTAL EQUANT_API equant_status
equant_periodogram_from_bytes(const void *bytes, size_t n_bytes, equant_periodogram **periodogram);

#ifdef __cplusplus
}
#endif
#endif
