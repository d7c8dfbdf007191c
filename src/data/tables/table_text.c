#include "data/tables/table_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/decimal_text.h"
#include "data/column_role.h"

/* ---- headings ---------------------------------------------------------- */

void table_text_begin(table_text *table)
{
    table->headings.n = 0;
    table->n_columns = 0;
    table->has_velocities = false;
}

/* What sets cells or comments apart has no place in a heading. */
static void add_plain(text_buffer *buffer, const char *words)
{
    size_t first = buffer->n;
    text_buffer_add_word(buffer, words);
    for (size_t i = first; i < buffer->n; i++)
        if (strchr(",;#%!\t\r\n\"'", buffer->text[i]) != NULL)
            buffer->text[i] = ' ';
}

void table_text_column(table_text *table, const char *name, const char *unit)
{
    char unnamed[40];
    table->n_columns++;
    snprintf(unnamed, sizeof unnamed, "column_%zu", table->n_columns);
    if (name == NULL || name[0] == '\0')
        name = unnamed;
    if (table->n_columns > 1)
        text_buffer_add_word(&table->headings, "\t");
    add_plain(&table->headings, name);
    if (unit != NULL && unit[0] != '\0') {
        text_buffer_add_word(&table->headings, " [");
        add_plain(&table->headings, unit);
        text_buffer_add_word(&table->headings, "]");
    }
    text_slice heading = {name, strlen(name)};
    table->has_velocities =
        table->has_velocities || column_role_of(heading).role == COLUMN_VELOCITY;
}

bool table_text_accept(table_text *table)
{
    bool is_wanted = (table->has_velocities || table->takes_any) && !table->has_table;
    if (is_wanted) {
        text_buffer_add(&table->lines, (text_slice){table->headings.text, table->headings.n});
        text_buffer_add_word(&table->lines, "\n");
        table->has_table = true;
    }
    return is_wanted;
}

/* ---- cells ------------------------------------------------------------- */

void table_text_begin_cell(table_text *table)
{
    if (table->n_cells++ > 0)
        text_buffer_add_word(&table->lines, "\t");
}

void table_text_word(table_text *table, text_slice word)
{
    size_t first = table->lines.n;
    word = text_trim(word);
    text_buffer_add(&table->lines, word);
    for (size_t i = first; i < table->lines.n; i++)
        if (strchr("\t\r\n\"", table->lines.text[i]) != NULL)
            table->lines.text[i] = ' ';
}

void table_text_real(table_text *table, double value, bool is_single)
{
    char digits[40];
    int least = is_single ? 6 : 15, most = is_single ? 9 : 17;
    if (!isfinite(value)) {
        text_buffer_add_word(&table->lines, "nan");
        return;
    }
    for (int n = least; n <= most; n++) {
        decimal_text_print(digits, sizeof digits, "%.*g", n, value);
        double back = decimal_text_read(digits, NULL);
        if (is_single ? (float)back == (float)value : back == value)
            break;
    }
    text_buffer_add_word(&table->lines, digits);
}

void table_text_whole(table_text *table, int64_t value)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRId64, value);
    text_buffer_add_word(&table->lines, digits);
}

void table_text_between(table_text *table, size_t i, size_t n)
{
    if (n > 1)
        text_buffer_add_word(&table->lines, i == 0 ? "(" : i == n ? ")" : ",");
}

void table_text_end_row(table_text *table)
{
    text_buffer_add_word(&table->lines, "\n");
    table->n_cells = 0;
}

void table_text_free(table_text *table)
{
    text_buffer_free(&table->lines);
    text_buffer_free(&table->headings);
}
