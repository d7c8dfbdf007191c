/* The observations of the benchmark: a star with four planets, seen on the nights of ten
 * years. The same on every machine. */
#ifndef EQUANT_APP_BENCH_BENCH_DATASET_H
#define EQUANT_APP_BENCH_BENCH_DATASET_H

#include "equant.h"

/* One seed for everything that the benchmark draws; each kind of number has a purpose of
 * its own, and 1 to 4 are those of the data set. */
extern const uint64_t bench_dataset_seed;

/* Makes n_obs observations. */
equant_status bench_dataset_create(size_t n_obs, equant_dataset **dataset);

#endif
