/* What a Monte Carlo search found, and its three ways onto paper. */
#ifndef EQUANT_APP_RESULTS_MONTECARLO_REPORT_H
#define EQUANT_APP_RESULTS_MONTECARLO_REPORT_H

#include <stdbool.h>

#include "equant.h"
#include "files/output_check.h"
#include "results/best_list.h"

struct montecarlo_report {
    const equant_dataset *dataset;
    equant_engine_options engine;
    equant_orbit_distribution distribution;
    const char *backend;
    uint64_t seed;
    size_t n_planets;
    int trend_order;
    uint64_t n_samples, n_drawn; /* wanted and done; fewer after Ctrl-C         */
    double seconds;
    double chi_square_no_planet; /* offsets and trend alone                     */
    struct best_list best;       /* sorted                                      */
    size_t n_linear;
    double *parameters;     /* [best.n][n_planets][EQUANT_N_ELEMENTS]           */
    double *log_likelihood; /* [best.n]                                         */
    double *linear;         /* [best.n][n_linear]                               */
};

/* What montecarlo_report_table writes. */
extern const struct output_kind montecarlo_report_kind;

/* Each returns an exit code, with a sentence on failure. The table is one that
 * `equant evaluate --orbits` reads. */
int montecarlo_report_text(const struct montecarlo_report *report);
int montecarlo_report_json(const struct montecarlo_report *report);
int montecarlo_report_table(const struct montecarlo_report *report, const char *path);

#endif
