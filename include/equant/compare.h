/* equant/compare.h: how many planets. The probability of each number of planets, and that each
 * signal is one, by sampling over models of all numbers at once. */
#ifndef EQUANT_COMPARE_H
#define EQUANT_COMPARE_H

#include <stddef.h>
#include <stdint.h>

#include "equant/data.h"
#include "equant/evaluate.h"
#include "equant/fit.h"
#include "equant/progress.h"
#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Zeros mean the defaults. */
typedef struct equant_compare_options {
    size_t struct_size;
    int n_threads;   /* 0: all                                                          */
    uint64_t seed;   /* same seed, same numbers, on any number of threads               */
    int max_planets; /* models have 0 to so many; 0: two more than the fit has, at
                        least 6                                                         */
    double ratio_n;  /* each planet more is so many times as likely as one less, before the
                        data: 1 or 0 is uniform, 1/3 that of the EPRV3 challenge            */
    double k_min_m_s, k_max_m_s; /* scales of amplitudes, by factors of about two; 0: twice the
                                    standard error of an amplitude, so that only planets that the
                                    data could show are counted, and 128 times that or half the
                                    range of the velocities                             */
    double period_min_days, period_max_days; /* 0: those of the fit                     */
    int circular;                            /* 1: circles only, as prior_e says            */
    int n_populations;                       /* independent chains, whose spread is the error;
                                                0: 4                                        */
    int n_sweeps;      /* of each, the first quarter to forget the start; 0: 400          */
    int n_slots;       /* planets that a sweep asks whether they are there; 0: 4          */
    const char *noise; /* the terms of the fit with their ranges, in words as a fit takes them;
                          NULL: with usual ranges                                       */
    int no_jitter;     /* 1: uncertainties are taken as they are, as in the fit         */
    equant_progress progress; /* may be NULL */
    void *progress_context;
    const char *checkpoint; /* a file in which the chains are kept as they run, and from which a
                               comparison of the same data and options that was stopped goes on, to
                               the same numbers, and from one a quarter as long, all of which is
                               then burn-in; removed where the chains agree in the end; NULL: none
                             */
    const equant_engine_options *engine; /* where to compute; NULL: where it is quickest. On a GPU
                                            the evidence of all frequencies is computed in double,
                                            and numbers differ a little, as those of another seed */
    const char *prior_e;      /* of eccentricities, from 0 on: "kipping", "uniform", "circular", or
                                 in the words of equant/priors.h: "rayleigh(0.2)"; NULL: kipping  */
    const char *prior_jitter; /* of jitters in m/s, in those words: "log-uniform(0.1, 10)"; NULL:
                                 "modified-log-uniform(1, 2129)"                               */
} equant_compare_options;

/* What is known of the number of planets. */
typedef struct equant_comparison equant_comparison;

/* Noise, trend, indicators and outliers are those of a fit of the same data, the parameters of
 * noise free; its planets are where some of the chains begin. */
EQUANT_API equant_status equant_compare(const equant_dataset *dataset, const equant_fit *fit,
                                        const equant_compare_options *options,
                                        equant_comparison **comparison);
/* Whether equant_compare could use the options, whatever the fit says: priors that are none are
 * better known before the fit than after it. */
EQUANT_API equant_status equant_compare_check(const equant_dataset *dataset,
                                              const equant_compare_options *options);
EQUANT_API void equant_comparison_free(equant_comparison *comparison);

/* 1: the chains, which began in different places, agree, and the numbers may be used. 0: they do
 * not; equant_comparison_remark says so, and what follows is the mean of things that differ. */
EQUANT_API int equant_comparison_agrees(const equant_comparison *comparison);

/* The largest number of planets; the probability of n, with its Monte Carlo error, which may be
 * NULL. NaN beyond the largest. */
EQUANT_API size_t equant_comparison_max_planets(const equant_comparison *comparison);
EQUANT_API double equant_comparison_probability(const equant_comparison *comparison, size_t n,
                                                double *err);

/* ln of the evidence of n planets over that of the most probable number, with its Monte Carlo
 * error, which may be NULL: what the data say of n, whatever was believed before. NaN beyond the
 * largest number and where the chains have not seen n. */
EQUANT_API double equant_comparison_log_evidence(const equant_comparison *comparison, size_t n,
                                                 double *err);

/* A signal that may be a planet. */
typedef struct equant_signal {
    size_t struct_size;
    double period_days, period_days_err; /* of its most probable member                   */
    double probability;                  /* that there is a planet with one of its periods */
    double probability_err;              /* Monte Carlo                                    */
    double fip;                          /* false inclusion probability, 1 - probability, summed
                                            for itself                                     */
    size_t n_aliases;                    /* periods that it may have, the most probable included */
} equant_signal;
/* Those of more than 1 %, the most probable first. */
EQUANT_API size_t equant_comparison_n_signals(const equant_comparison *comparison);
EQUANT_API equant_status equant_comparison_signal(const equant_comparison *comparison, size_t index,
                                                  equant_signal *signal);
/* Its periods, the most probable first: probability is that among them, delta_lnl compares the best
 * models, all that is linear integrated; overlap is NaN. */
EQUANT_API equant_status equant_comparison_alias(const equant_comparison *comparison, size_t signal,
                                                 size_t index, equant_alias *alias);

/* The probability that no planet has a period between two, the false inclusion probability of the
 * range; err may be NULL. */
EQUANT_API equant_status equant_comparison_fip(const equant_comparison *comparison,
                                               double period_min_days, double period_max_days,
                                               double *fip, double *err);

/* Puts the sampled probabilities of planets and of their number into the place of the quick ones of
 * a fit: of a planet that is no signal of its own, the probability of its period. The one call that
 * changes a fit; nobody else may use it meanwhile. */
EQUANT_API equant_status equant_fit_take_comparison(equant_fit *fit, const equant_dataset *dataset,
                                                    const equant_comparison *comparison);

/* The FIP periodogram: frequencies per day, and for each the probability that no planet is within
 * half of the resolution of the data, 1 / span, of it. [n_frequencies], valid until the comparison
 * is freed. */
EQUANT_API size_t equant_comparison_n_frequencies(const equant_comparison *comparison);
EQUANT_API const double *equant_comparison_frequencies(const equant_comparison *comparison);
EQUANT_API const double *equant_comparison_fip_periodogram(const equant_comparison *comparison);

/* What was believed before, and what the chains did, as whole sentences: priors first. NULL when
 * out of range; valid until the comparison is freed. */
EQUANT_API size_t equant_comparison_n_priors(const equant_comparison *comparison);
EQUANT_API const char *equant_comparison_prior(const equant_comparison *comparison, size_t index);
EQUANT_API size_t equant_comparison_n_remarks(const equant_comparison *comparison);
EQUANT_API const char *equant_comparison_remark(const equant_comparison *comparison, size_t index);

#ifdef __cplusplus
}
#endif
#endif
