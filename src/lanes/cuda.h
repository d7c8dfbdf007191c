/* Lanes of one for a CUDA thread. Single-precision division, root, logarithm, sine and cosine
 * are the approximations of the hardware; everything else rounds as IEEE 754 says. */
#ifndef EQUANT_LANES_CUDA_H
#define EQUANT_LANES_CUDA_H

#include "physics/lane.h"

#define F64_LANES 1
#define F32_LANES 1
#define LANE_HAS_LOG2 1
#define LANE_HAS_SIN_COS 1
#define LANE_HAS_LOW_WORD 1
#define LANE_HAS_ROUND_PRODUCT 1
typedef double f64;
typedef float f32;
typedef bool f64_mask;
typedef bool f32_mask;

/* What _Generic is to C: the function for the type of the first argument. */
template <class A, class B> __device__ constexpr A lane_pick(f32, A for_f32, B)
{
    return for_f32;
}
template <class A, class B> __device__ constexpr B lane_pick(f64, A, B for_f64)
{
    return for_f64;
}

/* Everything that reads the same for both widths. */
#define CUDA_LANES(type)                                                                           \
    LANE_FUNCTION type type##_load(const type *p)                                                  \
    {                                                                                              \
        return *p;                                                                                 \
    }                                                                                              \
    LANE_FUNCTION void type##_store(type *p, type a)                                               \
    {                                                                                              \
        *p = a;                                                                                    \
    }                                                                                              \
    LANE_FUNCTION constexpr type type##_broadcast(type x)                                          \
    {                                                                                              \
        return x;                                                                                  \
    }                                                                                              \
    LANE_FUNCTION type type##_min(type a, type b)                                                  \
    {                                                                                              \
        return a < b ? a : b;                                                                      \
    }                                                                                              \
    LANE_FUNCTION type type##_max(type a, type b)                                                  \
    {                                                                                              \
        return a > b ? a : b;                                                                      \
    }                                                                                              \
    LANE_FUNCTION bool type##_less(type a, type b)                                                 \
    {                                                                                              \
        return a < b;                                                                              \
    }                                                                                              \
    LANE_FUNCTION type type##_select(bool m, type a, type b)                                       \
    {                                                                                              \
        return m ? a : b;                                                                          \
    }                                                                                              \
    LANE_FUNCTION int type##_any(bool m)                                                           \
    {                                                                                              \
        return m;                                                                                  \
    }

CUDA_LANES(f64)
CUDA_LANES(f32)

LANE_FUNCTION f64 f64_fma(f64 a, f64 b, f64 c)
{
    return __fma_rn(a, b, c);
}
LANE_FUNCTION f32 f32_fma(f32 a, f32 b, f32 c)
{
    return __fmaf_rn(a, b, c);
}
/* 1/b to 40 bits: the 20 of the hardware, and a step of Newton. */
LANE_FUNCTION f64 f64_rough_inverse(f64 b)
{
    f64 inverse;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(inverse) : "d"(b));
    return __fma_rn(inverse, __fma_rn(-b, inverse, 1.0), inverse);
}
/* Good to an ulp or two, at a third of the cost of the library's division, which also looks
 * after quotients that over- or underflow: the hardware's inverse lacks r of being exact, and
 * 1 + r + r^2 makes up for it. */
LANE_FUNCTION f64 f64_divide(f64 a, f64 b)
{
    f64 inverse;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(inverse) : "d"(b));
    f64 quotient = a * inverse, r = __fma_rn(-b, inverse, 1.0);
    return __fma_rn(quotient, __fma_rn(r, r, r), quotient);
}
LANE_FUNCTION f32 f32_divide(f32 a, f32 b)
{
    f32 inverse;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(b));
    return a * inverse;
}
LANE_FUNCTION f64 f64_sqrt(f64 a)
{
    return __dsqrt_rn(a);
}
LANE_FUNCTION f32 f32_sqrt(f32 a)
{
    f32 root;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(a));
    return root;
}
/* Adding and taking away 1.5 * 2^52 rounds to a whole number, below 2^51: two additions
 * where the rounding instruction has a sixteenth of their throughput. */
#define CUDA_ROUND 6755399441055744.0
LANE_FUNCTION f64 f64_round(f64 a)
{
    return __dadd_rn(__dadd_rn(a, CUDA_ROUND), -CUDA_ROUND);
}
LANE_FUNCTION f64 f64_round_product(f64 a, f64 b)
{
    return __dadd_rn(__fma_rn(a, b, CUDA_ROUND), -CUDA_ROUND);
}
LANE_FUNCTION f32 f32_round(f32 a)
{
    return rintf(a);
}
LANE_FUNCTION f64 f64_abs(f64 a)
{
    return fabs(a);
}
LANE_FUNCTION f32 f32_abs(f32 a)
{
    return fabsf(a);
}
LANE_FUNCTION f64 f64_flip_sign(f64 a, f64 s)
{
    int high = __double2hiint(a) ^ (__double2hiint(s) & (int)0x80000000);
    return __hiloint2double(high, __double2loint(a));
}
LANE_FUNCTION f32 f32_flip_sign(f32 a, f32 s)
{
    return __int_as_float(__float_as_int(a) ^ (__float_as_int(s) & (int)0x80000000));
}

LANE_FUNCTION f64 f64_exponent(f64 a)
{
    return (double)((__double2hiint(a) >> 20) - 1023);
}
LANE_FUNCTION f64 f64_mantissa(f64 a)
{
    return __hiloint2double((__double2hiint(a) & 0x000fffff) | 0x3ff00000, __double2loint(a));
}
LANE_FUNCTION f32 f32_exponent(f32 a)
{
    return (float)((__float_as_int(a) >> 23) - 127);
}
LANE_FUNCTION f32 f32_mantissa(f32 a)
{
    return __int_as_float((__float_as_int(a) & 0x007fffff) | 0x3f800000);
}
LANE_FUNCTION f64 f64_power_of_two(f64 k)
{
    return __hiloint2double((__double2int_rn(k) + 1023) << 20, 0);
}
LANE_FUNCTION f32 f32_inverse_cube_root_guess(f32 a)
{
    f32 third = __fmaf_rn((f32)__float_as_int(a), -1.0f / 3.0f, 1419967116.0f);
    return __int_as_float((int)third);
}

LANE_FUNCTION f32 f32_log2(f32 a)
{
    f32 l;
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(l) : "f"(a));
    return l;
}
/* Within 4e-7 on [0, pi]. The unit rounds towards zero: on average a sine lacks up to 1.1e-7 (least
 * beyond pi/2) and a cosine up to 1.6e-7 of its size, in one direction, which a sum over
 * observations would not average out. What is added leaves a third of that. */
LANE_FUNCTION void f32_sin_cos(f32 a, f32 *sine, f32 *cosine)
{
    f32 s, c;
    asm("sin.approx.ftz.f32 %0, %1;" : "=f"(s) : "f"(a));
    asm("cos.approx.ftz.f32 %0, %1;" : "=f"(c) : "f"(a));
    *sine = s + 6e-8f;
    *cosine = __fmaf_rn(c, 6e-8f, c);
}

/* The low 32 bits as a signed whole number. */
LANE_FUNCTION f32 f64_low_word(f64 a)
{
    return (f32)__double2loint(a);
}

LANE_FUNCTION f32 f32_load_narrowed(const double *p)
{
    return (f32)*p;
}
LANE_FUNCTION f64 f64_load_widened(const float *p)
{
    return *p;
}
LANE_FUNCTION void f64_store_narrowed(float *p, f64 a)
{
    *p = (f32)a;
}
LANE_FUNCTION void f32_store_widened(double *p, f32 a)
{
    *p = a;
}

#endif
