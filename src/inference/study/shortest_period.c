#include "inference/study/shortest_period.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/status.h"
#include "model/nights.h"

/* One observation a night cannot tell a period of less than half a day from its daily aliases, and
 * a search there would find each planet once more. Who follows a star through the night has a
 * reason to: planets of seven hours are known. */
#define USUAL_DAYS 0.5
#define SHORT_DAYS 0.25
#define LONG_NIGHT_DAYS (1.5 / 24.0)
#define LEAST_SHARE (2.0 / 3.0)

/* Nights of all instruments, and those whose first and last observation are hours apart. */
static void count_nights(size_t n, const double *time_days, const int *instruments,
                         const bool *begins, double *first_days, size_t *n_nights, size_t *n_long)
{
    *n_nights = *n_long = 0;
    for (size_t k = 0; k < n; k++) {
        double *first = &first_days[instruments[k]];
        if (begins[k]) {
            *first = time_days[k];
            ++*n_nights;
        }
        if (time_days[k] - *first >= LONG_NIGHT_DAYS) {
            *first = INFINITY; /* counted */
            ++*n_long;
        }
    }
}

equant_status shortest_period_find(const equant_dataset *dataset, double *period_days)
{
    size_t n = equant_dataset_n_obs(dataset), n_nights, n_long;
    const double *time_days = equant_dataset_times_days(dataset);
    const int *instruments = equant_dataset_instruments(dataset);
    int n_instruments;
    bool *begins = malloc(n * sizeof *begins);
    double *first_days = calloc(equant_dataset_n_instruments(dataset), sizeof *first_days);
    /* Instruments are few: only memory can fail. */
    bool has_nights =
        begins && first_days &&
        nights_find(n, time_days, instruments, begins, &n_instruments) == EQUANT_SUCCESS;
    equant_status status = has_nights ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS) {
        count_nights(n, time_days, instruments, begins, first_days, &n_nights, &n_long);
        bool is_followed = (double)n_long >= LEAST_SHARE * (double)n_nights;
        *period_days = is_followed ? SHORT_DAYS : USUAL_DAYS;
    }
    free(begins);
    free(first_days);
    return status;
}
