#include "error_bounds.h"

#include <math.h>

/* Largest change of one planet's velocity for the budget's errors of M, E and e. */
static double planet_bound(const double *planet, const oracle_place *place,
                           const error_budget *budget)
{
    double k = fabs(planet[1]), e = planet[2];
    double root = sqrt((1 - e) * (1 + e));
    double mean_error = 2 * M_PI * budget->phase * place->turns + budget->mean_absolute +
                        budget->mean_relative * fabs(place->mean) +
                        budget->eccentric * place->slope;
    /* |dv/dM| <= K dnu/dM = K root/slope^2, which changes by its own size over
     * slope^2/(2 e): a longer step may reach the pericentre. */
    double square = place->slope * place->slope;
    bool local = mean_error * 2 * e < 0.5 * square;
    double rate = root / (local ? square : (1 - e) * (1 - e));
    double moved = fmin(2 * k, (local ? 1.5 : 1) * k * rate * mean_error);
    /* |dv/de| <= K (1 + |sin nu| (2 + e)/(1 - e^2)) at fixed M. */
    double reshaped =
        k * budget->eccentricity * e * (1 + (2 + e) * fabs(place->sine) / (place->slope * root));
    return moved + fmin(2 * k, reshaped) + budget->value * k * (1 + e);
}

/* Errors of velocities before anything is solved for, and of rounding data. */
static void given_bounds(const oracle_data *data, const oracle_model *model,
                         const double *parameters, const oracle_result *result,
                         const error_budget *budget, error_bounds *bounds)
{
    for (size_t k = 0; k < data->n_obs; k++) {
        double bound = budget->value * (fabs(data->velocity_m_s[k]) + fabs(result->velocity[k]));
        for (size_t p = 0; p < model->n_planets; p++)
            bound += planet_bound(parameters + 5 * p, &result->place[p * data->n_obs + k], budget);
        for (size_t j = 0; j < oracle_n_linear(data, model); j++)
            bound += budget->value * fabs(result->linear[j] * oracle_design(data, j, k));
        bounds->velocity[k] = bound;
    }
}

/* Errors of velocities pass into solved terms through the pseudo-inverse, and
 * the normal equations add theirs in proportion to their condition. */
static void solved_bounds(const oracle_data *data, const oracle_model *model,
                          const oracle_result *result, const error_budget *budget,
                          error_bounds *bounds)
{
    size_t i = 0;
    for (size_t j = 0; j < oracle_n_linear(data, model); j++) {
        /* What was given comes back as it was given. */
        bounds->linear[j] = 0;
        if (!(j < data->n_instruments ? model->offsets_solved : model->trend_solved))
            continue;
        bounds->linear[j] = budget->value * fabs(result->linear[j]);
        const double *row = result->inverse + data->n_obs * i++;
        double noise = 0, spread = 0;
        for (size_t k = 0; k < data->n_obs; k++) {
            noise += fabs(row[k]) * bounds->velocity[k];
            spread += fabs(row[k]) * (fabs(data->velocity_m_s[k]) + fabs(result->velocity[k]));
        }
        bounds->linear[j] += noise + budget->solution * result->condition * spread;
    }
    for (size_t k = 0; k < data->n_obs; k++)
        for (size_t j = 0; j < oracle_n_linear(data, model); j++)
            bounds->velocity[k] += bounds->linear[j] * fabs(oracle_design(data, j, k));
}

void error_bounds_compute(const oracle_data *data, const oracle_model *model,
                          const double *parameters, const oracle_result *result,
                          const error_budget *budget, error_bounds *bounds)
{
    given_bounds(data, model, parameters, result, budget, bounds);
    solved_bounds(data, model, result, budget, bounds);
    double n = (double)data->n_obs, logarithms = 0;
    bounds->chi_square = (4 * budget->value + n * budget->sum) * result->chi_square;
    for (size_t k = 0; k < data->n_obs; k++) {
        double error = bounds->velocity[k];
        bounds->chi_square += (2 * fabs(result->residual[k]) + error) * error / result->variance[k];
        bounds->chi_square +=
            budget->difference * result->velocity[k] * result->velocity[k] / result->variance[k];
        logarithms += fabs(log(result->variance[k])) + 2;
    }
    bounds->log_likelihood =
        bounds->chi_square / 2 + (4 * budget->value + n * budget->sum) * logarithms;
}
