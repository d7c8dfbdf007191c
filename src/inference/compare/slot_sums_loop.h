/* The loops of slot_sums.c, compiled for several machines: lanes are frequencies, every operation
 * is one of IEEE 754, and machines agree to the bit. */
#ifndef EQUANT_INFERENCE_COMPARE_SLOT_SUMS_LOOP_H
#define EQUANT_INFERENCE_COMPARE_SLOT_SUMS_LOOP_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SLOT_LANES = 8, SLOT_CHUNK = 4, SLOT_MOST_STATES = 64 };

#define SLOT_INLINE static inline __attribute__((always_inline))

/* Nothing of these types leaves a file. */
#pragma GCC diagnostic ignored "-Wpsabi"

typedef float slot_lane __attribute__((vector_size(4 * SLOT_LANES), aligned(4)));
typedef int32_t slot_word __attribute__((vector_size(4 * SLOT_LANES), aligned(4)));

/* The arrays of slot_sums, and what the noise is. */
typedef struct slot_loop {
    size_t n_obs, n_groups, n_columns; /* columns: the residual and the basis */
    const float *lanes;
    const double *turn, *start;
    double *phase;
    float *circle, *square, *exponent, *factor;
    const float *columns;
    size_t n_states, n_blocks;
    const int *block_states;
    const float *noise; /* rows of: root weight; white noise no more; gains, views, propagators */
    size_t noise_stride;
    size_t n_scales;
    const float *precision; /* 1 / tau^2 */
} slot_loop;

/* Cosines and sines of the next group. */
SLOT_INLINE void slot_loop_turn(const slot_loop *loop)
{
    for (size_t k = 0; k < loop->n_obs; k++) {
        double *phase = loop->phase + 2 * k;
        const double *turn = loop->turn + 2 * k;
        const slot_lane *lane = (const slot_lane *)(loop->lanes + 2 * SLOT_LANES * k);
        slot_lane *circle = (slot_lane *)(loop->circle + 2 * SLOT_LANES * k);
        float re = (float)phase[0], im = (float)phase[1];
        circle[0] = re * lane[0] - im * lane[1];
        circle[1] = re * lane[1] + im * lane[0];
        double next = phase[0] * turn[0] - phase[1] * turn[1];
        phase[1] = phase[0] * turn[1] + phase[1] * turn[0];
        phase[0] = next;
    }
}

SLOT_INLINE void slot_loop_restart(const slot_loop *loop)
{
    memcpy(loop->phase, loop->start, 2 * loop->n_obs * sizeof *loop->phase);
}

/* A block's states times its propagator, of cosine and of sine. */
SLOT_INLINE const float *slot_loop_propagate(int m, const float *r, slot_lane *states)
{
    slot_lane old[3];
    for (int part = 0; part < 2; part++) {
        for (int i = 0; i < m; i++)
            old[i] = states[2 * i + part];
        for (int i = 0; i < m; i++) {
            slot_lane sum = r[i * m] * old[0];
            for (int j = 1; j < m; j++)
                sum += r[i * m + j] * old[j];
            states[2 * i + part] = sum;
        }
    }
    return r + m * m;
}

/* Products of cosine and sine, whitened on the way. */
SLOT_INLINE void slot_loop_square(const slot_loop *loop)
{
    size_t n = loop->n_states;
    slot_loop_restart(loop);
    for (size_t g = 0; g < loop->n_groups; g++) {
        slot_lane state[2 * SLOT_MOST_STATES], before[2] = {{0.0f}}, sum[3] = {{0.0f}};
        memset(state, 0, 2 * n * sizeof *state);
        slot_loop_turn(loop);
        for (size_t k = 0; k < loop->n_obs; k++) {
            const slot_lane *circle = (const slot_lane *)(loop->circle + 2 * SLOT_LANES * k);
            const float *row = loop->noise + k * loop->noise_stride;
            const float *gain = row + 1, *view = gain + n, *r = view + n;
            slot_lane c = circle[0], s = circle[1];
            slot_lane *block = state;
            for (size_t i = 0; i < n; i++) {
                state[2 * i] += gain[i] * before[0];
                state[2 * i + 1] += gain[i] * before[1];
            }
            for (size_t b = 0; b < loop->n_blocks; b++) {
                int m = loop->block_states[b];
                r = m == 1   ? slot_loop_propagate(1, r, block)
                    : m == 2 ? slot_loop_propagate(2, r, block)
                             : slot_loop_propagate(3, r, block);
                block += 2 * m;
            }
            for (size_t i = 0; i < n; i++) {
                c -= view[i] * state[2 * i];
                s -= view[i] * state[2 * i + 1];
            }
            before[0] = c;
            before[1] = s;
            c *= row[0];
            s *= row[0];
            sum[0] += c * c;
            sum[1] += c * s;
            sum[2] += s * s;
        }
        memcpy(loop->square + 3 * SLOT_LANES * g, sum, sizeof sum);
    }
}

/* exp of numbers that are not positive, to seven digits; 0 from -80 on. */
SLOT_INLINE slot_lane slot_loop_exp(slot_lane x)
{
    const slot_lane zero = {0.0f}, limit = zero - 80.0f, magic = zero + 12582912.0f;
    slot_word far = x < limit;
    x = (slot_lane)((~far & (slot_word)x) | (far & (slot_word)limit));
    slot_lane shifted = x * 1.44269504f + magic, whole = shifted - magic;
    slot_lane rest = (x - whole * 0.693359375f) + whole * 2.12194440e-4f;
    slot_lane power = zero + 1.9875691500e-4f;
    power = power * rest + 1.3981999507e-3f;
    power = power * rest + 8.3334519073e-3f;
    power = power * rest + 4.1665795894e-2f;
    power = power * rest + 1.6666665459e-1f;
    power = power * rest + 5.0000001201e-1f;
    power = power * rest * rest + rest + 1.0f;
    slot_word scale = ((slot_word)shifted - (slot_word)magic + 127) << 23;
    return (slot_lane)(~far & (slot_word)(power * (slot_lane)scale));
}

SLOT_INLINE slot_lane slot_loop_root(slot_lane x)
{
    slot_lane made;
    for (int i = 0; i < SLOT_LANES; i++)
        made[i] = sqrtf(x[i]);
    return made;
}

/* From products to the evidence of a group. */
SLOT_INLINE void slot_loop_evidence(const slot_loop *loop, size_t group, slot_lane xx, slot_lane xy,
                                    slot_lane yy, slot_lane xr, slot_lane yr)
{
    slot_lane sum = {0.0f}, largest = {0.0f};
    slot_lane rr_y = xr * xr, rr_x = yr * yr, rr_xy = 2.0f * xr * yr;
    for (size_t i = loop->n_scales; i-- > 0;) { /* the largest scale gains most */
        float p = loop->precision[i];
        slot_lane a = xx + p, d = yy + p, inverse = 1.0f / (a * d - xy * xy);
        slot_lane gain = 0.5f * (rr_y * d - rr_xy * xy + rr_x * a) * inverse;
        if (i + 1 == loop->n_scales)
            largest = gain;
        slot_lane less = gain - largest;
        slot_word above = less > 0.0f;
        less = (slot_lane)(~above & (slot_word)less);
        sum += p * slot_loop_root(inverse) * slot_loop_exp(less);
    }
    sum /= (float)loop->n_scales;
    memcpy(loop->exponent + SLOT_LANES * group, &largest, sizeof largest);
    memcpy(loop->factor + SLOT_LANES * group, &sum, sizeof sum);
}

SLOT_INLINE void slot_loop_run(const slot_loop *loop)
{
    slot_loop_restart(loop);
    for (size_t g = 0; g < loop->n_groups; g++) {
        slot_lane xr = {0.0f}, yr = {0.0f}, xx, xy, yy;
        memcpy(&xx, loop->square + 3 * SLOT_LANES * g, sizeof xx);
        memcpy(&xy, loop->square + 3 * SLOT_LANES * g + SLOT_LANES, sizeof xy);
        memcpy(&yy, loop->square + 3 * SLOT_LANES * g + 2 * SLOT_LANES, sizeof yy);
        slot_loop_turn(loop);
        for (size_t first = 0; first < loop->n_columns; first += SLOT_CHUNK) {
            const float *row = loop->columns + first * loop->n_obs;
            slot_lane c[SLOT_CHUNK] = {{0.0f}}, s[SLOT_CHUNK] = {{0.0f}};
            for (size_t k = 0; k < loop->n_obs; k++, row += SLOT_CHUNK) {
                const slot_lane *circle = (const slot_lane *)(loop->circle + 2 * SLOT_LANES * k);
                for (int j = 0; j < SLOT_CHUNK; j++) {
                    c[j] += row[j] * circle[0];
                    s[j] += row[j] * circle[1];
                }
            }
            for (int j = 0; j < SLOT_CHUNK; j++) {
                if (first == 0 && j == 0) {
                    xr = c[0];
                    yr = s[0];
                } else { /* columns beyond the last are zero */
                    xx -= c[j] * c[j];
                    xy -= c[j] * s[j];
                    yy -= s[j] * s[j];
                }
            }
        }
        slot_lane none = {0.0f};
        xx = (slot_lane)((slot_word)xx & (slot_word)(xx > none));
        yy = (slot_lane)((slot_word)yy & (slot_word)(yy > none));
        slot_word beyond = xy * xy > xx * yy;
        xy = (slot_lane)((slot_word)xy & ~beyond);
        slot_loop_evidence(loop, g, xx, xy, yy, xr, yr);
    }
}

#endif
