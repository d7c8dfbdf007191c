#include "inference/compare/comparison.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/decimal_text.h"
#include "core/status_fail.h"
#include "inference/priors/prior_text.h"

enum { SENTENCE = 256, MOST_SENTENCES = 8 };
/* Populations whose probabilities are so far apart do not tell the same. */
#define DISAGREEMENT 0.25

struct equant_comparison {
    size_t n_max, n_populations;
    double probability[COUNT_MOST_PLANETS + 1], error[COUNT_MOST_PLANETS + 1];
    double log_n[COUNT_MOST_PLANETS + 1]; /* ln of the prior of n */
    bool agrees;
    double span_days;
    signals signals;
    tally *tallies; /* [n_populations] */
    size_t n_frequencies;
    double *frequencies, *fip;
    size_t n_priors, n_remarks;
    char priors[MOST_SENTENCES][SENTENCE], remarks[MOST_SENTENCES][SENTENCE];
};

void equant_comparison_free(equant_comparison *comparison)
{
    if (!comparison)
        return;
    for (size_t i = 0; i < comparison->n_populations; i++)
        tally_free(&comparison->tallies[i]);
    free(comparison->tallies);
    free(comparison->frequencies);
    free(comparison->fip);
    free(comparison);
}

/* ---- results -------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static void say(char (*texts)[SENTENCE], size_t *n,
                                                      const char *format, ...)
{
    va_list arguments;
    if (*n == MOST_SENTENCES)
        return;
    va_start(arguments, format);
    decimal_text_vprint(texts[(*n)++], SENTENCE, format, arguments);
    va_end(arguments);
}

static void say_eccentricity(const count_priors *priors, equant_comparison *made)
{
    char words[PRIOR_TEXT_SIZE];
    if (priors->eccentricity_max > 0.0 && !priors->is_kipping) {
        prior_text_write(&priors->eccentricity, words);
        say(made->priors, &made->n_priors, "Eccentricities are %s.", words);
    } else
        say(made->priors, &made->n_priors, "%s",
            priors->is_kipping
                ? "Eccentricities are as Kipping (2013) found them: Beta(0.867, 3.03)."
                : "Orbits are circles.");
}

static void say_priors(const comparison_start *start, equant_comparison *made)
{
    const count_priors *priors = &start->priors;
    char words[PRIOR_TEXT_SIZE];
    if (priors->ratio == 1.0)
        say(made->priors, &made->n_priors, "Numbers of planets from 0 to %zu are equally likely.",
            priors->n_max);
    else
        say(made->priors, &made->n_priors,
            "There are 0 to %zu planets, each more %.4g times as likely as one less.",
            priors->n_max, priors->ratio);
    say(made->priors, &made->n_priors, "Periods are log-uniform from %.4g to %.6g days.",
        1.0 / priors->frequency_max, 1.0 / priors->frequency_min);
    say_eccentricity(priors, made);
    say(made->priors, &made->n_priors,
        "K cos omega and K sin omega are normal about zero, with one of %zu scales, equally "
        "likely, "
        "from %.3g to %.3g m/s.",
        priors->n_scales, priors->scales[0], priors->scales[priors->n_scales - 1]);
    say(made->priors, &made->n_priors,
        "Offsets, trend and slopes are normal, with %.3g m/s; noise: %s, with jitters%s.",
        start->star.width_m_s, start->words[0] ? start->words : "white",
        start->star.with_jitter ? "" : " of zero");
    if (start->star.with_jitter) {
        prior_density jitter = count_star_noise_prior(&start->star, 0);
        prior_text_write(&jitter, words);
        say(made->priors, &made->n_priors, "Jitters are %s m/s.", words);
    }
}

/* P(n) with its error, and how far apart populations are. */
static double count_numbers(size_t n_populations, const population *populations,
                            equant_comparison *made)
{
    double widest = 0.0;
    for (size_t n = 0; n <= made->n_max; n++) {
        double sum = 0.0, square = 0.0, low = 1.0, high = 0.0, all = (double)n_populations;
        for (size_t i = 0; i < n_populations; i++) {
            const tally *kept = &populations[i].tally;
            double own = kept->of_n[n] / (double)kept->n_moves;
            sum += own;
            square += own * own;
            low = fmin(low, own);
            high = fmax(high, own);
        }
        double mean = sum / all, variance = square / all - mean * mean;
        made->probability[n] = mean;
        made->error[n] = all > 1.0 ? sqrt(fmax(variance, 0.0) / (all - 1.0)) : NAN;
        widest = fmax(widest, high - low);
    }
    return widest;
}

static equant_status fill_periodogram(const slot_grid *grid, size_t n_populations,
                                      const population *populations, equant_comparison *made)
{
    made->n_frequencies = grid->n_bins;
    made->frequencies = malloc(grid->n_bins * sizeof *made->frequencies);
    made->fip = calloc(grid->n_bins, sizeof *made->fip);
    if (!made->frequencies || !made->fip)
        return status_out_of_memory();
    for (size_t b = 0; b < grid->n_bins; b++) {
        made->frequencies[b] = slot_grid_middle(grid, b);
        for (size_t i = 0; i < n_populations; i++) {
            const tally *kept = &populations[i].tally;
            made->fip[b] += kept->absent[b] / ((double)kept->n_moves * (double)n_populations);
        }
    }
    return EQUANT_SUCCESS;
}

static void judge(double widest, equant_comparison *made)
{
    for (size_t i = 0; i < made->signals.n; i++)
        widest = fmax(widest, made->signals.list[i].spread);
    made->agrees = widest <= DISAGREEMENT;
    if (!made->agrees)
        say(made->remarks, &made->n_remarks,
            "The chains disagree: they began in different places, and their probabilities differ "
            "by up to %.2f. No probability can be claimed; run longer.",
            widest);
}

equant_status comparison_create(const comparison_start *start, size_t n_populations,
                                population *populations, equant_comparison **comparison)
{
    const tally *tallies[COMPARISON_MOST_POPULATIONS];
    equant_comparison *made = calloc(1, sizeof *made);
    if (!made || !(made->tallies = calloc(n_populations, sizeof *made->tallies))) {
        free(made);
        return status_out_of_memory();
    }
    for (size_t i = 0; i < n_populations; i++)
        tallies[i] = &populations[i].tally;
    made->n_max = start->priors.n_max;
    memcpy(made->log_n, start->priors.log_n, sizeof made->log_n);
    made->span_days = start->star.span_days;
    double widest = count_numbers(n_populations, populations, made);
    equant_status status = signals_find(&start->space.grid, n_populations, tallies, &made->signals);
    if (status == EQUANT_SUCCESS)
        status = fill_periodogram(&start->space.grid, n_populations, populations, made);
    if (status != EQUANT_SUCCESS) {
        equant_comparison_free(made);
        return status;
    }
    say_priors(start, made);
    judge(widest, made);
    for (size_t i = 0; i < n_populations; i++) {
        made->tallies[i] = populations[i].tally; /* theirs no more */
        memset(&populations[i].tally, 0, sizeof populations[i].tally);
    }
    made->n_populations = n_populations;
    *comparison = made;
    return EQUANT_SUCCESS;
}

/* ---- for callers ------------------------------------------------------------ */

int equant_comparison_agrees(const equant_comparison *comparison)
{
    return comparison ? comparison->agrees : 0;
}

size_t equant_comparison_max_planets(const equant_comparison *comparison)
{
    return comparison ? comparison->n_max : 0;
}

double equant_comparison_probability(const equant_comparison *comparison, size_t n, double *err)
{
    if (!comparison)
        return NAN;
    bool is_there = n <= comparison->n_max;
    if (err)
        *err = is_there ? comparison->error[n] : NAN;
    return is_there ? comparison->probability[n] : NAN;
}

/* Whether chains have been where there are n planets: with a probability that they have only seen
 * from afar, without the noise that would belong to it, errors are too small. */
static bool has_been_seen(const equant_comparison *comparison, size_t n)
{
    double n_moves = 0.0;
    for (size_t i = 0; i < comparison->n_populations; i++)
        n_moves += (double)comparison->tallies[i].n_moves;
    return comparison->probability[n] * n_moves >= 1.0;
}

/* ln P(n) less ln p(n), and its error. */
static double log_evidence(const equant_comparison *comparison, size_t n, double *err)
{
    double probability = comparison->probability[n];
    *err = comparison->error[n] / probability;
    return has_been_seen(comparison, n) ? log(probability) - comparison->log_n[n] : NAN;
}

double equant_comparison_log_evidence(const equant_comparison *comparison, size_t n, double *err)
{
    if (!comparison)
        return NAN;
    size_t best = 0;
    double own_err, best_err;
    for (size_t i = 1; i <= comparison->n_max; i++)
        if (comparison->probability[i] > comparison->probability[best])
            best = i;
    if (err)
        *err = NAN;
    if (n > comparison->n_max)
        return NAN;
    double own = log_evidence(comparison, n, &own_err),
           largest = log_evidence(comparison, best, &best_err);
    if (err && isfinite(own))
        *err = n == best ? 0.0 : hypot(own_err, best_err);
    return own - largest;
}

size_t equant_comparison_n_signals(const equant_comparison *comparison)
{
    return comparison ? comparison->signals.n : 0;
}

equant_status equant_comparison_signal(const equant_comparison *comparison, size_t index,
                                       equant_signal *signal)
{
    if (!signal || index >= comparison->signals.n)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no signal %zu", index);
    const planet_signal *own = &comparison->signals.list[index];
    const signal_member *best = &own->members[0];
    equant_signal known = {.struct_size = signal->struct_size,
                           .period_days = 1.0 / best->frequency,
                           .period_days_err = best->deviation / (best->frequency * best->frequency),
                           .probability = own->probability,
                           .probability_err = own->probability_err,
                           .fip = own->fip,
                           .n_aliases = own->n_members};
    OPTIONS_FILL(known, signal);
    return EQUANT_SUCCESS;
}

equant_status equant_comparison_alias(const equant_comparison *comparison, size_t signal,
                                      size_t index, equant_alias *alias)
{
    if (!alias || signal >= comparison->signals.n ||
        index >= comparison->signals.list[signal].n_members)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "signal %zu has no period %zu", signal,
                           index);
    const planet_signal *own = &comparison->signals.list[signal];
    double total = 0.0;
    for (size_t i = 0; i < own->n_members; i++)
        total += own->members[i].probability;
    equant_alias known = {.struct_size = alias->struct_size,
                          .period_days = 1.0 / own->members[index].frequency,
                          .probability = own->members[index].probability / total,
                          .delta_lnl =
                              own->members[index].log_likelihood - own->members[0].log_likelihood,
                          .overlap = NAN};
    OPTIONS_FILL(known, alias);
    return EQUANT_SUCCESS;
}

equant_status equant_comparison_fip(const equant_comparison *comparison, double period_min_days,
                                    double period_max_days, double *fip, double *err)
{
    const tally *tallies[COMPARISON_MOST_POPULATIONS];
    if (!fip || !(period_min_days > 0.0 && period_min_days <= period_max_days))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "periods must satisfy 0 < minimum <= maximum, not %g and %g days",
                           period_min_days, period_max_days);
    for (size_t i = 0; i < comparison->n_populations; i++)
        tallies[i] = &comparison->tallies[i];
    const tally_range range = {1.0 / period_max_days, 1.0 / period_min_days};
    *fip = signals_absent(comparison->n_populations, tallies, 1, &range, err, NULL);
    return EQUANT_SUCCESS;
}

size_t equant_comparison_n_frequencies(const equant_comparison *comparison)
{
    return comparison ? comparison->n_frequencies : 0;
}

const double *equant_comparison_frequencies(const equant_comparison *comparison)
{
    return comparison ? comparison->frequencies : NULL;
}

const double *equant_comparison_fip_periodogram(const equant_comparison *comparison)
{
    return comparison ? comparison->fip : NULL;
}

size_t equant_comparison_n_priors(const equant_comparison *comparison)
{
    return comparison ? comparison->n_priors : 0;
}

const char *equant_comparison_prior(const equant_comparison *comparison, size_t index)
{
    if (!comparison)
        return NULL;
    return index < comparison->n_priors ? comparison->priors[index] : NULL;
}

size_t equant_comparison_n_remarks(const equant_comparison *comparison)
{
    return comparison ? comparison->n_remarks : 0;
}

const char *equant_comparison_remark(const equant_comparison *comparison, size_t index)
{
    if (!comparison)
        return NULL;
    return index < comparison->n_remarks ? comparison->remarks[index] : NULL;
}
