/* Phase in double, everything else in single. */
#ifndef EQUANT_LANES_MIXED_H
#define EQUANT_LANES_MIXED_H

#define WIDE_IS_PAIR 0
#define WIDE_IS_DOUBLE 1
#define REAL_IS_DOUBLE 0

typedef f64 wide;
typedef f32 real;
typedef f32_mask real_mask;
typedef f32 coarse;
typedef double wide_scalar;
typedef float scalar;

#define WIDE_LANES F64_LANES
#define REAL_LANES F32_LANES
#define COARSE_LANES F32_LANES

#define wide_load f64_load
#define wide_load_double f64_load
#define wide_store_double f64_store
#define wide_broadcast f64_broadcast
#define real_load f32_load
#define real_store f32_store
#define real_broadcast f32_broadcast
#define real_any f32_any
#define real_store_wide f64_store_narrowed
#define coarse_load_real f32_load
#define real_load_coarse f32_load
#define real_load_double f32_load_narrowed
#define real_store_double f32_store_widened

/* Literals. */
#define WIDE(x) wide_broadcast((wide_scalar)(x))
#define REAL(x) real_broadcast((scalar)(x))

#endif
