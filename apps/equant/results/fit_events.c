#include "results/fit_events.h"

#include <math.h>
#include <stdio.h>

#include "terminal/bounded_number.h"
#include "terminal/measured_value.h"
#include "terminal/messages.h"
#include "terminal/table.h"

/* Periods from the event next to the reference time to the first one behind the data. */
static long first_number(const struct star_result *star, size_t planet, double at_days)
{
    const double *times = equant_dataset_times_days(star->dataset);
    double last = times[equant_dataset_n_obs(star->dataset) - 1];
    double period = star->planets[planet].values[EQUANT_ELEMENT_PERIOD];
    return (long)bounded_number(ceil((last - at_days) / period), -1e15, 1e15);
}

static equant_status add_event(const struct star_result *star, size_t planet, const char *event,
                               int index, struct table *table)
{
    double at_days, error;
    equant_status status = equant_fit_predict(star->fit, planet, event, 0, &at_days, &error);
    if (status == EQUANT_SUCCESS)
        status = equant_fit_predict(star->fit, planet, event,
                                    first_number(star, planet, at_days) + index, &at_days, &error);
    if (status == EQUANT_SUCCESS && error > 0.0)
        table_add(table, "%s", measured_value_of(at_days, error).text);
    else if (status == EQUANT_SUCCESS)
        table_add(table, "%.5f", at_days);
    return status;
}

int fit_events_print(const struct star_result *star, int n_events)
{
    struct table table = table_start("lll");
    equant_status status = EQUANT_SUCCESS;
    table_add(&table, "planet");
    table_add(&table, "transit, if any");
    table_add(&table, "occultation, if any");
    for (size_t p = 0; p < star->n_planets; p++)
        for (int i = 0; i < n_events && status == EQUANT_SUCCESS; i++) {
            table_add(&table, "%c", equant_fit_letter(star->fit, p));
            status = add_event(star, p, "t_conj", i, &table);
            if (status == EQUANT_SUCCESS)
                status = add_event(star, p, "t_sup", i, &table);
        }
    int code = messages_status(status);
    if (code == EXIT_CODE_OK && star->n_planets > 0) {
        putchar('\n');
        code = table_print(&table, stdout, 2);
    }
    table_free(&table);
    return code;
}
