/* Many data sets under one model. A backend that has lists takes all of them; for others there is a
 * state for each data set, and threads go from one to the next. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/evaluators/data_problem.h"
#include "core/engine.h"
#include "core/model_object.h"
#include "core/placement.h"
#include "core/status_fail.h"
#include "parallel/parallel_for.h"

struct equant_evaluator_list {
    size_t n;
    parameter_layout layout;
    const backend *chosen;
    int n_threads;
    void *together; /* of backend_lists, or NULL: */
    void **states;  /* [n] */
    /* Of a call: sets in the order of their data sets, [n + 1] and [most_sets]. */
    size_t *first_set, *place, most_sets;
};

/* Sets of one data set that a thread brings together at a time. */
enum { AT_ONCE = 256 };

/* ---- made and freed -------------------------------------------------------- */

void equant_evaluator_list_free(equant_evaluator_list *list)
{
    if (!list)
        return;
    if (list->together)
        list->chosen->lists->destroy(list->together);
    for (size_t i = 0; list->states && i < list->n; i++)
        if (list->states[i])
            list->chosen->destroy(list->states[i]);
    free(list->states);
    free(list->first_set);
    free(list->place);
    free(list);
}

/* On a GPU: all problems at once, which are copied to it and not kept. */
static equant_status bind_together(equant_evaluator_list *list,
                                   const equant_dataset *const *datasets, const equant_model *model,
                                   const backend_engine *engine)
{
    backend_problem *problems = calloc(list->n + 1, sizeof *problems);
    equant_status status = problems ? EQUANT_SUCCESS : status_out_of_memory();
    size_t n = 0;
    for (; n < list->n && status == EQUANT_SUCCESS; n++)
        status = data_problem_create(datasets[n], model, &problems[n]);
    if (status == EQUANT_SUCCESS) {
        status = list->chosen->lists->create(list->n, problems, engine, &list->together);
        status = status == EQUANT_ERROR_UNAVAILABLE
                     ? status_fail(status, "the GPU evaluates lists of data sets with the usual "
                                           "kernels, and without noise terms; name a processor")
                     : engine_report(list->chosen, status);
    }
    for (size_t i = 0; problems && i < n; i++)
        data_problem_free(&problems[i]);
    free(problems);
    return status;
}

/* On processors: a state for each, of one thread. */
static equant_status bind_each(equant_evaluator_list *list, const equant_dataset *const *datasets,
                               const equant_model *model, backend_engine engine)
{
    equant_status status = EQUANT_SUCCESS;
    list->n_threads = engine.n_threads;
    engine.n_threads = 1;
    list->states = calloc(list->n + 1, sizeof *list->states);
    list->first_set = malloc((list->n + 1) * sizeof *list->first_set);
    if (!list->states || !list->first_set)
        return status_out_of_memory();
    for (size_t i = 0; i < list->n && status == EQUANT_SUCCESS; i++) {
        backend_problem problem;
        status = data_problem_create(datasets[i], model, &problem);
        if (status != EQUANT_SUCCESS)
            break;
        status =
            engine_report(list->chosen, list->chosen->create(&problem, &engine, &list->states[i]));
        data_problem_free(&problem);
    }
    return status;
}

static equant_status check_data(size_t n, const equant_dataset *const *datasets,
                                const equant_model *model)
{
    for (size_t i = 0; i < n; i++) {
        if (!datasets[i])
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "data set %zu is missing", i + 1);
        equant_status status = data_problem_check(datasets[i], model);
        if (status != EQUANT_SUCCESS) {
            char sentence[512];
            strncpy(sentence, equant_last_error(), sizeof sentence - 1);
            sentence[sizeof sentence - 1] = '\0';
            return status_fail(status, "data set %zu: %s", i + 1, sentence);
        }
    }
    return EQUANT_SUCCESS;
}

equant_status equant_evaluator_list_create(size_t n_datasets, const equant_dataset *const *datasets,
                                           const equant_model *model,
                                           const equant_engine_options *options,
                                           equant_evaluator_list **out)
{
    if (n_datasets == 0 || !datasets || !model || !out)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a list of evaluators needs data sets, a model and a place to put it");
    placement found;
    equant_status status = check_data(n_datasets, datasets, model);
    if (status == EQUANT_SUCCESS)
        status = placement_find(NULL, options, &placement_small_batches, &found);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_evaluator_list *list = calloc(1, sizeof *list);
    if (!list)
        return status_out_of_memory();
    list->n = n_datasets;
    list->layout = model->layout;
    list->chosen = found.chosen;
    status = found.chosen->lists ? bind_together(list, datasets, model, &found.engine)
                                 : bind_each(list, datasets, model, found.engine);
    if (status == EQUANT_SUCCESS)
        *out = list;
    else
        equant_evaluator_list_free(list);
    return status;
}

const char *equant_evaluator_list_backend(const equant_evaluator_list *list)
{
    return list ? list->chosen->name : NULL;
}

/* ---- evaluated --------------------------------------------------------------- */

/* What a thread brings together: parameters and results of sets of one data set. */
typedef struct gathered {
    double *parameters, *chi_square, *log_likelihood, *linear;
} gathered;

static gathered gathered_at(const parameter_layout *layout, const equant_results *asked,
                            double *memory)
{
    gathered made = {.parameters = memory};
    memory += AT_ONCE * layout->n_parameters;
    made.chi_square = asked->chi_square ? memory : NULL;
    made.log_likelihood = asked->log_likelihood ? memory + AT_ONCE : NULL;
    made.linear = asked->linear ? memory + 2 * AT_ONCE : NULL;
    return made;
}

static size_t gathered_words(const parameter_layout *layout)
{
    return AT_ONCE * (layout->n_parameters + 2 + layout->n_linear);
}

/* Sets of data set i, some at a time. */
static equant_status evaluate_one(const equant_evaluator_list *list, size_t i,
                                  const double *parameters, const equant_results *asked,
                                  double *memory)
{
    const parameter_layout *layout = &list->layout;
    size_t n_parameters = layout->n_parameters, n_linear = layout->n_linear, n;
    const gathered own = gathered_at(layout, asked, memory);
    const equant_results results = {.struct_size = sizeof results,
                                    .chi_square = own.chi_square,
                                    .log_likelihood = own.log_likelihood,
                                    .linear = own.linear};
    equant_status status = EQUANT_SUCCESS;
    for (size_t first = list->first_set[i];
         first < list->first_set[i + 1] && status == EQUANT_SUCCESS; first += n) {
        const size_t *place = list->place + first;
        size_t left = list->first_set[i + 1] - first;
        n = left < AT_ONCE ? left : AT_ONCE;
        for (size_t k = 0; k < n; k++)
            memcpy(own.parameters + k * n_parameters, parameters + place[k] * n_parameters,
                   n_parameters * sizeof *parameters);
        status = list->chosen->evaluate(list->states[i], n, own.parameters, &results);
        for (size_t k = 0; k < n && status == EQUANT_SUCCESS; k++) {
            if (asked->chi_square)
                asked->chi_square[place[k]] = own.chi_square[k];
            if (asked->log_likelihood)
                asked->log_likelihood[place[k]] = own.log_likelihood[k];
            if (asked->linear)
                memcpy(asked->linear + place[k] * n_linear, own.linear + k * n_linear,
                       n_linear * sizeof *own.linear);
        }
    }
    return status;
}

/* Sets in the order of their data sets; those of one stay in order. */
static equant_status sort_sets(equant_evaluator_list *list, size_t n_sets,
                               const size_t *dataset_of_set)
{
    if (n_sets > list->most_sets) {
        size_t *grown = realloc(list->place, n_sets * sizeof *grown);
        if (!grown)
            return status_out_of_memory();
        list->place = grown;
        list->most_sets = n_sets;
    }
    memset(list->first_set, 0, (list->n + 1) * sizeof *list->first_set);
    for (size_t s = 0; s < n_sets; s++)
        list->first_set[dataset_of_set[s]]++;
    for (size_t i = 0, before = 0; i <= list->n; i++) {
        size_t n = list->first_set[i];
        list->first_set[i] = before;
        before += n;
    }
    for (size_t s = 0; s < n_sets; s++)
        list->place[list->first_set[dataset_of_set[s]]++] = s;
    memmove(list->first_set + 1, list->first_set, list->n * sizeof *list->first_set);
    list->first_set[0] = 0;
    return EQUANT_SUCCESS;
}

typedef struct list_evaluation {
    equant_evaluator_list *list;
    const double *parameters;
    const equant_results *asked;
    double *memory; /* [n_threads][words] */
    size_t n_words;
    atomic_int failed;
} list_evaluation;

static void evaluate_some(void *context, size_t first, size_t end, int thread)
{
    list_evaluation *of = context;
    double *memory = of->memory + (size_t)thread * of->n_words;
    for (size_t i = first; i < end; i++)
        parallel_keep_larger(&of->failed,
                             (int)evaluate_one(of->list, i, of->parameters, of->asked, memory));
}

static equant_status evaluate_each(equant_evaluator_list *list, size_t n_sets,
                                   const size_t *dataset_of_set, const double *parameters,
                                   const equant_results *asked)
{
    equant_status status = sort_sets(list, n_sets, dataset_of_set);
    if (status != EQUANT_SUCCESS)
        return status;
    size_t worth = n_sets < (size_t)list->n_threads ? n_sets : (size_t)list->n_threads;
    list_evaluation of = {.list = list, .parameters = parameters, .asked = asked};
    of.n_words = gathered_words(&list->layout);
    of.memory = malloc((worth * of.n_words + 1) * sizeof *of.memory);
    if (!of.memory)
        return status_out_of_memory();
    parallel_for((int)worth, list->n, 4, evaluate_some, &of);
    free(of.memory);
    return engine_report(list->chosen, (equant_status)atomic_load(&of.failed));
}

static equant_status check_call(const equant_evaluator_list *list, size_t n_sets,
                                const size_t *dataset_of_set, const double *parameters,
                                const equant_results *results)
{
    if (!list || !results || (n_sets > 0 && (!dataset_of_set || !parameters)))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "an evaluation needs a list, sets, whose they are, and a place for "
                           "results");
    equant_status status = OPTIONS_CHECK(results);
    if (status != EQUANT_SUCCESS)
        return status;
    if (OPTION_OR_ZERO(results, equant_results, velocities) ||
        OPTION_OR_ZERO(results, equant_results, residuals))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "lists give no velocities and residuals: their number is that of a "
                           "data set; take its evaluator");
    for (size_t s = 0; s < n_sets; s++)
        if (dataset_of_set[s] >= list->n)
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "set %zu belongs to data set %zu; there are %zu, and the first is 0",
                               s + 1, dataset_of_set[s], list->n);
    return EQUANT_SUCCESS;
}

equant_status equant_evaluator_list_evaluate(equant_evaluator_list *list, size_t n_sets,
                                             const size_t *dataset_of_set, const double *parameters,
                                             const equant_results *results)
{
    equant_status status = check_call(list, n_sets, dataset_of_set, parameters, results);
    if (status != EQUANT_SUCCESS || n_sets == 0)
        return status;
    const equant_results asked = {.struct_size = sizeof asked,
                                  .chi_square = OPTION_OR_ZERO(results, equant_results, chi_square),
                                  .log_likelihood =
                                      OPTION_OR_ZERO(results, equant_results, log_likelihood),
                                  .linear = OPTION_OR_ZERO(results, equant_results, linear)};
    if (list->together)
        return engine_report(list->chosen,
                             list->chosen->lists->evaluate(list->together, n_sets, dataset_of_set,
                                                           parameters, &asked));
    return evaluate_each(list, n_sets, dataset_of_set, parameters, &asked);
}
