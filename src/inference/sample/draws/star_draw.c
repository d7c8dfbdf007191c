#include "inference/sample/draws/star_draw.h"

#include "statistics/random_draw.h"

star_values star_draw_at(const host_star *star, size_t index)
{
    double deviates[N_STAR_PROPERTIES];
    for (size_t i = 0; i < N_STAR_PROPERTIES; i++) {
        random_stream stream = {0, RANDOM_PURPOSE_STAR, 1 + (uint32_t)i};
        deviates[i] = random_normal_quantile(random_uniforms_at(stream, index).half[0]);
    }
    return host_star_at(star, deviates);
}
