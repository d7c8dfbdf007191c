/* Kepler's equation for arrays of (M, e): a few equations per thread. */
#ifndef EQUANT_BACKENDS_CUDA_EVALUATE_KEPLER_KERNEL_CUH
#define EQUANT_BACKENDS_CUDA_EVALUATE_KEPLER_KERNEL_CUH

#include "backends/cuda/evaluate/planet.cuh"

#define KEPLER_THREADS 256
/* Equations of a thread. */
#define KEPLER_EACH 4
/* Blocks of a multiprocessor: with registers for fewer threads, constants are loaded once for
 * all equations. Power bounds this kernel in the long run, and fewer instructions take less. */
#define KEPLER_BLOCKS 4
/* Beyond this the angle is reduced by the library, and E is M + e sin E. */
#define KEPLER_FAR (WIDE_IS_DOUBLE ? 1e14 : 1e5)

/* M within half a turn of pericentre, in the precision of the solution. */
LANE_FUNCTION real kepler_reduce(double M, double *turns)
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
LANE_FUNCTION bool kepler_inside(double M, double e)
{
    return (__double2hiint(M) & 0x7ff00000) != 0x7ff00000 &&
           (unsigned)__double2hiint(e + 0.0) < 0x3ff00000u;
}

LANE_FUNCTION bool kepler_is_far(double M)
{
    return (__double2hiint(M) & 0x7fffffff) >= __double2hiint(KEPLER_FAR);
}

/* Inside, near and not -0, which takes no double operation to see. */
LANE_FUNCTION bool kepler_is_ordinary(double M, double e)
{
    return (unsigned)__double2hiint(e) < 0x3ff00000u & !kepler_is_far(M);
}

/* An ordinary equation, in the precision of the solution. */
struct kepler_task {
    double turns;
    real M, e, one_minus_e;
};

LANE_FUNCTION kepler_task kepler_narrow(double M, double e)
{
    kepler_task task;
    if (!WIDE_IS_DOUBLE && !WIDE_IS_PAIR)
        e = (float)e < 0x1.fffffep-1f ? (float)e : 0x1.fffffep-1f;
    task.M = kepler_reduce(M, &task.turns);
    task.e = (real)e;
    task.one_minus_e = (real)(1.0 - e);
    return task;
}

struct kepler_settings {
    double tolerance;
    int max_iterations;
    unsigned long long guess_texture;
};

struct kepler_solution {
    real guess;
    kepler_point point;
};

template <int SOURCE>
LANE_FUNCTION kepler_solution kepler_solve(const kepler_task &task, const kepler_settings &settings)
{
    real M_abs = lane_abs(task.M), E_minus_sin, one_minus_cos;
    kepler_solution found;
    if (SOURCE != SOURCE_FAST) {
        real first = planet_danby_guess<SOURCE>(settings.guess_texture, M_abs, task.e);
        found.guess = kepler_danby(first, M_abs, task.e, task.one_minus_e, (real)settings.tolerance,
                                   settings.max_iterations, &found.point);
        return found;
    }
    found.guess = (real)starter_cubic((f32)M_abs, (f32)task.e, (f32)task.one_minus_e);
    sin_cos_versed(found.guess, &E_minus_sin, &one_minus_cos);
    found.point = kepler_correct(found.guess, E_minus_sin, one_minus_cos, M_abs, task.e,
                                 task.e * REAL(0.5), task.one_minus_e);
    return found;
}

LANE_FUNCTION double kepler_sine(const kepler_task &task, const kepler_solution &found)
{
    return (double)lane_flip_sign(found.point.sine, task.M);
}

/* E on the side and in the turn of M. */
LANE_FUNCTION double kepler_anomaly(const kepler_task &task, const kepler_solution &found)
{
    double small = lane_fma(task.turns, MEAN_ANOMALY_TWO_PI_F64_LOW,
                            (double)lane_flip_sign(found.point.correction, task.M));
    return lane_fma(task.turns, MEAN_ANOMALY_TWO_PI_F64,
                    (double)lane_flip_sign(found.guess, task.M)) +
           small;
}

struct kepler_outputs {
    double *E, *sine, *cosine; /* NULL where not wanted */
};

/* Any equation: E of a far one is M + e sin E. */
template <int SOURCE>
LANE_FUNCTION void kepler_any(double M, double e, const kepler_settings &settings, size_t k,
                              const kepler_outputs &outputs)
{
    bool inside = kepler_inside(M, e), far = kepler_is_far(M);
    double M_near = !inside ? 0.0 : far ? atan2(sin(M), cos(M)) : M;
    kepler_task task = kepler_narrow(M_near, inside ? e : 0.0);
    kepler_solution found = kepler_solve<SOURCE>(task, settings);
    double sine = kepler_sine(task, found), E = far ? M + e * sine : kepler_anomaly(task, found);
    if (outputs.E)
        outputs.E[k] = inside ? E : NAN;
    if (outputs.sine)
        outputs.sine[k] = inside ? sine : NAN;
    if (outputs.cosine)
        outputs.cosine[k] = inside ? 1.0 - (double)found.point.one_minus_cos : NAN;
}

/* A thread has several equations, whose long chains of operations fill each other's waits; these
 * are all ordinary. Without SINES only E is wanted, and nothing is turned along. */
template <bool SINES>
LANE_FUNCTION void kepler_ordinary(const double *M, const double *e,
                                   const kepler_settings &settings, size_t first,
                                   const kepler_outputs &outputs)
{
    kepler_task tasks[KEPLER_EACH];
    kepler_solution found[KEPLER_EACH];
#pragma unroll
    for (int i = 0; i < KEPLER_EACH; i++)
        tasks[i] = kepler_narrow(M[i], e[i]);
#pragma unroll
    for (int i = 0; i < KEPLER_EACH; i++)
        found[i] = kepler_solve<SOURCE_FAST>(tasks[i], settings);
#pragma unroll
    for (int i = 0; i < KEPLER_EACH; i++) {
        size_t k = first + i * KEPLER_THREADS;
        if (!SINES || outputs.E)
            outputs.E[k] = kepler_anomaly(tasks[i], found[i]);
        if (SINES && outputs.sine)
            outputs.sine[k] = kepler_sine(tasks[i], found[i]);
        if (SINES && outputs.cosine)
            outputs.cosine[k] = 1.0 - (double)found[i].point.one_minus_cos;
    }
}

/* The fast solver: where a warp has only ordinary equations, nothing stands between them. */
template <int SOURCE, bool SINES>
__global__ void __launch_bounds__(KEPLER_THREADS, KEPLER_BLOCKS)
    kepler_kernel(size_t n, const double *__restrict__ M_in, const double *__restrict__ e_in,
                  const __grid_constant__ kepler_outputs outputs,
                  const __grid_constant__ kepler_settings settings)
{
    size_t first = (size_t)blockIdx.x * (KEPLER_THREADS * KEPLER_EACH) + threadIdx.x;
    size_t end = ((size_t)blockIdx.x + 1) * (KEPLER_THREADS * KEPLER_EACH);
    if (SOURCE == SOURCE_FAST && end <= n) {
        double M[KEPLER_EACH], e[KEPLER_EACH];
        bool ordinary = true;
#pragma unroll
        for (int i = 0; i < KEPLER_EACH; i++) {
            M[i] = M_in[first + i * KEPLER_THREADS];
            e[i] = e_in[first + i * KEPLER_THREADS];
        }
#pragma unroll
        for (int i = 0; i < KEPLER_EACH; i++)
            ordinary = ordinary & kepler_is_ordinary(M[i], e[i]);
        if (__all_sync(0xffffffffu, ordinary)) {
            kepler_ordinary<SINES>(M, e, settings, first, outputs);
            return;
        }
    }
    for (size_t k = first; k < n && k < end; k += KEPLER_THREADS)
        kepler_any<SOURCE>(M_in[k], e_in[k], settings, k, outputs);
}

using kepler_pointer = void (*)(size_t, const double *, const double *, kepler_outputs,
                                kepler_settings);

static kepler_pointer kepler_choose(const backend_engine *engine, bool sines)
{
    switch (planet_source_of(engine)) {
    case SOURCE_FAST:
        return sines ? kepler_kernel<SOURCE_FAST, true> : kepler_kernel<SOURCE_FAST, false>;
    case SOURCE_DANBY:
        return kepler_kernel<SOURCE_DANBY, true>;
    default:
        return kepler_kernel<SOURCE_TABULATED, true>;
    }
}

static void kepler_launch(const backend_engine *engine, unsigned long long guess_texture, size_t n,
                          const double *M, const double *e, double *E, double *sine, double *cosine,
                          cudaStream_t stream)
{
    const size_t per_block = KEPLER_THREADS * KEPLER_EACH;
    unsigned n_blocks = (unsigned)((n + per_block - 1) / per_block);
    auto kernel = kepler_choose(engine, sine || cosine || !E);
    kernel<<<n_blocks, KEPLER_THREADS, 0, stream>>>(
        n, M, e, {E, sine, cosine},
        {engine->danby_tolerance, engine->danby_max_iterations, guess_texture});
}

#endif
