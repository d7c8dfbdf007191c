/* Threads of integrations: groups of systems, or one system with its derivatives, at a time. */
#include "backends/cpu/nbody/cpu_nbody.h"

#include "parallel/parallel_for.h"

/* The exact integration is that of single lanes everywhere. */
extern const cpu_nbody_kernels cpu_nbody_scalar;

typedef struct integrate_work {
    const cpu_nbody_kernels *kernels;
    const backend_nbody_plan *plan;
    size_t n_systems;
    const double *systems;
    double *velocities_m_s, *states; /* may be NULL */
    int *ends;
} integrate_work;

static void integrate_groups(void *context, size_t first_group, size_t end_group, int thread)
{
    const integrate_work *work = context;
    const backend_nbody_plan *plan = work->plan;
    const size_t n = plan->n_planets, lanes = work->kernels->n_lanes;
    (void)thread;
    for (size_t group = first_group; group < end_group; group++) {
        size_t first = group * lanes, left = work->n_systems - first;
        work->kernels->integrate(
            plan, left < lanes ? left : lanes,
            work->systems + first * (1 + BACKEND_NBODY_PLANET * n),
            work->velocities_m_s ? work->velocities_m_s + first * plan->n_times : NULL,
            work->states ? work->states + first * plan->n_times * n * 6 : NULL, work->ends + first);
    }
}

equant_status cpu_nbody_integrate(const cpu_nbody_kernels *kernels, const backend_engine *engine,
                                  const backend_nbody_plan *plan, size_t n_systems,
                                  const double *systems, double *velocities_m_s, double *states,
                                  int *ends)
{
    if (plan->is_exact)
        kernels = &cpu_nbody_scalar;
    integrate_work work = {kernels, plan, n_systems, systems, velocities_m_s, states, ends};
    size_t n_groups = (n_systems + kernels->n_lanes - 1) / kernels->n_lanes;
    parallel_for(engine->n_threads, n_groups, 1, integrate_groups, &work);
    return EQUANT_SUCCESS;
}

typedef struct differentiate_work {
    const cpu_nbody_kernels *kernels;
    const backend_nbody_plan *plan;
    const double *systems;
    size_t n_directions;
    const double *directions;
    double *velocities_m_s, *jacobian; /* may be NULL */
    int *ends;
} differentiate_work;

static void differentiate_systems(void *context, size_t first, size_t end, int thread)
{
    const differentiate_work *work = context;
    const backend_nbody_plan *plan = work->plan;
    const size_t n = plan->n_planets, n_directions = work->n_directions;
    (void)thread;
    for (size_t s = first; s < end; s++)
        work->kernels->differentiate(
            plan, work->systems + s * (1 + BACKEND_NBODY_PLANET * n), n_directions,
            work->directions + s * n_directions * BACKEND_NBODY_PLANET * n,
            work->velocities_m_s ? work->velocities_m_s + s * plan->n_times : NULL,
            work->jacobian ? work->jacobian + s * n_directions * plan->n_times : NULL,
            work->ends + s);
}

equant_status cpu_nbody_differentiate(const cpu_nbody_kernels *kernels,
                                      const backend_engine *engine, const backend_nbody_plan *plan,
                                      size_t n_systems, const double *systems, size_t n_directions,
                                      const double *directions, double *velocities_m_s,
                                      double *jacobian, int *ends)
{
    if (n_directions > CPU_NBODY_DIRECTIONS)
        return EQUANT_ERROR_INVALID_ARGUMENT;
    differentiate_work work = {kernels,    plan,           systems,  n_directions,
                               directions, velocities_m_s, jacobian, ends};
    parallel_for(engine->n_threads, n_systems, 1, differentiate_systems, &work);
    return EQUANT_SUCCESS;
}
