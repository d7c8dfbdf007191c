/* Discrete Fourier transforms, one per lane: as many sequences side by side as there are lanes. */
#ifndef EQUANT_BACKENDS_CPU_FOLD_FOURIER_LOOP_H
#define EQUANT_BACKENDS_CPU_FOLD_FOURIER_LOOP_H

#include "backends/cpu/fold/fourier_plan.h"
#include "physics/lane.h"

/* Complex numbers; in memory [2][lanes]. */
typedef struct fourier_number {
    f32 re, im;
} fourier_number;

enum { FOURIER_STRIDE = 2 * F32_LANES };

LANE_FUNCTION fourier_number fourier_load(const float *p)
{
    return (fourier_number){f32_load(p), f32_load(p + F32_LANES)};
}

LANE_FUNCTION void fourier_store(float *p, fourier_number a)
{
    f32_store(p, a.re);
    f32_store(p + F32_LANES, a.im);
}

LANE_FUNCTION fourier_number fourier_add(fourier_number a, fourier_number b)
{
    return (fourier_number){a.re + b.re, a.im + b.im};
}

LANE_FUNCTION fourier_number fourier_subtract(fourier_number a, fourier_number b)
{
    return (fourier_number){a.re - b.re, a.im - b.im};
}

/* a + x b, x real. */
LANE_FUNCTION fourier_number fourier_fma(f32 x, fourier_number b, fourier_number a)
{
    return (fourier_number){lane_fma(x, b.re, a.re), lane_fma(x, b.im, a.im)};
}

/* a - i b and a + i b. */
LANE_FUNCTION fourier_number fourier_minus_i(fourier_number a, fourier_number b)
{
    return (fourier_number){a.re + b.im, a.im - b.re};
}

LANE_FUNCTION fourier_number fourier_plus_i(fourier_number a, fourier_number b)
{
    return (fourier_number){a.re - b.im, a.im + b.re};
}

LANE_FUNCTION fourier_number fourier_turn(fourier_number a, const float *factor)
{
    f32 c = F32(factor[0]), s = F32(factor[1]);
    return (fourier_number){lane_fma(a.re, c, -(a.im * s)), lane_fma(a.im, c, a.re * s)};
}

LANE_FUNCTION void fourier_two(fourier_number *a)
{
    fourier_number sum = fourier_add(a[0], a[1]);
    a[1] = fourier_subtract(a[0], a[1]);
    a[0] = sum;
}

LANE_FUNCTION void fourier_three(fourier_number *a)
{
    const f32 root = F32(0.86602540378443865), half = F32(-0.5);
    fourier_number sum = fourier_add(a[1], a[2]), difference = fourier_subtract(a[1], a[2]);
    fourier_number middle = fourier_fma(half, sum, a[0]);
    fourier_number across = {root * difference.re, root * difference.im};
    a[0] = fourier_add(a[0], sum);
    a[1] = fourier_minus_i(middle, across);
    a[2] = fourier_plus_i(middle, across);
}

LANE_FUNCTION void fourier_four(fourier_number *a)
{
    fourier_number even = fourier_add(a[0], a[2]), even_less = fourier_subtract(a[0], a[2]);
    fourier_number odd = fourier_add(a[1], a[3]), odd_less = fourier_subtract(a[1], a[3]);
    a[0] = fourier_add(even, odd);
    a[1] = fourier_minus_i(even_less, odd_less);
    a[2] = fourier_subtract(even, odd);
    a[3] = fourier_plus_i(even_less, odd_less);
}

/* Cosines and sines of one and two fifths of a turn. */
LANE_FUNCTION void fourier_five(fourier_number *a)
{
    const f32 c1 = F32(0.30901699437494742), c2 = F32(-0.80901699437494742);
    const f32 s1 = F32(0.95105651629515357), s2 = F32(0.58778525229247313);
    fourier_number zero = a[0];
    fourier_number sum1 = fourier_add(a[1], a[4]), less1 = fourier_subtract(a[1], a[4]);
    fourier_number sum2 = fourier_add(a[2], a[3]), less2 = fourier_subtract(a[2], a[3]);
    fourier_number middle1 = fourier_fma(c2, sum2, fourier_fma(c1, sum1, zero));
    fourier_number middle2 = fourier_fma(c1, sum2, fourier_fma(c2, sum1, zero));
    fourier_number across1 = {lane_fma(s2, less2.re, s1 * less1.re),
                              lane_fma(s2, less2.im, s1 * less1.im)};
    fourier_number across2 = {lane_fma(-s1, less2.re, s2 * less1.re),
                              lane_fma(-s1, less2.im, s2 * less1.im)};
    a[0] = fourier_add(zero, fourier_add(sum1, sum2));
    a[1] = fourier_minus_i(middle1, across1);
    a[2] = fourier_minus_i(middle2, across2);
    a[3] = fourier_plus_i(middle2, across2);
    a[4] = fourier_plus_i(middle1, across1);
}

/* Number k of all parts of a block. The radix is a constant where it is called. */
LANE_FUNCTION void fourier_across(size_t radix, size_t n_inner, float *block, const float *factors)
{
    fourier_number a[5];
    for (size_t q = 0; q < radix; q++)
        a[q] = fourier_load(block + q * n_inner * FOURIER_STRIDE);
    if (radix == 2)
        fourier_two(a);
    else if (radix == 3)
        fourier_three(a);
    else if (radix == 4)
        fourier_four(a);
    else
        fourier_five(a);
    for (size_t q = 0; q < radix; q++)
        fourier_store(block + q * n_inner * FOURIER_STRIDE,
                      factors && q > 0 ? fourier_turn(a[q], factors + 2 * (q - 1)) : a[q]);
}

LANE_FUNCTION void fourier_pass_of(size_t radix, const fourier_pass *pass, const float *factors,
                                   float *numbers)
{
    for (size_t b = 0; b < pass->n_blocks; b++) {
        float *block = numbers + b * radix * pass->n_inner * FOURIER_STRIDE;
        const float *factor = factors;
        fourier_across(radix, pass->n_inner, block, NULL);
        for (size_t k = 1; k < pass->n_inner; k++, factor += 2 * (radix - 1))
            fourier_across(radix, pass->n_inner, block + k * FOURIER_STRIDE, factor);
    }
}

/* sum_k a_k exp(-2 pi i j k / length) in place of numbers[length]; result j is at places[j]. */
static void fourier_transform(const fourier_plan *plan, float *numbers)
{
    for (size_t i = 0; i < plan->n_passes; i++) {
        const fourier_pass *pass = &plan->passes[i];
        const float *factors = plan->factors + pass->factors;
        if (pass->radix == 2)
            fourier_pass_of(2, pass, factors, numbers);
        else if (pass->radix == 3)
            fourier_pass_of(3, pass, factors, numbers);
        else if (pass->radix == 4)
            fourier_pass_of(4, pass, factors, numbers);
        else
            fourier_pass_of(5, pass, factors, numbers);
    }
}

#endif
