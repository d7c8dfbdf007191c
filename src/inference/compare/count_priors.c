#include "inference/compare/count_priors.h"

#include <math.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/priors/prior_text.h"
#include "inference/optimise/solution.h"

/* Beyond this nothing is looked for; the prior holds a fraction of 1e-5 there. */
#define LARGEST_ECCENTRICITY STUDY_MAX_ECCENTRICITY

/* Steps of the table at either end, where quantiles are steep and it is not asked. */
enum { STEEP = 16 };

static equant_status check(const count_priors_request *request)
{
    if (request->n_max < 1 || request->n_max > COUNT_MOST_PLANETS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "models of 0 to n planets can be compared for n from 1 to %d, not %zu",
                           COUNT_MOST_PLANETS, request->n_max);
    if (!(request->ratio > 0.0 && request->ratio <= 1.0))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "each planet more must be at most as likely as the one before it: a "
                           "ratio within (0, 1], not %g",
                           request->ratio);
    if (!(request->period_min_days > 0.0 && request->period_min_days < request->period_max_days &&
          isfinite(request->period_max_days)))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "periods must satisfy 0 < minimum < maximum, not %g and %g days",
                           request->period_min_days, request->period_max_days);
    if (!(request->k_min_m_s > 0.0 && request->k_min_m_s <= request->k_max_m_s &&
          isfinite(request->k_max_m_s)))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "scales of amplitudes must satisfy 0 < minimum <= maximum, not %g and "
                           "%g m/s",
                           request->k_min_m_s, request->k_max_m_s);
    return EQUANT_SUCCESS;
}

/* About factors of two from the smallest to the largest. */
static void fill_scales(const count_priors_request *request, count_priors *made)
{
    double octaves = log2(request->k_max_m_s / request->k_min_m_s);
    size_t n = 1 + (size_t)ceil(octaves - 1e-9);
    made->n_scales = n < ORBIT_PRODUCTS_MOST_SCALES ? n : ORBIT_PRODUCTS_MOST_SCALES;
    for (size_t i = 0; i < made->n_scales; i++)
        made->scales[i] =
            request->k_min_m_s *
            exp2(made->n_scales > 1 ? octaves * (double)i / (double)(made->n_scales - 1) : 0.0);
}

/* Draws need quantiles by the thousand, and each is the root of an incomplete beta function. */
static void fill_quantiles(count_priors *made)
{
    for (int i = 0; i <= COUNT_QUANTILES; i++) {
        made->quantile[i] =
            prior_density_quantile(&made->eccentricity, (double)i / COUNT_QUANTILES);
        made->slope[i] = exp(-prior_density_log(&made->eccentricity, made->quantile[i]));
    }
}

/* What keeps a density from being one of eccentricities; NULL when nothing does. */
static const char *complaint_about(const prior_density *density)
{
    if (density->kind == PRIOR_FIXED)
        return density->first == 0.0 ? NULL : "fixes them where orbits are no circles";
    if (density->kind == PRIOR_TURNS || density->kind == PRIOR_FALLING_LIMIT)
        return "is one of other things";
    if (density->lower != 0.0)
        return "leaves out circles: it must begin at 0";
    return NULL;
}

/* A name, or a density in words, up to the largest eccentricity that is looked for. */
static equant_status set_eccentricity(const char *text, count_priors *made)
{
    prior_density density = prior_density_beta(ECCENTRICITY_A, ECCENTRICITY_B, 0.0, 1.0);
    char misread[PRIOR_COMPLAINT_SIZE];
    made->is_kipping = !text || strcmp(text, "kipping") == 0;
    if (!made->is_kipping) {
        const char *words = strcmp(text, "uniform") == 0    ? "uniform(0, 1)"
                            : strcmp(text, "circular") == 0 ? "fixed(0)"
                                                            : text;
        bool is_read = prior_text_read(words, 0.0, 1.0, &density, misread);
        const char *complaint = is_read ? complaint_about(&density) : misread;
        if (complaint)
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "the prior of eccentricities, \"%.200s\", %s", text, complaint);
    }
    if (density.kind == PRIOR_FIXED)
        return EQUANT_SUCCESS;
    made->eccentricity_max = fmin(density.upper, LARGEST_ECCENTRICITY);
    made->eccentricity = prior_density_make(density.kind, density.first, density.second, 0.0,
                                            made->eccentricity_max);
    fill_quantiles(made);
    return EQUANT_SUCCESS;
}

equant_status count_priors_make(const count_priors_request *request, count_priors *made)
{
    equant_status status = check(request);
    if (status != EQUANT_SUCCESS)
        return status;
    *made = (count_priors){.n_max = request->n_max,
                           .ratio = request->ratio,
                           .frequency_min = 1.0 / request->period_max_days,
                           .frequency_max = 1.0 / request->period_min_days};
    status = set_eccentricity(request->eccentricity, made);
    if (status != EQUANT_SUCCESS)
        return status;
    double total = 0.0;
    for (size_t n = 0; n <= made->n_max; n++)
        total += pow(made->ratio, (double)n);
    for (size_t n = 0; n <= made->n_max; n++)
        made->log_n[n] = (double)n * log(made->ratio) - log(total);
    fill_scales(request, made);
    return EQUANT_SUCCESS;
}

double count_priors_log_odds(const count_priors *priors, size_t n_others)
{
    return priors->log_n[n_others + 1] - priors->log_n[n_others] +
           log((double)(n_others + 1) / (double)(priors->n_max - n_others));
}

double count_priors_log_eccentricity(const count_priors *priors, double e)
{
    return priors->eccentricity_max > 0.0 ? prior_density_log(&priors->eccentricity, e) : 0.0;
}

double count_priors_below(const count_priors *priors, double e)
{
    if (priors->eccentricity_max <= 0.0)
        return e >= 0.0 ? 1.0 : 0.0;
    return prior_density_cumulative(&priors->eccentricity, e);
}

double count_priors_eccentricity(const count_priors *priors, double share)
{
    if (!(priors->eccentricity_max > 0.0))
        return 0.0;
    double place = share * COUNT_QUANTILES, whole = floor(place), t = place - whole;
    if (!(whole >= STEEP && whole < COUNT_QUANTILES - STEEP))
        return prior_density_quantile(&priors->eccentricity, share);
    /* The cubic that has both values and both slopes. */
    size_t i = (size_t)whole;
    double rise = priors->quantile[i + 1] - priors->quantile[i],
           first = priors->slope[i] / COUNT_QUANTILES - rise,
           last = rise - priors->slope[i + 1] / COUNT_QUANTILES;
    return priors->quantile[i] + t * rise + t * (1.0 - t) * ((1.0 - t) * first + t * last);
}

double count_priors_between(const count_priors *priors, double low, double high)
{
    return log(high / low) / log(priors->frequency_max / priors->frequency_min);
}
