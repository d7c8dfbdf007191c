/* The contract between the formulas and the machines.
 *
 * A lane group carries one observation (or one planet, or one equation) per lane; a
 * CUDA thread is a lane group of one. Formulas use + - * / on lane groups and
 * the primitives below, which a header of src/lanes supplies for its machine.
 * All of them round as IEEE 754 says where nothing else is noted, so machines that
 * keep to it give the same bits.
 *
 * types       f64, f32            groups of double and of float
 *             f64_mask, f32_mask  one truth value per lane
 * counts      F64_LANES, F32_LANES
 * memory      f64_load(p) f64_store(p, a) f64_broadcast(x)    and f32_...
 *             f32_load_narrowed(const double *)  F32_LANES doubles, narrowed
 *             f64_load_widened(const float *)    F64_LANES floats, widened
 *             f64_store_narrowed(float *, f64)   f32_store_widened(double *, f32)
 * arithmetic  lane_fma(a, b, c)      a b + c, rounded once
 *             lane_divide(a, b)      a / b; a machine may be off by two ulps in single
 *             lane_sqrt(a)  lane_round(a)  lane_abs(a)  lane_min(a, b)  lane_max(a, b)
 *             lane_flip_sign(a, s)   a, negated where s is negative
 *             lane_less(a, b)        mask; false where either is NaN
 *             lane_select(m, a, b)   a where m holds, else b
 *             f64_any(m) f32_any(m)  1 where any lane holds
 * bits        lane_exponent(a)       floor(log2 a) of normal positive a
 *             lane_mantissa(a)       a / 2^exponent, in [1, 2)
 *             f32_inverse_cube_root_guess(a)  a^(-1/3) within 4 %, positive a
 *             f64_power_of_two(k)    2^k for whole k, -1022 to 1023; anything where k is no number
 * optional    LANE_HAS_LOG2      f32_log2(a)
 *             LANE_HAS_SIN_COS   f32_sin_cos(a, &sine, &cosine) within 5e-7 on [-pi, pi], and
 *                                f64_rough_inverse(a) to 40 bits
 *             LANE_HAS_TRANSPOSE f32_load_transposed(rows, columns): columns[i] holds number i of
 *                                each of F32_LANES rows
 *             LANE_HAS_LOW_WORD  f64_low_word(a), the low 32 bits as a signed number
 *             LANE_HAS_ROUND_PRODUCT  f64_round_product(a, b), the whole number next to a b, in
 *                                less than f64_round(a b) takes
 *
 * Precision is a matter of roles. A header of src/lanes binds them:
 *
 *   wide    carries time and phase      double mixed: f64   single pair: f32
 *   real    carries everything else     double: f64         others: f32
 *   coarse  carries first guesses       f32 always
 *   scalar  one element of a real       wide_scalar one element of a wide
 */
#ifndef EQUANT_PHYSICS_LANE_H
#define EQUANT_PHYSICS_LANE_H

/* LANE_FUNCTION becomes part of its caller; LANE_CALL, what is long and rare, does not. */
#ifdef __CUDACC__
#define LANE_FUNCTION static __device__ __forceinline__
#define LANE_CALL static __device__ __noinline__
#define LANE_PICK(x, for_f32, for_f64) lane_pick(x, for_f32, for_f64)
#else
#define LANE_FUNCTION static inline __attribute__((always_inline, unused))
#define LANE_CALL static __attribute__((noinline, unused))
/* Picks the function for the type of x: how one formula serves both widths. */
#define LANE_PICK(x, for_f32, for_f64) _Generic((x), f32 : for_f32, f64 : for_f64)
#endif

#define lane_fma(a, b, c) LANE_PICK(a, f32_fma, f64_fma)(a, b, c)
#define lane_divide(a, b) LANE_PICK(a, f32_divide, f64_divide)(a, b)
#define lane_sqrt(a) LANE_PICK(a, f32_sqrt, f64_sqrt)(a)
#define lane_round(a) LANE_PICK(a, f32_round, f64_round)(a)
#define lane_abs(a) LANE_PICK(a, f32_abs, f64_abs)(a)
#define lane_min(a, b) LANE_PICK(a, f32_min, f64_min)(a, b)
#define lane_max(a, b) LANE_PICK(a, f32_max, f64_max)(a, b)
#define lane_flip_sign(a, s) LANE_PICK(a, f32_flip_sign, f64_flip_sign)(a, s)
#define lane_less(a, b) LANE_PICK(a, f32_less, f64_less)(a, b)
#define lane_select(m, a, b) LANE_PICK(a, f32_select, f64_select)(m, a, b)
#define lane_exponent(a) LANE_PICK(a, f32_exponent, f64_exponent)(a)
#define lane_mantissa(a) LANE_PICK(a, f32_mantissa, f64_mantissa)(a)

/* Literals, so that nothing is promoted silently. */
#define F64(x) f64_broadcast((double)(x))
#define F32(x) f32_broadcast((float)(x))

#endif
