/* One planet in the registers of one thread: its constants in the precision of the
 * translation unit, and its velocity at a time. */
#ifndef EQUANT_BACKENDS_CUDA_EVALUATE_PLANET_CUH
#define EQUANT_BACKENDS_CUDA_EVALUATE_PLANET_CUH

#include "backends/cuda/evaluate/guess_table.h"
#include "backends/cuda/evaluate/sine_table.cuh"
#include "model/huge_angle.h"
#include "model/parameter_domain.h"
#include "physics/radial_velocity.h"

/* Where the velocities of planets come from. */
enum planet_source {
    SOURCE_FAST,
    SOURCE_DANBY,
    SOURCE_TABULATED, /* danby from a tabulated first guess */
    SOURCE_MEMORY     /* another kernel                     */
};

static planet_source planet_source_of(const backend_engine *engine)
{
    if (engine->solver == EQUANT_SOLVER_FAST)
        return SOURCE_FAST;
    return engine->first_guess == EQUANT_FIRST_GUESS_TABULATED ? SOURCE_TABULATED : SOURCE_DANBY;
}

/* The first guess of the iteration, for M in [0, pi]. */
template <int SOURCE>
LANE_FUNCTION real planet_danby_guess(unsigned long long texture, real M, real e)
{
    if (SOURCE != SOURCE_TABULATED)
        return kepler_danby_guess(M, e);
    f32 column = lane_fma((f32)M, F32((GUESS_TABLE_N_M - 1) / MEAN_ANOMALY_PI), F32(0.5));
    f32 row = lane_fma((f32)e, F32(GUESS_TABLE_N_E - 1), F32(0.5));
    return (real)lane_min(tex2D<float>(texture, column, row), F32(MEAN_ANOMALY_PI));
}

struct __align__(16) planet_constants
{
    wide n, n_low, M0, M0_low;
    real e, one_minus_e, A, B;
    f32 steepness, origin, starter[STARTER_N_S];
    bool inside;  /* the domain */
    bool awkward; /* too eccentric, or too fast, for the inner loop */
};

/* MIXED: the phase comes as a fraction of a turn, which has room for so many turns. */
#define PLANET_FIXED_PHASE (WIDE_IS_DOUBLE && !REAL_IS_DOUBLE)

LANE_FUNCTION planet_constants planet_prepare(const cuda_layout &layout, const double *elements)
{
    f64 exact[N_CONSTANTS];
    radial_velocity_prepare(elements[ELEMENT_PERIOD], elements[ELEMENT_K],
                            elements[ELEMENT_ECCENTRICITY],
                            huge_angle_reduce(elements[ELEMENT_OMEGA], HUGE_ANGLE),
                            huge_angle_reduce(elements[ELEMENT_M0], HUGE_ANGLE), exact);
    planet_constants c;
    c.n = (wide)exact[CONSTANT_MEAN_MOTION];
    c.M0 = (wide)exact[CONSTANT_M0];
    c.n_low = WIDE_IS_DOUBLE ? (wide)exact[CONSTANT_MEAN_MOTION_LOW]
                             : (wide)(exact[CONSTANT_MEAN_MOTION] - (double)c.n);
    c.M0_low = (wide)(exact[CONSTANT_M0] - (double)c.M0);
    c.e = (real)exact[CONSTANT_E];
    c.one_minus_e = (real)exact[CONSTANT_ONE_MINUS_E];
    c.A = (real)exact[CONSTANT_A];
    c.B = (real)exact[CONSTANT_B];
    c.steepness = (f32)exact[CONSTANT_STEEPNESS];
    c.origin = (f32)exact[CONSTANT_ORIGIN];
    for (int i = 0; i < STARTER_N_S; i++)
        c.starter[i] = (f32)exact[CONSTANT_STARTER + i];
    c.inside = true;
    c.awkward = exact[CONSTANT_E] > STARTER_ECCENTRICITY_MAX;
#if PLANET_FIXED_PHASE
    c.awkward = c.awkward || layout.farthest_days * exact[CONSTANT_MEAN_MOTION] >=
                                 MEAN_ANOMALY_FIXED_MAX_TURNS - 1.0;
    c.M0 += MEAN_ANOMALY_FIXED_ORIGIN;
#endif
    return c;
}

LANE_FUNCTION real planet_mean_anomaly(const planet_constants &c, wide t, wide t_low)
{
#if WIDE_IS_PAIR
    return mean_anomaly_at_time_pair(t, t_low, c.n, c.n_low, c.M0, c.M0_low);
#elif !WIDE_IS_DOUBLE
    return mean_anomaly_at_time_f32(t, c.n, c.M0);
#elif REAL_IS_DOUBLE
    return mean_anomaly_at_time_f64(t, c.n, c.n_low, c.M0);
#else
    return (real)mean_anomaly_at_time_f64(t, c.n, c.n_low, c.M0 - MEAN_ANOMALY_FIXED_ORIGIN);
#endif
}

/* sum + v of a planet that is not awkward: the inner loop of everything. In double, sines come
 * from the table, if one is there. */
template <bool TABLE>
LANE_FUNCTION real planet_add_ordinary(const planet_constants &c, wide t, wide t_low,
                                       const sine_cosine *sines, real sum)
{
#if PLANET_FIXED_PHASE
    real M = mean_anomaly_at_time_fixed(t, c.n, c.M0);
#else
    real M = planet_mean_anomaly(c, t, t_low);
#endif
    f32 guess = starter_polynomial((f32)lane_abs(M), c.steepness, c.origin, c.starter);
#if REAL_IS_DOUBLE
    f32 rough_sine, rough_cosine, inverse;
    f64 sine, cosine;
    guess = guess + kepler_step_rough(guess, (f32)lane_abs(M), (f32)c.e, &rough_sine, &rough_cosine,
                                      &inverse);
    if (TABLE)
        sine_table_sin_cos(sines, (f64)guess, &sine, &cosine);
    else
        sin_cos((f64)guess, &sine, &cosine);
    return radial_velocity_near((f64)guess, sine, cosine, M, c.e, c.A, c.B, sum);
#else
    return radial_velocity_rough(guess, M, c.e, c.A, c.B, sum);
#endif
}

/* sum + v of any planet. */
template <bool TABLE>
LANE_FUNCTION real planet_add(const planet_constants &c, wide t, wide t_low,
                              const sine_cosine *sines, real sum)
{
    if (!c.awkward)
        return planet_add_ordinary<TABLE>(c, t, t_low, sines, sum);
    real M = planet_mean_anomaly(c, t, t_low), M_abs = lane_abs(M), E_minus_sin, one_minus_cos;
    real guess = (real)starter_cubic((f32)M_abs, (f32)c.e, (f32)c.one_minus_e);
    sin_cos_versed(guess, &E_minus_sin, &one_minus_cos);
    kepler_point point = kepler_correct(guess, E_minus_sin, one_minus_cos, M_abs, c.e,
                                        c.e * REAL(0.5), c.one_minus_e);
    return sum + radial_velocity(point, M, c.e, c.one_minus_e, c.A, c.B);
}

#endif
