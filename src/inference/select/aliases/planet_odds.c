/* With n planets and with n - 1 the evidences are, by Laplace's method,
 *
 *   Z = L x share x prod over all other parameters of sqrt(2 pi) error / range,
 *
 * `share` the part of the prior of the planet in which orbits do as well as the best
 * (orbit_mass.h). The ranges of the others cancel in the ratio; their errors do not: noise that
 * shrinks by a factor with the planet takes them along, which for few observations is as much as
 * the difference between N and N - p in the estimate of a variance. */
#include "inference/select/aliases/planet_odds.h"

#include <math.h>

#include "inference/search/base_columns.h"

/* What the data say of the parameters of the velocity that a model without one of its planets, and
 * without a trend above an order, has left: half of ln det of their information. */
static equant_status information(study *star, size_t n_fixed, const solution *model, size_t planet,
                                 int trend_order, solution *spare, base_columns *base)
{
    solution_copy(star, model, spare);
    if (planet < spare->n_planets)
        solution_remove_planet(star, spare, planet);
    solution_set_trend(star, spare, trend_order);
    spare->noise.indicators = 0; /* which pay for themselves */
    return base_columns_create(star, spare, n_fixed, NULL, base);
}

/* By how much ln of the room that the data leave to what both models have is larger with the
 * planet. */
static equant_status room_gained(study *star, size_t n_fixed, const solution *with, size_t planet,
                                 const solution *without, solution *spare, double *gained)
{
    int order = with->trend_order < without->trend_order ? with->trend_order : without->trend_order;
    base_columns base, other;
    equant_status status = information(star, n_fixed, with, planet, order, spare, &base);
    if (status != EQUANT_SUCCESS)
        return status;
    status = information(star, n_fixed, without, without->n_planets, order, spare, &other);
    if (status == EQUANT_SUCCESS) {
        /* Columns that one of them cannot tell from others leave nothing to compare. */
        *gained = base.n == other.n ? other.log_information - base.log_information : 0.0;
        base_columns_free(&other);
    }
    base_columns_free(&base);
    return status;
}

static bool has_price(const solution *model)
{
    return model->noise.terms == 0 || !isnan(model->noise_price);
}

/* What both leave of the ranges of their noise counts, of the same terms, too: a rotation that is a
 * planet has a sharp period, one that is not has any. */
static double gain_with_noise_paid(const study *star, const solution *with, const solution *without)
{
    return has_price(with) && has_price(without)
               ? solution_likelihood_with_noise_paid(star, with) -
                     solution_likelihood_with_noise_paid(star, without)
               : solution_gain_in_likelihood(star, with, without);
}

equant_status planet_odds_gain(study *star, size_t n_fixed, const solution *with, size_t planet,
                               const solution *without, double *gain)
{
    solution spare = {.set = NULL};
    double gained;
    equant_status status = solution_create(star, &spare);
    if (status == EQUANT_SUCCESS)
        status = room_gained(star, n_fixed, with, planet, without, &spare, &gained);
    if (status == EQUANT_SUCCESS)
        *gain = gain_with_noise_paid(star, with, without) + gained;
    solution_free(&spare);
    return status;
}

double planet_odds_share(const study *star, const alias_family *family)
{
    return family->log_share - log(log(star->period_max_days / star->period_min_days));
}

equant_status planet_odds_own_share(study *star, size_t n_fixed, const solution *model,
                                    size_t planet, double *log_share)
{
    alias_family family;
    solution spare = {.set = NULL};
    equant_status status = solution_create(star, &spare);
    if (status == EQUANT_SUCCESS)
        status = alias_family_alone(star, n_fixed, planet, model, &spare, &family);
    if (status == EQUANT_SUCCESS)
        *log_share = planet_odds_share(star, &family);
    solution_free(&spare);
    return status;
}

double planet_odds_either(double log_odds, double other)
{
    double larger = fmax(log_odds, other), smaller = fmin(log_odds, other);
    return smaller == -INFINITY ? larger : larger + log1p(exp(smaller - larger));
}

double planet_odds_probability(double log_odds)
{
    return 1.0 / (1.0 + exp(-log_odds));
}

/* That it is not, which keeps its digits where the other is 1. */
static double absence(double log_odds)
{
    return planet_odds_probability(-log_odds);
}

double planet_odds_of_one(double log_odds, size_t n)
{
    return log_odds + log((double)n);
}

/* A planet that is there with a probability, whatever others are: from the probabilities of 0 to
 * n_most planets before it to those of 0 to n_most + 1. */
static void count(double log_odds, size_t n_most, double *numbers)
{
    double there = planet_odds_probability(log_odds), not_there = absence(log_odds);
    numbers[n_most + 1] = there * numbers[n_most];
    for (size_t n = n_most; n > 0; n--)
        numbers[n] = not_there * numbers[n] + there * numbers[n - 1];
    numbers[0] *= not_there;
}

/* The ways of all numbers of planets but one, which is at `left_out`; its place counts where it is
 * there. Returns their sum. */
static double ways_beside(size_t n, const double *log_odds, size_t left_out, bool is_there,
                          double *numbers)
{
    size_t n_counted = 0;
    double sum = 0.0, ways = 1.0;
    numbers[0] = 1.0;
    for (size_t p = 0; p < n; p++)
        if (p != left_out)
            count(log_odds[p], n_counted++, numbers);
    for (size_t k = 0; k <= n_counted; k++) {
        ways *= k + is_there > 0 ? (double)(k + is_there) : 1.0;
        numbers[k] *= ways;
        sum += numbers[k];
    }
    return sum;
}

void planet_absences_swap(planet_absences *together, size_t one, size_t other)
{
    for (size_t m = 0; m < together->n; m++) {
        bool *is_absent = together->models[m].is_absent, kept = is_absent[one];
        is_absent[one] = is_absent[other];
        is_absent[other] = kept;
    }
}

/* What the ways of a model that lacks several planets are more than those of its planets one by
 * one. Planets behind those of the model, which were refused, are not in it. */
static double ways_more(size_t n, const double *log_odds, const planet_absences *together, size_t m)
{
    const planet_absence *model = &together->models[m];
    double of_each = 1.0, of_all = exp(model->log_odds);
    size_t n_there = 0;
    for (size_t p = 0; p < n; p++) {
        bool is_there = p < together->n_planets && !model->is_absent[p];
        n_there += is_there;
        of_each *= is_there ? planet_odds_probability(log_odds[p]) : absence(log_odds[p]);
        of_all *=
            p < together->n_planets ? planet_odds_probability(log_odds[p]) : absence(log_odds[p]);
    }
    return fmax(0.0, of_all - of_each) * tgamma((double)n_there + 1.0);
}

static size_t n_left(const planet_absences *together, size_t m)
{
    size_t n = 0;
    for (size_t p = 0; p < together->n_planets; p++)
        n += !together->models[m].is_absent[p];
    return n;
}

static bool is_in(const planet_absences *together, size_t m, size_t planet)
{
    return planet < together->n_planets && !together->models[m].is_absent[planet];
}

void planet_odds_settle(size_t n, const double *log_odds, const planet_absences *together,
                        double *probability, double *false_inclusion, double *numbers)
{
    double more[STUDY_MAX_PLANETS];
    size_t n_together = together ? together->n : 0;
    for (size_t m = 0; m < n_together; m++)
        more[m] = ways_more(n, log_odds, together, m);
    for (size_t p = 0; p < n; p++) {
        double with = planet_odds_probability(log_odds[p]) *
                      ways_beside(n, log_odds, p, true, numbers),
               without = absence(log_odds[p]) * ways_beside(n, log_odds, p, false, numbers);
        for (size_t m = 0; m < n_together; m++)
            *(is_in(together, m, p) ? &with : &without) += more[m];
        probability[p] = with / (with + without);
        false_inclusion[p] = without / (with + without);
    }
    double total = ways_beside(n, log_odds, n, false, numbers);
    for (size_t m = 0; m < n_together; m++) {
        numbers[n_left(together, m)] += more[m];
        total += more[m];
    }
    for (size_t k = 0; k <= n; k++)
        numbers[k] /= total;
}
