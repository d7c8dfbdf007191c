#include "inference/optimise/jitter.h"

#include <math.h>

/* Halvings of the bracket: to the last bits of a double, whatever its size. */
enum { HALVINGS = 60 };

/* Twice the derivative of the log-likelihood of one instrument by its jitter squared:
 * sum of r^2/c^2 - 1/c, with c = sigma^2 + s^2. */
static double slope(const study *star, const double *sigma, size_t instrument,
                    const double *residuals, double squared_jitter)
{
    double sum = 0.0;
    for (size_t row = star->first_row[instrument]; row < star->first_row[instrument + 1]; row++) {
        size_t k = star->rows[row];
        double c = sigma[k] * sigma[k] + squared_jitter;
        sum += (residuals[k] * residuals[k] / c - 1.0) / c;
    }
    return sum;
}

/* At s^2 = max r^2 every term of the slope is negative: the root lies below. */
static double largest_square(const study *star, size_t instrument, const double *residuals)
{
    double largest = 0.0;
    for (size_t row = star->first_row[instrument]; row < star->first_row[instrument + 1]; row++) {
        double residual = residuals[star->rows[row]];
        largest = fmax(largest, residual * residual);
    }
    return largest;
}

void noise_fit_jitters(const study *star, noise_choice noise, const double *residuals,
                       double *jitters)
{
    const double *sigma = study_uncertainties(star, noise);
    for (size_t i = 0; i < star->n_instruments; i++) {
        double low = 0.0, high = largest_square(star, i, residuals);
        if (!star->with_jitter || slope(star, sigma, i, residuals, 0.0) <= 0.0)
            high = 0.0;
        for (int step = 0; step < HALVINGS && high > 0.0; step++) {
            double middle = 0.5 * (low + high);
            if (slope(star, sigma, i, residuals, middle) > 0.0)
                low = middle;
            else
                high = middle;
        }
        jitters[i] = sqrt(0.5 * (low + high));
    }
}

void noise_root_weights(const study *star, noise_choice noise, const double *jitters,
                        double *root_weights)
{
    const double *sigma = study_uncertainties(star, noise);
    const int *made_by = equant_dataset_instruments(star->dataset);
    for (size_t k = 0; k < star->n_obs; k++) {
        double s = jitters[made_by[k]];
        root_weights[k] = 1.0 / sqrt(sigma[k] * sigma[k] + s * s);
    }
}
