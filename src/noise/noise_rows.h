/* Rows of noise as a caller gives them, checked, as a factor takes them. */
#ifndef EQUANT_NOISE_NOISE_ROWS_H
#define EQUANT_NOISE_NOISE_ROWS_H

#include "noise/noise_factor.h"
#include "noise/noise_sum.h"

/* What a caller has to give: times, or values and variances too. */
typedef enum noise_rows_need { NOISE_ROWS_TIMES, NOISE_ROWS_VALUES } noise_rows_need;

typedef struct noise_rows {
    noise_factor_rows of_factor;
    bool *begins_night;
    int n_instruments;
} noise_rows;

/* `given` must outlive the rows. Variances are checked where there are any. */
equant_status noise_rows_open(const equant_noise *noise, const equant_noise_rows *given,
                              noise_rows_need need, noise_rows *rows);
void noise_rows_close(noise_rows *rows);

/* What a call works with: a factor of rows, columns over them, [n_rows][width], and the states of
 * these. */
typedef struct noise_workspace {
    noise_factor factor;
    double *columns, *state;
} noise_workspace;

/* Free it in any case. */
equant_status noise_workspace_create(size_t n_rows, size_t width, bool is_whole,
                                     noise_workspace *work);
void noise_workspace_free(noise_workspace *work);

#endif
