/* What is told of one time that is predicted, of velocities and on the sky alike: the columns of
 * its tables and the keys of its JSON. */
#ifndef EQUANT_APP_PLANNING_PREDICTED_VALUE_H
#define EQUANT_APP_PLANNING_PREDICTED_VALUE_H

#include "text/ecsv_writer.h"
#include "text/json_writer.h"
#include "terminal/table.h"

enum { PREDICTED_COLUMNS = 10 };

struct predicted_value {
    double time, mean, sd, low_95, low_68, median, high_68, high_95, entropy, information;
};

/* The columns of a table, of which the time has a name and the values have a unit, or NULL; and a
 * row of it. */
void predicted_value_columns(const char *time, const char *unit,
                             struct ecsv_column columns[PREDICTED_COLUMNS]);
void predicted_value_row(struct ecsv_writer *writer, const struct predicted_value *own);

/* The same as members of an object that has begun; `ending` of the names of values is "_m_s". */
void predicted_value_members(json_writer *json, const char *time, const char *ending,
                             const struct predicted_value *own);

/* For a person: the headings of time, median and intervals, and a row with so many decimals. */
void predicted_value_headings(struct table *table, const char *time);
void predicted_value_cells(struct table *table, int n_decimals, const struct predicted_value *own);

/* Of n times a terminal shows one in so many, `most` of them; and it says where the others are. */
size_t predicted_value_each(size_t n, size_t most);
void predicted_value_say_each(size_t n, size_t most);

#endif
