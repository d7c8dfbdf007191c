#include "astrometry/solution/sky_jitter.h"

#include <math.h>
#include <string.h>

enum { N_COARSE = 24, N_FINE = 48, N_SWEEPS = 3 };

/* How well the logarithm of a jitter is found; the cost is flat within about this. */
#define NARROW 1e-8

/* Twice the negative logarithm of the restricted likelihood; infinite where columns are not
 * independent. */
static double cost(sky_refiner *refiner, size_t n_columns, const double *jitter)
{
    const sky_design *design = refiner->design;
    size_t n = design->n_rows;
    double sum = 0.0, shares[SKY_SOLUTION_MAX_PARAMETERS];
    sky_design_weigh(design, jitter, refiner->root_weight);
    sky_system_clear(&refiner->system);
    for (size_t j = 0; j < n_columns; j++) {
        for (size_t k = 0; k < n; k++)
            refiner->scratch[k] = refiner->columns[j * n + k] * refiner->root_weight[k];
        if (!sky_system_add(&refiner->system, refiner->scratch))
            return INFINITY;
    }
    for (size_t k = 0; k < n; k++)
        refiner->scratch[k] = refiner->residual[k] * refiner->root_weight[k];
    sky_system_project(&refiner->system, refiner->scratch, shares);
    for (size_t k = 0; k < n; k++)
        sum += refiner->scratch[k] * refiner->scratch[k] - 2.0 * log(refiner->root_weight[k]);
    return sum + sky_system_log_determinant(&refiner->system);
}

static double cost_at(sky_refiner *refiner, size_t n_columns, double *jitter, int group,
                      double value)
{
    jitter[group] = value;
    return cost(refiner, n_columns, jitter);
}

/* The least cost between two jitters, of which `middle` between them is better than both, in their
 * logarithms: by parabolas through the three best places, by the golden section where these do not
 * narrow it down (Brent). */
static double narrow(sky_refiner *refiner, size_t n_columns, double *jitter, int group, double low,
                     double middle, double high, double at_middle)
{
    const double golden = 0.3819660112501051;
    double a = log(low), b = log(high), x = log(middle), w = x, v = x, step = 0.0, before = 0.0;
    double at_x = at_middle, at_w = at_x, at_v = at_x;
    for (int turn = 0; turn < N_FINE && b - a > 4.0 * NARROW; turn++) {
        double half = 0.5 * (a + b);
        double r = (x - w) * (at_x - at_v), q = (x - v) * (at_x - at_w);
        double above = (x - v) * q - (x - w) * r, below = 2.0 * (q - r);
        double to = below != 0.0 ? -above / below : INFINITY;
        if (fabs(to) < 0.5 * fabs(before) && x + to > a && x + to < b) {
            before = step;
            step = to;
        } else {
            before = x < half ? b - x : a - x;
            step = golden * before;
        }
        double u = fabs(step) >= NARROW ? x + step : x + copysign(NARROW, step);
        double at_u = cost_at(refiner, n_columns, jitter, group, exp(u));
        if (at_u <= at_x) {
            *(u < x ? &b : &a) = x;
            v = w, at_v = at_w, w = x, at_w = at_x, x = u, at_x = at_u;
        } else {
            *(u < x ? &a : &b) = u;
            if (at_u <= at_w || w == x)
                v = w, at_v = at_w, w = u, at_w = at_u;
            else if (at_u <= at_v || v == x || v == w)
                v = u, at_v = at_u;
        }
    }
    return exp(x);
}

/* The range that a jitter of this group may have: from a hundredth of the smallest error to what
 * makes the largest residual an ordinary one. False where the group has no rows. */
static bool range_of(const sky_refiner *refiner, int group, double *low, double *high)
{
    const sky_data *data = refiner->design->data;
    double smallest = INFINITY, largest = 0.0;
    for (size_t k = 0; k < data->n_rows; k++)
        if (data->group[k] == group) {
            smallest = fmin(smallest, data->uncertainty[k]);
            largest = fmax(largest, fmax(fabs(refiner->residual[k]), data->uncertainty[k]));
        }
    *low = 0.01 * smallest;
    *high = 3.0 * largest;
    return isfinite(smallest);
}

static bool update_group(sky_refiner *refiner, size_t n_columns, double *jitter, int group)
{
    double low, high, best = 0.0, least;
    if (!range_of(refiner, group, &low, &high))
        return true;
    least = cost_at(refiner, n_columns, jitter, group, 0.0);
    double ratio = pow(high / low, 1.0 / (N_COARSE - 1));
    for (int step = 0; step < N_COARSE; step++) {
        double value = low * pow(ratio, step), found;
        found = cost_at(refiner, n_columns, jitter, group, value);
        if (found < least) {
            least = found;
            best = value;
        }
    }
    if (best > low)
        best = narrow(refiner, n_columns, jitter, group, best / ratio, best, best * ratio, least);
    else
        best = 0.0; /* as good as none */
    jitter[group] = best;
    return isfinite(least);
}

bool sky_jitter_update(sky_refiner *refiner, size_t n_columns, double jitter[SKY_DATA_MAX_GROUPS],
                       double *change)
{
    const sky_data *data = refiner->design->data;
    int n_groups = 1 + (int)data->n_instruments + (data->has_second_frame ? 1 : 0);
    double before[SKY_DATA_MAX_GROUPS];
    memcpy(before, jitter, sizeof before);
    for (int sweep = 0; sweep < (n_groups > 1 ? N_SWEEPS : 1); sweep++)
        for (int group = 0; group < n_groups; group++)
            if (!update_group(refiner, n_columns, jitter, group)) {
                memcpy(jitter, before, sizeof before);
                return false;
            }
    *change = 0.0;
    for (int group = 0; group < n_groups; group++)
        *change = fmax(*change, fabs(jitter[group] - before[group]) /
                                    fmax(jitter[group], before[group] + 1e-300));
    return true;
}
