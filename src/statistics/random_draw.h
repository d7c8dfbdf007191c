/* Counter-based random numbers: a draw is a pure function of its address, so
 * that threads, batches, devices and ranks never change it. Plain C that also
 * compiles as CUDA; it knows no object of the library.
 *
 * The generator is Philox4x32-10 (Salmon et al. 2011, "Parallel random numbers:
 * as easy as 1, 2, 3", SC11), from the Random123 headers. Its 64-bit key and
 * 128-bit counter are filled with the address of a draw, never with the number
 * of a thread, a device or a rank:
 *
 *   key[0], key[1]          seed, low and high 32 bits
 *   counter[0], counter[1]  index, low and high 32 bits
 *   counter[2]              purpose: what the numbers are for
 *   counter[3]              substream: 0 in the streams that callers of
 *                           equant_random_... name, 1 and up inside the library
 *
 * An index stands for four 32-bit words w, which make two doubles: half 0 comes from
 * w[0] + 2^32 w[1], half 1 from w[2] + 2^32 w[3]. Draw i of a stream is half
 * i mod 2 of index i / 2. */
#ifndef EQUANT_STATISTICS_RANDOM_DRAW_H
#define EQUANT_STATISTICS_RANDOM_DRAW_H

#include <stdint.h>

#if defined(__CUDACC__) && !defined(__CUDA_ARCH__)
/* The host's half of a CUDA file does without exceptions and without anything of the C++
 * library, so that C programs link to it; the streams that <iostream> would make are neither. */
#include <istream>
#include <ostream>
#define _GLIBCXX_IOSTREAM 1
#define R123_USE_SSE 0
#define R123_THROW(x) __builtin_trap()
#endif
#include <Random123/philox.h>

#define RANDOM_INLINE R123_STATIC_INLINE R123_CUDA_DEVICE

/* Purposes of the library's own streams, all with substreams of 1 and up. */
enum random_purpose {
    RANDOM_PURPOSE_ORBITS = 1,      /* substream 1 + planet, index 3 system + element / 2 */
    RANDOM_PURPOSE_FALSE_ALARM = 2, /* substream 1, index draw * ceil(n_obs / 2) + obs / 2 */
    RANDOM_PURPOSE_EVOLUTION = 3,   /* substream 1 + island, index 2^20 trial + draw / 2 */
    RANDOM_PURPOSE_MOVES = 4,       /* substream 1 + walker, index 2^14 step + draw / 2 */
    RANDOM_PURPOSE_SWAPS = 5,       /* substream 1 + walker, index 2 step; or group, 2 step + 1 */
    RANDOM_PURPOSE_SCHEDULE = 6,    /* substream 1, index step */
    RANDOM_PURPOSE_PRIOR = 7,       /* substream 1 + column / 2, index draw */
    RANDOM_PURPOSE_START = 8,       /* substream 1, index 2^20 population + mode;
                                       or 2 + walker, 2^20 trial + draw / 2 */
    RANDOM_PURPOSE_NOISE = 9,       /* substream 1, index draw * ceil(n_rows / 2) + row / 2; or 2,
                                       176 setting + parameter / 2 */
    RANDOM_PURPOSE_COUNT = 10,      /* substream 1 + population, index 2^24 sweep + draw */
    RANDOM_PURPOSE_EVIDENCE = 11,   /* substream 1 + population, index 2^14 point + draw / 2 */
    RANDOM_PURPOSE_SKY = 12,        /* substream 1, index 64 draw + number / 2: linear parameters;
                                       or 2 + trial, 64 walker + number / 2: starts */
    RANDOM_PURPOSE_STAR = 13,       /* substream 1 + property, index draw; of seed 0 */
    RANDOM_PURPOSE_TRIALS = 14      /* substream 1 + use, index 2^24 star + draw */
};

/* The stream that a draw belongs to. */
typedef struct random_stream {
    uint64_t seed;
    uint32_t purpose;
    uint32_t substream;
} random_stream;

/* The two uniform draws of an index. */
typedef struct random_uniforms {
    double half[2];
} random_uniforms;

/* A double in (0, 1), both ends excluded, from 64 random bits: the middle of one
 * of 2^52 equal cells. With 2^53 cells the middle of the last one would not be a
 * double and would round to 1. */
RANDOM_INLINE double random_uniform_from_bits(uint64_t bits)
{
    return ((double)(bits >> 12) + 0.5) * 0x1p-52;
}

/* The two uniform draws 2 index and 2 index + 1 of a stream. */
RANDOM_INLINE random_uniforms random_uniforms_at(random_stream stream, uint64_t index)
{
    philox4x32_ctr_t counter = {
        {(uint32_t)index, (uint32_t)(index >> 32), stream.purpose, stream.substream}};
    philox4x32_key_t key = {{(uint32_t)stream.seed, (uint32_t)(stream.seed >> 32)}};
    philox4x32_ctr_t words = philox4x32(counter, key);
    random_uniforms drawn;
    drawn.half[0] = random_uniform_from_bits(words.v[0] | (uint64_t)words.v[1] << 32);
    drawn.half[1] = random_uniform_from_bits(words.v[2] | (uint64_t)words.v[3] << 32);
    return drawn;
}

/* random_normal_quantile(uniform), the standard normal deviate below which a fraction `uniform`
 * in (0, 1) lies: one uniform draw makes one normal draw, so both have the same address. */
#include "statistics/normal_quantile.h"

#endif
