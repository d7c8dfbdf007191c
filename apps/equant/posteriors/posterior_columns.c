#include "posteriors/posterior_columns.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "terminal/messages.h"
#include "terminal/angles.h"

static void turn(const equant_sampled_quantity *quantity, size_t n, double *values)
{
    const double full_turn = 360.0;
    double median = quantity->median * DEGREES_PER_RADIAN;
    for (size_t i = 0; i < n; i++) {
        values[i] *= DEGREES_PER_RADIAN;
        values[i] -= full_turn * round((values[i] - median) / full_turn);
    }
}

/* Four times the interval to either side, as far as there are draws. */
static void choose_axis(const equant_sampled_quantity *quantity, size_t n,
                        struct posterior_column *column)
{
    const double reach = 4.0;
    double unit = quantity->is_angle ? DEGREES_PER_RADIAN : 1.0, least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        least = fmin(least, column->values[i]);
        most = fmax(most, column->values[i]);
    }
    double middle = quantity->median * unit;
    double width = fmax(quantity->high - quantity->median, quantity->median - quantity->low) * unit;
    column->median = middle;
    column->low_68 = quantity->low * unit;
    column->high_68 = quantity->high * unit;
    column->low = fmax(least, middle - reach * width);
    column->high = fmin(most, middle + reach * width);
}

static int add_column(const struct posterior_view *posterior, size_t index, size_t planet,
                      struct posterior_columns *columns)
{
    equant_sampled_quantity quantity = {.struct_size = sizeof quantity};
    equant_status status = posterior_view_quantity(posterior, index, &quantity);
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    if (!posterior_view_is_shown(&quantity) || (planet > 0 && quantity.planet != planet))
        return EXIT_CODE_OK;
    if (columns->n == POSTERIOR_COLUMNS_MOST) {
        columns->n_left_out++;
        return EXIT_CODE_OK;
    }
    struct posterior_column *column = &columns->column[columns->n];
    column->values = malloc(columns->n_draws * sizeof *column->values);
    if (column->values == NULL)
        return messages_out_of_memory();
    columns->n++;
    status = posterior_view_values(posterior, index, column->values);
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    snprintf(column->instrument, sizeof column->instrument, "%s",
             quantity.instrument_name != NULL ? quantity.instrument_name : "");
    column->kind = posterior_view_kind(&quantity);
    column->planet = quantity.planet;
    if (column->planet > 0) {
        struct planet_letters letters = {""};
        if (posterior->star != NULL)
            letters = planet_letters_of_run(posterior->star);
        column->planet_name = planet_name_short(&letters, column->planet - 1);
    }
    if (quantity.is_angle)
        turn(&quantity, columns->n_draws, column->values);
    choose_axis(&quantity, columns->n_draws, column);
    return EXIT_CODE_OK;
}

int posterior_columns_load(const struct posterior_view *posterior, size_t planet,
                           struct posterior_columns *columns)
{
    equant_posterior_summary facts = {.struct_size = sizeof facts};
    equant_status status = posterior_view_summarize(posterior, &facts);
    *columns = (struct posterior_columns){.n_populations = facts.n_populations,
                                          .n_kept = facts.n_kept,
                                          .n_walkers = facts.n_walkers,
                                          .first_step = facts.n_burn_in,
                                          .last_step = facts.n_steps};
    columns->n_draws = facts.n_populations * facts.n_kept * facts.n_walkers;
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    int code = EXIT_CODE_OK;
    for (size_t i = 0; i < posterior_view_n(posterior) && code == EXIT_CODE_OK; i++)
        code = add_column(posterior, i, planet, columns);
    return code;
}

void posterior_columns_free(struct posterior_columns *columns)
{
    for (size_t i = 0; i < columns->n; i++)
        free(columns->column[i].values);
    columns->n = 0;
}
