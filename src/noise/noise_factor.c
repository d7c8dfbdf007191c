#include "noise/noise_factor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "model/circle.h"
#include "model/machine_clones.h"
#include "noise/noise_whole.h"

/* Parts of functions that are compiled for several machines. */
#define IN_CLONES static inline __attribute__((always_inline))

equant_status noise_factor_check_whole(size_t n_rows)
{
    if (n_rows <= NOISE_FACTOR_MOST_WHOLE)
        return EQUANT_SUCCESS;
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                       "the noise 'qp' takes matrices of all observations, and %zu are too many, "
                       "%d being the most: esp3 is near it and takes none",
                       n_rows, (int)NOISE_FACTOR_MOST_WHOLE);
}

equant_status noise_factor_create(size_t n_rows, size_t most_states, bool is_whole,
                                  noise_factor *made)
{
    size_t n = n_rows;
    *made = (noise_factor){.n_rows = n, .row_room = n, .state_room = most_states};
    equant_status status = is_whole ? noise_factor_check_whole(n) : EQUANT_SUCCESS;
    if (status != EQUANT_SUCCESS)
        return status;
    made->propagators =
        malloc((NOISE_PROPAGATOR_PER_STATE * n * most_states + 1) * sizeof *made->propagators);
    made->u = malloc((n * most_states + 1) * sizeof *made->u);
    made->w = malloc((n * most_states + 1) * sizeof *made->w);
    made->variance = malloc((n + 1) * sizeof *made->variance);
    made->marginal = malloc((n + 1) * sizeof *made->marginal);
    made->root_weight = malloc((n + 1) * sizeof *made->root_weight);
    made->lower = is_whole ? malloc((n * n + 1) * sizeof *made->lower) : NULL;
    made->places = is_whole ? malloc((n + 1) * sizeof *made->places) : NULL;
    if (made->propagators && made->u && made->w && made->variance && made->marginal &&
        made->root_weight && (!is_whole || (made->lower && made->places)))
        return EQUANT_SUCCESS;
    noise_factor_free(made);
    return status_out_of_memory();
}

void noise_factor_free(noise_factor *factor)
{
    free(factor->lower);
    free(factor->places);
    free(factor->propagators);
    free(factor->u);
    free(factor->w);
    free(factor->variance);
    free(factor->marginal);
    free(factor->root_weight);
    memset(factor, 0, sizeof *factor);
}

static noise_row row_at(const noise_factor_rows *rows, size_t k)
{
    size_t weight = rows->is_uniform ? 0 : k;
    return (noise_row){.days_since_last = k > 0 ? rows->time_days[k] - rows->time_days[k - 1] : 0.0,
                       .alpha = rows->alpha ? rows->alpha[weight] : 1.0,
                       .beta = rows->beta ? rows->beta[weight] : 0.0,
                       .instrument = rows->instruments ? rows->instruments[k] : 0,
                       .begins_night = rows->begins_night ? rows->begins_night[k] : 0,
                       .owner = rows->owners ? rows->owners[k] : 0};
}

/* Rows of the same arrays have the same gaps and nights. */
static bool are_propagated(const noise_factor *factor, const noise_process *process,
                           const noise_factor_rows *rows)
{
    return factor->n_rows == rows->n && factor->time_days == rows->time_days &&
           factor->begins_night == rows->begins_night && factor->instruments == rows->instruments &&
           noise_process_same_rates(process, &factor->process);
}

/* How states are carried over the gaps. */
static void propagate(noise_factor *factor, const noise_process *process,
                      const noise_factor_rows *rows)
{
    factor->n_rows = rows->n;
    factor->time_days = rows->time_days;
    factor->begins_night = rows->begins_night;
    factor->instruments = rows->instruments;
    factor->is_whole = noise_covariance_is_whole(process);
    factor->n_states = factor->is_whole ? 0 : (size_t)process->n_states;
    factor->n_blocks = factor->is_whole ? 0 : (size_t)process->n_blocks;
    factor->propagator_size = 0;
    for (size_t b = 0; b < factor->n_blocks; b++) {
        int m = factor->block_states[b] = noise_block_states(process->block[b].kind);
        factor->propagator_size += (size_t)(m * m);
    }
    double *next = factor->propagators;
    for (size_t k = 0; k < rows->n && !factor->is_whole; k++) {
        const noise_row row = row_at(rows, k);
        next += noise_propagator_fill(process, &row, next);
    }
}

/* What is carried from row to row: S, [n][width], and w of the row before, with zeros behind the
 * states, so that loops over states have lengths that fill the vectors of a machine. */
typedef struct carried {
    double s[NOISE_PROCESS_MOST_STATES * NOISE_PROCESS_MOST_STATES];
    double w[NOISE_PROCESS_MOST_STATES], seen[NOISE_PROCESS_MOST_STATES];
} carried;
enum { STATES_AT_ONCE = 4 };

IN_CLONES bool decompose_rows(noise_factor *factor, const noise_process *process,
                              const noise_factor_rows *rows, const double *variances, size_t width)
{
    carried with;
    double mantissa = 1.0;
    size_t n = factor->n_states;
    long exponent = 0;
    memset(with.s, 0, n * width * sizeof *with.s);
    memset(with.w, 0, width * sizeof *with.w);
    for (size_t k = 0; k < rows->n; k++) {
        noise_row row = row_at(rows, k);
        double *u = factor->u + k * n;
        row.variance = variances[k];
        if (k > 0) {
            noise_learn(n, width, factor->variance[k - 1], with.w, with.s);
            noise_propagate_both(factor->n_blocks, factor->block_states,
                                 factor->propagators + k * factor->propagator_size, n, width,
                                 with.s);
        }
        factor->marginal[k] = noise_process_view(process, &row, u, with.w);
        double d = noise_innovation(n, width, with.s, u, factor->marginal[k], with.seen, with.w);
        if (!(d > 0.0) || !isfinite(d))
            return false;
        for (size_t i = 0; i < n; i++)
            with.w[i] /= d;
        memcpy(factor->w + k * n, with.w, n * sizeof *with.w);
        factor->variance[k] = d;
        factor->root_weight[k] = 1.0 / sqrt(d);
        int power; /* one logarithm for all rows */
        mantissa = frexp(mantissa * d, &power);
        exponent += power;
    }
    factor->log_determinant = log(mantissa) + (double)exponent * 0.69314718055994530942;
    return true;
}

/* Usual numbers of states are known when this is compiled. */
MACHINE_CLONES static bool decompose(noise_factor *factor, const noise_process *process,
                                     const noise_factor_rows *rows, const double *variances)
{
    size_t n = factor->n_states, width = (n + STATES_AT_ONCE - 1) / STATES_AT_ONCE * STATES_AT_ONCE;
    switch (width) {
    case STATES_AT_ONCE:
        return decompose_rows(factor, process, rows, variances, STATES_AT_ONCE);
    case 2 * STATES_AT_ONCE:
        return decompose_rows(factor, process, rows, variances, 2 * STATES_AT_ONCE);
    case 3 * STATES_AT_ONCE:
        return decompose_rows(factor, process, rows, variances, 3 * STATES_AT_ONCE);
    case 4 * STATES_AT_ONCE:
        return decompose_rows(factor, process, rows, variances, 4 * STATES_AT_ONCE);
    default:
        return decompose_rows(factor, process, rows, variances, width);
    }
}

bool noise_factor_make(noise_factor *factor, const noise_process *process,
                       const noise_factor_rows *rows, const double *variances)
{
    if (!are_propagated(factor, process, rows))
        propagate(factor, process, rows);
    factor->process = *process;
    return factor->is_whole ? noise_whole_decompose(factor, process, rows, variances)
                            : decompose(factor, process, rows, variances);
}

/* f <- R (f + w z) of n columns, with w and z of the row before. */
static void advance(const noise_factor *factor, size_t row, size_t n_columns, double *state)
{
    size_t n = factor->n_states;
    const double *z = state + n * n_columns;
    for (size_t i = 0; i < n; i++) {
        double gain = factor->w[(row - 1) * n + i], *f = state + i * n_columns;
        for (size_t j = 0; j < n_columns; j++)
            f[j] += gain * z[j];
    }
    noise_propagate(factor->n_blocks, factor->block_states,
                    factor->propagators + row * factor->propagator_size, n_columns, state);
}

/* x <- x + sign u' f */
static void add_predicted(const noise_factor *factor, size_t row, double sign, size_t n_columns,
                          const double *state, double *x)
{
    const double *u = factor->u + row * factor->n_states;
    for (size_t i = 0; i < factor->n_states; i++) {
        double share = sign * u[i];
        const double *f = state + i * n_columns;
        for (size_t j = 0; j < n_columns; j++)
            x[j] += share * f[j];
    }
}

/* The states of one block, [m][n], from the row before to this one, and what they predict taken
 * from x: f <- R (f + w z), then x <- x - u' f. */
static inline void whiten_single(const double *r, const double *w, const double *u, size_t n,
                                 double *restrict f, const double *restrict z, double *restrict x)
{
    for (size_t j = 0; j < n; j++) {
        double next = (f[j] + w[0] * z[j]) * r[0];
        f[j] = next;
        x[j] += -u[0] * next;
    }
}

static inline void whiten_pair(const double *r, const double *w, const double *u, size_t n,
                               double *restrict f, const double *restrict z, double *restrict x)
{
    double *restrict second = f + n;
    for (size_t j = 0; j < n; j++) {
        double a = f[j] + w[0] * z[j], b = second[j] + w[1] * z[j];
        double one = r[0] * a + r[1] * b, two = r[2] * a + r[3] * b;
        f[j] = one;
        second[j] = two;
        x[j] = x[j] + -u[0] * one + -u[1] * two;
    }
}

static inline void whiten_triple(const double *r, const double *w, const double *u, size_t n,
                                 double *restrict f, const double *restrict z, double *restrict x)
{
    double *restrict second = f + n, *restrict third = second + n;
    for (size_t j = 0; j < n; j++) {
        double a = f[j] + w[0] * z[j], b = second[j] + w[1] * z[j], c = third[j] + w[2] * z[j];
        double one = r[0] * a + r[1] * b + r[2] * c, two = r[3] * a + r[4] * b + r[5] * c,
               three = r[6] * a + r[7] * b + r[8] * c;
        f[j] = one;
        second[j] = two;
        third[j] = three;
        x[j] = x[j] + -u[0] * one + -u[1] * two + -u[2] * three;
    }
}

static inline void whiten_rows(const noise_factor *factor, size_t n_columns, double *columns,
                               double *state)
{
    size_t n = factor->n_states;
    double *z = state + n * n_columns; /* of the row before, not divided */
    memset(state, 0, (n + 1) * n_columns * sizeof *state);
    for (size_t k = 0; k < factor->n_rows; k++) {
        double *x = columns + k * n_columns, *f = state;
        const double *r = factor->propagators + k * factor->propagator_size, *u = factor->u + k * n,
                     *w = factor->w + (k > 0 ? k - 1 : 0) * n;
        for (size_t b = 0; b < factor->n_blocks && k > 0; b++) {
            int m = factor->block_states[b];
            if (m == 1)
                whiten_single(r, w, u, n_columns, f, z, x);
            else if (m == 2)
                whiten_pair(r, w, u, n_columns, f, z, x);
            else
                whiten_triple(r, w, u, n_columns, f, z, x);
            f += (size_t)m * n_columns;
            r += m * m;
            u += m;
            w += m;
        }
        for (size_t j = 0; j < n_columns; j++) {
            z[j] = x[j];
            x[j] *= factor->root_weight[k];
        }
    }
}

MACHINE_CLONES static void whiten_columns(const noise_factor *factor, size_t n_columns,
                                          double *columns, double *state)
{
    whiten_rows(factor, n_columns, columns, state);
}

/* One column or two, which no vector of the machine gains by. */
static void whiten_few(const noise_factor *factor, size_t n_columns, double *columns, double *state)
{
    if (n_columns == 1)
        whiten_rows(factor, 1, columns, state);
    else
        whiten_rows(factor, 2, columns, state);
}

void noise_factor_whiten(const noise_factor *factor, size_t n_columns, double *columns,
                         double *state)
{
    if (factor->is_whole)
        noise_whole_whiten(factor, n_columns, columns);
    else if (n_columns == 1 || n_columns == 2)
        whiten_few(factor, n_columns, columns, state);
    else
        whiten_columns(factor, n_columns, columns, state);
}

void noise_factor_colour(const noise_factor *factor, size_t n_columns, double *columns,
                         double *state)
{
    if (factor->is_whole) {
        noise_whole_colour(factor, n_columns, columns);
        return;
    }
    double *z = state + factor->n_states * n_columns;
    memset(state, 0, (factor->n_states + 1) * n_columns * sizeof *state);
    for (size_t k = 0; k < factor->n_rows; k++) {
        double *x = columns + k * n_columns;
        if (k > 0)
            advance(factor, k, n_columns, state);
        for (size_t j = 0; j < n_columns; j++)
            x[j] = z[j] = x[j] / factor->root_weight[k];
        add_predicted(factor, k, 1.0, n_columns, state, x);
    }
}

/* A block's states, [m], multiplied by r' [m][m]. */
static void propagate_back(const noise_factor *factor, size_t row, double *states)
{
    const double *r = factor->propagators + row * factor->propagator_size;
    for (size_t b = 0; b < factor->n_blocks; b++) {
        int m = factor->block_states[b];
        double old[3] = {0.0};
        for (int i = 0; i < m; i++)
            old[i] = states[i];
        for (int i = 0; i < m; i++) {
            states[i] = 0.0;
            for (int j = 0; j < m; j++)
                states[i] += r[j * m + i] * old[j];
        }
        states += m;
        r += m * m;
    }
}

/* Forwards L^-1; backwards its transpose, the same walk from the other end:
 * x = z / D - w' g, then g <- R' (g + u x). */
void noise_factor_solve(const noise_factor *factor, double *column, double *state)
{
    size_t n = factor->n_states;
    noise_factor_whiten(factor, 1, column, state);
    if (factor->is_whole) {
        noise_whole_solve_back(factor, column);
        return;
    }
    memset(state, 0, n * sizeof *state);
    for (size_t k = factor->n_rows; k-- > 0;) {
        double x = column[k] * factor->root_weight[k];
        for (size_t i = 0; i < n; i++)
            x -= factor->w[k * n + i] * state[i];
        for (size_t i = 0; i < n; i++)
            state[i] += factor->u[k * n + i] * x;
        column[k] = x;
        propagate_back(factor, k, state);
    }
}

double noise_factor_square(const noise_factor *factor, double *values, double *state)
{
    double sum = 0.0;
    noise_factor_whiten(factor, 1, values, state);
    for (size_t k = 0; k < factor->n_rows; k++)
        sum += values[k] * values[k];
    return sum;
}

double noise_factor_log_likelihood(const noise_factor *factor, double chi_square)
{
    double sum = chi_square + factor->log_determinant + (double)factor->n_rows * LOG_TWO_PI;
    return isfinite(sum) ? -0.5 * sum : -INFINITY;
}
