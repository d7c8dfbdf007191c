#include "bench/bench_errors.h"

#include <math.h>

const char bench_errors_max_fractional[] = "largest |chi2 - truth| / truth";
const char bench_errors_max_absolute[] = "largest |chi2 - truth|";
const char bench_errors_l1[] = "sum of |chi2 - truth| / sum of truth";

bench_errors bench_errors_of(size_t n, const double *chi_square, const double *truth)
{
    bench_errors errors = {0.0, 0.0, 0.0};
    double sum_of_errors = 0.0, sum_of_truth = 0.0;
    for (size_t i = 0; i < n; i++) {
        double error = isfinite(chi_square[i]) ? fabs(chi_square[i] - truth[i]) : INFINITY;
        errors.max_absolute = fmax(errors.max_absolute, error);
        errors.max_fractional = fmax(errors.max_fractional, error / truth[i]);
        sum_of_errors += error;
        sum_of_truth += truth[i];
    }
    errors.l1 = sum_of_errors / sum_of_truth;
    return errors;
}
