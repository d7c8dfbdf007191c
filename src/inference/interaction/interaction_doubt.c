#include "inference/interaction/interaction_doubt.h"

#include <math.h>
#include <stdlib.h>

#include "core/status_fail.h"
#include "dynamics/nbody_velocities.h"
#include "inference/interaction/interaction_start.h"

/* Planets as near to each other as those whose orbits are seldom stable, or massive ones at a
 * resonance. */
#define HILL_RADII_THAT_MATTER 5.0
#define MASS_SHARE_THAT_MATTERS 1e-3
/* The map's step is twice the usual one: differences of m/s are asked for. */
#define STEP_SHARE 2.0
#define HALF_PI 1.57079632679489661923
#define NEGLIGIBLE_COLUMN 1e-10

static interaction_pair pair_of(double star_mass, const double *elements, size_t inner,
                                size_t outer)
{
    static const int resonances[][2] = {{2, 1}, {3, 2}, {4, 3}, {5, 4}, {6, 5}, {3, 1}, {5, 3}};
    const double *a = elements + inner * NBODY_N_ELEMENTS, *b = elements + outer * NBODY_N_ELEMENTS;
    double ratio = b[NBODY_PERIOD] / a[NBODY_PERIOD], axes = pow(ratio, 2.0 / 3.0);
    interaction_pair made = {.inner = inner,
                             .outer = outer,
                             .mass_share = (a[NBODY_MASS] + b[NBODY_MASS]) / star_mass,
                             .off_resonance = INFINITY};
    double hill = 0.5 * (1.0 + axes) * cbrt(made.mass_share / 3.0);
    made.hill_radii = (axes - 1.0) / hill;
    for (size_t i = 0; i < sizeof resonances / sizeof resonances[0]; i++) {
        double off = fabs(ratio * resonances[i][1] / resonances[i][0] - 1.0);
        if (off >= made.off_resonance)
            continue;
        made.off_resonance = off;
        made.resonance[0] = resonances[i][0];
        made.resonance[1] = resonances[i][1];
    }
    return made;
}

static bool is_resonant(const interaction_pair *pair)
{
    return pair->off_resonance < INTERACTION_RESONANCE &&
           pair->mass_share > MASS_SHARE_THAT_MATTERS;
}

static interaction_pair nearest_pair(double star_mass, size_t n_planets, const double *elements)
{
    interaction_pair nearest = pair_of(star_mass, elements, 0, 1);
    for (size_t p = 1; p + 1 < n_planets; p++) {
        interaction_pair pair = pair_of(star_mass, elements, p, p + 1);
        bool is_nearer = pair.hill_radii < nearest.hill_radii;
        if (is_resonant(&pair) != is_resonant(&nearest))
            is_nearer = is_resonant(&pair);
        if (is_nearer)
            nearest = pair;
    }
    return nearest;
}

/* The square of what is left of d beside columns [n_columns][n], all of them whitened; columns are
 * made orthonormal on the way. */
static double left_beside(size_t n, size_t n_columns, double *columns, double *d)
{
    for (size_t c = 0; c <= n_columns; c++) {
        double *own = c < n_columns ? columns + c * n : d, before = 0.0, after = 0.0;
        for (size_t k = 0; k < n; k++)
            before += own[k] * own[k];
        for (int again = 0; again < 2; again++)
            for (size_t j = 0; j < c; j++) {
                const double *other = columns + j * n;
                double product = 0.0;
                for (size_t k = 0; k < n; k++)
                    product += own[k] * other[k];
                for (size_t k = 0; k < n; k++)
                    own[k] -= product * other[k];
            }
        for (size_t k = 0; k < n; k++)
            after += own[k] * own[k];
        if (c == n_columns)
            return after;
        double scale = after > NEGLIGIBLE_COLUMN * before ? 1.0 / sqrt(after) : 0.0;
        for (size_t k = 0; k < n; k++)
            own[k] *= scale;
    }
    return NAN;
}

/* Keplerian velocities, and how they change with everything but noise: [n_columns][n_obs]. */
static equant_status keplerian(study *star, const solution *best, double *velocities,
                               double *jacobian)
{
    equant_evaluator *evaluator;
    equant_status status = study_evaluator(star, best->n_planets, best->trend_order, &evaluator);
    if (status != EQUANT_SUCCESS)
        return status;
    const equant_results results = {.struct_size = sizeof results, .velocities = velocities};
    const equant_derivatives derivatives = {.struct_size = sizeof derivatives,
                                            .jacobian = jacobian};
    status = equant_evaluator_evaluate(evaluator, 1, best->set, &results);
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_differentiate(evaluator, EQUANT_BASIS_ELEMENTS, 1, best->set,
                                                &derivatives);
    return status;
}

/* All arrays are [n_obs] or [n_columns][n_obs]. */
static equant_status compare(study *star, const solution *best, double star_mass,
                             const double *elements, size_t n_columns, double *memory,
                             interaction_doubt *found)
{
    const size_t n = star->n_obs;
    double *kepler = memory, *together = memory + n, *jacobian = memory + 2 * n;
    const equant_dataset *data = star->dataset;
    equant_status status = keplerian(star, best, kepler, jacobian);
    if (status != EQUANT_SUCCESS)
        return status;
    nbody_velocities plan;
    equant_nbody_end end = EQUANT_NBODY_FINE;
    status = nbody_velocities_create(
        best->n_planets, n, data->time_days, data->reference_time_days, star_mass,
        STEP_SHARE * nbody_elements_step(best->n_planets, elements), &star->fit_engine, &plan);
    if (status == EQUANT_SUCCESS) {
        status = nbody_velocities_evaluate(&plan, 1, elements, together, &end);
        nbody_velocities_free(&plan);
    }
    if (status != EQUANT_SUCCESS)
        return status;
    found->is_unstable = end != EQUANT_NBODY_FINE;
    if (found->is_unstable)
        return EQUANT_SUCCESS;
    for (size_t k = 0; k < n; k++) {
        double error = study_uncertainties(star, best->noise)[k];
        double noise = solution_restlessness(star, best, (size_t)data->instrument[k]);
        double root_weight = 1.0 / sqrt(error * error + noise * noise);
        together[k] = (together[k] - kepler[k]) * root_weight;
        for (size_t c = 0; c < n_columns; c++)
            jacobian[c * n + k] *= root_weight;
    }
    found->chi_square = left_beside(n, n_columns, jacobian, together);
    return EQUANT_SUCCESS;
}

equant_status interaction_doubt_find(study *star, const solution *best, double star_mass,
                                     interaction_doubt *found)
{
    *found = (interaction_doubt){.chi_square = NAN};
    if (best->n_planets < 2 || best->n_planets > EQUANT_NBODY_MAX_PLANETS)
        return EQUANT_SUCCESS;
    double elements[EQUANT_NBODY_MAX_PLANETS * NBODY_N_ELEMENTS];
    interaction_start(star_mass, best->n_planets, best->set, HALF_PI, elements);
    found->pair = nearest_pair(star_mass, best->n_planets, elements);
    const parameter_layout layout = study_layout(star, best->n_planets, best->trend_order);
    const size_t n_columns = layout.n_parameters;
    double *memory = malloc((n_columns + 2) * star->n_obs * sizeof *memory);
    if (!memory)
        return status_out_of_memory();
    equant_status status = compare(star, best, star_mass, elements, n_columns, memory, found);
    free(memory);
    found->matters = found->is_unstable || found->chi_square > INTERACTION_CHI_SQUARE ||
                     found->pair.hill_radii < HILL_RADII_THAT_MATTER || is_resonant(&found->pair);
    return status;
}
