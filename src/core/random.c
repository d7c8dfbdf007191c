/* Random numbers for callers: arrays of consecutive draws of one stream. */
#include "statistics/random_draw.h"

#include "core/status_fail.h"

static equant_status check_request(uint64_t first, size_t n, const double *out)
{
    if (n == 0)
        return EQUANT_SUCCESS;
    if (out == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "random numbers need an array to be written to");
    if (first > UINT64_MAX - (n - 1))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a random stream ends at draw 2^64 - 1, and the request passes it");
    return EQUANT_SUCCESS;
}

static void fill_uniform(random_stream stream, uint64_t first, size_t n, double *out)
{
    size_t done = 0;
    if (n > 0 && (first & 1) != 0)
        out[done++] = random_uniforms_at(stream, first >> 1).half[1];
    for (; done + 1 < n; done += 2) {
        random_uniforms drawn = random_uniforms_at(stream, (first + done) >> 1);
        out[done] = drawn.half[0];
        out[done + 1] = drawn.half[1];
    }
    if (done < n)
        out[done] = random_uniforms_at(stream, (first + done) >> 1).half[0];
}

equant_status equant_random_uniform(uint64_t seed, uint32_t purpose, uint64_t first, size_t n,
                                    double *out)
{
    equant_status status = check_request(first, n, out);
    if (status != EQUANT_SUCCESS)
        return status;
    random_stream stream = {.seed = seed, .purpose = purpose, .substream = 0};
    fill_uniform(stream, first, n, out);
    return EQUANT_SUCCESS;
}

equant_status equant_random_normal(uint64_t seed, uint32_t purpose, uint64_t first, size_t n,
                                   double *out)
{
    equant_status status = equant_random_uniform(seed, purpose, first, n, out);
    if (status != EQUANT_SUCCESS)
        return status;
    for (size_t i = 0; i < n; i++)
        out[i] = random_normal_quantile(out[i]);
    return EQUANT_SUCCESS;
}
