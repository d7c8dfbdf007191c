/* Threads of integrations: groups of systems, or one system with its derivatives, at a time. */
#include "backends/cpu/nbody/cpu_nbody.h"

/* The exact integration is that of single lanes everywhere. */
extern const cpu_nbody_kernels cpu_nbody_scalar;

equant_status cpu_nbody_integrate(const cpu_nbody_kernels *kernels, const backend_engine *engine,
                                  const backend_nbody_plan *plan, size_t n_systems,
                                  const double *systems, double *velocities_m_s, double *states,
                                  int *ends)
{
    if (plan->is_exact)
        kernels = &cpu_nbody_scalar;
    const size_t n = plan->n_planets, lanes = kernels->n_lanes;
    const size_t n_groups = (n_systems + lanes - 1) / lanes;
#pragma omp parallel for schedule(dynamic) num_threads(engine->n_threads) if (n_groups > 1)
    for (size_t group = 0; group < n_groups; group++) {
        size_t first = group * lanes, left = n_systems - first;
        kernels->integrate(plan, left < lanes ? left : lanes,
                           systems + first * (1 + BACKEND_NBODY_PLANET * n),
                           velocities_m_s ? velocities_m_s + first * plan->n_times : NULL,
                           states ? states + first * plan->n_times * n * 6 : NULL, ends + first);
    }
    return EQUANT_SUCCESS;
}

equant_status cpu_nbody_differentiate(const cpu_nbody_kernels *kernels,
                                      const backend_engine *engine, const backend_nbody_plan *plan,
                                      size_t n_systems, const double *systems, size_t n_directions,
                                      const double *directions, double *velocities_m_s,
                                      double *jacobian, int *ends)
{
    const size_t n = plan->n_planets;
    if (n_directions > CPU_NBODY_DIRECTIONS)
        return EQUANT_ERROR_INVALID_ARGUMENT;
#pragma omp parallel for schedule(dynamic) num_threads(engine->n_threads) if (n_systems > 1)
    for (size_t s = 0; s < n_systems; s++)
        kernels->differentiate(plan, systems + s * (1 + BACKEND_NBODY_PLANET * n), n_directions,
                               directions + s * n_directions * BACKEND_NBODY_PLANET * n,
                               velocities_m_s ? velocities_m_s + s * plan->n_times : NULL,
                               jacobian ? jacobian + s * n_directions * plan->n_times : NULL,
                               ends + s);
    return EQUANT_SUCCESS;
}
