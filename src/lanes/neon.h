/* Lanes of 64-bit ARM: two doubles, four floats. */
#ifndef EQUANT_LANES_NEON_H
#define EQUANT_LANES_NEON_H

#include <arm_neon.h>

#include "physics/lane.h"

#define F64_LANES 2
#define F32_LANES 4
typedef float64x2_t f64;
typedef float32x4_t f32;
typedef uint64x2_t f64_mask;
typedef uint32x4_t f32_mask;

/* Everything that differs only in a suffix. */
#define NEON_LANES(type, element, suffix, bits, sign)                                              \
    LANE_FUNCTION type type##_load(const element *p)                                               \
    {                                                                                              \
        return vld1q_##suffix(p);                                                                  \
    }                                                                                              \
    LANE_FUNCTION void type##_store(element *p, type a)                                            \
    {                                                                                              \
        vst1q_##suffix(p, a);                                                                      \
    }                                                                                              \
    LANE_FUNCTION type type##_broadcast(element x)                                                 \
    {                                                                                              \
        return vdupq_n_##suffix(x);                                                                \
    }                                                                                              \
    LANE_FUNCTION type type##_fma(type a, type b, type c)                                          \
    {                                                                                              \
        return vfmaq_##suffix(c, a, b);                                                            \
    }                                                                                              \
    LANE_FUNCTION type type##_divide(type a, type b)                                               \
    {                                                                                              \
        return a / b;                                                                              \
    }                                                                                              \
    LANE_FUNCTION type type##_sqrt(type a)                                                         \
    {                                                                                              \
        return vsqrtq_##suffix(a);                                                                 \
    }                                                                                              \
    LANE_FUNCTION type type##_round(type a)                                                        \
    {                                                                                              \
        return vrndnq_##suffix(a);                                                                 \
    }                                                                                              \
    LANE_FUNCTION type type##_abs(type a)                                                          \
    {                                                                                              \
        return vabsq_##suffix(a);                                                                  \
    }                                                                                              \
    LANE_FUNCTION type##_mask type##_less(type a, type b)                                          \
    {                                                                                              \
        return vcltq_##suffix(a, b);                                                               \
    }                                                                                              \
    LANE_FUNCTION type type##_select(type##_mask m, type a, type b)                                \
    {                                                                                              \
        return vbslq_##suffix(m, a, b);                                                            \
    }                                                                                              \
    LANE_FUNCTION type type##_min(type a, type b)                                                  \
    {                                                                                              \
        return vbslq_##suffix(vcltq_##suffix(a, b), a, b);                                         \
    }                                                                                              \
    LANE_FUNCTION type type##_max(type a, type b)                                                  \
    {                                                                                              \
        return vbslq_##suffix(vcgtq_##suffix(a, b), a, b);                                         \
    }                                                                                              \
    LANE_FUNCTION type type##_flip_sign(type a, type s)                                            \
    {                                                                                              \
        return vreinterpretq_##suffix##_##bits(                                                    \
            veorq_##bits(vreinterpretq_##bits##_##suffix(a),                                       \
                         vandq_##bits(vreinterpretq_##bits##_##suffix(s), vdupq_n_##bits(sign)))); \
    }

NEON_LANES(f64, double, f64, u64, 0x8000000000000000u)
NEON_LANES(f32, float, f32, u32, 0x80000000u)

LANE_FUNCTION int f64_any(f64_mask m)
{
    return (vgetq_lane_u64(m, 0) | vgetq_lane_u64(m, 1)) != 0;
}
LANE_FUNCTION int f32_any(f32_mask m)
{
    return vmaxvq_u32(m) != 0;
}

LANE_FUNCTION f32 f32_load_narrowed(const double *p)
{
    return vcombine_f32(vcvt_f32_f64(vld1q_f64(p)), vcvt_f32_f64(vld1q_f64(p + 2)));
}
LANE_FUNCTION f64 f64_load_widened(const float *p)
{
    return vcvt_f64_f32(vld1_f32(p));
}
LANE_FUNCTION void f64_store_narrowed(float *p, f64 a)
{
    vst1_f32(p, vcvt_f32_f64(a));
}
LANE_FUNCTION void f32_store_widened(double *p, f32 a)
{
    vst1q_f64(p, vcvt_f64_f32(vget_low_f32(a)));
    vst1q_f64(p + 2, vcvt_high_f64_f32(a));
}

LANE_FUNCTION f32 f32_exponent(f32 a)
{
    return vcvtq_f32_u32(vshrq_n_u32(vreinterpretq_u32_f32(a), 23)) - F32(127.0f);
}
LANE_FUNCTION f32 f32_mantissa(f32 a)
{
    uint32x4_t fraction = vandq_u32(vreinterpretq_u32_f32(a), vdupq_n_u32(0x007fffffu));
    return vreinterpretq_f32_u32(vorrq_u32(fraction, vdupq_n_u32(0x3f800000u)));
}
LANE_FUNCTION f64 f64_exponent(f64 a)
{
    return vcvtq_f64_u64(vshrq_n_u64(vreinterpretq_u64_f64(a), 52)) - F64(1023.0);
}
LANE_FUNCTION f64 f64_mantissa(f64 a)
{
    uint64x2_t fraction = vandq_u64(vreinterpretq_u64_f64(a), vdupq_n_u64(0x000fffffffffffffu));
    return vreinterpretq_f64_u64(vorrq_u64(fraction, vdupq_n_u64(0x3ff0000000000000u)));
}

LANE_FUNCTION f64 f64_power_of_two(f64 k)
{
    int64x2_t biased = vaddq_s64(vcvtq_s64_f64(k), vdupq_n_s64(1023));
    return vreinterpretq_f64_s64(vshlq_n_s64(biased, 52));
}

LANE_FUNCTION f32 f32_inverse_cube_root_guess(f32 a)
{
    f32 bits = vcvtq_f32_s32(vreinterpretq_s32_f32(a));
    f32 third = vfmaq_f32(F32(1419967116.0f), bits, F32(-1.0f / 3.0f));
    return vreinterpretq_f32_s32(vcvtq_s32_f32(third));
}

#endif
