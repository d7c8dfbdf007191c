/* What a person asks of a comparison of numbers of planets. */
#ifndef EQUANT_APP_OPTIONS_COMPARE_REQUEST_H
#define EQUANT_APP_OPTIONS_COMPARE_REQUEST_H

#include <stdbool.h>

#include "equant.h"
#include "options/option_table.h"

struct compare_request {
    size_t max_planets, n_populations, n_sweeps; /* 0: the library's default */
    double ratio_n;                              /* of the prior of the number; 0: uniform */
    double k_min_m_s, k_max_m_s;                 /* scales of amplitudes; 0: default       */
    double threshold;                            /* from which a signal is called a planet */
    bool is_circular;
    const char *prior_e, *prior_jitter; /* in words; NULL: the library's default */
    const char *checkpoint;             /* the file of the chains as they run; NULL: none */
};

extern const struct option_row compare_request_rows[];

struct compare_request compare_request_default(void);

/* When all have been taken. Returns an exit code, with a sentence on failure. */
int compare_request_check(const char *command, const struct compare_request *request);

/* As the library takes it; what it does not say is the caller's. */
equant_compare_options compare_request_options(const struct compare_request *request);

#endif
