#include "inputs/indicator_rows.h"

#include <stdlib.h>

bool indicator_rows_take(const equant_dataset *dataset, size_t n_rows, const size_t *rows,
                         struct indicator_rows *taken)
{
    size_t n = equant_dataset_n_indicators(dataset);
    *taken = (struct indicator_rows){.n = n};
    taken->indicators = calloc(n + 1, sizeof *taken->indicators);
    taken->numbers = calloc(2 * n * n_rows + 1, sizeof *taken->numbers);
    if (taken->indicators == NULL || taken->numbers == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        const equant_indicator *from = equant_dataset_indicator(dataset, i);
        double *values = taken->numbers + 2 * i * n_rows, *uncertainties = values + n_rows;
        for (size_t k = 0; k < n_rows; k++) {
            size_t row = rows != NULL ? rows[k] : k;
            values[k] = from->values[row];
            uncertainties[k] = from->uncertainties[row];
        }
        taken->indicators[i] = *from;
        taken->indicators[i].values = values;
        taken->indicators[i].uncertainties = uncertainties;
    }
    return true;
}

void indicator_rows_free(struct indicator_rows *taken)
{
    free(taken->indicators);
    free(taken->numbers);
    *taken = (struct indicator_rows){0};
}
