#include "planning/predicted_value.h"
#include "terminal/wrapped_text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

static const struct {
    const char *name, *description;
    bool has_unit;
    size_t offset;
} members[] = {
    {NULL, NULL, false, offsetof(struct predicted_value, time)},
    {"mean", NULL, true, offsetof(struct predicted_value, mean)},
    {"sd", NULL, true, offsetof(struct predicted_value, sd)},
    {"low_95", "95.4 % lie between low and high", true, offsetof(struct predicted_value, low_95)},
    {"low_68", "68.3 % lie between low and high", true, offsetof(struct predicted_value, low_68)},
    {"median", NULL, true, offsetof(struct predicted_value, median)},
    {"high_68", NULL, true, offsetof(struct predicted_value, high_68)},
    {"high_95", NULL, true, offsetof(struct predicted_value, high_95)},
    {"entropy", "of the distribution, in nats", false, offsetof(struct predicted_value, entropy)},
    {"information", "that one observation is expected to bring, in nats", false,
     offsetof(struct predicted_value, information)}};

_Static_assert(sizeof members / sizeof *members == PREDICTED_COLUMNS, "a row a column");

static double number_of(const struct predicted_value *own, size_t i)
{
    return *(const double *)((const char *)own + members[i].offset);
}

void predicted_value_columns(const char *time, const char *unit,
                             struct ecsv_column columns[PREDICTED_COLUMNS])
{
    columns[0] = (struct ecsv_column){time, ECSV_NUMBER, "d", NULL};
    for (size_t i = 1; i < PREDICTED_COLUMNS; i++)
        columns[i] =
            (struct ecsv_column){members[i].name, ECSV_NUMBER, members[i].has_unit ? unit : NULL,
                                 members[i].description};
}

void predicted_value_row(struct ecsv_writer *writer, const struct predicted_value *own)
{
    for (size_t i = 0; i < PREDICTED_COLUMNS; i++)
        ecsv_writer_number(writer, number_of(own, i));
}

void predicted_value_members(json_writer *json, const char *time, const char *ending,
                             const struct predicted_value *own)
{
    json_key_number(json, time, own->time);
    for (size_t i = 1; i < PREDICTED_COLUMNS; i++) {
        char key[32];
        snprintf(key, sizeof key, "%s%s", members[i].name, members[i].has_unit ? ending : "");
        json_key_number(json, key, number_of(own, i));
    }
}

void predicted_value_headings(struct table *table, const char *time)
{
    static const char *const headings[] = {"median", "68 % from", "to", "95 % from", "to"};
    table_add(table, "%s", time);
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        table_add(table, "%s", headings[i]);
}

void predicted_value_cells(struct table *table, int n_decimals, const struct predicted_value *own)
{
    const double cells[] = {own->median, own->low_68, own->high_68, own->low_95, own->high_95};
    table_add(table, "%.4f", own->time);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        table_add(table, "%.*f", n_decimals, cells[i]);
}

size_t predicted_value_each(size_t n, size_t most)
{
    return n > most ? (n + most - 1) / most : 1;
}

void predicted_value_say_each(size_t n, size_t most)
{
    size_t each = predicted_value_each(n, most);
    if (each > 1)
        wrapped_text_print("  One in %zu of %zu times; --out and --json have all.\n", each, n);
}
