#include "noise/noise_factor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "model/machine_clones.h"
#include "noise/noise_whole.h"

/* Parts of functions that are compiled for several machines. */
#define IN_CLONES static inline __attribute__((always_inline))

/* Of one row: blocks have at most three states, nine numbers for three. */
enum { PROPAGATOR_PER_STATE = 3 };

equant_status noise_factor_create(size_t n_rows, size_t most_states, noise_factor *made)
{
    memset(made, 0, sizeof *made);
    made->n_rows = made->row_room = n_rows;
    made->state_room = most_states;
    made->propagators =
        malloc((PROPAGATOR_PER_STATE * n_rows * most_states + 1) * sizeof *made->propagators);
    made->u = malloc((n_rows * most_states + 1) * sizeof *made->u);
    made->w = malloc((n_rows * most_states + 1) * sizeof *made->w);
    made->variance = malloc((n_rows + 1) * sizeof *made->variance);
    made->marginal = malloc((n_rows + 1) * sizeof *made->marginal);
    made->root_weight = malloc((n_rows + 1) * sizeof *made->root_weight);
    if (made->propagators && made->u && made->w && made->variance && made->marginal &&
        made->root_weight)
        return EQUANT_SUCCESS;
    noise_factor_free(made);
    return status_out_of_memory();
}

equant_status noise_factor_check_whole(size_t n_rows)
{
    if (n_rows <= NOISE_FACTOR_MOST_WHOLE)
        return EQUANT_SUCCESS;
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                       "the noise 'qp' takes matrices of all observations, and %zu are too many, "
                       "%d being the most: esp3 is near it and takes none",
                       n_rows, (int)NOISE_FACTOR_MOST_WHOLE);
}

equant_status noise_factor_make_whole(noise_factor *factor)
{
    size_t n = factor->row_room;
    equant_status status = noise_factor_check_whole(n);
    if (status != EQUANT_SUCCESS)
        return status;
    factor->lower = malloc((n * n + 1) * sizeof *factor->lower);
    factor->places = malloc((n + 1) * sizeof *factor->places);
    return factor->lower && factor->places ? EQUANT_SUCCESS : status_out_of_memory();
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

void noise_factor_propagate(noise_factor *factor, const noise_process *process,
                            const noise_factor_rows *rows)
{
    factor->n_rows = rows->n;
    factor->is_whole = noise_covariance_is_whole(process);
    factor->n_states = factor->is_whole ? 0 : (size_t)process->n_states;
    factor->n_blocks = factor->is_whole ? 0 : (size_t)process->n_blocks;
    factor->propagator_size = 0;
    for (size_t b = 0; b < factor->n_blocks; b++) {
        int m = factor->block_states[b] = noise_block_states(process->block[b].kind);
        factor->propagator_size += (size_t)(m * m);
    }
    double *next = factor->propagators;
    for (size_t k = 0; k < rows->n; k++) {
        const noise_row row = row_at(rows, k);
        for (size_t b = 0; b < factor->n_blocks; b++) {
            double r[3][3];
            int m = factor->block_states[b];
            noise_block_propagator(&process->block[b], &row, r);
            for (int i = 0; i < m; i++)
                for (int j = 0; j < m; j++)
                    *next++ = r[i][j];
        }
    }
}

/* n vectors of a block's states, [m][n] with a stride, each multiplied by r [m][m]. */
IN_CLONES void propagate_vectors(int m, const double *r, size_t n, double *vectors, size_t stride)
{
    if (m == 1) {
        for (size_t j = 0; j < n; j++)
            vectors[j] *= r[0];
    } else if (m == 2) {
        double *second = vectors + stride;
        for (size_t j = 0; j < n; j++) {
            double a = vectors[j], b = second[j];
            vectors[j] = r[0] * a + r[1] * b;
            second[j] = r[2] * a + r[3] * b;
        }
    } else {
        double *second = vectors + stride, *third = second + stride;
        for (size_t j = 0; j < n; j++) {
            double a = vectors[j], b = second[j], c = third[j];
            vectors[j] = r[0] * a + r[1] * b + r[2] * c;
            second[j] = r[3] * a + r[4] * b + r[5] * c;
            third[j] = r[6] * a + r[7] * b + r[8] * c;
        }
    }
}

/* All blocks: vectors [n_states][n]. */
IN_CLONES void propagate_states(const noise_factor *factor, size_t row, size_t n, double *vectors)
{
    const double *r = factor->propagators + row * factor->propagator_size;
    for (size_t b = 0; b < factor->n_blocks; b++) {
        int m = factor->block_states[b];
        propagate_vectors(m, r, n, vectors, n);
        vectors += (size_t)m * n;
        r += m * m;
    }
}

/* What is carried from row to row: S, [n][width], and w of the row before, with zeros behind the
 * states, so that loops over states have lengths that fill the vectors of a machine. */
typedef struct carried {
    double s[NOISE_PROCESS_MOST_STATES * NOISE_PROCESS_MOST_STATES];
    double u[NOISE_PROCESS_MOST_STATES], w[NOISE_PROCESS_MOST_STATES];
    double seen[NOISE_PROCESS_MOST_STATES];
} carried;
enum { STATES_AT_ONCE = 4 };

IN_CLONES void transpose(size_t n, size_t width, double *matrix)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            double kept = matrix[i * width + j];
            matrix[i * width + j] = matrix[j * width + i];
            matrix[j * width + i] = kept;
        }
}

/* S <- R (S + D w w') R'; S is symmetric: R S, turned, and R again. */
IN_CLONES void carry(const noise_factor *factor, size_t row, size_t width, carried *with)
{
    size_t n = factor->n_states;
    for (size_t i = 0; i < n; i++) {
        double share = factor->variance[row - 1] * with->w[i], *s = with->s + i * width;
        for (size_t j = 0; j < width; j++)
            s[j] += share * with->w[j];
    }
    propagate_states(factor, row, width, with->s);
    transpose(n, width, with->s);
    propagate_states(factor, row, width, with->s);
}

/* S u, which is u' S. */
IN_CLONES void see(size_t n, size_t width, carried *with)
{
    for (size_t j = 0; j < width; j++)
        with->seen[j] = 0.0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < width; j++)
            with->seen[j] += with->s[i * width + j] * with->u[i];
}

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
        const noise_row row = row_at(rows, k);
        double *u = factor->u + k * n, *w = factor->w + k * n, d = variances[k];
        if (k > 0)
            carry(factor, k, width, &with);
        for (size_t b = 0, first = 0; b < factor->n_blocks; b++) {
            d += noise_block_view(&process->block[b], &row, u + first, w + first);
            first += (size_t)factor->block_states[b];
        }
        factor->marginal[k] = d;
        memcpy(with.u, u, n * sizeof *u);
        see(n, width, &with);
        for (size_t i = 0; i < n; i++)
            d -= u[i] * with.seen[i];
        if (!(d > 0.0) || !isfinite(d))
            return false;
        for (size_t i = 0; i < n; i++)
            w[i] = with.w[i] = (w[i] - with.seen[i]) / d;
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

bool noise_factor_decompose(noise_factor *factor, const noise_process *process,
                            const noise_factor_rows *rows, const double *variances)
{
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
    propagate_states(factor, row, n_columns, state);
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
