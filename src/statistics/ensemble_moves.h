/* Proposals of ensemble samplers (differential evolution, ter Braak 2006; stretch, Goodman & Weare
 * 2010) and their acceptance probabilities. Functions of plain numbers, random numbers included,
 * for one walker at a time.
 *
 *   x      where the walker is                 x*     where it may go
 *   d      number of coordinates               beta   inverse temperature
 *   a b z  other walkers, of the half of the ensemble that stays where it is
 *
 * Detailed balance holds because the other half of the ensemble is fixed during a half step: a
 * proposal may depend on it in any way. A walker at inverse temperature beta
 * samples prior times likelihood^beta.
 *
 * Some coordinates are angles: differences between them are taken the short way round, and
 * results are wrapped to (-pi, pi]. A proposal answers with the logarithm of the factor that
 * goes into its acceptance: 0 for a symmetric one, -infinity for one that could not return. */
#ifndef EQUANT_STATISTICS_ENSEMBLE_MOVES_H
#define EQUANT_STATISTICS_ENSEMBLE_MOVES_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "model/circle.h"
#include "physics/lane.h"

typedef enum ensemble_move {
    ENSEMBLE_MOVE_DIFFERENCE, /* x + gamma (a - b), all coordinates                         */
    ENSEMBLE_MOVE_SUBSET,     /* the same within one subset of coordinates                  */
    ENSEMBLE_MOVE_JUMP,       /* x + (a - b): from one mode into another                    */
    ENSEMBLE_MOVE_SNOOKER,    /* along the line through another walker                      */
    ENSEMBLE_MOVE_GUIDED,     /* drawn from a t that resembles the other half               */
    ENSEMBLE_N_MOVES
} ensemble_move;

/* How often steps are made of a kind, where nobody says otherwise. Guided moves carry most of the
 * work where a mode resembles a Gaussian, differences of all coordinates or of one subset where it
 * does not; jumps connect modes; snooker moves bring stragglers home. */
LANE_FUNCTION double ensemble_moves_usual_share(ensemble_move move)
{
    switch (move) {
    case ENSEMBLE_MOVE_DIFFERENCE:
    case ENSEMBLE_MOVE_SUBSET:
    case ENSEMBLE_MOVE_JUMP:
    case ENSEMBLE_MOVE_SNOOKER:
        return 0.1;
    case ENSEMBLE_MOVE_GUIDED:
        return 0.6;
    case ENSEMBLE_N_MOVES:
        break;
    }
    return 0.0;
}

/* Whether the half that stays is to be described by its centre and covariance first. */
LANE_FUNCTION int ensemble_moves_needs_guide(ensemble_move move)
{
    return move == ENSEMBLE_MOVE_GUIDED;
}

LANE_FUNCTION double ensemble_moves_wrap(double angle)
{
    const double pi = PI;
    if (angle > -pi && angle <= pi)
        return angle;
    return angle - 2.0 * pi * ceil((angle - pi) / (2.0 * pi));
}

LANE_FUNCTION double ensemble_moves_between(int is_angle, double from, double to)
{
    return is_angle ? ensemble_moves_wrap(to - from) : to - from;
}

/* ---- partners -------------------------------------------------------------- */

/* Up to three different walkers among n >= 3, and one of n_choices >= 1 things beside, all from
 * one uniform number. */
typedef struct ensemble_moves_partners {
    size_t first, second, third, choice;
} ensemble_moves_partners;

/* The whole part of u n, its fraction left in u. */
LANE_FUNCTION size_t ensemble_moves_pick(double *u, size_t n)
{
    double scaled = *u * (double)n;
    size_t index = (size_t)scaled;
    index = index < n ? index : n - 1; /* u n may round up to n */
    *u = scaled - (double)index;
    return index;
}

LANE_FUNCTION ensemble_moves_partners ensemble_moves_choose(double u, size_t n, size_t n_choices)
{
    ensemble_moves_partners partners;
    partners.choice = ensemble_moves_pick(&u, n_choices);
    size_t first = ensemble_moves_pick(&u, n), second = ensemble_moves_pick(&u, n - 1);
    size_t third = ensemble_moves_pick(&u, n - 2);
    second += second >= first;
    size_t low = first < second ? first : second, high = first < second ? second : first;
    third += third >= low;
    third += third >= high;
    partners.first = first;
    partners.second = second;
    partners.third = third;
    return partners;
}

/* ---- differences (ter Braak 2006, Statistics and Computing 16, 239) ---------- */

/* The step length that suits a Gaussian of d dimensions, times a factor of 0.7 to 1.3: without
 * it the places that an ensemble can reach would be a lattice. */
LANE_FUNCTION double ensemble_moves_step_length(size_t d, double u)
{
    return 2.38 / sqrt(2.0 * (double)d) * (0.7 + 0.6 * u);
}

/* The length of a jump is 1, but for as little as keeps it from repeating itself. */
LANE_FUNCTION double ensemble_moves_jump_length(double u)
{
    return 1.0 + 1e-3 * (u - 0.5);
}

/* x* = x + gamma (a - b) in the coordinates of subset `label`; in all, where subset is NULL. */
LANE_FUNCTION double ensemble_moves_difference(size_t d, const unsigned char *is_angle,
                                               const unsigned char *subset, unsigned char label,
                                               double gamma, const double *x, const double *a,
                                               const double *b, double *proposed)
{
    for (size_t j = 0; j < d; j++) {
        if (subset != NULL && subset[j] != label)
            proposed[j] = x[j];
        else if (is_angle[j])
            proposed[j] = ensemble_moves_wrap(x[j] + gamma * ensemble_moves_wrap(a[j] - b[j]));
        else
            proposed[j] = x[j] + gamma * (a[j] - b[j]);
    }
    return 0.0;
}

/* ---- snooker (ter Braak & Vrugt 2008, Statistics and Computing 18, 435) ------- */

/* Along x - z by gamma times the difference of a and b, projected on it. The density of a
 * place at distance r from z is to be weighted by r^(d-1). Seen from z an angle reaches from
 * -pi to pi: a step beyond would return as a different one, and is not made. */
LANE_FUNCTION double ensemble_moves_snooker(size_t d, const unsigned char *is_angle, double u,
                                            const double *x, const double *z, const double *a,
                                            const double *b, double *proposed)
{
    double square = 0.0, projected = 0.0;
    for (size_t j = 0; j < d; j++) {
        double along = ensemble_moves_between(is_angle[j], z[j], x[j]);
        square += along * along;
        projected += along * ensemble_moves_between(is_angle[j], b[j], a[j]);
    }
    double gamma = 1.2 + u; /* 1.7 on average */
    double stretch = 1.0 + gamma * projected / square;
    if (!(square > 0.0) || stretch == 0.0)
        return -INFINITY;
    for (size_t j = 0; j < d; j++) {
        double along = stretch * ensemble_moves_between(is_angle[j], z[j], x[j]);
        if (is_angle[j] && fabs(along) >= PI)
            return -INFINITY;
        proposed[j] = is_angle[j] ? ensemble_moves_wrap(z[j] + along) : z[j] + along;
    }
    return (double)(d - 1) * log(fabs(stretch));
}

/* ---- guided: draws from Student's t ------------------------------------------- */

/* Centre and Cholesky factor L of the covariance of the walkers that stay. In whitened
 * coordinates y = L^-1 (x - centre) they resemble a standard Gaussian; proposals are drawn from
 * Student's t there, whose tails are the safer, and do not depend on x at all. Only where the
 * target differs from t are they refused (Tierney 1994, Ann. Stat. 22, 1701). */
typedef struct ensemble_moves_guide {
    const double *centre; /* [d] */
    const double *factor; /* [d (d + 1) / 2]: the lower triangle of L, row by row */
} ensemble_moves_guide;

/* Degrees of freedom of t; an even number, so that a gamma draw is one of whole shape. */
#define ENSEMBLE_MOVES_FREEDOM 8

/* Writes y and returns |y|^2. */
LANE_FUNCTION double ensemble_moves_whiten(size_t d, const unsigned char *is_angle,
                                           const ensemble_moves_guide *guide, const double *x,
                                           double *y)
{
    const double *row = guide->factor;
    double square = 0.0;
    for (size_t i = 0; i < d; row += ++i) {
        double left = ensemble_moves_between(is_angle[i], guide->centre[i], x[i]);
        for (size_t j = 0; j < i; j++)
            left -= row[j] * y[j];
        y[i] = left / row[i];
        square += y[i] * y[i];
    }
    return square;
}

/* Replaces y* by x*. Seen from the centre an angle reaches from -pi to pi, as above. */
LANE_FUNCTION double ensemble_moves_colour(size_t d, const unsigned char *is_angle,
                                           const ensemble_moves_guide *guide, double *y)
{
    int is_possible = 1;
    for (size_t i = d; i-- > 0;) {
        const double *row = guide->factor + i * (i + 1) / 2;
        double away = 0.0;
        for (size_t j = 0; j <= i; j++)
            away += row[j] * y[j];
        if (is_angle[i] && fabs(away) >= PI)
            is_possible = 0;
        y[i] = guide->centre[i] + away;
        if (is_angle[i])
            y[i] = ensemble_moves_wrap(y[i]);
    }
    return is_possible ? 0.0 : -INFINITY;
}

/* The logarithm of t(y) / t(y*), from |y|^2 and |y*|^2. */
LANE_FUNCTION double ensemble_moves_guided_factor(size_t d, double square, double proposed_square)
{
    const double nu = ENSEMBLE_MOVES_FREEDOM;
    return 0.5 * ((double)d + nu) * log((nu + proposed_square) / (nu + square));
}

/* ---- acceptance ---------------------------------------------------------------- */

/* By how much the tempered density grows, as a logarithm. At beta = 0 likelihoods do not
 * count, not even those of zero. */
LANE_FUNCTION double ensemble_moves_log_ratio(double beta, double log_prior, double log_likelihood,
                                              double proposed_log_prior,
                                              double proposed_log_likelihood)
{
    double ratio = proposed_log_prior - log_prior;
    return beta > 0.0 ? ratio + beta * (proposed_log_likelihood - log_likelihood) : ratio;
}

/* Whether u in (0, 1) lies below exp(log_ratio); never where that is NaN. */
LANE_FUNCTION int ensemble_moves_accepts(double u, double log_ratio)
{
    return log_ratio >= 0.0 || log(u) < log_ratio;
}

/* The probability that two walkers of neighbouring temperatures change places. */
LANE_FUNCTION double ensemble_moves_swap_probability(double beta_cold, double beta_hot,
                                                     double log_likelihood_cold,
                                                     double log_likelihood_hot)
{
    double gain = (beta_cold - beta_hot) * (log_likelihood_hot - log_likelihood_cold);
    return gain >= 0.0 ? 1.0 : gain < 0.0 ? exp(gain) : 0.0; /* 0 where it is NaN */
}

#endif
