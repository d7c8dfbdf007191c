#include "inference/select/orbits/orbit_range.h"

#include <math.h>

#include "inference/select/orbits/neighbourhood.h"
#include "inference/select/orbits/orbit_columns.h"
#include "model/circle.h"

/* Nodes of eccentricity, by steps in ln(1 - e) down to LEAST_REST, phases of each, frequencies, and
 * bins of ln K from the smallest to the largest share of that of the orbit. */
enum { RANGE_ECCENTRICITIES = 48, RANGE_PHASES = 1024, RANGE_FREQUENCIES = 5, RANGE_BINS = 512 };
#define LEAST_REST 0.004
#define LEAST_AMPLITUDE 1e-3
#define MOST_AMPLITUDE 1e3
#define FREQUENCY_REACH 2.0
/* The upper end of an interval of one standard deviation, and its lower one. */
static const double range_ends[2] = {0.158655, 0.841345};

typedef struct range_sums {
    double of_e[RANGE_ECCENTRICITIES], of_k[RANGE_BINS], usual_m_s;
} range_sums;

static double eccentricity_of(double place)
{
    return 1.0 - pow(LEAST_REST, place / RANGE_ECCENTRICITIES);
}

/* The amplitudes of a node, normal about their best on its best scale, by three points to each
 * side. */
static void add_amplitudes(range_sums *sums, orbit_products p, double scale, double weight)
{
    static const double steps[3] = {-1.7320508075688772, 0.0, 1.7320508075688772},
                        shares[3] = {1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0};
    double xx = p.xx + 1.0 / (scale * scale), yy = p.yy + 1.0 / (scale * scale);
    double determinant = xx * yy - p.xy * p.xy;
    double a = (p.xr * yy - p.yr * p.xy) / determinant, b = (p.yr * xx - p.xr * p.xy) / determinant;
    double sigma_a = sqrt(yy / determinant), sigma_b = 1.0 / sqrt(yy), slope = -p.xy / yy;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double off = steps[i] * sigma_a;
            double k = hypot(a + off, b + slope * off + steps[j] * sigma_b) / sums->usual_m_s;
            double place = log(k / LEAST_AMPLITUDE) / log(MOST_AMPLITUDE / LEAST_AMPLITUDE);
            int bin = (int)fmax(0.0, fmin(RANGE_BINS - 1, place * RANGE_BINS));
            sums->of_k[bin] += weight * shares[i] * shares[j];
        }
}

/* All phases of a frequency and an eccentricity. */
static equant_status add_phases(const study *star, const base_columns *base,
                                const neighbourhood *around, double frequency, int node,
                                double log_prior, range_sums *sums)
{
    orbit_columns work;
    double e = eccentricity_of(node + 0.5), weights[ORBIT_PRODUCTS_SCALES];
    equant_status status = orbit_columns_create(base->n_obs, 1, &work);
    for (int i = 0; i < RANGE_PHASES && status == EQUANT_SUCCESS; i++) {
        double m0 = TWO_PI * i / RANGE_PHASES;
        status = orbit_columns_set(star, base, frequency, e, &m0, &work);
        orbit_products p = orbit_columns_products(base, work.x, work.y);
        double weight = exp(
            log_prior + orbit_products_evidence(p, ORBIT_PRODUCTS_SCALES, around->scales, weights));
        int best = 0;
        for (int s = 1; s < ORBIT_PRODUCTS_SCALES; s++)
            best = weights[s] > weights[best] ? s : best;
        if (status != EQUANT_SUCCESS || !isfinite(weight))
            continue;
        sums->of_e[node] += weight;
        add_amplitudes(sums, p, around->scales[best], weight);
    }
    orbit_columns_free(&work);
    return status;
}

/* Where a share of a histogram lies below, in bins. */
static double quantile(size_t n, const double *sums, double share)
{
    double total = 0.0, below = 0.0;
    for (size_t i = 0; i < n; i++)
        total += sums[i];
    for (size_t i = 0; i < n; i++) {
        if (below + sums[i] >= share * total && sums[i] > 0.0)
            return (double)i + (share * total - below) / sums[i];
        below += sums[i];
    }
    return (double)n;
}

equant_status orbit_range_find(const study *star, const base_columns *base,
                               const double elements[N_ELEMENTS], orbit_range *range)
{
    const double a = ECCENTRICITY_A, b = ECCENTRICITY_B, beyond = 8.0;
    range_sums sums = {.usual_m_s = elements[ELEMENT_K]};
    neighbourhood around;
    double gain;
    equant_status status =
        neighbourhood_find(star, base, elements, beyond * elements[ELEMENT_K], &around, &gain);
    for (int node = 0; node < RANGE_ECCENTRICITIES; node++) {
        double e = eccentricity_of(node + 0.5);
        /* The step in e is proportional to 1 - e. */
        double log_prior = (a - 1.0) * log(e) + b * log1p(-e) - gain;
        for (int i = 0; i < RANGE_FREQUENCIES && status == EQUANT_SUCCESS; i++) {
            double step = FREQUENCY_REACH * (2.0 * i / (RANGE_FREQUENCIES - 1) - 1.0);
            status = add_phases(star, base, &around, around.frequency + step * around.width, node,
                                log_prior, &sums);
        }
    }
    for (int end = 0; end < 2 && status == EQUANT_SUCCESS; end++) {
        double place = quantile(RANGE_BINS, sums.of_k, range_ends[end]) / RANGE_BINS;
        range->eccentricity[end] =
            eccentricity_of(quantile(RANGE_ECCENTRICITIES, sums.of_e, range_ends[end]));
        range->k_m_s[end] =
            sums.usual_m_s * LEAST_AMPLITUDE * pow(MOST_AMPLITUDE / LEAST_AMPLITUDE, place);
    }
    /* What is not ended by the data ends with the nodes. */
    const double open = 1.5;
    if (range->eccentricity[1] > eccentricity_of(RANGE_ECCENTRICITIES - open)) {
        range->eccentricity[1] = 1.0;
        range->k_m_s[1] = INFINITY;
    }
    return status;
}
