#include "backends/cpu/scan_table.h"

#include <math.h>
#include <stdlib.h>

#include "backends/cpu/problem.h"
#include "model/circle.h"

enum { MAX_TERMS = SCAN_TABLE_TERMS_DOUBLE };

/* Where a polynomial meets its function: zeros of Chebyshev's polynomial, halved. */
static const double points_single[SCAN_TABLE_TERMS_SINGLE] = {-0.43301270189221932, 0.0,
                                                              0.43301270189221932};
static const double points_double[SCAN_TABLE_TERMS_DOUBLE] = {
    -0.49039264020161522, -0.41573480615127262, -0.27778511650980109, -0.09754516100806412,
    0.09754516100806412,  0.27778511650980109,  0.41573480615127262,  0.49039264020161522};

/* The interpolation through values at the points, as a matrix from values to coefficients. */
typedef struct interpolation {
    size_t n_terms;
    const double *points;
    double matrix[MAX_TERMS][MAX_TERMS]; /* [coefficient][value] */
} interpolation;

/* Lagrange's polynomials, multiplied out. */
static interpolation interpolation_for(size_t real_size)
{
    interpolation made = {.n_terms = SCAN_TABLE_TERMS_SINGLE, .points = points_single};
    if (real_size == sizeof(double)) {
        made.n_terms = SCAN_TABLE_TERMS_DOUBLE;
        made.points = points_double;
    }
    for (size_t v = 0; v < made.n_terms; v++) {
        double polynomial[MAX_TERMS] = {1.0};
        for (size_t other = 0, degree = 0; other < made.n_terms; other++) {
            if (other == v)
                continue;
            double distance = made.points[v] - made.points[other];
            degree++;
            for (size_t i = degree; i > 0; i--)
                polynomial[i] = (polynomial[i - 1] - polynomial[i] * made.points[other]) / distance;
            polynomial[0] *= -made.points[other] / distance;
        }
        for (size_t i = 0; i < made.n_terms; i++)
            made.matrix[i][v] = polynomial[i];
    }
    return made;
}

double scan_table_singularity(double eccentricity)
{
    double e = eccentricity;
    return acosh(1.0 / e) - sqrt((1.0 - e) * (1.0 + e));
}

/* Parts that a cell needs. The error of a polynomial of n terms falls like (half the width of a
 * part / twice the distance of the singularity)^n. Nearly circular orbits, whose singularity is far
 * away, get as many parts as those of e = 0.35: their tables are small. */
static size_t parts_of_cell(double e, size_t n_cells)
{
    const double ratio = 64.0, distance_max = 0.75;
    double distance = fmin(scan_table_singularity(e), distance_max);
    return (size_t)ceil(ratio * PI / (2.0 * distance * (double)n_cells));
}

/* Working memory: the values of one part of all cells, [n_terms][n_cells] each. */
typedef struct samples {
    double *memory;
    double *M, *e, *X, *Y;
} samples;

static bool samples_create(samples *at, size_t n, double e)
{
    at->memory = problem_allocate(4 * n, sizeof(double));
    if (!at->memory)
        return false;
    at->M = at->memory;
    at->e = at->M + n;
    at->X = at->e + n;
    at->Y = at->X + n;
    for (size_t i = 0; i < n; i++)
        at->e[i] = e;
    return true;
}

void scan_table_orbit(const cpu_kernels *exact, size_t n, const double *M, const double *e,
                      double *X, double *Y)
{
    const backend_engine engine = {.solver = EQUANT_SOLVER_FAST};
    exact->solve(&engine, n, M, e, NULL, Y, X);
    for (size_t i = 0; i < n; i++) {
        double slope = 1.0 - e[i] * X[i];
        X[i] /= slope;
        Y[i] /= slope;
    }
}

/* Coefficients of one part of all cells from values[n_terms][n_cells]; the first cells are
 * repeated at the end. */
static void store_coefficients(const scan_table *table, const interpolation *through,
                               size_t real_size, const double *values, size_t first)
{
    for (size_t i = 0; i < through->n_terms; i++)
        for (size_t column = 0; column < table->stride; column++) {
            double coefficient = 0.0;
            for (size_t v = 0; v < through->n_terms; v++)
                coefficient +=
                    through->matrix[i][v] * values[v * table->n_cells + column % table->n_cells];
            problem_store_real(table->coefficients, real_size, first + i * table->stride + column,
                               coefficient);
        }
}

equant_status scan_table_create(scan_table *table, const cpu_kernels *kernels,
                                const cpu_kernels *exact, double eccentricity, size_t n_phases)
{
    interpolation through = interpolation_for(kernels->real_size);
    size_t n_samples = through.n_terms * n_phases;
    table->n_cells = n_phases;
    table->n_parts = parts_of_cell(eccentricity, n_phases);
    table->stride = n_phases + CPU_PADDING;
    table->part_stride = 2 * through.n_terms * table->stride;
    table->coefficients = problem_allocate(table->n_parts * table->part_stride, kernels->real_size);
    samples at;
    if (!table->coefficients || !samples_create(&at, n_samples, eccentricity))
        return EQUANT_ERROR_OUT_OF_MEMORY;
    for (size_t part = 0; part < table->n_parts; part++) {
        for (size_t i = 0; i < n_samples; i++) {
            double place = (double)part + 0.5 + through.points[i / n_phases];
            double cell = (double)(i % n_phases) + place / (double)table->n_parts;
            at.M[i] = 2.0 * PI * (cell / (double)n_phases - 0.5);
        }
        scan_table_orbit(exact, n_samples, at.M, at.e, at.X, at.Y);
        size_t first = part * table->part_stride;
        store_coefficients(table, &through, kernels->real_size, at.X, first);
        store_coefficients(table, &through, kernels->real_size, at.Y,
                           first + through.n_terms * table->stride);
    }
    free(at.memory);
    return EQUANT_SUCCESS;
}

void scan_table_free(scan_table *table)
{
    free(table->coefficients);
}
