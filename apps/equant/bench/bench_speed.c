#include "bench/bench_speed.h"

#include "platform/system_clock.h"

/* Does `count` units of work. */
typedef equant_status work(const bench_speed *speed, const bench_problem *problem, size_t count);

bench_speed bench_speed_baseline(double tolerance)
{
    return (bench_speed){.engine = {.struct_size = sizeof(equant_engine_options), .n_threads = 1},
                         .limits = {.tolerance = tolerance, .max_iterations = 10}};
}

equant_status bench_speed_create(const bench_problem *problem, const equant_engine_options *engine,
                                 bench_speed *speed)
{
    *speed = (bench_speed){.engine = *engine, .by_wall_clock = engine->n_threads > 1};
    return equant_evaluator_create(problem->dataset, problem->model, engine, &speed->evaluator);
}

void bench_speed_free(bench_speed *speed)
{
    equant_evaluator_free(speed->evaluator);
    speed->evaluator = NULL;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Always begins with the first orbits, so that every measurement does the same. */
static equant_status do_systems(const bench_speed *speed, const bench_problem *problem,
                                size_t count)
{
    double velocities_m_s[BENCH_N_OBS];
    equant_results results = {.struct_size = sizeof results, .chi_square = problem->chi_square};
    equant_status status = EQUANT_SUCCESS;
    for (size_t done = 0, n; done < count && status == EQUANT_SUCCESS; done += n) {
        n = smaller(count - done, problem->n_sets);
        if (speed->evaluator != NULL)
            status = equant_evaluator_evaluate(speed->evaluator, n, problem->parameters, &results);
        else
            reference_libm_chi_square(&problem->observations, BENCH_N_PLANETS, n,
                                      problem->parameters, speed->limits, velocities_m_s,
                                      problem->chi_square);
    }
    return status;
}

static equant_status do_kepler(const bench_speed *speed, const bench_problem *problem, size_t count)
{
    size_t n_cached = BENCH_N_PAIRS * (size_t)speed->engine.n_threads;
    equant_status status = EQUANT_SUCCESS;
    for (size_t done = 0, n; done < count && status == EQUANT_SUCCESS; done += n) {
        n = smaller(count - done, n_cached);
        if (speed->evaluator != NULL)
            status = equant_kepler_solve(n, problem->mean_anomaly_rad, problem->eccentricity,
                                         &speed->engine, problem->anomaly[0], problem->anomaly[1],
                                         problem->anomaly[2]);
        else
            reference_libm_kepler(n, problem->mean_anomaly_rad, problem->eccentricity,
                                  speed->limits, problem->anomaly[0], problem->anomaly[1],
                                  problem->anomaly[2]);
    }
    return status;
}

static double clock_s(const bench_speed *speed)
{
    return speed->by_wall_clock ? system_clock_s() : system_clock_thread_s();
}

static equant_status time_work(work *do_work, const bench_speed *speed,
                               const bench_problem *problem, size_t count, double *elapsed_s)
{
    double start_s = clock_s(speed);
    equant_status status = do_work(speed, problem, count);
    *elapsed_s = clock_s(speed) - start_s;
    return status;
}

/* How much work takes about `seconds`. The trials also warm caches and threads. */
static equant_status calibrate(work *do_work, const bench_speed *speed,
                               const bench_problem *problem, double seconds, size_t *count)
{
    double elapsed_s = 0.0;
    for (size_t trial = 64;; trial *= 4) {
        equant_status status = time_work(do_work, speed, problem, trial, &elapsed_s);
        if (status != EQUANT_SUCCESS)
            return status;
        if (elapsed_s < seconds / 8.0)
            continue;
        *count = (size_t)((double)trial * seconds / elapsed_s) + 1;
        return EQUANT_SUCCESS;
    }
}

static equant_status measure(work *do_work, const bench_speed *speed, const bench_problem *problem,
                             double seconds, size_t *count, double *fastest_per_s)
{
    double elapsed_s = 0.0;
    equant_status status = EQUANT_SUCCESS;
    if (*count == 0)
        status = calibrate(do_work, speed, problem, seconds, count);
    /* An eighth ahead of the clock: cores that slept since the last round wake up. */
    if (status == EQUANT_SUCCESS)
        status = do_work(speed, problem, *count / 8 + 1);
    if (status == EQUANT_SUCCESS)
        status = time_work(do_work, speed, problem, *count, &elapsed_s);
    if (status != EQUANT_SUCCESS)
        return status;
    double per_s = (double)*count / elapsed_s;
    if (per_s > *fastest_per_s)
        *fastest_per_s = per_s;
    return EQUANT_SUCCESS;
}

equant_status bench_speed_evaluate(const bench_speed *speed, const bench_problem *problem)
{
    return do_systems(speed, problem, problem->n_sets);
}

equant_status bench_speed_measure_systems(bench_speed *speed, const bench_problem *problem,
                                          double seconds)
{
    return measure(do_systems, speed, problem, seconds, &speed->n_systems, &speed->systems_per_s);
}

equant_status bench_speed_measure_kepler(bench_speed *speed, const bench_problem *problem,
                                         double seconds)
{
    return measure(do_kepler, speed, problem, seconds, &speed->n_solutions, &speed->kepler_per_s);
}
