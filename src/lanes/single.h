/* Everything in single: the phase too, which real data do not survive. */
#ifndef EQUANT_LANES_SINGLE_H
#define EQUANT_LANES_SINGLE_H

#define WIDE_IS_PAIR 0
#define WIDE_IS_DOUBLE 0
#define REAL_IS_DOUBLE 0

typedef f32 wide;
typedef f32 real;
typedef f32_mask real_mask;
typedef f32 coarse;
typedef float wide_scalar;
typedef float scalar;

#define WIDE_LANES F32_LANES
#define REAL_LANES F32_LANES
#define COARSE_LANES F32_LANES

#define wide_load f32_load
#define wide_load_double f32_load_narrowed
#define wide_store_double f32_store_widened
#define wide_broadcast f32_broadcast
#define real_load f32_load
#define real_store f32_store
#define real_broadcast f32_broadcast
#define real_any f32_any
#define real_store_wide f32_store
#define coarse_load_real f32_load
#define real_load_coarse f32_load
#define real_load_double f32_load_narrowed
#define real_store_double f32_store_widened

/* Literals. */
#define WIDE(x) wide_broadcast((wide_scalar)(x))
#define REAL(x) real_broadcast((scalar)(x))

#endif
