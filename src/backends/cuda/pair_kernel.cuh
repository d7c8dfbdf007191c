/* Kepler's equation for arrays of (M, e): one thread per pair. */
#ifndef EQUANT_BACKENDS_CUDA_PAIR_KERNEL_CUH
#define EQUANT_BACKENDS_CUDA_PAIR_KERNEL_CUH

#include "backends/cuda/planet.cuh"

#define PAIR_THREADS 256
/* Beyond this the angle is reduced by the library, and E is M + e sin E. */
#define PAIR_FAR (WIDE_IS_DOUBLE ? 1e14 : 1e5)

/* M within half a turn of pericentre, in the precision of the solution. */
LANE_FUNCTION real pair_reduce(double M, double *turns)
{
    wide M_wide = (wide)M, whole;
#if WIDE_IS_PAIR
    wide reduced = mean_anomaly_reduce_f32(M_wide, (float)(M - (double)M_wide), &whole);
#elif WIDE_IS_DOUBLE
    wide reduced = mean_anomaly_reduce_f64(M_wide, &whole);
#else
    wide reduced = mean_anomaly_reduce_f32(M_wide, 0.0f, &whole);
#endif
    *turns = (double)whole;
    return (real)reduced;
}

/* M finite and 0 <= e < 1, asked of the high words: comparisons of doubles would take their
 * share of the double pipe. Adding zero makes -0 a 0. */
LANE_FUNCTION bool pair_inside(double M, double e)
{
    return (__double2hiint(M) & 0x7ff00000) != 0x7ff00000 &&
           (unsigned)__double2hiint(e + 0.0) < 0x3ff00000u;
}

LANE_FUNCTION bool pair_is_far(double M)
{
    return (__double2hiint(M) & 0x7fffffff) >= __double2hiint(PAIR_FAR);
}

/* Without SINES only E is wanted, and nothing is turned along. */
template <int SOURCE, bool SINES>
__global__ void __launch_bounds__(PAIR_THREADS)
    pair_kernel(size_t n, const double *__restrict__ M_in, const double *__restrict__ e_in,
                double *E_out, double *sine_out, double *cosine_out, double tolerance,
                int max_iterations, unsigned long long guess_texture)
{
    size_t k = (size_t)blockIdx.x * PAIR_THREADS + threadIdx.x;
    if (k >= n)
        return;
    double M_exact = M_in[k], e_exact = e_in[k], turns;
    bool inside = pair_inside(M_exact, e_exact), far = pair_is_far(M_exact);
    double M_near = !inside ? 0.0 : far ? atan2(sin(M_exact), cos(M_exact)) : M_exact;
    double e_used = inside ? e_exact : 0.0;
    if (!WIDE_IS_DOUBLE && !WIDE_IS_PAIR)
        e_used = (float)e_used < 0x1.fffffep-1f ? (float)e_used : 0x1.fffffep-1f;
    real M = pair_reduce(M_near, &turns), M_abs = lane_abs(M);
    real e = (real)e_used, one_minus_e = (real)(1.0 - e_used), guess;
    kepler_point point;
    if (SOURCE != SOURCE_FAST) {
        guess = kepler_danby(planet_danby_guess<SOURCE>(guess_texture, M_abs, e), M_abs, e,
                             one_minus_e, (real)tolerance, max_iterations, &point);
    } else {
        real E_minus_sin, one_minus_cos;
        guess = (real)starter_cubic((f32)M_abs, (f32)e, (f32)one_minus_e);
        sin_cos_versed(guess, &E_minus_sin, &one_minus_cos);
        point = kepler_correct(guess, E_minus_sin, one_minus_cos, M_abs, e, e * REAL(0.5),
                               one_minus_e);
    }
    double sine = SINES || far ? (double)lane_flip_sign(point.sine, M) : 0.0;
    double small = lane_fma(turns, MEAN_ANOMALY_TWO_PI_F64_LOW,
                            (double)lane_flip_sign(point.correction, M));
    double E = lane_fma(turns, MEAN_ANOMALY_TWO_PI_F64, (double)lane_flip_sign(guess, M)) + small;
    if (!SINES || E_out)
        E_out[k] = !inside ? NAN : far ? M_exact + e_exact * sine : E;
    if (SINES && sine_out)
        sine_out[k] = inside ? sine : NAN;
    if (SINES && cosine_out)
        cosine_out[k] = inside ? 1.0 - (double)point.one_minus_cos : NAN;
}

using pair_pointer = void (*)(size_t, const double *, const double *, double *, double *, double *,
                              double, int, unsigned long long);

template <bool SINES> static pair_pointer pair_choose(const backend_engine *engine)
{
    switch (planet_source_of(engine)) {
    case SOURCE_FAST:
        return pair_kernel<SOURCE_FAST, SINES>;
    case SOURCE_DANBY:
        return pair_kernel<SOURCE_DANBY, SINES>;
    default:
        return pair_kernel<SOURCE_TABULATED, SINES>;
    }
}

static void pair_launch(const backend_engine *engine, unsigned long long guess_texture, size_t n,
                        const double *M, const double *e, double *E, double *sine, double *cosine,
                        cudaStream_t stream)
{
    unsigned n_blocks = (unsigned)((n + PAIR_THREADS - 1) / PAIR_THREADS);
    auto kernel = sine || cosine || !E ? pair_choose<true>(engine) : pair_choose<false>(engine);
    kernel<<<n_blocks, PAIR_THREADS, 0, stream>>>(n, M, e, E, sine, cosine,
                                                  engine->danby_tolerance,
                                                  engine->danby_max_iterations, guess_texture);
}

#endif
