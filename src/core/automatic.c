#include "core/automatic.h"

automatic automatic_start(const backend *const *list, size_t n_listed)
{
    return (automatic){.list = list, .n_listed = n_listed};
}

void automatic_free(automatic *choice)
{
    if (choice->state)
        choice->accelerator->destroy(choice->state);
    *choice = (automatic){0};
}

const backend *automatic_accelerator(const backend *const *list, size_t n_listed)
{
    for (size_t i = 0; i < n_listed; i++)
        if (list[i]->device && list[i]->available())
            return list[i];
    return NULL;
}

static bool is_large(const backend_problem *problem, size_t n_sets)
{
    double n_planets = problem->layout.n_planets > 0 ? (double)problem->layout.n_planets : 1.0;
    return (double)n_sets * n_planets * (double)problem->rows.n >= AUTOMATIC_LEAST_EVALUATIONS;
}

/* Finds a GPU and binds the problem to it, unless that was done before. */
static bool prepare(automatic *choice, const backend_problem *problem, const backend_engine *engine)
{
    if (choice->state)
        return true;
    choice->accelerator = automatic_accelerator(choice->list, choice->n_listed);
    return choice->accelerator &&
           choice->accelerator->create(problem, engine, &choice->state) == EQUANT_SUCCESS;
}

bool automatic_evaluate(automatic *choice, const backend_problem *problem,
                        const backend_engine *engine, size_t n_sets, const double *parameters,
                        const equant_results *results)
{
    if (!choice->list || !is_large(problem, n_sets))
        return false;
    bool done =
        prepare(choice, problem, engine) &&
        choice->accelerator->evaluate(choice->state, n_sets, parameters, results) == EQUANT_SUCCESS;
    if (!done)
        automatic_free(choice);
    return done;
}
