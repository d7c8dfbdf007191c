/* The random numbers of src/statistics/random_draw.h, drawn on a GPU: the known answers of Philox, and
 * the same bits as on the host for streams and blocks of every size. Without a GPU it says so
 * and is skipped. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>

#include "statistics/random_draw.h"
#include "equant.h"

/* Draws first, first + 1, ... of substream 0: what the public functions give. */
__global__ void draw(uint64_t seed, uint32_t purpose, uint64_t first, size_t n, double *out)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    random_stream stream = {seed, purpose, 0};
    if (i < n)
        out[i] = random_uniforms_at(stream, (first + i) >> 1).half[(first + i) & 1];
}

__global__ void known_answer(philox4x32_ctr_t counter, philox4x32_key_t key, philox4x32_ctr_t *out)
{
    *out = philox4x32(counter, key);
}

static int n_failures;

static void must(cudaError_t error)
{
    if (error != cudaSuccess) {
        printf("%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

/* The vectors that Random123 publishes for philox4x32-10. */
static void check_known_answers()
{
    static const struct {
        philox4x32_ctr_t counter;
        philox4x32_key_t key;
        uint32_t words[4];
    } vectors[] = {
        {{{0, 0, 0, 0}}, {{0, 0}}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}},
         {{0xffffffff, 0xffffffff}},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
         {{0xa4093822, 0x299f31d0}},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    philox4x32_ctr_t *device, words;
    must(cudaMalloc((void **)&device, sizeof words));
    for (const auto &vector : vectors) {
        known_answer<<<1, 1>>>(vector.counter, vector.key, device);
        must(cudaMemcpy(&words, device, sizeof words, cudaMemcpyDeviceToHost));
        if (memcmp(words.v, vector.words, sizeof vector.words) != 0) {
            printf("a known answer of philox4x32-10 is wrong on the device\n");
            n_failures++;
        }
    }
    must(cudaFree(device));
}

static void check_stream(uint64_t seed, uint32_t purpose, uint64_t first)
{
    const size_t n = 100003;
    std::vector<double> expected(n), found(n);
    double *device;
    must(cudaMalloc((void **)&device, n * sizeof(double)));
    draw<<<(unsigned)((n + 255) / 256), 256>>>(seed, purpose, first, n, device);
    must(cudaMemcpy(found.data(), device, n * sizeof(double), cudaMemcpyDeviceToHost));
    must(cudaFree(device));
    equant_status status = equant_random_uniform(seed, purpose, first, n, expected.data());
    if (status != EQUANT_SUCCESS || memcmp(expected.data(), found.data(), n * sizeof(double))) {
        printf("stream (%llu, %u) from draw %llu differs between host and device\n",
               (unsigned long long)seed, (unsigned)purpose, (unsigned long long)first);
        n_failures++;
    }
}

int main()
{
    int n_devices = 0;
    if (cudaGetDeviceCount(&n_devices) != cudaSuccess || n_devices == 0) {
        printf("SKIP: there is no GPU here\n");
        return 77;
    }
    check_known_answers();
    check_stream(0, 0, 0);
    check_stream(2008, 1, 1);
    check_stream(0xffffffffffffffffu, 0xffffffffu, 0xffffffff00000001u);
    check_stream(1, 7, 0x1fffffffdu); /* the block passes 2^32 */
    printf(n_failures ? "%d failures\n" : "the device draws the numbers of the host\n", n_failures);
    return n_failures != 0;
}
