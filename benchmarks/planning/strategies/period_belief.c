#include "strategies/period_belief.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "model/machine_clones.h"

#define TWO_PI 6.283185307179586476925286766559

void period_belief_free(period_belief *belief)
{
    free(belief->noise);
    free(belief->per_day);
    memset(belief, 0, sizeof *belief);
}

/* All arrays of frequencies are one piece, which per_day begins. */
static size_t piece_size(size_t n, size_t n_states)
{
    return n * (3 + PERIOD_BELIEF_COLUMNS + PERIOD_BELIEF_COVARIANCES + 2 * n_states + 4) +
           n_states;
}

static void lay_out(period_belief *made, size_t n, size_t n_states)
{
    made->log_weight = made->per_day + n;
    made->probability = made->log_weight + n;
    made->means = made->probability + n;
    made->covariances = made->means + PERIOD_BELIEF_COLUMNS * n;
    made->states = made->covariances + PERIOD_BELIEF_COVARIANCES * n;
    made->row = made->states + 2 * n_states * n;
    made->room = made->row + 2 * n;
    made->level_states = made->room + 2 * n;
}

/* Probabilities, and logarithms of which the highest is zero. */
static void normalize(period_belief *belief)
{
    double highest = -INFINITY, sum = 0.0;
    for (size_t i = 0; i < belief->n; i++)
        highest = fmax(highest, belief->log_weight[i]);
    for (size_t i = 0; i < belief->n; i++) {
        belief->log_weight[i] -= highest;
        belief->probability[i] = exp(belief->log_weight[i]);
        sum += belief->probability[i];
    }
    for (size_t i = 0; i < belief->n; i++)
        belief->probability[i] /= sum;
}

equant_status period_belief_create(const period_prior *prior, const noise_process *process,
                                   period_belief *made)
{
    size_t n = prior->n, n_states = (size_t)process->n_states;
    memset(made, 0, sizeof *made);
    made->process = *process;
    made->n = n;
    made->noise = calloc(noise_state_size(n_states), sizeof *made->noise);
    made->per_day = calloc(piece_size(n, n_states), sizeof *made->per_day);
    if (!made->noise || !made->per_day) {
        period_belief_free(made);
        return status_out_of_memory();
    }
    lay_out(made, n, n_states);
    noise_state_begin(process, made->noise);
    double amplitude = prior->amplitude_m_s * prior->amplitude_m_s;
    for (size_t i = 0; i < n; i++) {
        bool is_planet = prior->per_day[i] > 0.0;
        made->per_day[i] = prior->per_day[i];
        made->log_weight[i] = log(prior->probabilities[i]);
        made->covariances[i] = prior->offset_m_s * prior->offset_m_s;
        made->covariances[3 * n + i] = made->covariances[5 * n + i] = is_planet ? amplitude : 0.0;
    }
    normalize(made);
    return EQUANT_SUCCESS;
}

/* ---- what the noise makes of a time ----------------------------------------------------------
 */

/* How a later time sees the states of the last one: p = R' u, and the variance D that the data
 * leave. */
typedef struct time_view {
    double p[NOISE_PROCESS_MOST_STATES], variance;
} time_view;

static noise_row row_at(const period_belief *belief, double time_days, double variance)
{
    return (noise_row){.days_since_last =
                           belief->n_observations > 0 ? time_days - belief->last_days : 0.0,
                       .variance = variance,
                       .alpha = 1.0};
}

static time_view view_of(const period_belief *belief, const noise_row *row)
{
    const noise_process *process = &belief->process;
    time_view made = {.variance = row->variance};
    for (int b = 0, first = 0; b < process->n_blocks; b++) {
        int m = noise_block_states(process->block[b].kind);
        double r[3][3], u[3], v[3];
        noise_block_propagator(&process->block[b], row, r);
        made.variance += noise_block_view(&process->block[b], row, u, v);
        for (int j = 0; j < m; j++)
            for (int i = 0; i < m; i++)
                made.p[first + j] += u[i] * r[i][j];
        first += m;
    }
    for (int i = 0; i < process->n_states; i++)
        for (int j = 0; j < process->n_states; j++)
            made.variance -= made.p[i] * belief->noise[i * process->n_states + j] * made.p[j];
    return made;
}

/* Cosines and sines of a time, less what the states predict of them; returns that of ones. */
static double whiten(period_belief *belief, double time_days, const time_view *view)
{
    size_t n = belief->n;
    double since = time_days - belief->first_days, level = 1.0;
    for (size_t i = 0; i < n; i++) {
        double phase = TWO_PI * belief->per_day[i] * since;
        belief->row[i] = cos(phase);
        belief->row[n + i] = sin(phase);
    }
    for (int s = 0; s < belief->process.n_states; s++) {
        const double *state = belief->states + 2 * n * (size_t)s;
        double share = view->p[s];
        level -= share * belief->level_states[s];
        for (size_t i = 0; i < 2 * n; i++)
            belief->row[i] -= share * state[i];
    }
    return level;
}

static double expected_of(const period_belief *belief, const time_view *view)
{
    const int n = belief->process.n_states;
    const double *f = belief->noise + n * n;
    double sum = 0.0;
    for (int s = 0; s < n; s++)
        sum += view->p[s] * f[s];
    return sum;
}

/* ---- looking forward --------------------------------------------------------------------------
 */

/* P z_x of frequency i, for z_x = (level, cosine, sine). */
typedef struct column_product {
    double of[PERIOD_BELIEF_COLUMNS];
} column_product;

static inline column_product multiply(const double *restrict p, size_t n, size_t i, double level,
                                      double cosine, double sine)
{
    return (column_product){{p[i] * level + p[n + i] * cosine + p[2 * n + i] * sine,
                             p[n + i] * level + p[3 * n + i] * cosine + p[4 * n + i] * sine,
                             p[2 * n + i] * level + p[4 * n + i] * cosine + p[5 * n + i] * sine}};
}

MACHINE_CLONES static void predict_all(size_t n, const double *restrict row,
                                       const double *restrict m, const double *restrict p,
                                       double level, double expected, double noise,
                                       double *restrict means, double *restrict variances)
{
    for (size_t i = 0; i < n; i++) {
        double cosine = row[i], sine = row[n + i];
        column_product seen = multiply(p, n, i, level, cosine, sine);
        means[i] = expected + level * m[i] + cosine * m[n + i] + sine * m[2 * n + i];
        variances[i] = noise + level * seen.of[0] + cosine * seen.of[1] + sine * seen.of[2];
    }
}

double period_belief_predict(period_belief *belief, double time_days, double variance,
                             double *means, double *variances)
{
    noise_row row = row_at(belief, time_days, variance);
    time_view view = view_of(belief, &row);
    double level = whiten(belief, time_days, &view);
    predict_all(belief->n, belief->row, belief->means, belief->covariances, level,
                expected_of(belief, &view), view.variance, means, variances);
    return view.variance;
}

/* ---- taking in --------------------------------------------------------------------------------
 */

MACHINE_CLONES static void update_all(size_t n, const double *restrict row, double *restrict m,
                                      double *restrict p, double level, double z, double noise,
                                      double *restrict away, double *restrict variances)
{
    for (size_t i = 0; i < n; i++) {
        double cosine = row[i], sine = row[n + i];
        column_product seen = multiply(p, n, i, level, cosine, sine);
        double v = noise + level * seen.of[0] + cosine * seen.of[1] + sine * seen.of[2];
        double left = z - level * m[i] - cosine * m[n + i] - sine * m[2 * n + i];
        double share = left / v, a = seen.of[0], b = seen.of[1], c = seen.of[2];
        m[i] += a * share;
        m[n + i] += b * share;
        m[2 * n + i] += c * share;
        p[i] -= a * a / v;
        p[n + i] -= a * b / v;
        p[2 * n + i] -= a * c / v;
        p[3 * n + i] -= b * b / v;
        p[4 * n + i] -= b * c / v;
        p[5 * n + i] -= c * c / v;
        away[i] = left * share;
        variances[i] = v;
    }
}

/* States of all columns: f <- R f + w z. */
static void advance(period_belief *belief, const noise_row *row, const double *w, double level)
{
    size_t n = belief->n;
    for (int b = 0, first = 0; b < belief->process.n_blocks; b++) {
        const noise_block *block = &belief->process.block[b];
        int m = noise_block_states(block->kind);
        double r[3][3], old[3] = {0.0};
        noise_block_propagator(block, row, r);
        for (size_t j = 0; j < 2 * n + 1; j++) {
            bool is_level = j == 2 * n;
            for (int i = 0; i < m; i++)
                old[i] = is_level ? belief->level_states[first + i]
                                  : belief->states[(size_t)(first + i) * 2 * n + j];
            for (int i = 0; i < m; i++) {
                double next = w[first + i] * (is_level ? level : belief->row[j]);
                for (int k = 0; k < m; k++)
                    next += r[i][k] * old[k];
                *(is_level ? &belief->level_states[first + i]
                           : &belief->states[(size_t)(first + i) * 2 * n + j]) = next;
            }
        }
        first += m;
    }
}

void period_belief_take(period_belief *belief, double time_days, double velocity_m_s,
                        double variance)
{
    size_t n = belief->n, n_states = (size_t)belief->process.n_states;
    if (belief->n_observations == 0)
        belief->first_days = time_days;
    noise_row row = row_at(belief, time_days, variance);
    time_view view = view_of(belief, &row);
    double level = whiten(belief, time_days, &view);
    row.value = velocity_m_s;
    noise_state_take(&belief->process, &row, belief->noise);
    double *w = belief->noise + n_states * (n_states + 1), z = w[n_states + 1];
    advance(belief, &row, w, level);
    /* What the row has taught is taken into the state at once, over no gap. */
    const noise_row nowhere = {.alpha = 1.0, .instrument = -1};
    noise_state_propagate(&belief->process, &nowhere, belief->noise);
    memset(w, 0, (n_states + 2) * sizeof *w);
    belief->last_days = time_days;
    belief->n_observations++;
    double *away = belief->room, *variances = belief->room + n;
    update_all(n, belief->row, belief->means, belief->covariances, level, z, view.variance, away,
               variances);
    for (size_t i = 0; i < n; i++)
        belief->log_weight[i] -= 0.5 * (away[i] + log(variances[i]));
    normalize(belief);
}

/* ---- what is believed -------------------------------------------------------------------------
 */

double period_belief_near(const period_belief *belief, double per_day, double away)
{
    double sum = 0.0;
    for (size_t i = 0; i < belief->n; i++)
        if (belief->per_day[i] > 0.0 && fabs(belief->per_day[i] - per_day) <= away)
            sum += belief->probability[i];
    return sum;
}

size_t period_belief_best(const period_belief *belief)
{
    size_t best = 0;
    for (size_t i = 1; i < belief->n; i++)
        if (belief->per_day[i] > 0.0 &&
            (belief->per_day[best] == 0.0 || belief->probability[i] > belief->probability[best]))
            best = i;
    return best;
}
