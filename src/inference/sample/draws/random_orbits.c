/* Random orbits: the distributions of Ford (2008), Table 2, addressed by system,
 * planet and element, so that neither the batch nor the number of planets drawn
 * changes a planet. */
#include <math.h>

#include "core/status_fail.h"
#include "model/circle.h"
#include "model/orbit_elements.h"
#include "statistics/random_draw.h"

enum { INDICES_PER_PLANET = 3 }; /* two uniform draws each, one unused */

#define LAST_SYSTEM (UINT64_MAX / INDICES_PER_PLANET - 1)

/* The distribution with every default filled in. */
typedef struct orbit_ranges {
    double period_min_days, period_max_days;
    double k_min_m_s, k_max_m_s;
    double eccentricity_max;
} orbit_ranges;

static double or_default(double value, double fallback)
{
    return value == 0.0 ? fallback : value;
}

#define RANGE(distribution, member, fallback)                                                      \
    or_default(OPTION_OR_ZERO(distribution, equant_orbit_distribution, member), fallback)

static orbit_ranges ranges_of(const equant_orbit_distribution *distribution)
{
    return (orbit_ranges){
        .period_min_days = RANGE(distribution, period_min_days, 2.0),
        .period_max_days = RANGE(distribution, period_max_days, 3652.5),
        .k_min_m_s = RANGE(distribution, k_min_m_s, 1.0),
        .k_max_m_s = RANGE(distribution, k_max_m_s, 500.0),
        .eccentricity_max = RANGE(distribution, eccentricity_max, 0.99),
    };
}

static equant_status check_ranges(const orbit_ranges *ranges)
{
    /* Written so that NaN fails every test. */
    if (!(ranges->period_min_days > 0.0 && ranges->period_min_days < ranges->period_max_days &&
          isfinite(ranges->period_max_days)))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "periods must satisfy 0 < minimum < maximum, not %g and %g days",
                           ranges->period_min_days, ranges->period_max_days);
    if (!(ranges->k_min_m_s > 0.0 && ranges->k_min_m_s < ranges->k_max_m_s &&
          isfinite(ranges->k_max_m_s)))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "semi-amplitudes must satisfy 0 < minimum < maximum, not %g and %g m/s",
                           ranges->k_min_m_s, ranges->k_max_m_s);
    if (!(ranges->eccentricity_max > 0.0 && ranges->eccentricity_max < 1.0))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the largest eccentricity must lie between 0 and 1, not at %g",
                           ranges->eccentricity_max);
    return EQUANT_SUCCESS;
}

static equant_status check_request(uint64_t first, size_t n_sets, size_t n_planets,
                                   const double *parameters)
{
    if (n_sets == 0 || n_planets == 0)
        return EQUANT_SUCCESS;
    if (parameters == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "random orbits need an array to be written to");
    if (n_planets >= UINT32_MAX)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "%zu planets are more than can be drawn",
                           n_planets);
    if (first > LAST_SYSTEM || n_sets - 1 > LAST_SYSTEM - first)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "random systems are numbered up to %llu, and the request passes it",
                           (unsigned long long)LAST_SYSTEM);
    return EQUANT_SUCCESS;
}

/* Rounding may carry a value onto the open upper end of its range: one step back. */
static double below(double value, double end)
{
    return value < end ? value : nextafter(end, 0.0);
}

static double log_uniform(double uniform, double smallest, double end)
{
    return below(smallest * exp(uniform * log(end / smallest)), end);
}

/* Writes the five elements of one planet of one system. */
static void draw_planet(const orbit_ranges *ranges, uint64_t seed, uint64_t system, size_t planet,
                        double elements[N_ELEMENTS])
{
    random_stream stream = {
        .seed = seed, .purpose = RANDOM_PURPOSE_ORBITS, .substream = (uint32_t)(planet + 1)};
    random_uniforms sizes = random_uniforms_at(stream, INDICES_PER_PLANET * system);
    random_uniforms shape = random_uniforms_at(stream, INDICES_PER_PLANET * system + 1);
    random_uniforms phase = random_uniforms_at(stream, INDICES_PER_PLANET * system + 2);
    elements[ELEMENT_PERIOD] =
        log_uniform(sizes.half[0], ranges->period_min_days, ranges->period_max_days);
    elements[ELEMENT_K] = log_uniform(sizes.half[1], ranges->k_min_m_s, ranges->k_max_m_s);
    elements[ELEMENT_ECCENTRICITY] =
        below(shape.half[0] * ranges->eccentricity_max, ranges->eccentricity_max);
    elements[ELEMENT_OMEGA] = below(shape.half[1] * TWO_PI, TWO_PI);
    elements[ELEMENT_M0] = below(phase.half[0] * TWO_PI, TWO_PI);
}

equant_status equant_orbits_draw(const equant_orbit_distribution *distribution, uint64_t seed,
                                 uint64_t first, size_t n_sets, size_t n_planets,
                                 double *parameters)
{
    orbit_ranges ranges = ranges_of(distribution);
    equant_status status = OPTIONS_CHECK(distribution);
    if (status == EQUANT_SUCCESS)
        status = check_ranges(&ranges);
    if (status == EQUANT_SUCCESS)
        status = check_request(first, n_sets, n_planets, parameters);
    if (status != EQUANT_SUCCESS)
        return status;
    for (size_t set = 0; set < n_sets; set++)
        for (size_t planet = 0; planet < n_planets; planet++)
            draw_planet(&ranges, seed, first + set, planet,
                        parameters + (set * n_planets + planet) * N_ELEMENTS);
    return EQUANT_SUCCESS;
}
