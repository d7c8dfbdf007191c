/* Everything in double; first guesses in single. */
#ifndef EQUANT_LANES_DOUBLE_H
#define EQUANT_LANES_DOUBLE_H

#define WIDE_IS_PAIR 0
#define WIDE_IS_DOUBLE 1
#define REAL_IS_DOUBLE 1

typedef f64 wide;
typedef f64 real;
typedef f64_mask real_mask;
typedef f32 coarse;
typedef double wide_scalar;
typedef double scalar;

#define WIDE_LANES F64_LANES
#define REAL_LANES F64_LANES
#define COARSE_LANES F32_LANES

#define wide_load f64_load
#define wide_load_double f64_load
#define wide_store_double f64_store
#define wide_broadcast f64_broadcast
#define real_load f64_load
#define real_store f64_store
#define real_broadcast f64_broadcast
#define real_any f64_any
#define real_store_wide f64_store
#define coarse_load_real f32_load_narrowed
#define real_load_coarse f64_load_widened
#define real_load_double f64_load
#define real_store_double f64_store

/* Literals. */
#define WIDE(x) wide_broadcast((wide_scalar)(x))
#define REAL(x) real_broadcast((scalar)(x))

#endif
