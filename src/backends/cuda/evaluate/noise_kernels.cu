/* chi-square and ln L under correlated noise: a thread is a parameter set and goes through the rows
 * in the order of time. In double whatever the precision of the orbits. Small states are in
 * registers, larger ones in local memory. */
#include <math.h>

#include "lanes/cuda.h"
#include "lanes/double.h"

#include "backends/cuda/evaluate/noise_layout.cuh"
#include "physics/chi_square.h"
#include "physics/noise_recursion.h"

#define NOISE_THREADS 64

namespace
{

/* Numbers of blocks that are constants of a kernel; NOISE_FEW: any, up to so many states; NOISE_ANY:
 * as many as there can be. Whether some of them are of one instrument is a constant in any case. */
enum { NOISE_FEW = -1, NOISE_ANY = -2, NOISE_FEW_STATES = 24, NOISE_MOST_STATES = 64 };

template <int PAIRS, int TRIPLES, int SINGLES, bool IS_MASKED = false>
__global__ void __launch_bounds__(NOISE_THREADS)
    noise_kernel(const __grid_constant__ cuda_layout layout,
                 const __grid_constant__ noise_places places, size_t n_sets,
                 const double *__restrict__ memory, const __grid_constant__ cuda_results results)
{
    constexpr bool IS_ANY = PAIRS < 0;
    constexpr int MOST = PAIRS == NOISE_FEW   ? NOISE_FEW_STATES
                         : PAIRS == NOISE_ANY ? NOISE_MOST_STATES
                                              : 2 * PAIRS + 3 * TRIPLES + SINGLES;
    constexpr int MOST_BLOCKS = IS_ANY ? (MOST < NOISE_PLAN_MOST_BLOCKS ? MOST
                                                                        : NOISE_PLAN_MOST_BLOCKS)
                                       : PAIRS + TRIPLES + SINGLES;
    constexpr int MOST_WORDS = NOISE_FIRST_BLOCK_WORD + NOISE_N_WORDS * MOST_BLOCKS;
    const int n_pairs = IS_ANY ? layout.noise.n_pairs : PAIRS;
    const int n_triples = IS_ANY ? layout.noise.n_triples : TRIPLES;
    const int n_singles = IS_ANY ? layout.noise.n_singles : SINGLES;
    const int n = 2 * n_pairs + 3 * n_triples + n_singles;
    const noise_sizes sizes = {n_pairs, n_triples, n_singles, IS_MASKED};
    size_t s = (size_t)blockIdx.x * NOISE_THREADS + threadIdx.x;
    if (s >= n_sets)
        return;
    double words[MOST_WORDS], matrix[NOISE_TRIANGLE(MOST, 0)], state[MOST], gain[MOST];
    noise_turn turns[MOST_BLOCKS];
    NOISE_UNROLL
    for (int i = 0; i < NOISE_FIRST_BLOCK_WORD + NOISE_N_WORDS * (n_pairs + n_triples + n_singles);
         i++)
        words[i] = memory[(places.words + i) * n_sets + s];
    NOISE_UNROLL
    for (int i = 0; i < NOISE_TRIANGLE(n, 0); i++)
        matrix[i] = 0.0;
    NOISE_UNROLL
    for (int i = 0; i < n; i++)
        state[i] = 0.0;
    noise_sums sums = noise_sums_zero();
    const double *residual = memory + places.residuals * n_sets + s;
    double jitter = 0.0;
    int instrument = -1;
#pragma unroll 1
    for (size_t k = 0; k < layout.n_obs; k++) {
        const cuda_noise_row row = layout.noise_rows[k];
        double y = residual[k * n_sets];
        if (row.instrument != instrument) {
            instrument = row.instrument;
            jitter = memory[(places.jitters + instrument) * n_sets + s];
        }
        noise_turns(n_pairs, n_triples, n_singles, &layout.noise, words, row.gap_days,
                    row.forgotten, turns);
        noise_turn_matrix(n_pairs, n_triples, n_singles, turns, matrix);
        noise_turn_state(n_pairs, n_triples, n_singles, turns, state);
        noise_sums_add(&sums, noise_take_row(sizes, words, row.variance + jitter, y, row.seen,
                                             matrix, state, gain));
    }
    double log_likelihood = chi_square_log_likelihood(
        sums.chi2, log_product_logarithm(sums.mantissa, sums.exponent), (double)layout.n_obs);
    bool inside = sums.least > 0.0 && isfinite(log_likelihood);
    if (results.chi_square)
        results.chi_square[s] = inside ? sums.chi2 : INFINITY;
    if (results.log_likelihood)
        results.log_likelihood[s] = inside ? log_likelihood : -INFINITY;
}

using noise_pointer = void (*)(const cuda_layout, const noise_places, size_t, const double *,
                               const cuda_results);

noise_pointer noise_choose(const cuda_layout *layout)
{
    static const noise_pointer small[5][2][3] = {
        {{nullptr, noise_kernel<0, 0, 1>, noise_kernel<0, 0, 2>},
         {noise_kernel<0, 1, 0>, noise_kernel<0, 1, 1>, nullptr}},
        {{noise_kernel<1, 0, 0>, noise_kernel<1, 0, 1>, noise_kernel<1, 0, 2>}, {}},
        {{noise_kernel<2, 0, 0>, noise_kernel<2, 0, 1>, noise_kernel<2, 0, 2>},
         {noise_kernel<2, 1, 0>, noise_kernel<2, 1, 1>, nullptr}},
        {{noise_kernel<3, 0, 0>, noise_kernel<3, 0, 1>, noise_kernel<3, 0, 2>}, {}},
        {{noise_kernel<4, 0, 0>, noise_kernel<4, 0, 1>, nullptr}, {}},
    };
    /* Where some of it is of one instrument, slow drifts apart. */
    static const noise_pointer masked[4][3] = {
        {nullptr, noise_kernel<0, 0, 1, true>, noise_kernel<0, 0, 2, true>},
        {noise_kernel<1, 0, 0, true>, noise_kernel<1, 0, 1, true>, nullptr},
        {noise_kernel<2, 0, 0, true>, noise_kernel<2, 0, 1, true>, nullptr},
        {noise_kernel<3, 0, 0, true>, noise_kernel<3, 0, 1, true>, noise_kernel<3, 0, 2, true>},
    };
    const noise_plan &plan = layout->noise;
    noise_pointer own = nullptr;
    const bool is_few =
        2 * plan.n_pairs + 3 * plan.n_triples + plan.n_singles <= NOISE_FEW_STATES;
    if (plan.is_masked) {
        if (plan.n_pairs < 4 && plan.n_triples == 0 && plan.n_singles < 3)
            own = masked[plan.n_pairs][plan.n_singles];
        return own       ? own
               : is_few  ? noise_kernel<NOISE_FEW, 0, 0, true>
                         : noise_kernel<NOISE_ANY, 0, 0, true>;
    }
    if (plan.n_pairs < 5 && plan.n_triples < 2 && plan.n_singles < 3)
        own = small[plan.n_pairs][plan.n_triples][plan.n_singles];
    return own ? own : is_few ? noise_kernel<NOISE_FEW, 0, 0> : noise_kernel<NOISE_ANY, 0, 0>;
}

} // namespace

void noise_recursion_launch(const cuda_layout *layout, const noise_places *places, size_t n_sets,
                            const double *memory, const cuda_results *results, void *stream)
{
    unsigned n = (unsigned)((n_sets + NOISE_THREADS - 1) / NOISE_THREADS);
    if (results->chi_square || results->log_likelihood)
        noise_choose(layout)<<<n, NOISE_THREADS, 0, (cudaStream_t)stream>>>(
            *layout, *places, n_sets, memory, *results);
}

cuda_function noise_recursion_function(const cuda_layout *layout)
{
    return {"noise", (const void *)noise_choose(layout), NOISE_THREADS, 0};
}
