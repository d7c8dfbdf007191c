/* The evidence of a planet more on a circle of one frequency, everything else of a model integrated
 * (docs/compare.md): products of cosine and sine with the residual and the basis of the rest, and
 * the mean over the scales of amplitudes. One function for a loop of C and for the threads of a
 * GPU; in double. */
#ifndef EQUANT_STATISTICS_CIRCLE_EVIDENCE_H
#define EQUANT_STATISTICS_CIRCLE_EVIDENCE_H

#include <math.h>
#include <stddef.h>

#include "physics/lane.h"

enum { CIRCLE_MOST_STATES = 64, CIRCLE_CHUNK = 8 };

/* Rows of numbers, one for each observation: the root weight; then, where the noise remembers, the
 * gains by which the row before entered the states, the views by which they are seen, and the
 * propagators of the blocks of one to three states. */
typedef struct circle_noise {
    size_t n_states, n_blocks, stride;
    const int *block_states; /* [n_blocks] */
    const double *rows;      /* [n_obs][stride] */
} circle_noise;

/* What all frequencies share. */
typedef struct circle_data {
    size_t n_obs;
    const double *time_days;
    size_t n_scales;
    const double *precision; /* [n_scales]: 1 / tau^2, the smallest scale first */
} circle_data;

LANE_FUNCTION void circle_evidence_wave(double frequency, double time_days, double *cosine,
                                        double *sine)
{
    const double two_pi = 6.28318530717958647693;
    double turns = frequency * time_days, angle = two_pi * (turns - floor(turns));
    *cosine = cos(angle);
    *sine = sin(angle);
}

/* A block of m states times its propagator, of cosine and of sine. */
LANE_FUNCTION void circle_evidence_propagate(int m, const double *r, double *states)
{
    double old[6];
    for (int i = 0; i < 2 * m; i++)
        old[i] = states[i];
    for (int i = 0; i < m; i++) {
        double c = 0.0, s = 0.0;
        for (int j = 0; j < m; j++) {
            c += r[i * m + j] * old[2 * j];
            s += r[i * m + j] * old[2 * j + 1];
        }
        states[2 * i] = c;
        states[2 * i + 1] = s;
    }
}

/* c c, c s and s s of a circle, whitened by the noise. */
LANE_FUNCTION void circle_evidence_square(const circle_data *data, const circle_noise *noise,
                                          double frequency, double square[3])
{
    size_t n = noise->n_states;
    double state[2 * CIRCLE_MOST_STATES], before_c = 0.0, before_s = 0.0;
    for (size_t i = 0; i < 2 * n; i++)
        state[i] = 0.0;
    square[0] = square[1] = square[2] = 0.0;
    for (size_t k = 0; k < data->n_obs; k++) {
        const double *row = noise->rows + k * noise->stride, *gain = row + 1, *view = gain + n,
                     *r = view + n;
        double c, s;
        circle_evidence_wave(frequency, data->time_days[k], &c, &s);
        for (size_t i = 0; i < n; i++) {
            state[2 * i] += gain[i] * before_c;
            state[2 * i + 1] += gain[i] * before_s;
        }
        double *block = state;
        for (size_t b = 0; b < noise->n_blocks; b++) {
            int m = noise->block_states[b];
            circle_evidence_propagate(m, r, block);
            r += m * m;
            block += 2 * m;
        }
        for (size_t i = 0; i < n; i++) {
            c -= view[i] * state[2 * i];
            s -= view[i] * state[2 * i + 1];
        }
        before_c = c;
        before_s = s;
        c *= row[0];
        s *= row[0];
        square[0] += c * c;
        square[1] += c * s;
        square[2] += s * s;
    }
}

/* From products to factor exp(exponent), the mean over scales. */
LANE_FUNCTION void circle_evidence_mean(const circle_data *data, double xx, double xy, double yy,
                                        double xr, double yr, double *exponent, double *factor)
{
    double sum = 0.0, largest = 0.0;
    xx = xx > 0.0 ? xx : 0.0;
    yy = yy > 0.0 ? yy : 0.0;
    xy = xy * xy > xx * yy ? 0.0 : xy;
    for (size_t i = data->n_scales; i-- > 0;) { /* the largest scale gains most */
        double p = data->precision[i], a = xx + p, d = yy + p, inverse = 1.0 / (a * d - xy * xy);
        double gain = 0.5 * (xr * xr * d - 2.0 * xr * yr * xy + yr * yr * a) * inverse;
        if (i + 1 == data->n_scales)
            largest = gain;
        sum += p * sqrt(inverse) * exp(gain < largest ? gain - largest : 0.0);
    }
    *exponent = largest;
    *factor = sum / (double)data->n_scales;
}

/* The evidence behind columns [n_obs][n_columns]: the residual first, then the basis of the rest.
 */
LANE_FUNCTION void circle_evidence_find(const circle_data *data, double frequency, size_t n_columns,
                                        const double *columns, const double square[3],
                                        double *exponent, double *factor)
{
    double xx = square[0], xy = square[1], yy = square[2], xr = 0.0, yr = 0.0;
    for (size_t first = 0; first < n_columns; first += CIRCLE_CHUNK) {
        double along[CIRCLE_CHUNK][2];
        size_t n = n_columns - first < CIRCLE_CHUNK ? n_columns - first : CIRCLE_CHUNK;
        for (size_t j = 0; j < CIRCLE_CHUNK; j++)
            along[j][0] = along[j][1] = 0.0;
        for (size_t k = 0; k < data->n_obs; k++) {
            const double *row = columns + k * n_columns + first;
            double c, s;
            circle_evidence_wave(frequency, data->time_days[k], &c, &s);
#ifdef __CUDACC__
#pragma unroll
#endif
            for (size_t j = 0; j < CIRCLE_CHUNK; j++) {
                double value = j < n ? row[j] : 0.0;
                along[j][0] += value * c;
                along[j][1] += value * s;
            }
        }
        for (size_t j = 0; j < CIRCLE_CHUNK; j++) {
            if (first == 0 && j == 0) {
                xr = along[0][0];
                yr = along[0][1];
            } else {
                xx -= along[j][0] * along[j][0];
                xy -= along[j][0] * along[j][1];
                yy -= along[j][1] * along[j][1];
            }
        }
    }
    circle_evidence_mean(data, xx, xy, yy, xr, yr, exponent, factor);
}

#endif
