/* Kepler's equation alone on a device, arrays resident, E written: how fast it is, and how
 * fast the device's memory and arithmetic would allow. */
#ifndef EQUANT_APP_BENCH_BENCH_BOUND_H
#define EQUANT_APP_BENCH_BENCH_BOUND_H

#include <stdio.h>

#include "equant.h"
#include "text/json_writer.h"

/* What one solution takes: bytes read and written, operations on the double pipe, and
 * instructions of any kind. Counted in the compiled kernel. */
typedef struct bench_bound_cost {
    equant_precision precision;
    double bytes, double_operations, instructions;
} bench_bound_cost;

enum { BENCH_BOUND_PRECISIONS = 2 };

typedef struct bench_bound {
    equant_device_info device;
    double copied_bytes_per_s; /* read and written, by a copy within the device */
    struct {
        const bench_bound_cost *cost;
        double solutions_per_s; /* measured                            */
        double by_memory;       /* at the speed of the copy            */
        double by_double, by_instructions;
        double share; /* of the least of the three           */
    } row[BENCH_BOUND_PRECISIONS];
} bench_bound;

/* For about limit_s seconds each. The backend must have device memory. */
equant_status bench_bound_measure(const char *backend, double limit_s, bench_bound *bound);

void bench_bound_json(json_writer *json, const bench_bound *bound);
int bench_bound_text(FILE *stream, const bench_bound *bound);

#endif
