#include "core/accelerator.h"

void accelerator_free(accelerator *gpu)
{
    if (gpu->state)
        gpu->chosen->destroy(gpu->state);
    *gpu = (accelerator){.is_wanted = false};
}

/* Finds a GPU and binds the problem to it, unless that was done before. */
static bool prepare(accelerator *gpu, const backend_problem *problem, const backend_engine *engine)
{
    if (gpu->state)
        return true;
    if (!gpu->chosen)
        gpu->chosen = placement_accelerator(gpu->among);
    backend_engine there = *engine;
    there.device = gpu->device;
    return gpu->chosen && gpu->chosen->create(problem, &there, &gpu->state) == EQUANT_SUCCESS;
}

/* Whether it gains from work of this kind. */
static bool gains(const accelerator *gpu, const backend_problem *problem, equant_work_kind kind,
                  size_t n_sets)
{
    const equant_work work = {.struct_size = sizeof work,
                              .kind = kind,
                              .n_sets = n_sets,
                              .n_planets = problem->layout.n_planets,
                              .n_obs = problem->rows.n};
    return gpu->is_wanted && placement_gains(&work);
}

bool accelerator_evaluate(accelerator *gpu, const backend_problem *problem,
                          const backend_engine *engine, size_t n_sets, const double *parameters,
                          const equant_results *results)
{
    if (!gains(gpu, problem, EQUANT_WORK_BATCH, n_sets))
        return false;
    bool is_done = prepare(gpu, problem, engine) &&
                   gpu->chosen->evaluate(gpu->state, n_sets, parameters, results) == EQUANT_SUCCESS;
    if (!is_done)
        accelerator_free(gpu);
    return is_done;
}

bool accelerator_differentiate(accelerator *gpu, const backend_problem *problem,
                               const backend_engine *engine, equant_basis basis, size_t n_sets,
                               const double *parameters, const equant_derivatives *derivatives)
{
    if (derivatives->jacobian || !gains(gpu, problem, EQUANT_WORK_DERIVATIVES, n_sets))
        return false;
    bool is_done = prepare(gpu, problem, engine) && gpu->chosen->differentiate &&
                   gpu->chosen->differentiate(gpu->state, basis, n_sets, parameters, derivatives) ==
                       EQUANT_SUCCESS;
    if (!is_done)
        accelerator_free(gpu);
    return is_done;
}
