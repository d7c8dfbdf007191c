#include "inference/interaction/interacting_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "statistics/cholesky.h"

enum { MOST_STEPS = 60, MOST_TRIES = 10, MOST_TURNS = 12 };
/* A step that gains less in chi-square is the last one; parts of the data are a way, not an end. */
#define SMALLEST_GAIN 1e-3
#define SMALLEST_GAIN_OF_PART 1.0
#define SMALLEST_GAIN_OF_TURN 1e-2 /* in ln L, of jitters and orbits by turns */
#define FIRST_DAMPING 1e-3
#define LEAST_DAMPING 1e-9
#define NEGLIGIBLE_PIVOT 1e-14
/* Steps are those of the usual rule, two thirds as many: errors of mm/s; transits need the rule. */
#define STEP_SHARE 1.5
#define STEP_SHARE_OF_TRANSITS 1.0

void interacting_result_free(interacting_result *own)
{
    free(own->residuals);
    free(own->offsets);
    free(own->jitters);
    free(own->transits);
    own->residuals = own->offsets = own->jitters = own->transits = NULL;
}

static bool is_over(const interacting_options *options)
{
    return options->is_cancelled && options->is_cancelled(options->context);
}

/* The damped step; false where the matrix is none. */
static bool damped_step(size_t n, const double *matrix, const double *gradient, double damping,
                        double *step)
{
    double factor[INTERACTING_MOST * INTERACTING_MOST];
    memcpy(factor, matrix, n * n * sizeof *factor);
    memcpy(step, gradient, n * sizeof *step);
    for (size_t c = 0; c < n; c++)
        factor[c * n + c] += damping * (matrix[c * n + c] > 0.0 ? matrix[c * n + c] : 1.0);
    if (!cholesky_factor(n, NEGLIGIBLE_PIVOT, factor))
        return false;
    cholesky_solve_lower(n, factor, step);
    cholesky_solve_upper(n, factor, step);
    return true;
}

static double product(size_t n, const double *a, const double *b)
{
    double sum = 0.0;
    for (size_t c = 0; c < n; c++)
        sum += a[c] * b[c];
    return sum;
}

/* One step downhill with the jitters as they are; *gain 0 where there is none. Derivatives cost
 * several times what values do: they wait until a step is taken. */
static equant_status descend(interacting_model *model, const interacting_options *options,
                             double least_gain, double *elements, double *chi_square,
                             double *damping, double *gain)
{
    const size_t n = model->n_columns;
    double matrix[INTERACTING_MOST * INTERACTING_MOST], gradient[INTERACTING_MOST];
    double step[INTERACTING_MOST], moved[EQUANT_NBODY_MAX_PLANETS * NBODY_N_ELEMENTS];
    bool is_moved = false;
    *gain = 0.0;
    interacting_model_normal(model, matrix, gradient);
    for (int attempt = 0; attempt < MOST_TRIES; attempt++, *damping *= 10.0) {
        if (is_over(options))
            return status_fail(EQUANT_ERROR_CANCELLED, "cancelled");
        double reached = INFINITY;
        if (!damped_step(n, matrix, gradient, *damping, step) ||
            !interacting_model_move(model, elements, step, moved))
            continue;
        if (product(n, step, gradient) < least_gain)
            break; /* of what such a step should gain */
        equant_status status = interacting_model_evaluate(model, moved, false, &reached);
        is_moved = true;
        if (status != EQUANT_SUCCESS)
            return status;
        if (!(reached < *chi_square))
            continue;
        *gain = *chi_square - reached;
        *damping = fmax(*damping / 10.0, LEAST_DAMPING);
        memcpy(elements, moved, model->n_planets * NBODY_N_ELEMENTS * sizeof *elements);
        return interacting_model_evaluate(model, elements, true, chi_square);
    }
    /* Nowhere lower: the model stands at the elements again, and its derivatives do. */
    return is_moved ? interacting_model_evaluate(model, elements, false, chi_square)
                    : EQUANT_SUCCESS;
}

/* Orbits and jitters by turns. */
static equant_status optimise(interacting_model *model, const interacting_options *options,
                              double least_gain, double *elements, double *log_likelihood)
{
    double chi_square, before = -INFINITY, damping = FIRST_DAMPING;
    *log_likelihood = -INFINITY;
    equant_status status = interacting_model_evaluate(model, elements, true, &chi_square);
    if (status != EQUANT_SUCCESS || !isfinite(chi_square))
        return status;
    for (int turn = 0; turn < MOST_TURNS; turn++) {
        *log_likelihood = interacting_model_fit_jitters(model);
        if (*log_likelihood - before < SMALLEST_GAIN_OF_TURN)
            return EQUANT_SUCCESS;
        before = *log_likelihood;
        chi_square = interacting_model_chi_square(model);
        for (int step = 0; step < MOST_STEPS; step++) {
            double gain;
            status = descend(model, options, least_gain, elements, &chi_square, &damping, &gain);
            if (status != EQUANT_SUCCESS)
                return status;
            if (gain < least_gain)
                break;
        }
    }
    return EQUANT_SUCCESS;
}

static equant_status keep(interacting_model *model, const double *elements, double log_likelihood,
                          interacting_result *made)
{
    const size_t n = model->n_columns;
    double matrix[INTERACTING_MOST * INTERACTING_MOST], gradient[INTERACTING_MOST];
    made->n_planets = model->n_planets;
    made->n_columns = n;
    made->log_likelihood = log_likelihood;
    memcpy(made->elements, elements, model->n_planets * NBODY_N_ELEMENTS * sizeof *elements);
    if (!isfinite(log_likelihood))
        return EQUANT_SUCCESS;
    made->chi_square = interacting_model_chi_square(model);
    made->chi_square_transits = interacting_model_chi_square_transits(model);
    interacting_model_normal(model, matrix, gradient);
    bool has_inverse = cholesky_factor(n, NEGLIGIBLE_PIVOT, matrix);
    for (size_t c = 0; c < n; c++) {
        double *column = made->covariance + c * n;
        for (size_t d = 0; d < n; d++)
            column[d] = has_inverse ? (c == d ? 1.0 : 0.0) : NAN;
        if (has_inverse) {
            cholesky_solve_lower(n, matrix, column);
            cholesky_solve_upper(n, matrix, column);
        }
    }
    made->residuals = model->residuals;
    made->offsets = model->offsets;
    made->jitters = model->jitters;
    made->transits = model->transits.wanted.values;
    model->residuals = model->offsets = model->jitters = model->transits.wanted.values = NULL;
    return EQUANT_SUCCESS;
}

static equant_status fit(const interacting_data *data, const interacting_options *options,
                         double least_gain, size_t n_planets, const double *elements,
                         interacting_result *made)
{
    interacting_model model;
    double moved[EQUANT_NBODY_MAX_PLANETS * NBODY_N_ELEMENTS];
    *made = (interacting_result){.log_likelihood = -INFINITY};
    memcpy(moved, elements, n_planets * NBODY_N_ELEMENTS * sizeof *moved);
    const double share = data->transits.n > 0 ? STEP_SHARE_OF_TRANSITS : STEP_SHARE;
    equant_status status = interacting_model_create(
        data, n_planets, !options->fixes_inclination, options->star_mass,
        share * nbody_elements_step(n_planets, elements), options->engine, &model);
    if (status != EQUANT_SUCCESS)
        return status;
    double log_likelihood;
    status = optimise(&model, options, least_gain, moved, &log_likelihood);
    if (status == EQUANT_SUCCESS)
        status = keep(&model, moved, log_likelihood, made);
    interacting_model_free(&model);
    return status;
}

equant_status interacting_fit_from(const interacting_data *data, const interacting_options *options,
                                   size_t n_planets, const double *elements,
                                   interacting_result *made)
{
    return fit(data, options, SMALLEST_GAIN, n_planets, elements, made);
}

/* Rows within so many days of the epoch, in arrays that are owned. */
typedef struct nearby_rows {
    double *numbers;
    int *integers;
    interacting_data data;
} nearby_rows;

static void free_nearby(nearby_rows *own)
{
    free(own->numbers);
    free(own->integers);
}

static void take_velocities(const interacting_data *all, double days, nearby_rows *made)
{
    double *numbers = made->numbers;
    int *instruments = made->integers;
    size_t n = 0;
    for (size_t k = 0; k < all->n; k++) {
        if (fabs(all->time_days[k]) > days)
            continue;
        numbers[n] = all->time_days[k];
        numbers[all->n + n] = all->velocity_m_s[k];
        numbers[2 * all->n + n] = all->uncertainty_m_s[k];
        instruments[n++] = all->instrument[k];
    }
    made->data.n = n;
    made->data.time_days = numbers;
    made->data.velocity_m_s = numbers + all->n;
    made->data.uncertainty_m_s = numbers + 2 * all->n;
    made->data.instrument = instruments;
}

static void take_transits(const interacting_data *all, double days, nearby_rows *made)
{
    const interacting_transits *from = &all->transits;
    double *times = made->numbers + 3 * all->n, *errors = times + from->n;
    int *planets = made->integers + all->n, *numbers = planets + from->n;
    size_t n = 0;
    for (size_t k = 0; k < from->n; k++) {
        if (fabs(from->time_days[k]) > days)
            continue;
        times[n] = from->time_days[k];
        errors[n] = from->error_days[k];
        planets[n] = from->planet[k];
        numbers[n++] = from->number[k];
    }
    made->data.transits.n = n;
    made->data.transits.planet = planets;
    made->data.transits.number = numbers;
    made->data.transits.time_days = times;
    made->data.transits.error_days = errors;
}

static equant_status rows_within(const interacting_data *all, double days, nearby_rows *made)
{
    const size_t n = all->n, m = all->transits.n;
    made->numbers = malloc((3 * n + 2 * m + 1) * sizeof *made->numbers);
    made->integers = malloc((n + 2 * m + 1) * sizeof *made->integers);
    made->data = *all;
    if (!made->numbers || !made->integers)
        return status_out_of_memory();
    take_velocities(all, days, made);
    take_transits(all, days, made);
    return EQUANT_SUCCESS;
}

/* A fit to the rows within so many days moves the elements; too few rows leave them. */
static equant_status fit_within(const interacting_data *data, const interacting_options *options,
                                double days, size_t n_planets, double *elements)
{
    nearby_rows near;
    interacting_result part = {.residuals = NULL};
    equant_status status = rows_within(data, days, &near);
    if (status == EQUANT_SUCCESS &&
        near.data.n + near.data.transits.n >
            INTERACTING_OF_PLANET * n_planets + 1 + near.data.n_instruments) {
        status = fit(&near.data, options, SMALLEST_GAIN_OF_PART, n_planets, elements, &part);
        if (status == EQUANT_SUCCESS && isfinite(part.log_likelihood))
            memcpy(elements, part.elements, n_planets * NBODY_N_ELEMENTS * sizeof *elements);
    }
    interacting_result_free(&part);
    free_nearby(&near);
    return status;
}

equant_status interacting_fit_outwards(const interacting_data *data,
                                       const interacting_options *options, size_t n_planets,
                                       const double *elements, interacting_result *made)
{
    static const struct {
        double share; /* of the longest time from the epoch */
        bool has_inclination;
    } parts[] = {{0.2, false}, {0.4, false}, {0.7, true}};
    double moved[EQUANT_NBODY_MAX_PLANETS * NBODY_N_ELEMENTS], longest = 0.0;
    memcpy(moved, elements, n_planets * NBODY_N_ELEMENTS * sizeof *moved);
    *made = (interacting_result){.log_likelihood = -INFINITY};
    for (size_t k = 0; k < data->n; k++)
        longest = fmax(longest, fabs(data->time_days[k]));
    for (size_t k = 0; k < data->transits.n; k++)
        longest = fmax(longest, fabs(data->transits.time_days[k]));
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        interacting_options own = *options;
        own.fixes_inclination = own.fixes_inclination || !parts[i].has_inclination;
        equant_status status = fit_within(data, &own, parts[i].share * longest, n_planets, moved);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    return fit(data, options, SMALLEST_GAIN, n_planets, moved, made);
}
