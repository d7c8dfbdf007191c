/* equant_mixture_entropy: entropies of mixtures, for callers. */
#include <math.h>
#include <stdlib.h>

#include "core/status_fail.h"
#include "inference/predict/mixture.h"

typedef struct sorted_mixture {
    double *means, *variances, *weights; /* [n] */
    size_t *ends;                        /* [n_groups] */
} sorted_mixture;

static equant_status check(size_t n, const double *means, const double *variances,
                           const double *weights, size_t n_groups, const size_t *groups)
{
    double whole = 0.0;
    if (n == 0 || !means || !variances)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a mixture needs components with means and variances");
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(means[i]) || !(variances[i] > 0.0) || !isfinite(variances[i]) ||
            (weights && !(weights[i] >= 0.0)) || (groups && groups[i] >= n_groups))
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "component %zu has a mean, a variance, a weight or a group that is "
                               "none",
                               i + 1);
        whole += weights ? weights[i] : 1.0;
    }
    if (!(whole > 0.0) || !isfinite(whole))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "the mixture has no weight");
    return EQUANT_SUCCESS;
}

/* Components by groups, in the order in which they came. */
static void sort(size_t n, const double *means, const double *variances, const double *weights,
                 size_t n_groups, const size_t *groups, sorted_mixture *made)
{
    size_t next = 0;
    for (size_t g = 0; g < n_groups; g++) {
        for (size_t i = 0; i < n; i++) {
            if (groups && groups[i] != g)
                continue;
            made->means[next] = means[i];
            made->variances[next] = variances[i];
            made->weights[next++] = weights ? weights[i] : 1.0;
        }
        made->ends[g] = next;
    }
}

equant_status equant_mixture_entropy(size_t n, const double *means, const double *variances,
                                     const double *weights, size_t n_groups, const size_t *groups,
                                     double *entropy, double *of_components, double *of_groups)
{
    n_groups = groups ? n_groups : 1;
    equant_status status = check(n, means, variances, weights, n_groups, groups);
    if (status != EQUANT_SUCCESS)
        return status;
    double *numbers = malloc(3 * n * sizeof *numbers);
    sorted_mixture sorted = {numbers, numbers ? numbers + n : NULL,
                             numbers ? numbers + 2 * n : NULL,
                             malloc(n_groups * sizeof *sorted.ends)};
    mixture_grid grid = {.n = 0};
    mixture_facts facts = {.mean = 0.0};
    status = numbers && sorted.ends ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS) {
        sort(n, means, variances, weights, n_groups, groups, &sorted);
        const mixture of = {.n = n,
                            .means = sorted.means,
                            .variances = sorted.variances,
                            .weights = sorted.weights,
                            .n_groups = n_groups,
                            .ends = sorted.ends};
        status = mixture_describe(&of, &grid, &facts);
        if (status != EQUANT_SUCCESS)
            status = mixture_fail(status);
    }
    if (status == EQUANT_SUCCESS && entropy)
        *entropy = facts.entropy;
    if (status == EQUANT_SUCCESS && of_components)
        *of_components = facts.within_draws;
    if (status == EQUANT_SUCCESS && of_groups)
        *of_groups = facts.within_groups;
    mixture_grid_free(&grid);
    free(numbers);
    free(sorted.ends);
    return status;
}
