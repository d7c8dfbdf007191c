/* Lanes of AVX-512 (F, DQ, VL, BW): eight doubles, sixteen floats. */
#ifndef EQUANT_LANES_AVX512_H
#define EQUANT_LANES_AVX512_H

#include <immintrin.h>

#include "lanes/transpose.h"
#include "physics/lane.h"

#define F64_LANES 8
#define F32_LANES 16
typedef __m512d f64;
typedef __m512 f32;
typedef __mmask8 f64_mask;
typedef __mmask16 f32_mask;

/* Everything that differs only in a suffix. */
#define AVX512_LANES(type, element, ps)                                                            \
    LANE_FUNCTION type type##_load(const element *p)                                               \
    {                                                                                              \
        return _mm512_loadu_##ps(p);                                                               \
    }                                                                                              \
    LANE_FUNCTION void type##_store(element *p, type a)                                            \
    {                                                                                              \
        _mm512_storeu_##ps(p, a);                                                                  \
    }                                                                                              \
    LANE_FUNCTION type type##_broadcast(element x)                                                 \
    {                                                                                              \
        return _mm512_set1_##ps(x);                                                                \
    }                                                                                              \
    LANE_FUNCTION type type##_fma(type a, type b, type c)                                          \
    {                                                                                              \
        return _mm512_fmadd_##ps(a, b, c);                                                         \
    }                                                                                              \
    LANE_FUNCTION type type##_divide(type a, type b)                                               \
    {                                                                                              \
        return a / b;                                                                              \
    }                                                                                              \
    LANE_FUNCTION type type##_sqrt(type a)                                                         \
    {                                                                                              \
        return _mm512_sqrt_##ps(a);                                                                \
    }                                                                                              \
    LANE_FUNCTION type type##_round(type a)                                                        \
    {                                                                                              \
        return _mm512_roundscale_##ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);           \
    }                                                                                              \
    LANE_FUNCTION type type##_abs(type a)                                                          \
    {                                                                                              \
        return _mm512_abs_##ps(a);                                                                 \
    }                                                                                              \
    LANE_FUNCTION type type##_min(type a, type b)                                                  \
    {                                                                                              \
        return _mm512_min_##ps(a, b);                                                              \
    }                                                                                              \
    LANE_FUNCTION type type##_max(type a, type b)                                                  \
    {                                                                                              \
        return _mm512_max_##ps(a, b);                                                              \
    }                                                                                              \
    LANE_FUNCTION type type##_flip_sign(type a, type s)                                            \
    {                                                                                              \
        return _mm512_xor_##ps(a, _mm512_and_##ps(s, _mm512_set1_##ps((element)-0.0)));            \
    }                                                                                              \
    LANE_FUNCTION type##_mask type##_less(type a, type b)                                          \
    {                                                                                              \
        return _mm512_cmp_##ps##_mask(a, b, _CMP_LT_OQ);                                           \
    }                                                                                              \
    LANE_FUNCTION type type##_select(type##_mask m, type a, type b)                                \
    {                                                                                              \
        return _mm512_mask_blend_##ps(m, b, a);                                                    \
    }                                                                                              \
    LANE_FUNCTION int type##_any(type##_mask m)                                                    \
    {                                                                                              \
        return m != 0;                                                                             \
    }                                                                                              \
    LANE_FUNCTION type type##_exponent(type a)                                                     \
    {                                                                                              \
        return _mm512_getexp_##ps(a);                                                              \
    }                                                                                              \
    LANE_FUNCTION type type##_mantissa(type a)                                                     \
    {                                                                                              \
        return _mm512_getmant_##ps(a, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_zero);                      \
    }

AVX512_LANES(f64, double, pd)
AVX512_LANES(f32, float, ps)

LANE_FUNCTION f32 f32_load_narrowed(const double *p)
{
    __m256 low = _mm512_cvtpd_ps(_mm512_loadu_pd(p));
    __m256 high = _mm512_cvtpd_ps(_mm512_loadu_pd(p + 8));
    return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}
LANE_FUNCTION f64 f64_load_widened(const float *p)
{
    return _mm512_cvtps_pd(_mm256_loadu_ps(p));
}
LANE_FUNCTION void f64_store_narrowed(float *p, f64 a)
{
    _mm256_storeu_ps(p, _mm512_cvtpd_ps(a));
}
LANE_FUNCTION void f32_store_widened(double *p, f32 a)
{
    _mm512_storeu_pd(p, _mm512_cvtps_pd(_mm512_castps512_ps256(a)));
    _mm512_storeu_pd(p + 8, _mm512_cvtps_pd(_mm512_extractf32x8_ps(a, 1)));
}

LANE_FUNCTION f64 f64_power_of_two(f64 k)
{
    return _mm512_scalef_pd(F64(1.0), k);
}

LANE_FUNCTION f32 f32_inverse_cube_root_guess(f32 a)
{
    f32 bits = _mm512_cvtepi32_ps(_mm512_castps_si512(a));
    f32 third = _mm512_fmadd_ps(bits, F32(-1.0f / 3.0f), F32(1419967116.0f));
    return _mm512_castsi512_ps(_mm512_cvttps_epi32(third));
}

/* Four squares of eight. */
#define LANE_HAS_TRANSPOSE
LANE_FUNCTION void f32_load_transposed(const float *const *rows, f32 *columns)
{
    for (int first = 0; first < 16; first += 8) {
        __m256 low[8], high[8];
        transpose_eight(rows, first, low);
        transpose_eight(rows + 8, first, high);
        for (int i = 0; i < 8; i++)
            columns[first + i] = _mm512_insertf32x8(_mm512_castps256_ps512(low[i]), high[i], 1);
    }
}

#endif
