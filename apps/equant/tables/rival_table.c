#include "tables/rival_table.h"

#include <stdio.h>

#include "terminal/messages.h"
#include "terminal/spoken_number.h"
#include "terminal/table.h"
#include "terminal/text_line.h"
#include "terminal/wrapped_text.h"

void rival_table_planets(const equant_fitted_rival *rival, char text[RIVAL_TABLE_TEXT_SIZE])
{
    snprintf(text, RIVAL_TABLE_TEXT_SIZE, "%s", rival->n_planets == 0 ? "none" : "");
    for (size_t p = 0; p < rival->n_planets; p++)
        text_line_append(text, RIVAL_TABLE_TEXT_SIZE, "%s%s", p > 0 ? ", " : "",
                         spoken_number_digits(rival->planets_days[p], 4).text);
}

void rival_table_noise(const equant_fitted_rival *rival, char text[RIVAL_TABLE_TEXT_SIZE])
{
    snprintf(text, RIVAL_TABLE_TEXT_SIZE, "%s", rival->noise);
    if (rival->n_outliers > 0)
        text_line_append(text, RIVAL_TABLE_TEXT_SIZE, ", %zu outlier%s", rival->n_outliers,
                         rival->n_outliers == 1 ? "" : "s");
    if (rival->trend == EQUANT_TREND_LINEAR || rival->trend == EQUANT_TREND_QUADRATIC)
        text_line_append(text, RIVAL_TABLE_TEXT_SIZE, ", %s trend",
                         rival->trend == EQUANT_TREND_LINEAR ? "linear" : "quadratic");
}

static void add_row(const equant_fitted_rival *rival, struct table *table)
{
    char planets[RIVAL_TABLE_TEXT_SIZE], noise[RIVAL_TABLE_TEXT_SIZE];
    rival_table_planets(rival, planets);
    rival_table_noise(rival, noise);
    table_add(table, "%s %s", rival->is_of_candidate ? "with" : "without",
              spoken_number_digits(rival->period_days, 4).text);
    table_add(table, "%s", planets);
    table_add(table, "%s", noise);
    table_add(table, "%.1f", rival->delta_lnl);
    table_add(table, "%.1f", rival->delta_score);
}

int rival_table_print(const equant_fit *fit)
{
    size_t n = equant_fit_n_rivals(fit);
    equant_fitted_rival rival = {.struct_size = sizeof rival};
    struct table table = table_start("lllrr");
    printf("\n  Why\n\n");
    if (n == 0)
        wrapped_text_say("No rival models were compared: there is neither a planet nor a "
                         "candidate, or their number was given.");
    table_add(&table, "rival");
    table_add(&table, "its planets, days");
    table_add(&table, "its noise");
    table_add(&table, "delta lnL");
    table_add(&table, "delta score");
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < n && status == EQUANT_SUCCESS; i++) {
        status = equant_fit_rival(fit, i, &rival);
        if (status != EQUANT_SUCCESS)
            break;
        wrapped_text_say(rival.sentence);
        add_row(&rival, &table);
    }
    int code = messages_status(status);
    if (code == EXIT_CODE_OK && n > 0) {
        putchar('\n');
        code = table_print(&table, stdout, 2);
        wrapped_text_print("\n  score: ln of evidence and prior probability, less that of the "
                           "fit; factors in the sentences are exp of it\n");
    }
    table_free(&table);
    return code;
}
