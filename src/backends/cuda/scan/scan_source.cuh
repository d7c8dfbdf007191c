/* Where X and Y of a node at an observation come from: three sources with one face.
 *
 *   place         what all nodes of a frequency have in common at an observation; found once
 *                 for each pair of them, in double in every precision
 *   node          what a node has in common at all observations
 *   columns       X and Y of scan_node.h, from the two
 *   SHARES_PLACE  false: the place is that of all frequencies
 */
#ifndef EQUANT_BACKENDS_CUDA_SCAN_SCAN_SOURCE_CUH
#define EQUANT_BACKENDS_CUDA_SCAN_SCAN_SOURCE_CUH

#include "backends/cuda/scan/scan_orbit.cuh"

/* The mean anomaly in [-pi, pi] for M0 = 0. */
LANE_FUNCTION f64 scan_mean_anomaly(f64 t, f64 frequency)
{
    return mean_anomaly_at_time_f64(t, frequency, 0.0, 0.0);
}

/* Circles: X and Y are cosine and sine of the mean anomaly; each node has a frequency of its
 * own. */
struct scan_circles {
    static constexpr scan_kind KIND = SCAN_CIRCLES;
    static constexpr bool SHARES_PLACE = false;
    typedef double place; /* the time      */
    typedef double node;  /* the frequency */

    __device__ scan_circles(const scan_layer &, const void *) {}
    __device__ place locate(double t, double) const
    {
        return t;
    }
    __device__ node node_of(double frequency, unsigned) const
    {
        return frequency;
    }
    __device__ void columns(place t, node frequency, real *X, real *Y) const
    {
        real M = (real)scan_mean_anomaly(t, frequency), M_abs = lane_abs(M);
        real M_minus_sin, one_minus_cos;
        sin_cos_versed(M_abs, &M_minus_sin, &one_minus_cos);
        *X = REAL(1.0) - one_minus_cos;
        *Y = lane_flip_sign(M_abs - M_minus_sin, M);
    }
};

/* Orbits, solved one by one. The phase is a fraction of a turn: in single a whole number of
 * 2^-32 of it, whose sum with M0 drops whole turns by itself. */
struct scan_orbits {
    static constexpr scan_kind KIND = SCAN_ORBITS;
    static constexpr bool SHARES_PLACE = true;
#if REAL_IS_DOUBLE
    typedef double place, node;
#else
    typedef unsigned place, node;
#endif
    real e, one_minus_e;
    unsigned n_phases;

    __device__ scan_orbits(const scan_layer &layer, const void *)
        : e((real)layer.eccentricity), one_minus_e((real)(1.0 - layer.eccentricity)),
          n_phases(layer.n_phases)
    {
    }
    __device__ place locate(double t, double frequency) const
    {
        double turns = scan_mean_anomaly(t, frequency) * MEAN_ANOMALY_TURNS_PER_RADIAN;
#if REAL_IS_DOUBLE
        return turns;
#else
        const double magic = 6755399441055744.0; /* 1.5 * 2^52: the sum is a whole number */
        return (unsigned)__double2loint(lane_fma(turns, 4294967296.0, magic));
#endif
    }
    __device__ node node_of(double, unsigned phase) const
    {
#if REAL_IS_DOUBLE
        return (double)phase / (double)n_phases;
#else
        return (unsigned)(((unsigned long long)phase << 32) / n_phases);
#endif
    }
    __device__ void columns(place here, node own, real *X, real *Y) const
    {
#if REAL_IS_DOUBLE
        double turns = here + own, M = (turns - lane_round(turns)) * MEAN_ANOMALY_TWO_PI;
#else
        float M = (float)(int)(here + own) * (float)(MEAN_ANOMALY_TWO_PI * 0x1p-32);
#endif
        scan_orbit(M, e, one_minus_e, X, Y);
    }
};

#if !REAL_IS_DOUBLE
/* Orbits from the table of their layer (scan_table.cu), a copy of which is in shared memory. M0
 * of neighbouring nodes differ by one cell, so all nodes of a frequency have an observation in
 * the same part of different cells. Records of a part in neighbouring cells are an odd number of
 * pairs of floats apart, and a half of a warp finds sixteen of them without meeting in a bank. */
struct scan_tabulated {
    static constexpr scan_kind KIND = SCAN_TABLE;
    static constexpr bool SHARES_PLACE = true;
    struct place {
        float offset;    /* from the middle of the part, in parts */
        unsigned record; /* bytes from the start of the table     */
    };
    typedef unsigned node; /* bytes from the cell of M0 = 0 */
    const unsigned char *table;
    unsigned n_cells, n_parts, n_bytes;

    __device__ scan_tabulated(const scan_layer &layer, const void *copy)
        : table((const unsigned char *)copy), n_cells(layer.n_phases), n_parts(layer.n_parts),
          n_bytes(layer.n_phases * layer.n_parts * sizeof(scan_record))
    {
    }
    __device__ place locate(double t, double frequency) const
    {
        const double last_cell = n_cells - 1.0, last_part = n_parts - 1.0;
        double turns = scan_mean_anomaly(t, frequency) * MEAN_ANOMALY_TURNS_PER_RADIAN;
        double at = lane_fma(turns, (double)n_cells, 0.5 * n_cells);
        double cell = lane_min(lane_max(lane_round(at - 0.5), 0.0), last_cell);
        at = lane_fma(at - cell, (double)n_parts, -0.5);
        double part = lane_min(lane_max(lane_round(at), 0.0), last_part);
        place found;
        found.offset = (float)(at - part);
        found.record = ((unsigned)cell * n_parts + (unsigned)part) * (unsigned)sizeof(scan_record);
        return found;
    }
    __device__ node node_of(double, unsigned phase) const
    {
        return phase * n_parts * (unsigned)sizeof(scan_record);
    }
    __device__ void columns(place here, node own, real *X, real *Y) const
    {
        unsigned at = here.record + own;
        at = min(at, at - n_bytes); /* past the last cell comes the first */
        const float2 *c = ((const scan_record *)(table + at))->term;
        float2 c0 = c[0], c1 = c[1], c2 = c[2];
        *X = lane_fma(lane_fma(c2.x, here.offset, c1.x), here.offset, c0.x);
        *Y = lane_fma(lane_fma(c2.y, here.offset, c1.y), here.offset, c0.y);
    }
};
#endif

#endif
