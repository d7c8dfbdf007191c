#include "stars/kernel_noise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stars/posterior_result.h"
#include "terminal/messages.h"

static double number_of(const equant_posterior *posterior, const char *name)
{
    const char *text = posterior_result_provenance(posterior, name);
    return text != NULL ? strtod(text, NULL) : NAN;
}

bool kernel_noise_of(const equant_posterior *posterior, equant_quasi_periodic *kernel)
{
    const char *has_one = posterior_result_provenance(posterior, "has_kernel");
    *kernel = (equant_quasi_periodic){
        .struct_size = sizeof *kernel,
        .amplitude_m_s = number_of(posterior, "kernel_amplitude_m_s"),
        .period_days = number_of(posterior, "kernel_period_days"),
        .width = number_of(posterior, "kernel_width"),
        .decay_days = number_of(posterior, "kernel_decay_days"),
    };
    return has_one != NULL && strcmp(has_one, "0") != 0;
}

void kernel_noise_describe(const equant_quasi_periodic *kernel, char text[KERNEL_NOISE_TEXT_SIZE])
{
    snprintf(text, KERNEL_NOISE_TEXT_SIZE,
             "a quasi-periodic kernel, amplitude %g m/s, period %g days, width %g, decay %g days",
             kernel->amplitude_m_s, kernel->period_days, kernel->width, kernel->decay_days);
}

/* By the formula of include/equant/noise.h. */
static double covariance(const equant_quasi_periodic *kernel, double days)
{
    const double pi = 3.141592653589793;
    double across = sin(pi * days / kernel->period_days) / kernel->width;
    double apart = days / kernel->decay_days;
    return kernel->amplitude_m_s * kernel->amplitude_m_s *
           exp(-0.5 * (across * across + apart * apart));
}

/* Row by row: each depends on those before it. */
int kernel_noise_whiten(const equant_quasi_periodic *kernel, const struct star_result *star,
                        double *whitened)
{
    size_t n = equant_dataset_n_obs(star->dataset);
    const double *time = equant_dataset_times_days(star->dataset);
    double *factor = calloc(n * n, sizeof *factor);
    if (factor == NULL)
        return messages_out_of_memory();
    for (size_t i = 0; i < n; i++) {
        double *row = factor + i * n, sigma = star_result_uncertainty(star, i);
        double left = star->residual_m_s[i], variance = covariance(kernel, 0.0) + sigma * sigma;
        for (size_t j = 0; j < i; j++) {
            const double *other = factor + j * n;
            double sum = covariance(kernel, time[i] - time[j]);
            for (size_t k = 0; k < j; k++)
                sum -= row[k] * other[k];
            row[j] = sum / other[j];
            variance -= row[j] * row[j];
            left -= row[j] * whitened[j];
        }
        row[i] = sqrt(fmax(variance, sigma * sigma)); /* rounding may take it below */
        whitened[i] = left / row[i];
    }
    free(factor);
    return EXIT_CODE_OK;
}
