#include "binaries/sb2_model.h"

#include <math.h>
#include <string.h>

#include "physics/sky_orbit.h"

#define LN_TWO 0.69314718055994530942
#define LN_TWO_PI 1.83787706640934548356
#define LEAST_ECCENTRICITY 1e-7 /* of derivatives, whose limit at a circle this is to rounding */

enum { CONSTANT_STEPS = 60, JITTER_STEPS = 40 };

static const double sign_of[2] = {1.0, -1.0};

double sb2_model_shape(const double elements[SB2_N], double time_days, double slope[4])
{
    double k = elements[SB2_COSINE], h = elements[SB2_SINE], e = hypot(k, h);
    if (e < LEAST_ECCENTRICITY) {
        k = e = LEAST_ECCENTRICITY;
        h = 0.0;
    }
    double c = k / e, s = h / e, root = sqrt((1.0 - e) * (1.0 + e));
    double M = elements[SB2_LONGITUDE] - atan2(h, k) + elements[SB2_MOTION] * time_days;
    sky_place at = sky_place_at(M, e);
    double x = root * (at.X_M * s + at.Y_M * c);
    if (slope == NULL)
        return x;
    double by_M = root * (at.X_MM * s + at.Y_MM * c), by_omega = root * (at.X_M * c - at.Y_M * s);
    double by_e = root * (at.X_Me * s + at.Y_Me * c) - e / (root * root) * x;
    double across = (by_omega - by_M) / e; /* omega turns at a fixed longitude */
    slope[SB2_MOTION] = by_M * time_days;
    slope[SB2_LONGITUDE] = by_M;
    slope[SB2_COSINE] = c * by_e - s * across;
    slope[SB2_SINE] = s * by_e + c * across;
    return x;
}

/* ---- one row -------------------------------------------------------------------------------- */

/* ln of the densities of both hypotheses, given the velocities of both stars. */
static void weigh(const sb2_row *row, const double star[2], double jitter, double density[2])
{
    density[0] = density[1] = 0.0;
    for (int i = 0; i < 2; i++) {
        double variance = row->error[i] * row->error[i] + jitter * jitter;
        if (isnan(row->velocity[i]))
            continue;
        for (int swap = 0; swap < 2; swap++) {
            double miss = row->velocity[i] - star[i ^ swap];
            density[swap] -= 0.5 * (miss * miss / variance + log(variance) + LN_TWO_PI);
        }
    }
}

/* ln of their mean, and how likely the second is. */
static double mix(const double density[2], bool is_ordered, double *swapped)
{
    double apart = density[1] - density[0];
    *swapped = is_ordered ? 0.0 : 1.0 / (1.0 + exp(-apart));
    if (is_ordered)
        return density[0];
    return fmax(density[0], density[1]) + log1p(exp(-fabs(apart))) - LN_TWO;
}

static void add_slopes(const sb2_row *row, const double elements[SB2_N], double x,
                       const double slope[4], double jitter, double swapped, sb2_slopes *slopes)
{
    for (int i = 0; i < 2; i++) {
        double variance = row->error[i] * row->error[i] + jitter * jitter;
        if (isnan(row->velocity[i]))
            continue;
        for (int swap = 0; swap < 2; swap++) {
            int star = i ^ swap;
            double weight = (swap ? swapped : 1.0 - swapped) / variance, by[SB2_N] = {0};
            double amplitude = sign_of[star] * elements[SB2_K1 + star];
            double miss = row->velocity[i] - elements[SB2_GAMMA] - amplitude * x;
            for (int j = 0; j < 4; j++)
                by[j] = amplitude * slope[j];
            by[SB2_GAMMA] = 1.0;
            by[SB2_K1 + star] = sign_of[star] * x;
            for (int j = 0; j < SB2_N; j++) {
                slopes->gradient[j] += weight * miss * by[j];
                for (int l = 0; l < SB2_N; l++)
                    slopes->matrix[j * SB2_N + l] += weight * by[j] * by[l];
            }
        }
    }
}

/* ---- all rows ------------------------------------------------------------------------------- */

static bool is_known(const sb2_epochs *epochs, const sb2_row *row)
{
    return epochs->keeps_roles || row->is_ordered;
}

double sb2_model_likelihood(const sb2_epochs *epochs, const double elements[SB2_N],
                            double jitter_m_s, sb2_slopes *slopes, double *swapped)
{
    double sum = 0.0;
    if (slopes != NULL)
        memset(slopes, 0, sizeof *slopes);
    for (size_t k = 0; k < epochs->n; k++) {
        const sb2_row *row = &epochs->rows[k];
        if (k == epochs->left_out)
            continue;
        double slope[4], density[2], second;
        double x = sb2_model_shape(elements, row->time_days - epochs->reference_days,
                                   slopes != NULL ? slope : NULL);
        const double star[2] = {elements[SB2_GAMMA] + elements[SB2_K1] * x,
                                elements[SB2_GAMMA] - elements[SB2_K2] * x};
        weigh(row, star, jitter_m_s, density);
        sum += mix(density, is_known(epochs, row), &second);
        if (slopes != NULL)
            add_slopes(row, elements, x, slope, jitter_m_s, second, slopes);
        if (swapped != NULL)
            swapped[k] = second;
    }
    return sum;
}

/* By the likelier role. */
static double row_chi_square(const sb2_epochs *epochs, const sb2_row *row,
                             const double elements[SB2_N], double jitter_m_s)
{
    double x = sb2_model_shape(elements, row->time_days - epochs->reference_days, NULL), own[2];
    for (int swap = 0; swap < 2; swap++) {
        own[swap] = 0.0;
        for (int i = 0; i < 2; i++) {
            int star = i ^ swap;
            double miss = row->velocity[i] - elements[SB2_GAMMA] -
                          sign_of[star] * elements[SB2_K1 + star] * x;
            if (!isnan(row->velocity[i]))
                own[swap] +=
                    miss * miss / (row->error[i] * row->error[i] + jitter_m_s * jitter_m_s);
        }
    }
    return is_known(epochs, row) ? own[0] : fmin(own[0], own[1]);
}

double sb2_model_chi_square(const sb2_epochs *epochs, const double elements[SB2_N],
                            double jitter_m_s)
{
    double sum = 0.0;
    for (size_t k = 0; k < epochs->n; k++)
        sum += row_chi_square(epochs, &epochs->rows[k], elements, jitter_m_s);
    return sum;
}

size_t sb2_model_worst_row(const sb2_epochs *epochs, const double elements[SB2_N],
                           double jitter_m_s, double *below)
{
    double largest = -1.0;
    size_t worst = SB2_ALL;
    for (size_t k = 0; k < epochs->n; k++) {
        double own = row_chi_square(epochs, &epochs->rows[k], elements, jitter_m_s);
        if (own < *below && own > largest) {
            largest = own;
            worst = k;
        }
    }
    *below = largest;
    return worst;
}

/* ---- two constant velocities -------------------------------------------------------------------
 */

/* ln L of two constants, which become those that weigh best with the roles that they give. */
static double improve(const sb2_epochs *epochs, double jitter, double star[2])
{
    double sum = 0.0, weights[2] = {0}, means[2] = {0};
    for (size_t k = 0; k < epochs->n; k++) {
        const sb2_row *row = &epochs->rows[k];
        double density[2], second;
        weigh(row, star, jitter, density);
        sum += mix(density, is_known(epochs, row), &second);
        for (int i = 0; i < 2; i++)
            for (int swap = 0; swap < 2; swap++) {
                double weight = (swap ? second : 1.0 - second) /
                                (row->error[i] * row->error[i] + jitter * jitter);
                if (isnan(row->velocity[i]))
                    continue;
                weights[i ^ swap] += weight;
                means[i ^ swap] += weight * row->velocity[i];
            }
    }
    for (int i = 0; i < 2; i++)
        star[i] = weights[i] > 0.0 ? means[i] / weights[i] : star[i];
    return sum;
}

double sb2_model_constant(const sb2_epochs *epochs, bool has_jitter)
{
    double low = INFINITY, high = -INFINITY, best = -INFINITY;
    for (size_t k = 0; k < epochs->n; k++)
        for (int i = 0; i < 2; i++) {
            low = fmin(low, epochs->rows[k].velocity[i]);
            high = fmax(high, epochs->rows[k].velocity[i]);
        }
    for (int step = 0; step <= (has_jitter ? JITTER_STEPS : 0); step++) {
        double jitter = step > 0 ? (high - low) * exp2(-0.5 * step) : 0.0;
        double star[2] = {low + 0.75 * (high - low), low + 0.25 * (high - low)}, found = -INFINITY;
        for (int i = 0; i < CONSTANT_STEPS; i++)
            found = improve(epochs, jitter, star);
        best = fmax(best, found);
    }
    return best;
}
