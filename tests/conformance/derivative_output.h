/* Memory for all derivatives of the sets of a trial, and one way to fill it. */
#ifndef CONFORMANCE_DERIVATIVE_OUTPUT_H
#define CONFORMANCE_DERIVATIVE_OUTPUT_H

#include "conformance/engines.h"
#include "conformance/backend_trial.h"

enum { N_BASES = 4, N_DERIVATIVE_MEMBERS = 6 };

typedef struct derivative_output {
    size_t n_doubles;
    double *memory;
    equant_derivatives derivatives;
} derivative_output;

/* Member i of the struct, and how many doubles it has per set. */
static inline double **derivative_member(equant_derivatives *derivatives, int i)
{
    double **const members[N_DERIVATIVE_MEMBERS] = {&derivatives->chi_square,
                                                    &derivatives->log_likelihood,
                                                    &derivatives->chi_square_gradient,
                                                    &derivatives->log_likelihood_gradient,
                                                    &derivatives->fisher,
                                                    &derivatives->jacobian};
    return members[i];
}

static inline size_t derivative_length(const trial *t, int i)
{
    size_t p = t->n_parameters;
    const size_t lengths[N_DERIVATIVE_MEMBERS] = {1, 1, p, p, p * p, p * t->n_obs};
    return lengths[i];
}

static inline derivative_output derivative_output_create(const trial *t)
{
    derivative_output output = {.derivatives = {.struct_size = sizeof output.derivatives}};
    for (int i = 0; i < N_DERIVATIVE_MEMBERS; i++)
        output.n_doubles += t->n_sets * derivative_length(t, i);
    double *next = output.memory = trial_allocate(output.n_doubles, sizeof(double));
    for (int i = 0; i < N_DERIVATIVE_MEMBERS; i++) {
        *derivative_member(&output.derivatives, i) = next;
        next += t->n_sets * derivative_length(t, i);
    }
    return output;
}

static inline void derivative_output_free(derivative_output *output)
{
    free(output->memory);
}

/* Backends whose derivatives are their own: the best processor, whose bits all others share, and
 * whatever is no processor. Returns how many. */
static inline size_t derivative_backends(const char *names[ENGINES_MAX_BACKENDS])
{
    size_t n = 0;
    bool processor = false;
    for (size_t b = 0; b < engines_n_backends(); b++) {
        if (!engines_is_processor(b) || !processor)
            names[n++] = engines_backend(b);
        processor = processor || engines_is_processor(b);
    }
    return n;
}

/* Differentiates all sets, at most `batch` per call. */
static inline void derivative_output_run(const trial *t, const equant_engine_options *options,
                                         equant_basis basis, size_t batch,
                                         derivative_output *output)
{
    equant_evaluator *evaluator = NULL;
    trial_require(equant_evaluator_create(t->dataset, t->model, options, &evaluator),
                  "equant_evaluator_create");
    for (size_t first = 0; first < t->n_sets; first += batch) {
        size_t n = t->n_sets - first < batch ? t->n_sets - first : batch;
        equant_derivatives rows = output->derivatives;
        for (int i = 0; i < N_DERIVATIVE_MEMBERS; i++)
            *derivative_member(&rows, i) += first * derivative_length(t, i);
        trial_require(equant_evaluator_differentiate(
                          evaluator, basis, n, t->parameters + first * t->n_parameters, &rows),
                      "equant_evaluator_differentiate");
    }
    equant_evaluator_free(evaluator);
}

#endif
