/* Summary of a posterior: median, credible interval, mode and convergence diagnostics of every
 * quantity. */
#ifndef EQUANT_INFERENCE_SAMPLE_DRAWS_SUMMARY_H
#define EQUANT_INFERENCE_SAMPLE_DRAWS_SUMMARY_H

#include <stdint.h>

#include "inference/sample/draws/diagnostics.h"
#include "model/model_quantities.h"

typedef struct summary_row {
    quantity_row what; /* "period_days_1", "offset_m_s_2", "trend_m_s_day", "t_peri_1" */
    double median;
    double low, high; /* 68.3 % of the draws are between them, as many below as above.
                         Angles: the median is in [0, 2 pi), the ends on either side  */
    double mode;      /* the middle of the shortest interval with a tenth of the draws */
    double best;      /* in the draw of the highest posterior density                 */
    diagnostics quality;
} summary_row;

typedef struct summary {
    size_t n_rows;
    summary_row *rows;
} summary;

typedef struct summary_request {
    const draws *draws;
    quantities_shape shape;
    double reference_time_days;
    int n_threads;       /* which change nothing but the time; 0: all */
    const draws *begin;  /* where walkers began; NULL: not known                             */
    bool is_for_quality; /* rows are to have nothing but their diagnostics and their best    */
} summary_request;

/* Fills median, interval and mode of a row from n values >= 1, which it sorts and, where they are
 * angles, turns. */
void summary_describe(size_t n, double *values, bool is_angle, summary_row *row);

/* Fails without draws. */
equant_status summary_create(const summary_request *request, summary **made);
void summary_free(summary *made);

#endif
