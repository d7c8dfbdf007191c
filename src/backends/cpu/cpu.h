/* The CPU backend for one machine: everything but its kernels. */
#ifndef EQUANT_BACKENDS_CPU_CPU_H
#define EQUANT_BACKENDS_CPU_CPU_H

#include "backends/cpu/kernels.h"
#include "backends/cpu/nbody/cpu_nbody.h"

equant_status cpu_create(const cpu_kernels *const kernels[4], const backend_problem *problem,
                         const backend_engine *engine, void **state);
void cpu_destroy(void *state);
equant_status cpu_evaluate(void *state, size_t n_sets, const double *parameters,
                           const equant_results *results);
/* In double only; other states answer that it is not available. */
equant_status cpu_differentiate(void *state, equant_basis basis, size_t n_sets,
                                const double *parameters, const equant_derivatives *derivatives);
equant_status cpu_solve(const cpu_kernels *const kernels[4], const backend_engine *engine, size_t n,
                        const double *mean_anomaly_rad, const double *eccentricity,
                        double *eccentric_anomaly_rad, double *sine, double *cosine);
equant_status cpu_scan_create(const cpu_kernels *const kernels[4], const backend_engine *engine,
                              const backend_scan *scan, void **state);
void cpu_scan_destroy(void *state);
equant_status cpu_scan_run(void *state, size_t first_bin, size_t n_bins, backend_scan_node *best,
                           backend_scan_node *circular);
equant_status cpu_sky_create(const cpu_kernels *const kernels[4], const backend_engine *engine,
                             size_t n_layers, const sky_scan_layer *layers, void **state);
void cpu_sky_destroy(void *state);
equant_status cpu_sky_bins(void *state, size_t n_sources, const sky_scan_source *sources,
                           sky_scan_node *best);

#endif
