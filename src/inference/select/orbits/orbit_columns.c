#include "inference/select/orbits/orbit_columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "model/circle.h"
#include "model/machine_clones.h"

equant_status orbit_columns_create(size_t n_obs, size_t n_nodes, orbit_columns *columns)
{
    size_t n = n_obs * n_nodes, n_states = 2 * n_nodes * (NOISE_PROCESS_MOST_STATES + 1);
    double *memory = malloc((8 * n + n_states) * sizeof *memory);
    *columns = (orbit_columns){n_obs,          n_nodes,        memory,         memory + n,
                               memory + 2 * n, memory + 3 * n, memory + 4 * n, memory + 5 * n,
                               memory + 6 * n, memory + 8 * n};
    return memory ? EQUANT_SUCCESS : status_out_of_memory();
}

void orbit_columns_free(orbit_columns *columns)
{
    free(columns->mean);
}

static inline double dot(size_t n, const double *a, const double *b)
{
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    size_t k = 0;
    for (; k + 4 <= n; k += 4)
        for (size_t i = 0; i < 4; i++)
            sum[i] += a[k + i] * b[k + i];
    for (; k < n; k++)
        sum[0] += a[k] * b[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

double orbit_columns_dot(size_t n, const double *a, const double *b)
{
    return dot(n, a, b);
}

/* The sums of `dot` for x and y with four columns at once: each in its own order, but none waits
 * for the one before. */
typedef double quad __attribute__((vector_size(32)));
enum { COLUMNS_AT_ONCE = 4 };

static inline void load_quad(const double *from, quad *to)
{
    memcpy(to, from, sizeof *to);
}

static inline void dots(size_t n, const double *columns, const double *x, const double *y,
                        double products[2][COLUMNS_AT_ONCE])
{
    quad of_x[COLUMNS_AT_ONCE] = {{0.0}}, of_y[COLUMNS_AT_ONCE] = {{0.0}}, q, a, b;
    size_t k = 0;
    for (; k + 4 <= n; k += 4) {
        load_quad(x + k, &a);
        load_quad(y + k, &b);
#pragma GCC unroll 4
        for (size_t j = 0; j < COLUMNS_AT_ONCE; j++) {
            load_quad(columns + j * n + k, &q);
            of_x[j] += q * a;
            of_y[j] += q * b;
        }
    }
    for (size_t j = 0; j < COLUMNS_AT_ONCE; j++) {
        for (size_t i = k; i < n; i++) {
            of_x[j][0] += columns[j * n + i] * x[i];
            of_y[j][0] += columns[j * n + i] * y[i];
        }
        products[0][j] = (of_x[j][0] + of_x[j][1]) + (of_x[j][2] + of_x[j][3]);
        products[1][j] = (of_y[j][0] + of_y[j][1]) + (of_y[j][2] + of_y[j][3]);
    }
}

static inline void project_out(orbit_products *made, double qx, double qy)
{
    made->xx -= qx * qx;
    made->xy -= qx * qy;
    made->yy -= qy * qy;
}

MACHINE_CLONES static orbit_products products_of(const base_columns *base, const double *x,
                                                 const double *y)
{
    size_t n = base->n_obs, j = 0;
    orbit_products made = {dot(n, x, x), dot(n, x, y), dot(n, y, y), dot(n, x, base->residual),
                           dot(n, y, base->residual)};
    for (; j + COLUMNS_AT_ONCE <= base->n; j += COLUMNS_AT_ONCE) {
        double products[2][COLUMNS_AT_ONCE];
        dots(n, base->basis + j * n, x, y, products);
        for (size_t i = 0; i < COLUMNS_AT_ONCE; i++)
            project_out(&made, products[0][i], products[1][i]);
    }
    for (; j < base->n; j++)
        project_out(&made, dot(n, base->basis + j * n, x), dot(n, base->basis + j * n, y));
    return made;
}

orbit_products orbit_columns_products(const base_columns *base, const double *x, const double *y)
{
    return products_of(base, x, y);
}

/* Whitens x and y of all nodes. Correlated noise goes from row to row: side by side columns cost
 * little more than one. */
static void whiten_nodes(const base_columns *base, const orbit_columns *work)
{
    size_t n_obs = work->n_obs, n = 2 * work->n_nodes;
    double *columns = work->x; /* y is behind it */
    if (!base->factor) {
        for (size_t i = 0; i < n; i++)
            base_columns_whiten(base, columns + i * n_obs);
        return;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n_obs; k++)
            work->whitened[k * n + i] = columns[i * n_obs + k];
    noise_factor_whiten(base->factor, n, work->whitened, work->state);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n_obs; k++)
            columns[i * n_obs + k] = work->whitened[k * n + i];
}

equant_engine_options orbit_columns_engine(const study *star)
{
    equant_engine_options engine = star->fit_engine;
    engine.n_threads = 1;
    engine.backend = "cpu";
    return engine;
}

equant_status orbit_columns_set(const study *star, const base_columns *base, double frequency,
                                double e, const double *m0, const orbit_columns *work)
{
    size_t n = base->n_obs, n_all = n * work->n_nodes;
    for (size_t k = 0; k < n; k++) {
        double turns = frequency * base->time_days[k], mean = TWO_PI * (turns - floor(turns));
        for (size_t i = 0; i < work->n_nodes; i++)
            work->mean[i * n + k] = m0[i] + mean;
    }
    for (size_t k = 0; k < n_all; k++)
        work->eccentricity[k] = e;
    const equant_engine_options engine = orbit_columns_engine(star);
    equant_status status = equant_kepler_solve(n_all, work->mean, work->eccentricity, &engine, NULL,
                                               work->sine, work->cosine);
    for (size_t k = 0; k < n_all && status == EQUANT_SUCCESS; k++) {
        double distance = 1.0 - e * work->cosine[k];
        work->x[k] = (work->cosine[k] - e) / distance;
        work->y[k] = sqrt(1.0 - e * e) * work->sine[k] / distance;
    }
    if (status == EQUANT_SUCCESS)
        whiten_nodes(base, work);
    return status;
}
