#include "quad_posterior.h"

#include <quadmath.h>
#include <stdlib.h>
#include <string.h>

#include "quad_kepler.h"

typedef __float128 quad;

/* A prior as its text has it. */
typedef struct quad_prior {
    char name[32];
    int n_numbers;
    quad number[5];
} quad_prior;

static quad_prior read_prior(const char *text)
{
    quad_prior made = {.n_numbers = 0};
    const char *open = strchr(text, '(');
    size_t n = open ? (size_t)(open - text) : 0;
    memcpy(made.name, open ? text : "fixed", open ? n : 6);
    for (const char *at = open ? open + 1 : text; *at && made.n_numbers < 5;) {
        char *end;
        made.number[made.n_numbers++] = strtod(at, &end);
        at = *end == ',' ? end + 1 : "";
    }
    return made;
}

static bool is(const quad_prior *prior, const char *name)
{
    return strcmp(prior->name, name) == 0;
}

/* Probability of a normal distribution between two ends, which are the last two of four numbers. */
static quad normal_mass(const quad_prior *prior, bool is_log)
{
    const quad *x = prior->number;
    if (prior->n_numbers < 4)
        return 1;
    quad low = is_log ? logq(x[2]) : x[2], high = is_log ? logq(x[3]) : x[3];
    return (erfcq((low - x[0]) / (x[1] * M_SQRT2q)) - erfcq((high - x[0]) / (x[1] * M_SQRT2q))) / 2;
}

static quad log_normal_density(const quad_prior *prior, quad deviate)
{
    return -deviate * deviate / 2 - logq(prior->number[1]) - logq(2 * M_PIq) / 2;
}

/* ln of the density of a value; of K the limit may depend on P and e. */
static quad log_density(const quad_prior *prior, quad x, quad period, quad e)
{
    const quad *p = prior->number;
    if (is(prior, "uniform"))
        return -logq(p[1] - p[0]);
    if (is(prior, "log-uniform") || is(prior, "turns"))
        return -logq(x) - logq(logq(p[1] / p[0]));
    if (is(prior, "modified-log-uniform"))
        return -logq(x + p[0]) - logq(log1pq(p[1] / p[0]));
    if (is(prior, "ford-gregory")) {
        quad end = p[1] * cbrtq(p[2] / period) / sqrtq(1 - e * e);
        return -logq(x + p[0]) - logq(log1pq(end / p[0]));
    }
    if (is(prior, "normal"))
        return log_normal_density(prior, (x - p[0]) / p[1]) - logq(normal_mass(prior, false));
    if (is(prior, "log-normal"))
        return log_normal_density(prior, (logq(x) - p[0]) / p[1]) - logq(x) -
               logq(normal_mass(prior, true));
    if (is(prior, "beta"))
        return (p[0] - 1) * logq(x) + (p[1] - 1) * log1pq(-x) + lgammaq(p[0] + p[1]) -
               lgammaq(p[0]) - lgammaq(p[1]);
    if (is(prior, "rayleigh")) {
        quad square = p[0] * p[0], low = prior->n_numbers > 1 ? p[1] : 0,
             cut = prior->n_numbers > 2 ? expq(-p[2] * p[2] / (2 * square)) : 0;
        return logq(x) - x * x / (2 * square) - logq(square) -
               logq(expq(-low * low / (2 * square)) - cut);
    }
    return 0; /* fixed */
}

/* ---- from points to parameters ---------------------------------------------- */

typedef struct quad_columns {
    size_t n, offsets, trend, jitters, noise; /* how many, and where each begins */
    quad_prior prior[QUAD_POSTERIOR_MOST_COLUMNS];
    quad value[QUAD_POSTERIOR_MOST_COLUMNS];
    quad log_volume;
} quad_columns;

static size_t n_noise_columns(quad_noise_kind kind)
{
    return kind == QUAD_NOISE_NONE    ? 0
           : kind == QUAD_NOISE_NIGHT ? 1
           : kind == QUAD_NOISE_SHO   ? 3
           : kind >= QUAD_NOISE_MEP   ? 4
                                      : 2;
}

static quad_columns read_columns(const quad_posterior *star)
{
    quad_columns made = {.offsets = 5 * star->n_planets};
    made.trend = made.offsets + star->n_instruments;
    made.jitters = made.trend + (size_t)star->trend_order;
    made.noise = made.n = made.jitters + star->n_instruments;
    for (int i = 0; i < QUAD_POSTERIOR_MOST_TERMS; i++)
        made.n += n_noise_columns(star->noise[i]);
    for (size_t i = 0; i < made.n; i++) {
        made.prior[i] = read_prior(star->prior[i]);
        made.value[i] = made.prior[i].number[0];
    }
    return made;
}

static quad median_uncertainty(const quad_posterior *star)
{
    for (size_t i = 0; i < star->n_obs; i++) {
        size_t below = 0, equal = 0;
        for (size_t j = 0; j < star->n_obs; j++) {
            below += star->uncertainty_m_s[j] < star->uncertainty_m_s[i];
            equal += star->uncertainty_m_s[j] == star->uncertainty_m_s[i];
        }
        if (below <= star->n_obs / 2 && below + equal > star->n_obs / 2)
            return star->uncertainty_m_s[i];
    }
    return 0;
}

/* ln(1 + x / scale), and back. */
static quad amplitude(const quad_posterior *star, quad_columns *columns, size_t i, quad coordinate)
{
    const quad_prior *prior = &columns->prior[i];
    bool has_knee = is(prior, "modified-log-uniform") || is(prior, "ford-gregory");
    quad scale = has_knee ? prior->number[0] : median_uncertainty(star);
    columns->log_volume += logq(scale) + coordinate;
    return scale * expm1q(coordinate);
}

static bool is_free(const quad_columns *columns, size_t i)
{
    return !is(&columns->prior[i], "fixed");
}

/* One planet of a smooth point. Returns how many dimensions it took. */
static size_t take_planet(const quad_posterior *star, quad_columns *columns, size_t first,
                          const quad *point)
{
    quad *value = columns->value + first, k = 0, lambda = 0;
    size_t at = 0;
    bool has_k = is_free(columns, first + 1), has_e = is_free(columns, first + 2),
         has_omega = is_free(columns, first + 3), has_phase = is_free(columns, first + 4);
    if (is_free(columns, first)) {
        columns->log_volume += point[at];
        value[0] = expq(point[at++]);
    }
    if (has_k)
        k = point[at++];
    if (has_e && has_omega) {
        value[2] = point[at] * point[at] + point[at + 1] * point[at + 1];
        value[3] = atan2q(point[at + 1], point[at]);
        columns->log_volume += M_LN2q;
        at += 2;
    } else if (has_e || has_omega) {
        value[has_e ? 2 : 3] = point[at++];
    }
    if (has_phase)
        lambda = point[at++];
    if (has_k && has_phase) {
        quad length = hypotq(k, lambda), angle = atan2q(lambda, k);
        columns->log_volume -= logq(length);
        k = length;
        lambda = angle;
    }
    if (has_k)
        value[1] = amplitude(star, columns, first + 1, k);
    if (has_phase)
        value[4] = lambda - value[3];
    return at;
}

static void take_smooth(const quad_posterior *star, quad_columns *columns, const quad *point)
{
    for (size_t planet = 0; planet < star->n_planets; planet++)
        point += take_planet(star, columns, 5 * planet, point);
    for (size_t i = columns->offsets; i < columns->n; i++) {
        if (!is_free(columns, i) || (star->is_marginal && i < columns->trend))
            continue;
        quad x = *point++;
        columns->value[i] = x;
        if (i >= columns->noise) {
            bool turns = is(&columns->prior[i], "turns");
            columns->value[i] = expq(x) * (turns ? columns->value[i - 1] : 1);
            columns->log_volume += x + (turns ? logq(columns->value[i - 1]) : 0);
        } else if (i >= columns->jitters) {
            columns->value[i] = amplitude(star, columns, i, x);
        }
    }
}

static void take_plain(const quad_posterior *star, quad_columns *columns, const quad *point)
{
    for (size_t i = 0; i < columns->n; i++)
        if (is_free(columns, i) &&
            !(star->is_marginal && i >= columns->offsets && i < columns->trend))
            columns->value[i] = *point++;
}

/* In the range of its prior, a turn further on where it must be. */
static quad angle_within(const quad_prior *prior, quad x)
{
    quad low =
        is(prior, "normal") ? (prior->n_numbers > 3 ? prior->number[2] : x) : prior->number[0];
    return is(prior, "fixed") ? x : x - 2 * M_PIq * floorq((x - low) / (2 * M_PIq));
}

static quad log_prior(const quad_posterior *star, const quad_columns *columns)
{
    quad sum = columns->log_volume;
    for (size_t i = 0; i < columns->n; i++) {
        quad x = columns->value[i], period = 1, e = 0;
        if (star->is_marginal && i >= columns->offsets && i < columns->trend)
            continue;
        if (i < columns->offsets && i % 5 == 1) {
            period = columns->value[i - 1];
            e = columns->value[i + 1];
        }
        if (i < columns->offsets && i % 5 >= 3)
            x = angle_within(&columns->prior[i], x);
        if (is(&columns->prior[i], "turns")) { /* a density in days */
            sum -= logq(columns->value[i - 1]);
            x /= columns->value[i - 1];
        }
        sum += log_density(&columns->prior[i], x, period, e);
    }
    return sum;
}

/* ---- the likelihood ---------------------------------------------------------- */

static quad velocity_of(const quad value[5], quad days)
{
    quad e = value[2];
    quad_kepler at = quad_kepler_solve(2 * M_PIq * days / value[0] + value[4], e);
    quad cos_nu = (at.cosine - e) / at.slope, sin_nu = sqrtq(1 - e * e) * at.sine / at.slope;
    return value[1] * (cos_nu * cosq(value[3]) - sin_nu * sinq(value[3]) + e * cosq(value[3]));
}

/* A damped swing whose slope is zero at a delay of zero. */
static quad swing(quad delay, quad rate, quad w)
{
    return expq(-rate * delay) * (cosq(w * delay) + rate / w * sinq(w * delay));
}

static quad mep(quad delay, const quad *v)
{
    quad f = 1 / (4 * v[3] * v[3]), whole = 1 + f + f * f / 4, root = sqrtq((quad)3) / v[2],
         w = 2 * M_PIq / v[1];
    return v[0] * v[0] / whole *
           ((1 + root * delay) * expq(-root * delay) + f * swing(delay, 1 / v[2], w) +
            f * f / 4 * swing(delay, 1 / v[2], 2 * w));
}

static quad qp(quad delay, const quad *v)
{
    quad sine = sinq(M_PIq * delay / v[1]) / v[3], decay = delay / v[2];
    return v[0] * v[0] * expq(-(sine * sine + decay * decay) / 2);
}

static quad sho(quad delay, const quad *v)
{
    quad rate = M_PIq / (v[1] * v[2]); /* quality above 1/2 */
    return v[0] * v[0] * swing(delay, rate, rate * sqrtq(4 * v[2] * v[2] - 1));
}

static quad covariance(const quad_posterior *star, const quad_columns *columns, size_t a, size_t b)
{
    quad delay = fabsq((quad)star->time_days[a] - star->time_days[b]), sum = 0;
    const quad *v = columns->value + columns->noise;
    bool same = star->instrument[a] == star->instrument[b] &&
                floorq(star->time_days[a]) == floorq(star->time_days[b]);
    for (int i = 0; i < QUAD_POSTERIOR_MOST_TERMS; v += n_noise_columns(star->noise[i++])) {
        quad root = delay * sqrtq((quad)3) / v[1];
        switch (star->noise[i]) {
        case QUAD_NOISE_NONE:
            break;
        case QUAD_NOISE_NIGHT:
            sum += same ? v[0] * v[0] : 0;
            break;
        case QUAD_NOISE_EXPONENTIAL:
            sum += v[0] * v[0] * expq(-delay / v[1]);
            break;
        case QUAD_NOISE_MATERN32:
            sum += v[0] * v[0] * (1 + root) * expq(-root);
            break;
        case QUAD_NOISE_SHO:
            sum += sho(delay, v);
            break;
        case QUAD_NOISE_MEP:
            sum += mep(delay, v);
            break;
        case QUAD_NOISE_QP:
            sum += qp(delay, v);
            break;
        }
    }
    return sum;
}

/* Residuals, and columns of offsets behind them where these are integrated out: [n_obs] each. */
static void fill_rows(const quad_posterior *star, const quad_columns *columns, quad *rows)
{
    size_t n = star->n_obs;
    for (size_t k = 0; k < n; k++) {
        quad days = (quad)star->time_days[k] - star->reference_time_days, power = 1;
        rows[k] = star->velocity_m_s[k];
        for (size_t planet = 0; planet < star->n_planets; planet++)
            rows[k] -= velocity_of(columns->value + 5 * planet, days);
        for (int i = 0; i < star->trend_order; i++) {
            power *= days;
            rows[k] -= columns->value[columns->trend + (size_t)i] * power;
        }
        for (size_t i = 0; i < star->n_instruments; i++) {
            bool own = star->instrument[k] == (int)i;
            if (star->is_marginal)
                rows[(1 + i) * n + k] = own;
            else if (own)
                rows[k] -= columns->value[columns->offsets + i];
        }
    }
}

/* L of C, and L^-1 of all rows; returns ln |C|. */
static quad whiten(const quad_posterior *star, const quad_columns *columns, size_t n_rows,
                   quad *matrix, quad *rows)
{
    size_t n = star->n_obs;
    quad sum = 0;
    for (size_t k = 0; k < n; k++) {
        quad jitter = columns->value[columns->jitters + (size_t)star->instrument[k]],
             sigma = star->uncertainty_m_s[k];
        for (size_t j = 0; j <= k; j++) {
            quad value = covariance(star, columns, k, j);
            value += j == k ? sigma * sigma + jitter * jitter : 0;
            for (size_t i = 0; i < j; i++)
                value -= matrix[k * n + i] * matrix[j * n + i];
            matrix[k * n + j] = j == k ? sqrtq(value) : value / matrix[j * n + j];
        }
        for (size_t row = 0; row < n_rows; row++) {
            for (size_t i = 0; i < k; i++)
                rows[row * n + k] -= matrix[k * n + i] * rows[row * n + i];
            rows[row * n + k] /= matrix[k * n + k];
        }
        sum += 2 * logq(matrix[k * n + k]);
    }
    return sum;
}

static quad product(size_t n, const quad *a, const quad *b)
{
    quad sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

static quad log_likelihood(const quad_posterior *star, const quad_columns *columns, quad *work)
{
    size_t n = star->n_obs, n_solved = star->is_marginal ? star->n_instruments : 0;
    quad *rows = work + n * n;
    fill_rows(star, columns, rows);
    quad sum = whiten(star, columns, 1 + n_solved, work, rows) + (quad)n * logq(2 * M_PIq);
    for (size_t i = 1; i <= n_solved; i++) { /* an offset at a time, off all that follow */
        quad *own = rows + i * n, square = product(n, own, own);
        const quad_prior *prior = &columns->prior[columns->offsets + i - 1];
        for (size_t j = 0; j <= n_solved; j++) {
            quad share = j == 0 || j > i ? product(n, own, rows + j * n) / square : 0;
            for (size_t k = 0; k < n; k++)
                rows[j * n + k] -= share * own[k];
        }
        sum += logq(square / (2 * M_PIq)) + 2 * logq(prior->number[1] - prior->number[0]);
    }
    return -(sum + product(n, rows, rows)) / 2;
}

/* ---- both, and their gradients ------------------------------------------------- */

static void evaluate(const quad_posterior *star, const quad_columns *empty, const quad *point,
                     quad *work, quad values[2])
{
    quad_columns columns = *empty;
    if (star->is_smooth)
        take_smooth(star, &columns, point);
    else
        take_plain(star, &columns, point);
    values[0] = log_prior(star, &columns);
    values[1] = log_likelihood(star, &columns, work);
}

bool quad_posterior_evaluate(const quad_posterior *star, size_t n, const double *point,
                             quad_posterior_result *result)
{
    const quad share[4] = {1, -8, 8, -1};
    const int place[4] = {-2, -1, 1, 2};
    quad at[QUAD_POSTERIOR_MOST_COLUMNS] = {0}, values[2];
    quad *work = malloc(star->n_obs * (star->n_obs + 1 + star->n_instruments) * sizeof *work);
    if (!work)
        return false;
    const quad_columns columns = read_columns(star);
    for (size_t i = 0; i < n; i++)
        at[i] = point[i];
    evaluate(star, &columns, at, work, values);
    result->log_prior = (double)values[0];
    result->log_likelihood = (double)values[1];
    for (size_t i = 0; i < n; i++) {
        quad here = at[i], step = 1e-6Q * fmaxq(fabsq(here), 1e-3Q), sum[2] = {0, 0};
        for (int j = 0; j < 4; j++) {
            at[i] = here + place[j] * step;
            evaluate(star, &columns, at, work, values);
            sum[0] += share[j] * values[0];
            sum[1] += share[j] * values[1];
        }
        at[i] = here;
        if (result->log_prior_gradient)
            result->log_prior_gradient[i] = (double)(sum[0] / (12 * step));
        if (result->log_likelihood_gradient)
            result->log_likelihood_gradient[i] = (double)(sum[1] / (12 * step));
    }
    free(work);
    return true;
}
