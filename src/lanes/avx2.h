/* Lanes of AVX2 with FMA: four doubles, eight floats. */
#ifndef EQUANT_LANES_AVX2_H
#define EQUANT_LANES_AVX2_H

#include <immintrin.h>

#include "lanes/transpose.h"
#include "physics/lane.h"

#define F64_LANES 4
#define F32_LANES 8
typedef __m256d f64;
typedef __m256 f32;
typedef __m256d f64_mask;
typedef __m256 f32_mask;

/* Everything that differs only in a suffix. */
#define AVX2_LANES(type, element, ps)                                                              \
    LANE_FUNCTION type type##_load(const element *p)                                               \
    {                                                                                              \
        return _mm256_loadu_##ps(p);                                                               \
    }                                                                                              \
    LANE_FUNCTION void type##_store(element *p, type a)                                            \
    {                                                                                              \
        _mm256_storeu_##ps(p, a);                                                                  \
    }                                                                                              \
    LANE_FUNCTION type type##_broadcast(element x)                                                 \
    {                                                                                              \
        return _mm256_set1_##ps(x);                                                                \
    }                                                                                              \
    LANE_FUNCTION type type##_fma(type a, type b, type c)                                          \
    {                                                                                              \
        return _mm256_fmadd_##ps(a, b, c);                                                         \
    }                                                                                              \
    LANE_FUNCTION type type##_divide(type a, type b)                                               \
    {                                                                                              \
        return a / b;                                                                              \
    }                                                                                              \
    LANE_FUNCTION type type##_sqrt(type a)                                                         \
    {                                                                                              \
        return _mm256_sqrt_##ps(a);                                                                \
    }                                                                                              \
    LANE_FUNCTION type type##_round(type a)                                                        \
    {                                                                                              \
        return _mm256_round_##ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);                \
    }                                                                                              \
    LANE_FUNCTION type type##_abs(type a)                                                          \
    {                                                                                              \
        return _mm256_andnot_##ps(_mm256_set1_##ps((element)-0.0), a);                             \
    }                                                                                              \
    LANE_FUNCTION type type##_min(type a, type b)                                                  \
    {                                                                                              \
        return _mm256_min_##ps(a, b);                                                              \
    }                                                                                              \
    LANE_FUNCTION type type##_max(type a, type b)                                                  \
    {                                                                                              \
        return _mm256_max_##ps(a, b);                                                              \
    }                                                                                              \
    LANE_FUNCTION type type##_flip_sign(type a, type s)                                            \
    {                                                                                              \
        return _mm256_xor_##ps(a, _mm256_and_##ps(s, _mm256_set1_##ps((element)-0.0)));            \
    }                                                                                              \
    LANE_FUNCTION type##_mask type##_less(type a, type b)                                          \
    {                                                                                              \
        return _mm256_cmp_##ps(a, b, _CMP_LT_OQ);                                                  \
    }                                                                                              \
    LANE_FUNCTION type type##_select(type##_mask m, type a, type b)                                \
    {                                                                                              \
        return _mm256_blendv_##ps(b, a, m);                                                        \
    }                                                                                              \
    LANE_FUNCTION int type##_any(type##_mask m)                                                    \
    {                                                                                              \
        return _mm256_movemask_##ps(m) != 0;                                                       \
    }

AVX2_LANES(f64, double, pd)
AVX2_LANES(f32, float, ps)

LANE_FUNCTION f32 f32_load_narrowed(const double *p)
{
    return _mm256_set_m128(_mm256_cvtpd_ps(_mm256_loadu_pd(p + 4)),
                           _mm256_cvtpd_ps(_mm256_loadu_pd(p)));
}
LANE_FUNCTION f64 f64_load_widened(const float *p)
{
    return _mm256_cvtps_pd(_mm_loadu_ps(p));
}
LANE_FUNCTION void f64_store_narrowed(float *p, f64 a)
{
    _mm_storeu_ps(p, _mm256_cvtpd_ps(a));
}
LANE_FUNCTION void f32_store_widened(double *p, f32 a)
{
    _mm256_storeu_pd(p, _mm256_cvtps_pd(_mm256_castps256_ps128(a)));
    _mm256_storeu_pd(p + 4, _mm256_cvtps_pd(_mm256_extractf128_ps(a, 1)));
}

LANE_FUNCTION f32 f32_exponent(f32 a)
{
    __m256i biased = _mm256_srli_epi32(_mm256_castps_si256(a), 23);
    return _mm256_cvtepi32_ps(biased) - F32(127.0f);
}
LANE_FUNCTION f32 f32_mantissa(f32 a)
{
    f32 fraction = _mm256_and_ps(a, _mm256_castsi256_ps(_mm256_set1_epi32(0x007fffff)));
    return _mm256_or_ps(fraction, F32(1.0f));
}
/* AVX2 has no conversion from 64-bit integers: the biased exponent is put into
 * the low bits of 2^52 and that subtracted. */
LANE_FUNCTION f64 f64_exponent(f64 a)
{
    __m256i biased = _mm256_srli_epi64(_mm256_castpd_si256(a), 52);
    f64 magic = F64(4503599627370496.0);
    return (_mm256_or_pd(_mm256_castsi256_pd(biased), magic) - magic) - F64(1023.0);
}
LANE_FUNCTION f64 f64_mantissa(f64 a)
{
    f64 fraction = _mm256_and_pd(a, _mm256_castsi256_pd(_mm256_set1_epi64x(0x000fffffffffffffLL)));
    return _mm256_or_pd(fraction, F64(1.0));
}

/* The exponent is put into the low bits of 1.5 * 2^52 and moved to its place. */
LANE_FUNCTION f64 f64_power_of_two(f64 k)
{
    f64 shifted = k + F64(6755399441055744.0 + 1023.0);
    return _mm256_castsi256_pd(_mm256_slli_epi64(_mm256_castpd_si256(shifted), 52));
}

LANE_FUNCTION f32 f32_inverse_cube_root_guess(f32 a)
{
    f32 bits = _mm256_cvtepi32_ps(_mm256_castps_si256(a));
    f32 third = _mm256_fmadd_ps(bits, F32(-1.0f / 3.0f), F32(1419967116.0f));
    return _mm256_castsi256_ps(_mm256_cvttps_epi32(third));
}

#define LANE_HAS_TRANSPOSE
LANE_FUNCTION void f32_load_transposed(const float *const *rows, f32 *columns)
{
    transpose_eight(rows, 0, columns);
}

#endif
