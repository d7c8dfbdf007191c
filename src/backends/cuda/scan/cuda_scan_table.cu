#include "lanes/cuda.h"
#include "lanes/double.h"

#include <math.h>

#include "backends/cuda/scan/cuda_scan_table.cuh"

namespace
{
#include "backends/cuda/scan/scan_orbit.cuh"

#define TABLE_THREADS 128

/* Values at three points of a part, to the coefficients of the parabola through them. The points
 * are the zeros of Chebyshev's polynomial, -p, 0 and p. */
LANE_FUNCTION void scan_table_fit(const double value[SCAN_TERMS], float coefficients[SCAN_TERMS])
{
    const double p = 0.43301270189221932;
    coefficients[0] = (float)value[1];
    coefficients[1] = (float)((value[2] - value[0]) / (2.0 * p));
    coefficients[2] = (float)((value[2] - 2.0 * value[1] + value[0]) / (2.0 * p * p));
}

/* Record cell * n_parts + part is about M = -pi + 2 pi (cell + (part + 1/2) / n_parts) / n_cells,
 * which is as far into the turn as the record into the table. */
__global__ void __launch_bounds__(TABLE_THREADS)
    scan_table_kernel(const __grid_constant__ scan_problem scan)
{
    const scan_layer layer = scan.layers[blockIdx.y];
    unsigned n = layer.n_phases * layer.n_parts, record = blockIdx.x * TABLE_THREADS + threadIdx.x;
    if (layer.kind != SCAN_TABLE || record >= n)
        return;
    const double points[SCAN_TERMS] = {-0.43301270189221932, 0.0, 0.43301270189221932};
    double X[SCAN_TERMS], Y[SCAN_TERMS], e = layer.eccentricity;
    float x[SCAN_TERMS], y[SCAN_TERMS];
    for (int i = 0; i < SCAN_TERMS; i++) {
        double turns = (record + 0.5 + points[i]) / n - 0.5;
        scan_orbit(turns * MEAN_ANOMALY_TWO_PI, e, 1.0 - e, &X[i], &Y[i]);
    }
    scan_table_fit(X, x);
    scan_table_fit(Y, y);
    for (int i = 0; i < SCAN_TERMS; i++)
        scan.records[layer.first_record + record].term[i] = make_float2(x[i], y[i]);
}
} // namespace

/* As a function of complex M, E has its nearest singularity where e cos E = 1, straight above
 * pericentre; the error of a parabola falls like the cube of (half the width of a part / twice
 * the distance). The ratio of the two is that of the tables of processors, whose error is 6e-6
 * of the largest value; where parts are many, one less makes it 8e-6 at most. */
unsigned scan_table_parts(double eccentricity, size_t n_cells)
{
    const double ratio = 64.0, distance_max = 0.75, e = eccentricity;
    double distance = fmin(acosh(1.0 / e) - sqrt((1.0 - e) * (1.0 + e)), distance_max);
    double most = 1e9, needed = 0.5 * MEAN_ANOMALY_PI * ratio / (distance * (double)n_cells);
    unsigned parts = (unsigned)ceil(distance > 0.0 ? fmin(needed, most) : most);
    return parts % 2 == 1 ? parts : parts > 10 ? parts - 1 : parts + 1;
}

cudaError_t scan_table_launch(const scan_problem *scan, size_t n_records, cudaStream_t stream)
{
    if (n_records == 0)
        return cudaSuccess;
    dim3 grid((unsigned)((n_records + TABLE_THREADS - 1) / TABLE_THREADS), scan->n_layers);
    scan_table_kernel<<<grid, TABLE_THREADS, 0, stream>>>(*scan);
    return cudaGetLastError();
}
