/* Importance sampling from a mixture: one part is near the best of all parameters, and for each
 * term there is one in which its parameters come from their ranges and all others are near the
 * best. A peak that is narrow and a plain that is wide are both covered, and no draw weighs much
 * more than its part of the mixture allows. Draws are points of a regular sequence, the same for
 * every model. */
#include "inference/optimise/noise_integral.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/likelihood/small_matrix.h"
#include "statistics/random_draw.h"

/* Draws from each part; parts near the best are wider than what they stand for. */
enum { DRAWS = 512, MOST_PARTS = NOISE_MENU_MOST_TERMS + 1 };
#define WIDER 1.4
#define TWO_PI 6.28318530717958647692
/* Of a jitter, whose logarithm may be anything where it is small, in the place of a range. */
#define JITTER_SPREAD 2.0
/* How near to an end of its range a coordinate is there. */
#define AT_END 1e-6

/* Where a part has a coordinate from. */
typedef enum drawn_from { FROM_NEAR, FROM_END, FROM_RANGE, FROM_NOTHING } drawn_from;

/* What parts are of, beside terms. */
enum { JITTERS = -2, NEAR_BEST = -1 };

typedef struct part {
    drawn_from from[MOST_COORDINATES];
    size_t n_near, near[MOST_COORDINATES];
    double factor[MOST_COORDINATES * MOST_COORDINATES]; /* of the curvature of those near */
    double log_norm;
} part;

typedef struct integral {
    noise_fit *fit;
    double best[MOST_COORDINATES], fall[MOST_COORDINATES]; /* fall: of ln L from an end */
    double curvature[MOST_COORDINATES * MOST_COORDINATES]; /* zero but for those inside */
    bool is_inside[MOST_COORDINATES];
    int term[MOST_COORDINATES]; /* -1: a jitter, or of a series */
    double knee;                /* below which jitters are about equally likely */
    bool fixes_terms;           /* the integral is over jitters alone */
    size_t n_parts;
    part parts[MOST_PARTS];
} integral;

static bool is_jitter(const coordinate *c)
{
    return isinf(c->highest);
}

static double range_of(const coordinate *c)
{
    return c->highest - c->lowest;
}

static double typical_error(const study *star)
{
    const double *sigma = equant_dataset_uncertainties_m_s(star->dataset);
    double sum = 0.0;
    for (size_t k = 0; k < star->n_obs; k++)
        sum += log(sigma[k]);
    return exp(sum / (double)star->n_obs);
}

/* The term that a coordinate is a parameter of. */
static int term_of(const noise_fit *fit, const coordinate *c)
{
    const noise_menu *menu = &fit->star->menu;
    size_t first = fit->first_jitter + fit->star->n_instruments;
    for (size_t t = 0; t < menu->n_terms; t++)
        if (c->column >= first + menu->terms[t].first &&
            c->column < first + menu->terms[t].first + menu->terms[t].kind->n_parameters)
            return (int)t;
    return -1;
}

/* By how much ln L falls per unit of a coordinate away from the end it is at. */
static double fall_from_end(integral *over, size_t i)
{
    const double step = 1e-3;
    const coordinate *c = &over->fit->coordinates[i];
    double moved[MOST_COORDINATES];
    memcpy(moved, over->best, over->fit->n * sizeof *moved);
    moved[i] += over->best[i] > c->lowest + AT_END ? -step : step;
    double fall =
        (noise_fit_objective(over->fit, moved) - noise_fit_objective(over->fit, over->best)) / step;
    /* As wide as its range where nothing is known. */
    return fmax(fall, 1.0 / range_of(c));
}

static void look_around(integral *over, const double *set)
{
    noise_fit *fit = over->fit;
    size_t n = 0, inside[MOST_COORDINATES];
    double *matrix = over->parts[0].factor; /* which is not made yet */
    memset(over->curvature, 0, sizeof over->curvature);
    noise_fit_read(fit, set, over->best);
    over->knee = typical_error(fit->star);
    for (size_t i = 0; i < fit->n; i++) {
        const coordinate *c = &fit->coordinates[i];
        bool is_none = !c->is_plain && !(set[c->column] > 0.0);
        if (is_none)
            over->best[i] = c->lowest;
        over->term[i] = is_jitter(c) ? -1 : term_of(fit, c);
        over->is_inside[i] =
            !is_none && over->best[i] > c->lowest + AT_END && over->best[i] < c->highest - AT_END;
        if (over->is_inside[i])
            inside[n++] = i;
    }
    for (size_t i = 0; i < fit->n; i++)
        over->fall[i] =
            over->is_inside[i] || is_jitter(&fit->coordinates[i]) ? 0.0 : fall_from_end(over, i);
    noise_fit_curvature(fit, over->best, n, inside, matrix);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            over->curvature[inside[i] * fit->n + inside[j]] = matrix[i * n + j];
}

/* What is known of a coordinate before the data, in the place of a curvature. */
static double curvature_before(const coordinate *c)
{
    double spread = is_jitter(c) ? JITTER_SPREAD : range_of(c) / sqrt(12.0);
    return 1.0 / (spread * spread);
}

/* ---- parts --------------------------------------------------------------------------------------
 */

/* How a part draws a coordinate. */
static drawn_from source_of(const integral *over, int part_of, size_t i)
{
    bool is_own = is_jitter(&over->fit->coordinates[i]);
    if (part_of == JITTERS && !is_own)
        return FROM_NOTHING;
    if (part_of >= 0 && over->term[i] == part_of)
        return FROM_RANGE;
    return over->is_inside[i] ? FROM_NEAR : is_own ? FROM_NOTHING : FROM_END;
}

/* One whose term comes from its range, or one of NEAR_BEST and JITTERS. */
static bool make_part(const integral *over, int part_of, part *made)
{
    size_t n = 0;
    made->log_norm = 0.0;
    for (size_t i = 0; i < over->fit->n; i++) {
        made->from[i] = source_of(over, part_of, i);
        if (made->from[i] == FROM_NEAR)
            made->near[n++] = i;
        if (made->from[i] == FROM_RANGE)
            made->log_norm -= log(range_of(&over->fit->coordinates[i]));
    }
    made->n_near = n;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            made->factor[i * n + j] = over->curvature[made->near[i] * over->fit->n + made->near[j]];
        made->factor[i * n + i] += curvature_before(&over->fit->coordinates[made->near[i]]);
    }
    if (small_matrix_factor(n, made->factor) < n)
        return false;
    for (size_t i = 0; i < n; i++)
        made->log_norm += log(made->factor[i * n + i] / (WIDER * sqrt(TWO_PI)));
    return true;
}

/* Into x, of numbers between 0 and 1. */
static void draw(const integral *over, const part *from, const double *uniform, double *x)
{
    size_t n = from->n_near;
    double away[MOST_COORDINATES];
    for (size_t i = n; i-- > 0;) {
        double sum = WIDER * random_normal_quantile(uniform[from->near[i]]);
        for (size_t j = i + 1; j < n; j++)
            sum -= from->factor[j * n + i] * away[j];
        away[i] = sum / from->factor[i * n + i];
    }
    memcpy(x, over->best, over->fit->n * sizeof *x);
    for (size_t i = 0; i < n; i++)
        x[from->near[i]] += away[i];
    for (size_t i = 0; i < over->fit->n; i++) {
        const coordinate *c = &over->fit->coordinates[i];
        double rate = over->fall[i] / WIDER;
        double inwards = over->best[i] > c->lowest + AT_END ? -1.0 : 1.0;
        if (from->from[i] == FROM_RANGE)
            x[i] = c->lowest + uniform[i] * range_of(c);
        else if (from->from[i] == FROM_END)
            x[i] += inwards * -log1p(uniform[i] * expm1(-rate * range_of(c))) / rate;
    }
}

/* ln of the density with which a part draws x, which is within all ranges. */
static double log_density(const integral *over, const part *from, const double *x)
{
    size_t n = from->n_near;
    double sum = from->log_norm;
    for (size_t i = 0; i < n; i++) {
        double along = 0.0; /* a column of the factor */
        for (size_t j = i; j < n; j++)
            along += from->factor[j * n + i] * (x[from->near[j]] - over->best[from->near[j]]);
        sum -= 0.5 * along * along / (WIDER * WIDER);
    }
    for (size_t i = 0; i < over->fit->n; i++)
        if (from->from[i] == FROM_END) {
            double rate = over->fall[i] / WIDER;
            sum += log(rate / -expm1(-rate * range_of(&over->fit->coordinates[i]))) -
                   rate * fabs(x[i] - over->best[i]);
        }
    return sum;
}

static bool is_within(const noise_fit *fit, const double *x)
{
    for (size_t i = 0; i < fit->n; i++)
        if (x[i] < fit->coordinates[i].lowest || x[i] > fit->coordinates[i].highest)
            return false;
    return true;
}

/* ---- the sum ------------------------------------------------------------------------------------
 */

/* Fractions of multiples of powers of a number g with g^(n + 1) = g + 1, which fill n dimensions
 * evenly (Roberts 2018). */
static void fill_steps(size_t n, double *steps)
{
    double g = 1.5;
    for (int i = 0; i < 60; i++)
        g = pow(1.0 + g, 1.0 / ((double)n + 1.0));
    for (size_t i = 0; i < n; i++)
        steps[i] = pow(g, -(double)(i + 1));
}

/* ln of the prior of a set, up to what all sets have: jitters as samplers have them, 1 / (s + s0)
 * of the value; parameters of terms as the table of priors has them. */
static double log_prior_at(const integral *over, const double *x)
{
    double sum = 0.0;
    for (size_t i = 0; i < over->fit->n; i++) {
        const coordinate *c = &over->fit->coordinates[i];
        if (is_jitter(c))
            sum -= log1p(over->knee * exp(-x[i]));
        else if (!over->fixes_terms)
            sum += noise_fit_log_prior(c, x[i]);
    }
    return sum;
}

/* The likelihood at x, in units of the best, times the prior over the density of the mixture. */
static double weight_at(integral *over, double here, const double *x)
{
    double mixture = 0.0;
    if (!is_within(over->fit, x))
        return 0.0;
    double gain = here - noise_fit_objective(over->fit, x) + log_prior_at(over, x);
    for (size_t p = 0; p < over->n_parts; p++)
        mixture += exp(log_density(over, &over->parts[p], x)) / (double)over->n_parts;
    return isfinite(gain) && mixture > 0.0 ? exp(gain) / mixture : 0.0;
}

static double mean_weight(integral *over)
{
    noise_fit *fit = over->fit;
    double steps[MOST_COORDINATES], uniform[MOST_COORDINATES], x[MOST_COORDINATES];
    double here = noise_fit_objective(fit, over->best), sum = 0.0;
    fill_steps(fit->n, steps);
    for (size_t p = 0; p < over->n_parts; p++)
        for (size_t d = 0; d < DRAWS; d++) {
            for (size_t i = 0; i < fit->n; i++) {
                double number = 0.5 + (double)(d + 1 + p * DRAWS) * steps[i];
                uniform[i] = fmin(1.0 - 1e-12, fmax(1e-12, number - floor(number)));
            }
            draw(over, &over->parts[p], uniform, x);
            sum += weight_at(over, here, x);
        }
    return sum / (double)(over->n_parts * DRAWS);
}

/* ln of the integral over jitters alone, the terms as they are: what any model has. */
static double over_jitters(integral *over)
{
    over->n_parts = 1;
    over->fixes_terms = true;
    return make_part(over, JITTERS, &over->parts[0]) ? log(mean_weight(over)) : NAN;
}

static double over_all(integral *over)
{
    unsigned terms = over->fit->problem->shape->noise.terms;
    over->n_parts = 0;
    over->fixes_terms = false;
    for (int t = NEAR_BEST; t < (int)over->fit->star->menu.n_terms; t++)
        if ((t == NEAR_BEST || terms >> t & 1) &&
            !make_part(over, t, &over->parts[over->n_parts++]))
            return NAN;
    return log(mean_weight(over)) + noise_fit_log_odds(over->fit);
}

equant_status noise_integral_price(study *star, const noise_fit_problem *problem, const double *set,
                                   double *price)
{
    noise_fit *fit = malloc(sizeof *fit);
    integral *over = malloc(sizeof *over);
    equant_status status =
        fit && over ? noise_fit_open(star, problem, set, fit) : status_out_of_memory();
    *price = NAN;
    if (status == EQUANT_SUCCESS) {
        over->fit = fit;
        look_around(over, set);
        *price = over_jitters(over) - over_all(over);
        if (!isfinite(*price))
            *price = NAN;
        status = fit->wanted;
        noise_fit_close(fit);
    }
    free(over);
    free(fit);
    return status;
}
