/* A batch of random systems for one engine, kept where the engine computes: in the memory of
 * its device where it has one, on the host otherwise; and how long a call on it takes. */
#ifndef EQUANT_APP_BENCH_BENCH_BATCH_H
#define EQUANT_APP_BENCH_BENCH_BATCH_H

#include <stdbool.h>

#include "equant.h"

typedef struct bench_batch {
    const char *device; /* the backend in whose memory the batch is; NULL: on the host */
    equant_evaluator *evaluator;
    size_t n_sets;
    double *parameters, *chi_square;
} bench_batch;

/* True when batches of this backend are kept in memory of its own. */
bool bench_batch_has_device(const char *backend);

/* n_sets orbits of n_planets planets as the paper draws them, and an offset of zero; those
 * beyond the first 65,536 repeat. With on_host they stay there in any case. Free it in any
 * case. */
equant_status bench_batch_create(const equant_dataset *dataset, size_t n_planets, size_t n_sets,
                                 const equant_engine_options *engine, bool on_host,
                                 bench_batch *batch);
void bench_batch_free(bench_batch *batch);

/* Seconds of one call, by the wall clock, when calls follow each other: the fastest of a
 * few rounds that together take about limit_s, or one call where that takes longer. */
equant_status bench_batch_time(bench_batch *batch, double limit_s, double *seconds);

/* The exit code for a status of these calls, with a sentence on failure. Memory that is short
 * may be that of this file, about which the library says nothing. */
int bench_batch_code(equant_status status);

/* The clock of bench_batch_time for any work: `call` starts it, `wait` sees it finished. */
typedef equant_status bench_batch_work(void *context);
equant_status bench_batch_time_work(bench_batch_work *call, bench_batch_work *wait, void *context,
                                    double limit_s, double *seconds);

#endif
