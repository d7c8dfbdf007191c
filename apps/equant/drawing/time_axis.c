#include "drawing/time_axis.h"

#include <math.h>
#include <string.h>

struct time_axis time_axis_of(const equant_dataset *dataset)
{
    const double *time_days = equant_dataset_times_days(dataset);
    return time_axis_of_range(dataset, time_days[0], time_days[equant_dataset_n_obs(dataset) - 1]);
}

struct time_axis time_axis_of_range(const equant_dataset *dataset, double first, double last)
{
    const double long_time = 1e4, round_to = 1000.0, shortened_by = 2400000.0, ahead = 0.1;
    double early =
        first + ahead * (last - first); /* a few nights before a round number do not matter */
    struct time_axis axis = {.zero = fabs(first) < long_time ? 0.0
                                                             : round_to * floor(early / round_to)};
    enum ticks_calendar calendar = ticks_calendar_of(first);
    const char *name = equant_dataset_time_name(dataset);
    bool is_modified = strcmp(name, "MJD") == 0, is_plain = strcmp(name, "JD") == 0;
    if (calendar == TICKS_JULIAN_DATE)
        snprintf(axis.label, sizeof axis.label, "%s − %.0f (days)", is_modified ? "JD" : name,
                 axis.zero);
    else if (calendar == TICKS_SHORTENED_DATE && !is_plain)
        snprintf(axis.label, sizeof axis.label, "%s − %.0f (days)", name,
                 axis.zero + (is_modified ? 0.0 : shortened_by));
    else if (axis.zero != 0.0)
        snprintf(axis.label, sizeof axis.label, "time − %.0f (days)", axis.zero);
    else
        snprintf(axis.label, sizeof axis.label, "time (days)");
    return axis;
}

struct time_axis time_axis_of_date(double first_jd)
{
    const double round_to = 1000.0;
    struct time_axis axis = {.zero = round_to * floor(first_jd / round_to)};
    snprintf(axis.label, sizeof axis.label, "JD − %.0f (days)", axis.zero);
    return axis;
}

void time_axis_years(const struct time_axis *axis, const struct plot *plot, int n_most)
{
    struct ticks years = ticks_years(plot->x.low + axis->zero, plot->x.high + axis->zero, n_most);
    for (size_t i = 0; i < years.n; i++)
        years.tick[i].at -= axis->zero;
    plot_ticks(plot, PLOT_ABOVE, &years, true);
}
