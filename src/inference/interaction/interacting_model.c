#include "inference/interaction/interacting_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"

#define TWO_PI 6.28318530717958647693
/* Of one step: larger ones leave what is linear. */
#define LONGEST_STEP_OF_SHAPE 0.2
#define LONGEST_STEP_OF_LOGARITHM 0.5
#define LARGEST_ECCENTRICITY 0.95
#define JITTER_BISECTIONS 60

equant_status interacting_model_create(const interacting_data *data, size_t n_planets,
                                       bool has_inclination, double star_mass, double step_days,
                                       const equant_engine_options *engine, interacting_model *made)
{
    *made = (interacting_model){.data = *data,
                                .n_planets = n_planets,
                                .n_columns =
                                    INTERACTING_OF_PLANET * n_planets + (has_inclination ? 1 : 0)};
    equant_status status = nbody_velocities_create(n_planets, data->n, data->time_days, 0.0,
                                                   star_mass, step_days, engine, &made->velocities);
    made->velocities.transits = &made->transits;
    if (status == EQUANT_SUCCESS)
        status = nbody_transits_create(
            n_planets, data->transits.zero_days, data->transits.period_days, data->transits.n,
            data->transits.planet, data->transits.number, made->n_columns, &made->transits);
    if (data->transits.n == 0)
        made->velocities.transits = NULL;
    made->jacobian = malloc((made->n_columns * data->n + 1) * sizeof *made->jacobian);
    made->values = malloc((data->n + 1) * sizeof *made->values);
    made->residuals = malloc((data->n + 1) * sizeof *made->residuals);
    made->offsets = calloc(data->n_instruments + 1, sizeof *made->offsets);
    made->jitters = calloc(data->n_instruments + 1, sizeof *made->jitters);
    if (status == EQUANT_SUCCESS &&
        !(made->jacobian && made->values && made->residuals && made->offsets && made->jitters))
        status = status_out_of_memory();
    if (status != EQUANT_SUCCESS)
        interacting_model_free(made);
    return status;
}

void interacting_model_free(interacting_model *own)
{
    nbody_velocities_free(&own->velocities);
    nbody_transits_free(&own->transits);
    free(own->jacobian);
    free(own->values);
    free(own->residuals);
    free(own->offsets);
    free(own->jitters);
    *own = (interacting_model){.n_planets = 0};
}

static double weight_of(const interacting_model *own, size_t k)
{
    double sigma = own->data.uncertainty_m_s[k];
    double jitter = own->jitters[own->data.instrument[k]];
    return 1.0 / (sigma * sigma + jitter * jitter);
}

/* The changes of elements that the columns stand for: [n_columns][n_planets][7]. */
static void set_changes(const interacting_model *own, const double *elements, double *changes)
{
    static const int element[INTERACTING_OF_PLANET] = {NBODY_MASS, NBODY_PERIOD, NBODY_H, NBODY_K,
                                                       NBODY_LONGITUDE};
    const size_t n = own->n_planets;
    memset(changes, 0, own->n_columns * n * NBODY_N_ELEMENTS * sizeof *changes);
    for (size_t p = 0; p < n; p++)
        for (size_t j = 0; j < INTERACTING_OF_PLANET; j++) {
            size_t column = p * INTERACTING_OF_PLANET + j;
            double *change = changes + (column * n + p) * NBODY_N_ELEMENTS;
            change[element[j]] = j < 2 ? elements[p * NBODY_N_ELEMENTS + (size_t)element[j]] : 1.0;
        }
    for (size_t p = 0; p < n && own->n_columns > INTERACTING_OF_PLANET * n; p++)
        changes[((own->n_columns - 1) * n + p) * NBODY_N_ELEMENTS + NBODY_INCLINATION] = 1.0;
}

/* The weighted mean of each instrument is taken out of values. */
static void take_offsets(const interacting_model *own, double *values, double *offsets)
{
    for (size_t i = 0; i < own->data.n_instruments; i++) {
        double sum = 0.0, weights = 0.0;
        for (size_t k = 0; k < own->data.n; k++) {
            if ((size_t)own->data.instrument[k] != i)
                continue;
            sum += weight_of(own, k) * values[k];
            weights += weight_of(own, k);
        }
        double mean = weights > 0.0 ? sum / weights : 0.0;
        if (offsets)
            offsets[i] = mean;
        for (size_t k = 0; k < own->data.n; k++)
            if ((size_t)own->data.instrument[k] == i)
                values[k] -= mean;
    }
}

static void find_residuals(interacting_model *own)
{
    for (size_t k = 0; k < own->data.n; k++)
        own->residuals[k] = own->data.velocity_m_s[k] - own->values[k];
    take_offsets(own, own->residuals, own->offsets);
}

/* How much later than by the model a transit was observed, days. */
static double lateness(const interacting_model *own, size_t k)
{
    return own->data.transits.time_days[k] -
           own->transits.wanted.values[k * EQUANT_N_NBODY_TRANSIT];
}

double interacting_model_chi_square_transits(const interacting_model *own)
{
    double sum = 0.0;
    for (size_t k = 0; k < own->data.transits.n; k++) {
        double part = lateness(own, k) / own->data.transits.error_days[k];
        sum += part * part;
    }
    return sum;
}

double interacting_model_chi_square(const interacting_model *own)
{
    double sum = interacting_model_chi_square_transits(own);
    for (size_t k = 0; k < own->data.n; k++)
        sum += weight_of(own, k) * own->residuals[k] * own->residuals[k];
    return sum;
}

equant_status interacting_model_evaluate(interacting_model *own, const double *elements,
                                         bool with_jacobian, double *chi_square)
{
    double changes[INTERACTING_MOST * EQUANT_NBODY_MAX_PLANETS * NBODY_N_ELEMENTS];
    equant_nbody_end end = EQUANT_NBODY_INVALID;
    set_changes(own, elements, changes);
    equant_status status = nbody_velocities_differentiate(
        &own->velocities, elements, with_jacobian ? own->n_columns : 0, changes, own->values,
        own->jacobian, &end);
    *chi_square = INFINITY;
    if (status != EQUANT_SUCCESS || end != EQUANT_NBODY_FINE)
        return status;
    find_residuals(own);
    *chi_square = interacting_model_chi_square(own);
    return EQUANT_SUCCESS;
}

/* d ln L / d(jitter^2), twice. */
static double jitter_slope(const interacting_model *own, size_t instrument, double square)
{
    double sum = 0.0;
    for (size_t k = 0; k < own->data.n; k++) {
        if ((size_t)own->data.instrument[k] != instrument)
            continue;
        double sigma = own->data.uncertainty_m_s[k], w = 1.0 / (sigma * sigma + square);
        sum += w * (w * own->residuals[k] * own->residuals[k] - 1.0);
    }
    return sum;
}

double interacting_model_fit_jitters(interacting_model *own)
{
    for (int turn = 0; turn < 4; turn++) {
        for (size_t i = 0; i < own->data.n_instruments; i++) {
            double low = 0.0, high = 0.0;
            for (size_t k = 0; k < own->data.n; k++)
                high = fmax(high, own->residuals[k] * own->residuals[k]);
            for (int b = 0; b < JITTER_BISECTIONS; b++) {
                double middle = 0.5 * (low + high);
                *(jitter_slope(own, i, middle) > 0.0 ? &low : &high) = middle;
            }
            own->jitters[i] = jitter_slope(own, i, 0.0) > 0.0 ? sqrt(low) : 0.0;
        }
        find_residuals(own);
    }
    double ln_likelihood = -0.5 * interacting_model_chi_square(own);
    for (size_t k = 0; k < own->data.n; k++)
        ln_likelihood += 0.5 * log(weight_of(own, k) / TWO_PI);
    for (size_t k = 0; k < own->data.transits.n; k++)
        ln_likelihood -= log(own->data.transits.error_days[k] * sqrt(TWO_PI));
    return ln_likelihood;
}

/* What transits add. */
static void add_transits(const interacting_model *own, double *matrix, double *gradient)
{
    const size_t n = own->n_columns;
    for (size_t k = 0; k < own->data.transits.n; k++) {
        const double error = own->data.transits.error_days[k], late = lateness(own, k) / error;
        const double *slopes = own->transits.wanted.slopes + k * n * EQUANT_N_NBODY_TRANSIT;
        double row[INTERACTING_MOST];
        for (size_t c = 0; c < n; c++) {
            row[c] = slopes[c * EQUANT_N_NBODY_TRANSIT] / error;
            gradient[c] += row[c] * late;
            for (size_t d = 0; d <= c; d++)
                matrix[c * n + d] += row[c] * row[d];
        }
    }
    for (size_t c = 0; c < n; c++)
        for (size_t d = 0; d < c; d++)
            matrix[d * n + c] = matrix[c * n + d];
}

void interacting_model_normal(const interacting_model *own, double *matrix, double *gradient)
{
    const size_t n = own->data.n, n_columns = own->n_columns;
    for (size_t c = 0; c < n_columns; c++)
        take_offsets(own, own->jacobian + c * n, NULL);
    for (size_t c = 0; c < n_columns; c++) {
        const double *column = own->jacobian + c * n;
        gradient[c] = 0.0;
        for (size_t k = 0; k < n; k++)
            gradient[c] += weight_of(own, k) * column[k] * own->residuals[k];
        for (size_t d = 0; d <= c; d++) {
            double sum = 0.0;
            for (size_t k = 0; k < n; k++)
                sum += weight_of(own, k) * column[k] * own->jacobian[d * n + k];
            matrix[c * n_columns + d] = matrix[d * n_columns + c] = sum;
        }
    }
    add_transits(own, matrix, gradient);
}

static double within(double x, double most)
{
    return fmax(-most, fmin(most, x));
}

bool interacting_model_move(const interacting_model *own, const double *elements,
                            const double *step, double *moved)
{
    const size_t n = own->n_planets;
    memcpy(moved, elements, n * NBODY_N_ELEMENTS * sizeof *moved);
    for (size_t p = 0; p < n; p++) {
        double *to = moved + p * NBODY_N_ELEMENTS;
        const double *by = step + p * INTERACTING_OF_PLANET;
        to[NBODY_MASS] *= exp(within(by[0], LONGEST_STEP_OF_LOGARITHM));
        to[NBODY_PERIOD] *= exp(within(by[1], LONGEST_STEP_OF_LOGARITHM));
        to[NBODY_H] += within(by[2], LONGEST_STEP_OF_SHAPE);
        to[NBODY_K] += within(by[3], LONGEST_STEP_OF_SHAPE);
        to[NBODY_LONGITUDE] += within(by[4], 1.0);
        if (own->n_columns > INTERACTING_OF_PLANET * n)
            to[NBODY_INCLINATION] += within(step[INTERACTING_OF_PLANET * n], LONGEST_STEP_OF_SHAPE);
        if (!(hypot(to[NBODY_H], to[NBODY_K]) < LARGEST_ECCENTRICITY))
            return false;
    }
    return true;
}
