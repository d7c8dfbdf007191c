#include "inference/likelihood/activity/noise_ranges.h"

#include <math.h>
#include <string.h>

/* Over how much of the data a rotation has to be seen, and the longest. */
#define ROTATION_LONGEST 150.0
#define ROTATIONS_SEEN 2.0
/* Spots live for one to four turns: noise that remembers longer could pass for a planet. An
 * oscillator of quality Q forgets within Q / pi periods. */
#define DECAY_SHORTEST 1.0
#define DECAY_LONGEST 4.0
#define QUALITY_LARGEST 12.0
/* Cycles of stars move velocities by no more than a few metres per second (Lovis et al. 2011). */
#define SLOW_LARGEST_M_S 10.0
/* Granules live for minutes, supergranules for days. */
#define GRANULATION_SHORTEST 0.05
#define GRANULATION_LONGEST 10.0
/* What must be above a number is so after rounding, too. */
#define ABOVE (1.0 + 1e-9)
/* Other noise forgets within hours at the shortest. */
#define SCALE_SHORTEST 0.1

bool noise_range_is_open(const noise_range *range)
{
    return range->lowest < range->highest;
}

/* Scatter of the velocities about the mean of each instrument, and the typical uncertainty. */
static void measure_scatter(const equant_dataset *dataset, double *rms, double *sigma)
{
    const double *velocity = equant_dataset_velocities_m_s(dataset);
    const double *uncertainty = equant_dataset_uncertainties_m_s(dataset);
    const int *instrument = equant_dataset_instruments(dataset);
    size_t n = equant_dataset_n_obs(dataset);
    double squares = 0.0, errors = 0.0;
    for (size_t i = 0; i < equant_dataset_n_instruments(dataset); i++) {
        double count = 0.0, mean = 0.0;
        for (size_t k = 0; k < n; k++)
            if ((size_t)instrument[k] == i)
                mean += (velocity[k] - mean) / ++count;
        for (size_t k = 0; k < n; k++)
            if ((size_t)instrument[k] == i)
                squares += (velocity[k] - mean) * (velocity[k] - mean);
    }
    for (size_t k = 0; k < n; k++)
        errors += log(uncertainty[k]);
    *rms = sqrt(squares / (double)n);
    *sigma = exp(errors / (double)n);
}

noise_ranges noise_ranges_of(const equant_dataset *dataset)
{
    const double *time = equant_dataset_times_days(dataset);
    double rms, sigma;
    measure_scatter(dataset, &rms, &sigma);
    double most = fmax(3.0 * rms, sigma);
    return (noise_ranges){.span_days = time[equant_dataset_n_obs(dataset) - 1] - time[0],
                          .least_m_s = 0.1 * sigma,
                          .most_m_s = most,
                          .usual_m_s = fmin(sigma, most)};
}

double noise_ranges_longest_rotation(const noise_ranges *ranges)
{
    return fmin(ROTATION_LONGEST, ranges->span_days / ROTATIONS_SEEN);
}

/* Begins in the middle of the logarithms. */
static noise_range between(double lowest, double highest)
{
    return (noise_range){lowest, highest, sqrt(lowest * highest), false, NULL};
}

static noise_range period_of(const noise_ranges *ranges, const noise_term_kind *kind)
{
    double longest = noise_ranges_longest_rotation(ranges);
    if (kind->is_rotation)
        return between(fmin(NOISE_RANGES_SHORTEST_ROTATION, 0.5 * longest), longest);
    if (strcmp(kind->name, "granulation") == 0)
        return between(GRANULATION_SHORTEST, GRANULATION_LONGEST);
    return between(SCALE_SHORTEST, fmax(2.0 * SCALE_SHORTEST, ranges->span_days / ROTATIONS_SEEN));
}

static noise_range decay_of(const noise_ranges *ranges, const noise_term_kind *kind)
{
    double span = ranges->span_days;
    if (kind->is_rotation)
        return (noise_range){DECAY_SHORTEST, DECAY_LONGEST, 2.0, true, NULL};
    if (strcmp(kind->name, "slow") == 0)
        return (noise_range){NOISE_RANGES_SHORTEST_SLOW * ABOVE,
                             fmax(2.0 * NOISE_RANGES_SHORTEST_SLOW, span),
                             sqrt(NOISE_RANGES_SHORTEST_SLOW * fmax(span, 400.0)), false, NULL};
    return between(SCALE_SHORTEST, fmax(2.0 * SCALE_SHORTEST, span));
}

static noise_range amplitude_of(const noise_ranges *ranges, const noise_term_kind *kind)
{
    double most = ranges->most_m_s;
    if (strcmp(kind->name, "slow") == 0)
        most = fmin(most, fmax(SLOW_LARGEST_M_S, 2.0 * ranges->least_m_s));
    return (noise_range){ranges->least_m_s, most, ranges->usual_m_s, false, NULL};
}

/* Whose prior a parameter of a term has. */
static noise_quantity quantity_of(const noise_term_kind *kind, const char *name)
{
    return strcmp(name, "amplitude") == 0 ? NOISE_AMPLITUDE
           : strcmp(name, "period") == 0  ? NOISE_PERIOD
           : strcmp(name, "width") == 0   ? NOISE_WIDTH
           : strcmp(name, "decay") == 0   ? (kind->is_rotation ? NOISE_TURNS : NOISE_MEMORY)
                                          : N_NOISE_QUANTITIES;
}

void noise_ranges_usual(const noise_ranges *ranges, const noise_term_kind *kind,
                        noise_range *parameters)
{
    for (size_t i = 0; i < kind->n_parameters; i++) {
        const char *name = kind->parameters[i].name;
        parameters[i] = strcmp(name, "amplitude") == 0 ? amplitude_of(ranges, kind)
                        : strcmp(name, "period") == 0  ? period_of(ranges, kind)
                        : strcmp(name, "decay") == 0   ? decay_of(ranges, kind)
                        : strcmp(name, "width") == 0   ? between(0.2, 2.0)
                        : strcmp(name, "mix") == 0     ? between(0.05, 2.0)
                        : kind->is_rotation /* the qualities of two oscillators add up */
                            ? between(0.1, 0.5 * QUALITY_LARGEST)
                            : between(0.5, QUALITY_LARGEST);
        if (strcmp(name, "width") == 0)
            parameters[i].start = 0.5;
        else if (strcmp(name, "mix") == 0)
            parameters[i].start = 0.3;
        else if (strstr(name, "quality"))
            parameters[i].start = kind->is_rotation ? 1.0 : 2.0;
        const log_normal_sum *prior =
            prior_table_noise(ranges->class, noise_catalogue_number(kind), quantity_of(kind, name));
        parameters[i].prior = prior->n > 0 ? prior : NULL;
    }
}
