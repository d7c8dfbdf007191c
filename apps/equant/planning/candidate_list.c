#include "planning/candidate_list.h"

#include <math.h>
#include <stdlib.h>

#include "terminal/messages.h"

#define OPTIONS_OF struct horizon_request
const struct option_row horizon_request_rows[] = {
    {"horizon", "D", OPTION_POSITIVE(fall_days), "discounts later answers by a factor e in D days"},
    {"within", "D", OPTION_POSITIVE(within_days),
     "deadline of D days: an answer after t days has weight (1 -\n"
     "t/D)^4"},
    {0}};

static double worth_of(const struct horizon_request *horizon, double later_days)
{
    double worth = horizon->fall_days > 0.0 ? exp(-later_days / horizon->fall_days) : 1.0;
    if (horizon->within_days > 0.0)
        worth *= pow(fmax(1.0 - later_days / horizon->within_days, 0.0), 4.0);
    return worth;
}

enum { TIME, ERROR, COST, WEIGHT, CLOCK, BEFORE, AFTER, N_COLUMNS };
enum { INSTRUMENT, PLACE, N_NUMBERS };

static void write_row(const struct future_times *times, size_t i, const struct setup *setup,
                      const struct horizon_request *horizon, struct candidate_list *made)
{
    size_t row = made->given.n++;
    double *cells = made->columns, taken = setup->exposure_days + setup->overhead_days;
    const struct candidate_sky *sky = times->sky != NULL ? &times->sky[i] : NULL;
    size_t n = made->room;
    cells[TIME * n + row] = times->days[i];
    cells[ERROR * n + row] = setup->uncertainty_m_s;
    cells[COST * n + row] =
        (taken > 0.0 ? 24.0 * taken : 1.0) * (times->costs != NULL ? times->costs[i] : 1.0);
    cells[WEIGHT * n + row] = (times->weights != NULL ? times->weights[i] : 1.0) *
                              worth_of(horizon, times->days[i] - times->days[0]);
    cells[CLOCK * n + row] = sky != NULL ? sky->jd_utc : times->days[i];
    cells[BEFORE * n + row] = 0.5 * setup->exposure_days + setup->overhead_days;
    cells[AFTER * n + row] = 0.5 * setup->exposure_days;
    made->numbers[INSTRUMENT * n + row] = (int)setup->instrument - 1;
    made->numbers[PLACE * n + row] = sky != NULL ? (int)sky->site_number : 0;
    if (sky != NULL)
        made->sky[row] = *sky;
}

int candidate_list_make(const struct future_times *times, const struct setups *setups,
                        const struct horizon_request *horizon, struct candidate_list *made)
{
    bool by_site = times->sky != NULL && times->n_sites > 1;
    size_t n = times->n * (by_site ? 1 : setups->n);
    *made = (struct candidate_list){.given = {.struct_size = sizeof made->given}, .room = n};
    made->columns = malloc(N_COLUMNS * n * sizeof *made->columns);
    made->numbers = malloc(N_NUMBERS * n * sizeof *made->numbers);
    made->sky = times->sky != NULL ? malloc(n * sizeof *made->sky) : NULL;
    if (!made->columns || !made->numbers || (times->sky != NULL && !made->sky))
        return messages_out_of_memory();
    for (size_t i = 0; i < times->n; i++)
        for (size_t k = 0; k < setups->n; k++)
            if (!by_site || k == times->sky[i].site_number)
                write_row(times, i, &setups->of[k], horizon, made);
    made->given.time_days = made->columns + TIME * n;
    made->given.uncertainties_m_s = made->columns + ERROR * n;
    made->given.costs = made->columns + COST * n;
    made->given.weights = made->columns + WEIGHT * n;
    made->given.clock_days = made->columns + CLOCK * n;
    made->given.before_days = made->columns + BEFORE * n;
    made->given.after_days = made->columns + AFTER * n;
    made->given.instruments = made->numbers + INSTRUMENT * n;
    made->given.places = made->numbers + PLACE * n;
    return EXIT_CODE_OK;
}

void candidate_list_free(struct candidate_list *list)
{
    free(list->columns);
    free(list->numbers);
    free(list->sky);
    *list = (struct candidate_list){.sky = NULL};
}
