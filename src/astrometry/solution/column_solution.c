#include "astrometry/solution/column_solution.h"

#include <math.h>
#include <stdlib.h>

#include "core/status_fail.h"

struct equant_sky_solution {
    equant_sky_solution_summary summary;
    size_t n_columns;
    equant_sky_column columns[SKY_MODEL_MAX_COLUMNS];
    double covariance[]; /* [n_columns][n_columns] */
};

equant_status column_solution_create(const sky_solution *own, size_t n_rows,
                                     equant_sky_solution **solution)
{
    size_t n = sky_model_n_columns(&own->model), n_all = sky_solution_n_parameters(own);
    equant_sky_solution *made = malloc(sizeof *made + n * n * sizeof made->covariance[0]);
    if (!made)
        return status_out_of_memory();
    made->summary = (equant_sky_solution_summary){.n_rows = n_rows,
                                                  .jitter_mas = own->jitter[0],
                                                  .chi_square = own->chi_square,
                                                  .log_likelihood = own->log_likelihood};
    made->n_columns = n;
    for (size_t i = 0; i < n; i++) {
        made->columns[i] = (equant_sky_column){.name = sky_model_column_name(&own->model, i),
                                               .value = own->value[i],
                                               .error = sqrt(own->covariance[i * n_all + i])};
        for (size_t j = 0; j < n; j++)
            made->covariance[i * n + j] = own->covariance[i * n_all + j];
    }
    *solution = made;
    return EQUANT_SUCCESS;
}

void equant_sky_solution_free(equant_sky_solution *solution)
{
    free(solution);
}

equant_status equant_sky_solution_summarize(const equant_sky_solution *solution,
                                            equant_sky_solution_summary *summary)
{
    if (!solution || !summary)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a summary needs a solution and a place for it");
    equant_status status = OPTIONS_CHECK(summary);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_sky_solution_summary known = solution->summary;
    OPTIONS_FILL(known, summary);
    return EQUANT_SUCCESS;
}

size_t equant_sky_solution_n_columns(const equant_sky_solution *solution)
{
    return solution ? solution->n_columns : 0;
}

equant_status equant_sky_solution_column(const equant_sky_solution *solution, size_t index,
                                         equant_sky_column *column)
{
    size_t n = equant_sky_solution_n_columns(solution);
    equant_status status = STATUS_CHECK_ITEM(column, "columns", n, index);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_sky_column known = solution->columns[index];
    OPTIONS_FILL(known, column);
    return EQUANT_SUCCESS;
}

const double *equant_sky_solution_covariance(const equant_sky_solution *solution)
{
    return solution ? solution->covariance : NULL;
}
