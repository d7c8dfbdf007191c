/* Observations laid out for the CPU kernels: instrument order, padding, narrowing. */
#ifndef EQUANT_BACKENDS_CPU_PROBLEM_H
#define EQUANT_BACKENDS_CPU_PROBLEM_H

#include "backends/cpu/kernels.h"

/* Fills *laid_out, which must be zero. On failure it can be (and must be) freed. */
equant_status problem_create(cpu_problem *laid_out, const backend_problem *problem,
                             const backend_engine *engine, const cpu_kernels *kernels);
void problem_free(cpu_problem *problem);

/* Cache-line aligned, zeroed; NULL when there is no memory. Freed by free(). */
void *problem_allocate(size_t count, size_t size);

/* Element i of an array of floats or doubles, as real_size says. */
void problem_store_real(void *array, size_t real_size, size_t i, double value);

#endif
