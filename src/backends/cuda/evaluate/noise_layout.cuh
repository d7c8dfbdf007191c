/* What the kernels of correlated noise keep of each set in working memory, [word][set]: constants
 * of its planets, words of its noise, squares of its jitters, residuals in the order of time. */
#ifndef EQUANT_BACKENDS_CUDA_EVALUATE_NOISE_LAYOUT_CUH
#define EQUANT_BACKENDS_CUDA_EVALUATE_NOISE_LAYOUT_CUH

#include "backends/cuda/layout.h"

struct noise_places {
    size_t words, jitters, residuals, n; /* of the first of each, and of all of them */
};

static inline __host__ __device__ noise_places noise_places_of(const cuda_layout &layout,
                                                               size_t words_of_planet)
{
    noise_places places;
    places.words = words_of_planet * layout.model.n_planets;
    places.jitters = places.words + (size_t)layout.n_noise_words;
    places.residuals = places.jitters + layout.n_segments;
    places.n = places.residuals + layout.n_obs;
    return places;
}

/* The recursion over what lies there: one kernel for all precisions (noise.cu). */
extern "C" {
void noise_recursion_launch(const cuda_layout *layout, const noise_places *places, size_t n_sets,
                            const double *memory, const cuda_results *results, void *stream);
cuda_function noise_recursion_function(const cuda_layout *layout);
}

#endif
