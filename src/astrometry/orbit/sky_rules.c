#include "astrometry/orbit/sky_rules.h"
#include "model/period_resolution.h"

#include <math.h>
#include <string.h>

#define GAP_DAYS 4.0
#define YEAR_DAYS 365.25

enum { FEWEST_VISIBILITY_PERIODS = 12 };

double sky_rules_goodness(double chi_square, double degrees)
{
    double part = 2.0 / (9.0 * degrees);
    return (cbrt(chi_square / degrees) + part - 1.0) / sqrt(part);
}

/* Stretches of observations that gaps of more than four days part. */
static size_t visibility_periods(const sky_data *data)
{
    size_t n = 0;
    double last = -INFINITY;
    for (size_t k = 0; k < data->n_sky; k++) { /* in the order of time */
        n += data->time_days[k] - last > GAP_DAYS;
        last = data->time_days[k];
    }
    return n;
}

static void add(char flags[SKY_RULES_LENGTH], bool is_so, const char *word)
{
    if (!is_so || strlen(flags) + strlen(word) + 2 > SKY_RULES_LENGTH)
        return;
    if (flags[0] != '\0')
        strcat(flags, ",");
    strcat(flags, word);
}

void sky_rules_flags(const sky_data *data, const sky_limits *limits,
                     const equant_sky_companion *companion, double parallax_significance,
                     double goodness, char flags[SKY_RULES_LENGTH])
{
    double period = companion->period_days,
           significance = companion->a0_mas / companion->a0_mas_err;
    flags[0] = '\0';
    if (data->n_sky > 0) {
        add(flags, !(significance > fmax(158.0 / sqrt(period), 5.0)), "dr3_significance");
        add(flags,
            data->has_parallax && !data->lacks_parallax &&
                !(parallax_significance > 20000.0 / period),
            "dr3_parallax");
        add(flags, !(companion->eccentricity_err < 0.079 * log(period) - 0.244),
            "dr3_eccentricity");
        add(flags, !(goodness < 25.0), "dr3_goodness");
        add(flags, visibility_periods(data) < FEWEST_VISIBILITY_PERIODS, "dr3_visibility");
    }
    add(flags, period > data->span_days, "beyond_span");
    /* Half a cycle over the span apart: parallax and orbit then share what they explain. */
    add(flags, data->n_sky > 0 && period_resolution_is_same(period, YEAR_DAYS, data->sky_span_days),
        "near_year");
    add(flags, companion->eccentricity > limits->eccentricity_max - 1e-6, "eccentricity_at_limit");
}
