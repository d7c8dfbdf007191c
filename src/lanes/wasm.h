/* Lanes of WebAssembly: two doubles, four floats. The one relaxed instruction is the product that
 * is fused where the processor can: machines/wasm_available.c asks it. All others give the same
 * bits everywhere. Without relaxed instructions the C library fuses, one number at a time. */
#ifndef EQUANT_LANES_WASM_H
#define EQUANT_LANES_WASM_H

#include <math.h>
#include <wasm_simd128.h>

#include "physics/lane.h"

#define F64_LANES 2
#define F32_LANES 4
typedef double f64 __attribute__((vector_size(16)));
typedef float f32 __attribute__((vector_size(16)));
typedef long long f64_mask __attribute__((vector_size(16)));
typedef int f32_mask __attribute__((vector_size(16)));

#ifdef __wasm_relaxed_simd__
LANE_FUNCTION f64 f64_fma(f64 a, f64 b, f64 c)
{
    return (f64)wasm_f64x2_relaxed_madd((v128_t)a, (v128_t)b, (v128_t)c);
}
LANE_FUNCTION f32 f32_fma(f32 a, f32 b, f32 c)
{
    return (f32)wasm_f32x4_relaxed_madd((v128_t)a, (v128_t)b, (v128_t)c);
}
#else
LANE_CALL f64 f64_fma(f64 a, f64 b, f64 c)
{
    return (f64){fma(a[0], b[0], c[0]), fma(a[1], b[1], c[1])};
}
LANE_CALL f32 f32_fma(f32 a, f32 b, f32 c)
{
    return (f32){fmaf(a[0], b[0], c[0]), fmaf(a[1], b[1], c[1]), fmaf(a[2], b[2], c[2]),
                 fmaf(a[3], b[3], c[3])};
}
#endif

/* Everything that differs only in a suffix. */
#define WASM_LANES(type, element, suffix, sign)                                                    \
    LANE_FUNCTION type type##_load(const element *p)                                               \
    {                                                                                              \
        return (type)wasm_v128_load(p);                                                            \
    }                                                                                              \
    LANE_FUNCTION void type##_store(element *p, type a)                                            \
    {                                                                                              \
        wasm_v128_store(p, (v128_t)a);                                                             \
    }                                                                                              \
    LANE_FUNCTION type type##_broadcast(element x)                                                 \
    {                                                                                              \
        return (type)wasm_##suffix##_splat(x);                                                     \
    }                                                                                              \
    LANE_FUNCTION type type##_divide(type a, type b)                                               \
    {                                                                                              \
        return a / b;                                                                              \
    }                                                                                              \
    LANE_FUNCTION type type##_sqrt(type a)                                                         \
    {                                                                                              \
        return (type)wasm_##suffix##_sqrt((v128_t)a);                                              \
    }                                                                                              \
    LANE_FUNCTION type type##_round(type a)                                                        \
    {                                                                                              \
        return (type)wasm_##suffix##_nearest((v128_t)a);                                           \
    }                                                                                              \
    LANE_FUNCTION type type##_abs(type a)                                                          \
    {                                                                                              \
        return (type)wasm_##suffix##_abs((v128_t)a);                                               \
    }                                                                                              \
    LANE_FUNCTION type##_mask type##_less(type a, type b)                                          \
    {                                                                                              \
        return a < b;                                                                              \
    }                                                                                              \
    LANE_FUNCTION type type##_select(type##_mask m, type a, type b)                                \
    {                                                                                              \
        return (type)wasm_v128_bitselect((v128_t)a, (v128_t)b, (v128_t)m);                         \
    }                                                                                              \
    LANE_FUNCTION type type##_min(type a, type b)                                                  \
    {                                                                                              \
        return type##_select(a < b, a, b);                                                         \
    }                                                                                              \
    LANE_FUNCTION type type##_max(type a, type b)                                                  \
    {                                                                                              \
        return type##_select(a > b, a, b);                                                         \
    }                                                                                              \
    LANE_FUNCTION type type##_flip_sign(type a, type s)                                            \
    {                                                                                              \
        return (type)((type##_mask)a ^ ((type##_mask)s & (type##_mask)type##_broadcast(sign)));    \
    }                                                                                              \
    LANE_FUNCTION int type##_any(type##_mask m)                                                    \
    {                                                                                              \
        return wasm_v128_any_true((v128_t)m);                                                      \
    }

WASM_LANES(f64, double, f64x2, -0.0)
WASM_LANES(f32, float, f32x4, -0.0f)

LANE_FUNCTION f32 f32_load_narrowed(const double *p)
{
    v128_t low = wasm_f32x4_demote_f64x2_zero(wasm_v128_load(p));
    v128_t high = wasm_f32x4_demote_f64x2_zero(wasm_v128_load(p + 2));
    return (f32)wasm_i64x2_shuffle(low, high, 0, 2);
}
LANE_FUNCTION f64 f64_load_widened(const float *p)
{
    return (f64)wasm_f64x2_promote_low_f32x4(wasm_v128_load64_zero(p));
}
LANE_FUNCTION void f64_store_narrowed(float *p, f64 a)
{
    wasm_v128_store64_lane(p, wasm_f32x4_demote_f64x2_zero((v128_t)a), 0);
}
LANE_FUNCTION void f32_store_widened(double *p, f32 a)
{
    v128_t high = wasm_i64x2_shuffle((v128_t)a, (v128_t)a, 1, 1);
    wasm_v128_store(p, wasm_f64x2_promote_low_f32x4((v128_t)a));
    wasm_v128_store(p + 2, wasm_f64x2_promote_low_f32x4(high));
}

LANE_FUNCTION f32 f32_exponent(f32 a)
{
    return (f32)wasm_f32x4_convert_i32x4(wasm_u32x4_shr((v128_t)a, 23)) - F32(127.0f);
}
LANE_FUNCTION f32 f32_mantissa(f32 a)
{
    v128_t fraction = wasm_v128_and((v128_t)a, wasm_u32x4_const_splat(0x007fffffu));
    return (f32)wasm_v128_or(fraction, wasm_u32x4_const_splat(0x3f800000u));
}

/* There is no conversion between doubles and whole numbers of 64 bits: small ones are the low bits
 * of their sum with 2^52. */
#define WASM_TWO_52 4503599627370496.0
LANE_FUNCTION f64 f64_exponent(f64 a)
{
    v128_t biased = wasm_u64x2_shr((v128_t)a, 52);
    f64 raised = (f64)wasm_v128_or(biased, wasm_f64x2_const_splat(WASM_TWO_52));
    return raised - F64(WASM_TWO_52 + 1023.0);
}
LANE_FUNCTION f64 f64_mantissa(f64 a)
{
    v128_t fraction = wasm_v128_and((v128_t)a, wasm_u64x2_const_splat(0x000fffffffffffffu));
    return (f64)wasm_v128_or(fraction, wasm_u64x2_const_splat(0x3ff0000000000000u));
}
LANE_FUNCTION f64 f64_power_of_two(f64 k)
{
    return (f64)wasm_i64x2_shl((v128_t)(k + F64(WASM_TWO_52 + 1023.0)), 52);
}

LANE_FUNCTION f32 f32_inverse_cube_root_guess(f32 a)
{
    f32 bits = (f32)wasm_f32x4_convert_i32x4((v128_t)a);
    f32 third = f32_fma(bits, F32(-1.0f / 3.0f), F32(1419967116.0f));
    return (f32)wasm_i32x4_trunc_sat_f32x4((v128_t)third);
}

#endif
