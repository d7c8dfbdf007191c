#include "inference/search/aliases.h"

#include <math.h>

#include "model/circle.h"

/* Cycles of observing, per day. */
static const struct {
    double frequency_per_day;
    const char *name;
} cycles[] = {
    {1.0 / 0.99726957, "the sidereal day"}, {1.0, "the day"},
    {1.0 / 29.530589, "the month"},         {1.0 / 365.25, "the year"},
    {2.0 / 365.25, "half a year"},          {2.0 / 0.99726957, "half a sidereal day"},
};
enum { N_CYCLES = sizeof cycles / sizeof *cycles };

size_t aliases_of(double frequency_per_day, double aliases[ALIASES_MAX])
{
    size_t n = 0;
    for (size_t i = 0; i < N_CYCLES; i++) {
        double sum = frequency_per_day + cycles[i].frequency_per_day;
        double difference = fabs(frequency_per_day - cycles[i].frequency_per_day);
        aliases[n++] = sum;
        if (difference > 0.0)
            aliases[n++] = difference;
    }
    return n;
}

/* Adds a frequency that is not there yet. */
static size_t add_member(double frequency, double highest, double resolution, size_t n,
                         double *family)
{
    if (n == ALIASES_FAMILY_MAX || !(frequency < highest))
        return n;
    for (size_t i = 0; i < n; i++)
        if (fabs(family[i] - frequency) < resolution)
            return n;
    family[n] = frequency;
    return n + 1;
}

size_t aliases_family(double frequency_per_day, double highest_per_day, double resolution_per_day,
                      double family[ALIASES_FAMILY_MAX])
{
    size_t n = 1, first = 0;
    family[0] = frequency_per_day;
    for (int generation = 0; generation < 2; generation++) {
        size_t end = n;
        for (size_t i = first; i < end; i++)
            for (size_t c = 0; c < N_CYCLES; c++)
                for (int times = -2; times <= 2; times++)
                    n = add_member(fabs(family[i] + times * cycles[c].frequency_per_day),
                                   highest_per_day, resolution_per_day, n, family);
        first = end;
    }
    return n;
}

const char *aliases_name(double frequency_per_day, double true_frequency_per_day,
                         double tolerance_per_day)
{
    const char *name = 0;
    double nearest = tolerance_per_day;
    for (size_t i = 0; i < N_CYCLES; i++) {
        double sum = true_frequency_per_day + cycles[i].frequency_per_day;
        double difference = fabs(true_frequency_per_day - cycles[i].frequency_per_day);
        double distance = fmin(fabs(frequency_per_day - sum), fabs(frequency_per_day - difference));
        if (distance < nearest) {
            nearest = distance;
            name = cycles[i].name;
        }
    }
    return name;
}

const char *aliases_cycle(double frequency_per_day, double tolerance_per_day)
{
    static const struct {
        double frequency_per_day;
        const char *name;
    } own[] = {{1.0 / 0.99726957, "the sidereal day"},
               {1.0, "the day"},
               {1.0 / 365.25, "the year"},
               {1.0 - 1.0 / 365.25, "the year, seen once a day"}};
    const char *name = NULL;
    double nearest = tolerance_per_day;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        double distance = fabs(frequency_per_day - own[i].frequency_per_day);
        if (distance < nearest) {
            nearest = distance;
            name = own[i].name;
        }
    }
    return name;
}

int aliases_is_drift(double frequency_per_day, double span_days)
{
    static const double daily[] = {1.0, 1.0 / 0.99726957, 2.0, 2.0 / 0.99726957};
    const double slowest = 1.5 / span_days; /* what passes for a drift */
    for (size_t i = 0; i < sizeof daily / sizeof *daily; i++)
        if (fabs(frequency_per_day - daily[i]) < slowest)
            return 1;
    return 0;
}

double aliases_window(size_t n_obs, const double *time_days, const double *root_weight,
                      double frequency_per_day)
{
    double total = 0.0, cosines = 0.0, sines = 0.0;
    for (size_t k = 0; k < n_obs; k++) {
        double turns = frequency_per_day * time_days[k], w = root_weight[k] * root_weight[k];
        double angle = TWO_PI * (turns - floor(turns));
        total += w;
        cosines += w * cos(angle);
        sines += w * sin(angle);
    }
    return (cosines * cosines + sines * sines) / (total * total);
}
