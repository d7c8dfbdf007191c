/* Orbits of neighbouring frequencies are told apart by how far their whitened velocities have
 * turned away from each other. With e = exp(i w t) and <a, b> = a* C^-1 b the area that a step of
 * frequency and a turn of phase cover on the sphere of normalised velocities is the root of
 *
 *   lambda(w) = <te, te> / <e, e> - |<e, te>|^2 / <e, e>^2,
 *
 * and the effective span sqrt(4 pi lambda). White noise leaves the weighted variance of the times,
 * whatever the frequency. The real part of <e, te> is the mean time, which a phase takes up; the
 * imaginary part, half the slope of <e, e>, is a change of length and turns nothing. */
#include "inference/search/effective_span.h"

#include <math.h>
#include <stdlib.h>

#include "core/status_fail.h"
#include "model/circle.h"

enum { N_COLUMNS = 4, N_MEAN = 64 };

/* The middle of the times, so that nothing is lost in differences. */
static double middle_of(const noise_factor *factor, const double *time_days)
{
    double sum = 0.0;
    for (size_t k = 0; k < factor->n_rows; k++)
        sum += time_days[k] / (double)factor->n_rows;
    return sum;
}

/* At one frequency; columns has room for N_COLUMNS n_rows numbers. */
static double span_at(const noise_factor *factor, const double *time_days, double frequency_per_day,
                      double *columns)
{
    double state[N_COLUMNS * (NOISE_PROCESS_MOST_STATES + 1)];
    double middle = middle_of(factor, time_days), ee = 0.0, tt = 0.0, real = 0.0, imaginary = 0.0;
    for (size_t k = 0; k < factor->n_rows; k++) {
        double t = time_days[k] - middle, phase = TWO_PI * frequency_per_day * t;
        double *row = columns + N_COLUMNS * k;
        row[0] = cos(phase);
        row[1] = sin(phase);
        row[2] = t * row[0];
        row[3] = t * row[1];
    }
    noise_factor_whiten(factor, N_COLUMNS, columns, state);
    for (size_t k = 0; k < factor->n_rows; k++) {
        const double *row = columns + N_COLUMNS * k;
        ee += row[0] * row[0] + row[1] * row[1];
        tt += row[2] * row[2] + row[3] * row[3];
        real += row[0] * row[2] + row[1] * row[3];
        imaginary += row[0] * row[3] - row[1] * row[2];
    }
    double lambda = (tt - (real * real + imaginary * imaginary) / ee) / ee;
    return sqrt(4.0 * PI * fmax(0.0, lambda));
}

static double frequency_of(const effective_span *spans, size_t i)
{
    double share = (double)i / (EFFECTIVE_SPAN_N - 1);
    return spans->first_per_day * pow(spans->last_per_day / spans->first_per_day, share);
}

equant_status effective_span_create(const noise_factor *factor, const double *time_days,
                                    double first_per_day, double last_per_day, effective_span *made)
{
    double *columns = malloc((N_COLUMNS * factor->n_rows + 1) * sizeof *columns);
    if (!columns)
        return status_out_of_memory();
    *made = (effective_span){.first_per_day = first_per_day, .last_per_day = last_per_day};
    for (size_t i = 0; i < EFFECTIVE_SPAN_N; i++)
        made->days[i] = span_at(factor, time_days, frequency_of(made, i), columns);
    free(columns);
    return EQUANT_SUCCESS;
}

/* Between neighbours of the table; beyond it, its ends. */
double effective_span_near(const effective_span *spans, double frequency_per_day)
{
    double range = log(spans->last_per_day / spans->first_per_day);
    double share = range > 0.0 ? log(frequency_per_day / spans->first_per_day) / range : 0.0;
    double place = fmin(fmax(share, 0.0), 1.0) * (EFFECTIVE_SPAN_N - 1);
    size_t below = (size_t)fmin(place, EFFECTIVE_SPAN_N - 2);
    double part = place - (double)below;
    return (1.0 - part) * spans->days[below] + part * spans->days[below + 1];
}

double effective_span_mean(const effective_span *spans, double from_per_day, double to_per_day)
{
    double sum = 0.0;
    for (int i = 0; i < N_MEAN; i++) {
        double share = (i + 0.5) / N_MEAN;
        sum += effective_span_near(spans, from_per_day + share * (to_per_day - from_per_day));
    }
    return sum / N_MEAN;
}
