/* The elementary errors that each way of computing may make. These are the
 * promises of docs/numerics.md in numbers that a test can hold it to. */
#ifndef CONFORMANCE_ERROR_BUDGETS_H
#define CONFORMANCE_ERROR_BUDGETS_H

#include "conformance/engines.h"
#include "oracle/error_bounds.h"

static inline error_budget error_budgets_of(const equant_engine_options *options)
{
    const double single = 0x1p-24, twice = 0x1p-53;
    bool wide = engines_is_double(options);
    double unit = wide ? twice : single;
    /* Where time and phase are kept in more than the rest. */
    double phase_unit = options->precision == EQUANT_PRECISION_SINGLE ? single
                        : options->precision == EQUANT_PRECISION_PAIR ? 0x1p-45
                                                                      : twice;
    error_budget budget = {
        .phase = 3 * phase_unit,
        .mean_absolute = 2 * 3.15 * phase_unit,
        .mean_relative = 2 * unit,
        .eccentric = 4 * unit,
        .eccentricity = unit,
        .value = 4 * unit,
        .sum = options->summation == EQUANT_SUMMATION_COMPENSATED ? 0 : unit,
        .solution = 4 * unit,
    };
    if (options->backend && strncmp(options->backend, "cuda", 4) == 0) {
        /* Sine and cosine of the hardware, in single: 5e-7, and a step of Newton less. Solved
         * offsets are subtracted from sums made in double. */
        budget.difference = 64 * twice;
        if (!wide) {
            budget.mean_absolute += 2e-6;
            budget.value += 16 * unit;
        }
    }
    if (options->solver == EQUANT_SOLVER_DANBY) {
        /* It stops where |f| is below the tolerance, and computes f with E and M
         * of up to pi: both are errors of M. */
        double tolerance = options->danby_tolerance > 0 ? options->danby_tolerance : 1e-6;
        budget.mean_absolute += tolerance + 4 * 3.15 * unit;
    }
    return budget;
}

#endif
