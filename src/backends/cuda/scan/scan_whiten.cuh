/* What the noise does to the columns x and y of a node, row by row (backends/scan_noise.h): kinds
 * with one face.
 *
 *   row      what a row of shared memory holds of the noise
 *   state    what the noise remembers of x and y
 *   whiten   the columns of one row, in place; the state moves on
 */
#ifndef EQUANT_BACKENDS_CUDA_SCAN_SCAN_WHITEN_CUH
#define EQUANT_BACKENDS_CUDA_SCAN_SCAN_WHITEN_CUH

#include "physics/lane.h"

/* White noise: weights are all there is to it. */
struct scan_white {
    struct row {
    };
    struct state {
        __device__ void clear() {}
    };
    static constexpr unsigned LENGTH = 0; /* of a row in shared memory */
    __device__ scan_white(const scan_problem &, const real *) {}
    __device__ row row_at(unsigned, unsigned) const
    {
        return {};
    }
    __device__ void whiten(const row &, state *, real *, real *) const {}
};

/* Takes from x what the state of a block of M predicts of it. */
template <int M> LANE_FUNCTION real scan_innovation(const real *row, const real *f, real x)
{
#pragma unroll
    for (int i = 0; i < M; i++)
        x = lane_fma(-row[i], f[i], x);
    return x;
}

/* The state of a block of M at the next row, from what is new in this one. */
template <int M> LANE_FUNCTION void scan_remember(const real *row, real z, real *f)
{
    real next[M];
#pragma unroll
    for (int i = 0; i < M; i++) {
        const real *r = row + M + i * M;
        next[i] = r[0] * f[0];
#pragma unroll
        for (int j = 1; j < M; j++)
            next[i] = lane_fma(r[j], f[j], next[i]);
        next[i] = lane_fma(row[M + M * M + i], z, next[i]);
    }
#pragma unroll
    for (int i = 0; i < M; i++)
        f[i] = next[i];
}

/* A few blocks, all in registers. */
template <int SINGLES, int PAIRS, int TRIPLES> struct scan_noise_few {
    static constexpr unsigned USED =
        SCAN_NOISE_SINGLE * SINGLES + SCAN_NOISE_PAIR * PAIRS + SCAN_NOISE_TRIPLE * TRIPLES;
    static constexpr unsigned LENGTH = (USED + 3) / 4 * 4;
    static constexpr int STATES = SINGLES + 2 * PAIRS + 3 * TRIPLES;
    struct __align__(16) row
    {
        real value[LENGTH];
    };
    struct state {
        real x[STATES], y[STATES];
        __device__ void clear()
        {
#pragma unroll
            for (int i = 0; i < STATES; i++)
                x[i] = y[i] = 0;
        }
    };
    const row *rows; /* of the chunk, in shared memory */

    __device__ scan_noise_few(const scan_problem &, const real *shared) : rows((const row *)shared)
    {
    }
    __device__ row row_at(unsigned, unsigned k) const
    {
        return rows[k];
    }
    static __device__ real whiten_one(const real *row, real x, real *f)
    {
        const real *pairs = row + SCAN_NOISE_SINGLE * SINGLES;
        const real *triples = pairs + SCAN_NOISE_PAIR * PAIRS;
        real *f_pairs = f + SINGLES, *f_triples = f_pairs + 2 * PAIRS;
#pragma unroll
        for (int b = 0; b < SINGLES; b++)
            x = scan_innovation<1>(row + SCAN_NOISE_SINGLE * b, f + b, x);
#pragma unroll
        for (int b = 0; b < PAIRS; b++)
            x = scan_innovation<2>(pairs + SCAN_NOISE_PAIR * b, f_pairs + 2 * b, x);
#pragma unroll
        for (int b = 0; b < TRIPLES; b++)
            x = scan_innovation<3>(triples + SCAN_NOISE_TRIPLE * b, f_triples + 3 * b, x);
#pragma unroll
        for (int b = 0; b < SINGLES; b++)
            scan_remember<1>(row + SCAN_NOISE_SINGLE * b, x, f + b);
#pragma unroll
        for (int b = 0; b < PAIRS; b++)
            scan_remember<2>(pairs + SCAN_NOISE_PAIR * b, x, f_pairs + 2 * b);
#pragma unroll
        for (int b = 0; b < TRIPLES; b++)
            scan_remember<3>(triples + SCAN_NOISE_TRIPLE * b, x, f_triples + 3 * b);
        return x;
    }
    __device__ void whiten(const row &here, state *memory, real *x, real *y) const
    {
        *x = whiten_one(here.value, *x, memory->x);
        *y = whiten_one(here.value, *y, memory->y);
    }
};

/* Blocks of any number and size. Their rows are read where they are, and states spill. */
struct scan_noise_any {
    static constexpr unsigned LENGTH = 0;
    typedef const real *row;
    struct state {
        real x[BACKEND_SCAN_MOST_STATES], y[BACKEND_SCAN_MOST_STATES];
        __device__ void clear()
        {
            for (int i = 0; i < BACKEND_SCAN_MOST_STATES; i++)
                x[i] = y[i] = 0;
        }
    };
    const real *rows;
    unsigned length;
    scan_noise_shape shape;

    __device__ scan_noise_any(const scan_problem &scan, const real *)
        : rows((const real *)scan.noise_rows), length(scan.noise_length), shape(scan.noise)
    {
    }
    __device__ row row_at(unsigned first, unsigned k) const
    {
        return rows + (size_t)(first + k) * length;
    }
    __device__ real whiten_one(const real *row, real x, real *f) const
    {
        const real *pairs = row + SCAN_NOISE_SINGLE * shape.n_singles;
        const real *triples = pairs + SCAN_NOISE_PAIR * shape.n_pairs;
        real *f_pairs = f + shape.n_singles, *f_triples = f_pairs + 2 * shape.n_pairs;
        for (int b = 0; b < shape.n_singles; b++)
            x = scan_innovation<1>(row + SCAN_NOISE_SINGLE * b, f + b, x);
        for (int b = 0; b < shape.n_pairs; b++)
            x = scan_innovation<2>(pairs + SCAN_NOISE_PAIR * b, f_pairs + 2 * b, x);
        for (int b = 0; b < shape.n_triples; b++)
            x = scan_innovation<3>(triples + SCAN_NOISE_TRIPLE * b, f_triples + 3 * b, x);
        for (int b = 0; b < shape.n_singles; b++)
            scan_remember<1>(row + SCAN_NOISE_SINGLE * b, x, f + b);
        for (int b = 0; b < shape.n_pairs; b++)
            scan_remember<2>(pairs + SCAN_NOISE_PAIR * b, x, f_pairs + 2 * b);
        for (int b = 0; b < shape.n_triples; b++)
            scan_remember<3>(triples + SCAN_NOISE_TRIPLE * b, x, f_triples + 3 * b);
        return x;
    }
    __device__ void whiten(row here, state *memory, real *x, real *y) const
    {
        *x = whiten_one(here, *x, memory->x);
        *y = whiten_one(here, *y, memory->y);
    }
};

#endif
