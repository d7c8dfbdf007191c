/* Priors of planets: their number, periods, eccentricities and amplitudes. There are n_max slots,
 * each empty or with a planet; all choices of slots for n planets are equally probable. */
#ifndef EQUANT_INFERENCE_COMPARE_COUNT_PRIORS_H
#define EQUANT_INFERENCE_COMPARE_COUNT_PRIORS_H

#include <stdbool.h>
#include <stddef.h>

#include "equant.h"
#include "inference/select/orbits/orbit_products.h"
#include "statistics/prior_density.h"

enum { COUNT_MOST_PLANETS = 20, COUNT_QUANTILES = 1024 };

typedef struct count_priors {
    size_t n_max;
    double ratio;                         /* p(n) is proportional to ratio^n */
    double log_n[COUNT_MOST_PLANETS + 1]; /* ln p(n) */
    double frequency_min, frequency_max;  /* per day; ln f is uniform between */
    double eccentricity_max;              /* 0: circles */
    bool is_kipping;                      /* eccentricities are as Kipping found them */
    prior_density eccentricity;           /* up to the largest */
    /* Eccentricities below which shares of 0 to 1 lie, and how fast they grow with the share. */
    double quantile[COUNT_QUANTILES + 1], slope[COUNT_QUANTILES + 1];
    size_t n_scales; /* amplitudes are normal about zero, on one of so many */
    double scales[ORBIT_PRODUCTS_MOST_SCALES]; /* standard deviations, as likely each, m/s */
} count_priors;

typedef struct count_priors_request {
    size_t n_max;
    double ratio;
    double period_min_days, period_max_days;
    const char *eccentricity; /* a name or words of prior_text.h; NULL: as Kipping found them */
    double k_min_m_s, k_max_m_s;
} count_priors_request;

equant_status count_priors_make(const count_priors_request *request, count_priors *made);

/* ln of the odds, before the data, of a planet in one slot when n_others others have one. */
double count_priors_log_odds(const count_priors *priors, size_t n_others);

/* ln of the density of e, less that of none: 0 for circles. */
double count_priors_log_eccentricity(const count_priors *priors, double e);
/* The share of eccentricities below e, and the one below which a share lies. */
double count_priors_below(const count_priors *priors, double e);
double count_priors_eccentricity(const count_priors *priors, double share);

/* The share of periods between two frequencies within the range. */
double count_priors_between(const count_priors *priors, double low, double high);

#endif
