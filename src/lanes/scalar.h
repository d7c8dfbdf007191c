/* Lanes of one: plain C on any machine. A CUDA thread sees the formulas this way too. */
#ifndef EQUANT_LANES_SCALAR_H
#define EQUANT_LANES_SCALAR_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "physics/lane.h"

#define F64_LANES 1
#define F32_LANES 1
typedef double f64;
typedef float f32;
typedef int f64_mask;
typedef int f32_mask;

/* Everything that reads the same for both widths. */
#define SCALAR_LANES(type, element, fma_, sqrt_, rint_, fabs_, copysign_)                          \
    LANE_FUNCTION type type##_load(const element *p)                                               \
    {                                                                                              \
        return *p;                                                                                 \
    }                                                                                              \
    LANE_FUNCTION void type##_store(element *p, type a)                                            \
    {                                                                                              \
        *p = a;                                                                                    \
    }                                                                                              \
    LANE_FUNCTION type type##_broadcast(element x)                                                 \
    {                                                                                              \
        return x;                                                                                  \
    }                                                                                              \
    LANE_FUNCTION type type##_fma(type a, type b, type c)                                          \
    {                                                                                              \
        return fma_(a, b, c);                                                                      \
    }                                                                                              \
    LANE_FUNCTION type type##_divide(type a, type b)                                               \
    {                                                                                              \
        return a / b;                                                                              \
    }                                                                                              \
    LANE_FUNCTION type type##_sqrt(type a)                                                         \
    {                                                                                              \
        return sqrt_(a);                                                                           \
    }                                                                                              \
    LANE_FUNCTION type type##_round(type a)                                                        \
    {                                                                                              \
        return rint_(a);                                                                           \
    }                                                                                              \
    LANE_FUNCTION type type##_abs(type a)                                                          \
    {                                                                                              \
        return fabs_(a);                                                                           \
    }                                                                                              \
    LANE_FUNCTION type type##_min(type a, type b)                                                  \
    {                                                                                              \
        return a < b ? a : b;                                                                      \
    }                                                                                              \
    LANE_FUNCTION type type##_max(type a, type b)                                                  \
    {                                                                                              \
        return a > b ? a : b;                                                                      \
    }                                                                                              \
    LANE_FUNCTION type type##_flip_sign(type a, type s)                                            \
    {                                                                                              \
        return copysign_(1, s) < 0 ? -a : a;                                                       \
    }                                                                                              \
    LANE_FUNCTION type##_mask type##_less(type a, type b)                                          \
    {                                                                                              \
        return a < b;                                                                              \
    }                                                                                              \
    LANE_FUNCTION type type##_select(type##_mask m, type a, type b)                                \
    {                                                                                              \
        return m ? a : b;                                                                          \
    }                                                                                              \
    LANE_FUNCTION int type##_any(type##_mask m)                                                    \
    {                                                                                              \
        return m;                                                                                  \
    }

SCALAR_LANES(f64, double, fma, sqrt, rint, fabs, copysign)
SCALAR_LANES(f32, float, fmaf, sqrtf, rintf, fabsf, copysignf)

LANE_FUNCTION f32 f32_load_narrowed(const double *p)
{
    return (float)*p;
}
LANE_FUNCTION f64 f64_load_widened(const float *p)
{
    return *p;
}
LANE_FUNCTION void f64_store_narrowed(float *p, f64 a)
{
    *p = (float)a;
}

LANE_FUNCTION void f32_store_widened(double *p, f32 a)
{
    *p = a;
}

LANE_FUNCTION uint32_t f32_bits(f32 a)
{
    uint32_t bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}
LANE_FUNCTION f32 f32_from_bits(uint32_t bits)
{
    f32 a;
    memcpy(&a, &bits, sizeof a);
    return a;
}
LANE_FUNCTION uint64_t f64_bits(f64 a)
{
    uint64_t bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}
LANE_FUNCTION f64 f64_from_bits(uint64_t bits)
{
    f64 a;
    memcpy(&a, &bits, sizeof a);
    return a;
}
LANE_FUNCTION f32 f32_exponent(f32 a)
{
    return (float)(int32_t)(f32_bits(a) >> 23) - 127.0f;
}
LANE_FUNCTION f32 f32_mantissa(f32 a)
{
    return f32_from_bits((f32_bits(a) & 0x007fffffu) | 0x3f800000u);
}
LANE_FUNCTION f64 f64_exponent(f64 a)
{
    return (double)(int64_t)(f64_bits(a) >> 52) - 1023.0;
}
LANE_FUNCTION f64 f64_mantissa(f64 a)
{
    return f64_from_bits((f64_bits(a) & 0x000fffffffffffffu) | 0x3ff0000000000000u);
}

LANE_FUNCTION f64 f64_power_of_two(f64 k)
{
    return f64_from_bits((uint64_t)((int64_t)k + 1023) << 52);
}

/* The bits of a float are nearly its logarithm: minus a third of them, plus a
 * constant, is nearly the inverse cube root. The product is taken in float, which
 * every machine does alike. */
LANE_FUNCTION f32 f32_inverse_cube_root_guess(f32 a)
{
    float third = fmaf((float)(int32_t)f32_bits(a), -1.0f / 3.0f, 1419967116.0f);
    return f32_from_bits((uint32_t)(int32_t)third);
}

#endif
