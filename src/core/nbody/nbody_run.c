#include "core/nbody/nbody_run.h"

#include "core/engine.h"
#include "core/placement.h"

static equant_status find(const equant_engine_options *options, placement *found)
{
    equant_status status = placement_find(NULL, options, &placement_small_batches, found);
    if (status == EQUANT_SUCCESS && !found->chosen->nbody)
        found->chosen = placement_processor(NULL);
    return status;
}

equant_status nbody_run(const equant_engine_options *options, const backend_nbody_plan *plan,
                        size_t n_systems, const double *systems, double *velocities_m_s,
                        double *states, int *ends)
{
    placement found;
    equant_status status = find(options, &found);
    if (status != EQUANT_SUCCESS || n_systems == 0)
        return status;
    const backend_nbody *nbody = found.chosen->nbody;
    status =
        nbody->integrate(&found.engine, plan, n_systems, systems, velocities_m_s, states, ends);
    backend_nbody_plan exact = *plan;
    exact.is_exact = true;
    const size_t n = plan->n_planets, n_times = plan->n_times;
    for (size_t s = 0; status == EQUANT_SUCCESS && s < n_systems; s++)
        if (ends[s] != BACKEND_NBODY_FINE)
            status = nbody->integrate(&found.engine, &exact, 1,
                                      systems + s * (1 + BACKEND_NBODY_PLANET * n),
                                      velocities_m_s ? velocities_m_s + s * n_times : NULL,
                                      states ? states + s * n_times * n * 6 : NULL, ends + s);
    return engine_report(found.chosen, status);
}

equant_status nbody_run_differentiate(const equant_engine_options *options,
                                      const backend_nbody_plan *plan, size_t n_systems,
                                      const double *systems, size_t n_directions,
                                      const double *directions, double *velocities_m_s,
                                      double *jacobian, int *ends)
{
    placement found;
    equant_status status = find(options, &found);
    if (status != EQUANT_SUCCESS || n_systems == 0)
        return status;
    return engine_report(found.chosen, found.chosen->nbody->differentiate(
                                           &found.engine, plan, n_systems, systems, n_directions,
                                           directions, velocities_m_s, jacobian, ends));
}
