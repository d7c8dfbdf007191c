/* The threads that work on one set together: those of a block, or, where a set has many
 * observations, those of all blocks of a cluster, which GPUs have from compute capability 9 on. A
 * set is in the GPU's memory, so that the two differ only in how threads wait for each other and
 * in how they add up. */
#ifndef EQUANT_BACKENDS_CUDA_DERIVATIVES_TEAM_CUH
#define EQUANT_BACKENDS_CUDA_DERIVATIVES_TEAM_CUH

#include "lanes/cuda.h"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define TEAM_HAS_CLUSTERS 1
#else
#define TEAM_HAS_CLUSTERS 0
#endif

/* Of a block; how many there are, the launch says. */
#define TEAM_MOST_THREADS 256
#define TEAM_MOST_WARPS (TEAM_MOST_THREADS / 32)

#if TEAM_HAS_CLUSTERS
LANE_FUNCTION unsigned team_n_blocks()
{
    return cooperative_groups::cluster_group::num_blocks();
}

LANE_FUNCTION unsigned team_block()
{
    return cooperative_groups::cluster_group::block_rank();
}

/* All have come here, and see what the others have written. */
LANE_FUNCTION void team_wait()
{
    if (team_n_blocks() > 1)
        cooperative_groups::cluster_group::sync();
    else
        __syncthreads();
}

/* The same place in the shared memory of another block. */
LANE_FUNCTION const double *team_shared_of(double *own, unsigned block)
{
    return cooperative_groups::cluster_group::map_shared_rank(own, (int)block);
}
#else
LANE_FUNCTION unsigned team_n_blocks()
{
    return 1;
}

LANE_FUNCTION unsigned team_block()
{
    return 0;
}

LANE_FUNCTION void team_wait()
{
    __syncthreads();
}

LANE_FUNCTION const double *team_shared_of(double *own, unsigned)
{
    return own;
}
#endif

LANE_FUNCTION size_t team_n_threads()
{
    return team_n_blocks() * blockDim.x;
}

LANE_FUNCTION size_t team_thread()
{
    return team_block() * blockDim.x + threadIdx.x;
}

LANE_FUNCTION size_t team_n_warps()
{
    return team_n_threads() / 32;
}

LANE_FUNCTION size_t team_warp()
{
    return team_thread() / 32;
}

/* Replaces terms of the threads by their sums over the team. */
template <int N> LANE_FUNCTION void team_sum(double (&terms)[N])
{
    __shared__ double partial[TEAM_MOST_WARPS][N], whole[N];
#pragma unroll
    for (int i = 0; i < N; i++)
        for (int distance = 16; distance > 0; distance /= 2)
            terms[i] += __shfl_xor_sync(0xffffffffu, terms[i], distance);
    if (threadIdx.x % 32 == 0)
        for (int i = 0; i < N; i++)
            partial[threadIdx.x / 32][i] = terms[i];
    __syncthreads();
    for (int i = 0; i < N; i++) {
        terms[i] = partial[0][i];
        for (unsigned warp = 1; warp < blockDim.x / 32; warp++)
            terms[i] += partial[warp][i];
    }
    if (team_n_blocks() > 1) {
        for (int i = 0; i < N && threadIdx.x == 0; i++)
            whole[i] = terms[i];
        team_wait();
        for (int i = 0; i < N; i++) {
            terms[i] = *team_shared_of(&whole[i], 0);
            for (unsigned block = 1; block < team_n_blocks(); block++)
                terms[i] += *team_shared_of(&whole[i], block);
        }
    }
    team_wait(); /* all have read */
}

#endif
