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
    gpu->chosen = placement_accelerator(gpu->among);
    return gpu->chosen && gpu->chosen->create(problem, engine, &gpu->state) == EQUANT_SUCCESS;
}

bool accelerator_evaluate(accelerator *gpu, const backend_problem *problem,
                          const backend_engine *engine, size_t n_sets, const double *parameters,
                          const equant_results *results)
{
    const equant_work batch = {.struct_size = sizeof batch,
                               .kind = EQUANT_WORK_BATCH,
                               .n_sets = n_sets,
                               .n_planets = problem->layout.n_planets,
                               .n_obs = problem->rows.n};
    if (!gpu->is_wanted || !placement_gains(&batch))
        return false;
    bool is_done = prepare(gpu, problem, engine) &&
                   gpu->chosen->evaluate(gpu->state, n_sets, parameters, results) == EQUANT_SUCCESS;
    if (!is_done)
        accelerator_free(gpu);
    return is_done;
}
