/* Kepler's equation for arrays of (M, e): a few pairs per thread. */
#ifndef EQUANT_BACKENDS_CUDA_EVALUATE_KEPLER_KERNEL_CUH
#define EQUANT_BACKENDS_CUDA_EVALUATE_KEPLER_KERNEL_CUH

#include "backends/cuda/evaluate/planet.cuh"

#define PAIR_THREADS 256
/* Pairs of a thread. */
#define PAIR_EACH 4
/* Blocks of a multiprocessor: with registers for fewer threads, constants are loaded once for
 * all pairs. Power bounds this kernel in the long run, and fewer instructions take less. */
#define PAIR_BLOCKS 4
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

/* Inside, near and not -0, which takes no double operation to see. */
LANE_FUNCTION bool pair_is_ordinary(double M, double e)
{
    return (unsigned)__double2hiint(e) < 0x3ff00000u & !pair_is_far(M);
}

/* An ordinary pair, in the precision of the solution. */
struct pair_task {
    double turns;
    real M, e, one_minus_e;
};

LANE_FUNCTION pair_task pair_narrow(double M, double e)
{
    pair_task task;
    if (!WIDE_IS_DOUBLE && !WIDE_IS_PAIR)
        e = (float)e < 0x1.fffffep-1f ? (float)e : 0x1.fffffep-1f;
    task.M = pair_reduce(M, &task.turns);
    task.e = (real)e;
    task.one_minus_e = (real)(1.0 - e);
    return task;
}

struct pair_how {
    double tolerance;
    int max_iterations;
    unsigned long long guess_texture;
};

struct pair_solution {
    real guess;
    kepler_point point;
};

template <int SOURCE>
LANE_FUNCTION pair_solution pair_solve(const pair_task &task, const pair_how &how)
{
    real M_abs = lane_abs(task.M), E_minus_sin, one_minus_cos;
    pair_solution found;
    if (SOURCE != SOURCE_FAST) {
        real first = planet_danby_guess<SOURCE>(how.guess_texture, M_abs, task.e);
        found.guess = kepler_danby(first, M_abs, task.e, task.one_minus_e, (real)how.tolerance,
                                   how.max_iterations, &found.point);
        return found;
    }
    found.guess = (real)starter_cubic((f32)M_abs, (f32)task.e, (f32)task.one_minus_e);
    sin_cos_versed(found.guess, &E_minus_sin, &one_minus_cos);
    found.point = kepler_correct(found.guess, E_minus_sin, one_minus_cos, M_abs, task.e,
                                 task.e * REAL(0.5), task.one_minus_e);
    return found;
}

LANE_FUNCTION double pair_sine(const pair_task &task, const pair_solution &found)
{
    return (double)lane_flip_sign(found.point.sine, task.M);
}

/* E on the side and in the turn of M. */
LANE_FUNCTION double pair_anomaly(const pair_task &task, const pair_solution &found)
{
    double small = lane_fma(task.turns, MEAN_ANOMALY_TWO_PI_F64_LOW,
                            (double)lane_flip_sign(found.point.correction, task.M));
    return lane_fma(task.turns, MEAN_ANOMALY_TWO_PI_F64,
                    (double)lane_flip_sign(found.guess, task.M)) +
           small;
}

struct pair_outputs {
    double *E, *sine, *cosine; /* NULL where not wanted */
};

/* Any pair: E of a far one is M + e sin E. */
template <int SOURCE>
LANE_FUNCTION void pair_any(double M, double e, const pair_how &how, size_t k,
                            const pair_outputs &outputs)
{
    bool inside = pair_inside(M, e), far = pair_is_far(M);
    double M_near = !inside ? 0.0 : far ? atan2(sin(M), cos(M)) : M;
    pair_task task = pair_narrow(M_near, inside ? e : 0.0);
    pair_solution found = pair_solve<SOURCE>(task, how);
    double sine = pair_sine(task, found), E = far ? M + e * sine : pair_anomaly(task, found);
    if (outputs.E)
        outputs.E[k] = inside ? E : NAN;
    if (outputs.sine)
        outputs.sine[k] = inside ? sine : NAN;
    if (outputs.cosine)
        outputs.cosine[k] = inside ? 1.0 - (double)found.point.one_minus_cos : NAN;
}

/* A thread has several pairs, whose long chains of operations fill each other's waits; these are
 * all ordinary. Without SINES only E is wanted, and nothing is turned along. */
template <bool SINES>
LANE_FUNCTION void pair_ordinary(const double *M, const double *e, const pair_how &how,
                                 size_t first, const pair_outputs &outputs)
{
    pair_task tasks[PAIR_EACH];
    pair_solution found[PAIR_EACH];
#pragma unroll
    for (int i = 0; i < PAIR_EACH; i++)
        tasks[i] = pair_narrow(M[i], e[i]);
#pragma unroll
    for (int i = 0; i < PAIR_EACH; i++)
        found[i] = pair_solve<SOURCE_FAST>(tasks[i], how);
#pragma unroll
    for (int i = 0; i < PAIR_EACH; i++) {
        size_t k = first + i * PAIR_THREADS;
        if (!SINES || outputs.E)
            outputs.E[k] = pair_anomaly(tasks[i], found[i]);
        if (SINES && outputs.sine)
            outputs.sine[k] = pair_sine(tasks[i], found[i]);
        if (SINES && outputs.cosine)
            outputs.cosine[k] = 1.0 - (double)found[i].point.one_minus_cos;
    }
}

/* The fast solver: where a warp has only ordinary pairs, nothing stands between them. */
template <int SOURCE, bool SINES>
__global__ void __launch_bounds__(PAIR_THREADS, PAIR_BLOCKS)
    pair_kernel(size_t n, const double *__restrict__ M_in, const double *__restrict__ e_in,
                const __grid_constant__ pair_outputs outputs, const __grid_constant__ pair_how how)
{
    size_t first = (size_t)blockIdx.x * (PAIR_THREADS * PAIR_EACH) + threadIdx.x;
    size_t end = ((size_t)blockIdx.x + 1) * (PAIR_THREADS * PAIR_EACH);
    if (SOURCE == SOURCE_FAST && end <= n) {
        double M[PAIR_EACH], e[PAIR_EACH];
        bool ordinary = true;
#pragma unroll
        for (int i = 0; i < PAIR_EACH; i++) {
            M[i] = M_in[first + i * PAIR_THREADS];
            e[i] = e_in[first + i * PAIR_THREADS];
        }
#pragma unroll
        for (int i = 0; i < PAIR_EACH; i++)
            ordinary = ordinary & pair_is_ordinary(M[i], e[i]);
        if (__all_sync(0xffffffffu, ordinary)) {
            pair_ordinary<SINES>(M, e, how, first, outputs);
            return;
        }
    }
    for (size_t k = first; k < n && k < end; k += PAIR_THREADS)
        pair_any<SOURCE>(M_in[k], e_in[k], how, k, outputs);
}

using pair_pointer = void (*)(size_t, const double *, const double *, pair_outputs, pair_how);

static pair_pointer pair_choose(const backend_engine *engine, bool sines)
{
    switch (planet_source_of(engine)) {
    case SOURCE_FAST:
        return sines ? pair_kernel<SOURCE_FAST, true> : pair_kernel<SOURCE_FAST, false>;
    case SOURCE_DANBY:
        return pair_kernel<SOURCE_DANBY, true>;
    default:
        return pair_kernel<SOURCE_TABULATED, true>;
    }
}

static void pair_launch(const backend_engine *engine, unsigned long long guess_texture, size_t n,
                        const double *M, const double *e, double *E, double *sine, double *cosine,
                        cudaStream_t stream)
{
    const size_t per_block = PAIR_THREADS * PAIR_EACH;
    unsigned n_blocks = (unsigned)((n + per_block - 1) / per_block);
    auto kernel = pair_choose(engine, sine || cosine || !E);
    kernel<<<n_blocks, PAIR_THREADS, 0, stream>>>(
        n, M, e, {E, sine, cosine},
        {engine->danby_tolerance, engine->danby_max_iterations, guess_texture});
}

#endif
