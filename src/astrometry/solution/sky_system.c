#include "astrometry/solution/sky_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "model/dot_product.h"
#include "model/machine_clones.h"

/* Below this share of its own length a column is told by those before it. */
#define NEGLIGIBLE_SHARE 1e-9

equant_status sky_system_create(size_t n_rows, size_t capacity, sky_system *system)
{
    double *q = malloc((capacity * n_rows + 1) * sizeof *q);
    double *r = calloc(capacity * capacity + 1, sizeof *r);
    *system = (sky_system){n_rows, 0, capacity, q, r};
    if (q != NULL && r != NULL)
        return EQUANT_SUCCESS;
    sky_system_free(system);
    return status_out_of_memory();
}

void sky_system_free(sky_system *system)
{
    free(system->q);
    free(system->r);
    *system = (sky_system){0};
}

void sky_system_clear(sky_system *system)
{
    system->n_columns = 0;
}

/* One pass of Gram and Schmidt; the shares are added to what is there. */
MACHINE_CLONES static void take_away(const sky_system *system, double *vector, double *shares,
                                     size_t stride)
{
    for (size_t i = 0; i < system->n_columns; i++) {
        const double *own = system->q + i * system->n_rows;
        double share = dot_product(system->n_rows, own, vector);
        for (size_t k = 0; k < system->n_rows; k++)
            vector[k] -= share * own[k];
        shares[i * stride] += share;
    }
}

bool sky_system_add(sky_system *system, const double *column)
{
    size_t j = system->n_columns, n = system->n_rows, stride = system->capacity;
    double *own = system->q + j * n, *shares = system->r + j;
    double before = sqrt(dot_product(n, column, column));
    memcpy(own, column, n * sizeof *own);
    for (size_t i = 0; i <= j; i++)
        shares[i * stride] = 0.0;
    take_away(system, own, shares, stride);
    take_away(system, own, shares, stride); /* twice: orthogonal to the last digit */
    double left = sqrt(dot_product(n, own, own));
    if (!(left > NEGLIGIBLE_SHARE * before) || !isfinite(left))
        return false;
    for (size_t k = 0; k < n; k++)
        own[k] /= left;
    shares[j * stride] = left;
    system->n_columns++;
    return true;
}

void sky_system_project(const sky_system *system, double *vector, double *shares)
{
    memset(shares, 0, system->n_columns * sizeof *shares);
    take_away(system, vector, shares, 1);
    take_away(system, vector, shares, 1);
}

void sky_system_solve(const sky_system *system, double *shares)
{
    for (size_t i = system->n_columns; i-- > 0;) {
        const double *row = system->r + i * system->capacity;
        for (size_t j = i + 1; j < system->n_columns; j++)
            shares[i] -= row[j] * shares[j];
        shares[i] /= row[i];
    }
}

/* R^-1 R^-T, by the columns of R^-1 in the place of the result. */
void sky_system_covariance(const sky_system *system, double *covariance)
{
    size_t n = system->n_columns;
    memset(covariance, 0, n * n * sizeof *covariance);
    for (size_t j = 0; j < n; j++) {
        covariance[j * n + j] = 1.0 / system->r[j * system->capacity + j];
        for (size_t i = j; i-- > 0;) {
            double sum = 0.0;
            for (size_t k = i + 1; k <= j; k++)
                sum -= system->r[i * system->capacity + k] * covariance[k * n + j];
            covariance[i * n + j] = sum / system->r[i * system->capacity + i];
        }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++) {
            double sum = 0.0;
            for (size_t k = j; k < n; k++)
                sum += covariance[i * n + k] * covariance[j * n + k];
            covariance[i * n + j] = sum; /* columns below j of this row are not asked for again */
        }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            covariance[i * n + j] = covariance[j * n + i];
}

double sky_system_log_determinant(const sky_system *system)
{
    double sum = 0.0;
    for (size_t j = 0; j < system->n_columns; j++)
        sum += 2.0 * log(system->r[j * system->capacity + j]);
    return sum;
}
