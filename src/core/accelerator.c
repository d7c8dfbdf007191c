#include "core/accelerator.h"

void accelerator_free(accelerator *gpu)
{
    if (gpu->state)
        gpu->chosen->destroy(gpu->state);
    *gpu = (accelerator){.is_wanted = false};
}

/* Finds a GPU, unless that was done before. */
static bool find(accelerator *gpu)
{
    if (!gpu->chosen)
        gpu->chosen = placement_accelerator(gpu->among);
    return gpu->chosen;
}

/* Binds the problem to it, unless that was done before. */
static bool prepare(accelerator *gpu, const backend_problem *problem, const backend_engine *engine)
{
    backend_engine there = *engine;
    there.device = gpu->device;
    return gpu->state || gpu->chosen->create(problem, &there, &gpu->state) == EQUANT_SUCCESS;
}

/* Whether it takes derivatives fast; asked before anything is bound to it. */
static bool is_fast(const accelerator *gpu)
{
    return gpu->state ||
           (gpu->chosen->differentiate && placement_is_fast_in_double(gpu->chosen, gpu->device));
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
    bool is_done = find(gpu) && prepare(gpu, problem, engine) &&
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
    bool is_done = find(gpu) && is_fast(gpu) && prepare(gpu, problem, engine) &&
                   gpu->chosen->differentiate(gpu->state, basis, n_sets, parameters, derivatives) ==
                       EQUANT_SUCCESS;
    if (!is_done)
        accelerator_free(gpu);
    return is_done;
}
