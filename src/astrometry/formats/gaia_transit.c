/* Columns of Gaia's epoch astrometry, and cells as text. */
#include "astrometry/formats/gaia_transit.h"

#include <math.h>
#include <string.h>

#include "data/tables/gaia_names.h"
#include "data/text_array.h"
#include "data/text_number.h"

/* ---- columns ----------------------------------------------------------- */

gaia_column gaia_column_of(text_slice heading)
{
    gaia_word word = gaia_word_of(GAIA_EPOCH_ASTROMETRY, heading);
    return word < (gaia_word)GAIA_N_COLUMNS ? (gaia_column)word : GAIA_NO_COLUMN;
}

const char *gaia_column_name(gaia_column column)
{
    return gaia_word_name((gaia_word)column);
}

bool gaia_columns_are_in(const char *head, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i++)
        if (gaia_word_begins((text_slice){head + i, n_bytes - i}, GAIA_WORD_ABSCISSA) ||
            gaia_word_begins((text_slice){head + i, n_bytes - i}, GAIA_WORD_TIME))
            return true;
    return false;
}

bool gaia_columns_suffice(const bool has[GAIA_N_COLUMNS], const char **missing)
{
    static const gaia_column needed[] = {GAIA_TIME, GAIA_ABSCISSA, GAIA_UNCERTAINTY, GAIA_ANGLE};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (has[needed[i]])
            continue;
        *missing = gaia_column_name(needed[i]);
        return false;
    }
    return true;
}

/* ---- cells ------------------------------------------------------------- */

void gaia_cell_add_real(gaia_cell *cell, double value)
{
    /* Beyond these no double has a whole number of 64 bits. */
    bool is_whole = value > -9.2e18 && value < 9.2e18;
    cell->real[cell->n] = value;
    cell->whole[cell->n++] = is_whole ? (int64_t)llround(value) : 0;
}

void gaia_cell_add_whole(gaia_cell *cell, int64_t value)
{
    cell->real[cell->n] = (double)value;
    cell->whole[cell->n++] = value;
}

void gaia_cell_add_missing(gaia_cell *cell)
{
    cell->real[cell->n] = NAN;
    cell->whole[cell->n++] = 0;
}

static bool read_whole(text_slice word, int64_t *value)
{
    bool is_negative = word.n > 0 && word.start[0] == '-';
    size_t i = is_negative;
    uint64_t magnitude = 0;
    if (i == word.n || word.n > 19 + (size_t)is_negative)
        return false;
    for (; i < word.n; i++) {
        if (word.start[i] < '0' || word.start[i] > '9')
            return false;
        magnitude = 10 * magnitude + (uint64_t)(word.start[i] - '0');
    }
    if (magnitude > INT64_MAX)
        return false;
    *value = is_negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return true;
}

/* Flags may stand without blanks between them, "0111111111". */
static bool read_flags(text_slice word, gaia_cell *cell)
{
    for (size_t i = 0; i < word.n; i++)
        if (strchr("01TF", word.start[i]) == NULL)
            return false;
    if (word.n < 2 || word.n > GAIA_MOST_CCDS - cell->n)
        return false;
    for (size_t i = 0; i < word.n; i++)
        gaia_cell_add_whole(cell, word.start[i] == '1' || word.start[i] == 'T');
    return true;
}

/* The number of a source or a transit that went through a floating-point number on its way, or has
 * more than 64 bits: nobody knows any more which it was. */
static bool is_lost_number(gaia_column column, double value)
{
    const double exact = 9007199254740992.0; /* 2^53 */
    return (column == GAIA_SOURCE_ID || column == GAIA_TRANSIT_ID) && fabs(value) > exact;
}

static bool read_word(text_slice word, gaia_column column, gaia_cell *cell)
{
    if (column == GAIA_USED && read_flags(word, cell))
        return true;
    double real;
    int64_t whole;
    if (text_is_word(word, "true") || text_is_word(word, "t"))
        gaia_cell_add_whole(cell, 1);
    else if (text_is_word(word, "false") || text_is_word(word, "f"))
        gaia_cell_add_whole(cell, 0);
    else if (!gaia_word_is_single((gaia_word)column) && read_whole(word, &whole))
        gaia_cell_add_whole(cell, whole);
    else if (text_array_is_missing(word))
        gaia_cell_add_missing(cell);
    else if (text_number_read(word, &real) && !is_lost_number(column, real))
        gaia_cell_add_real(cell,
                           gaia_word_is_single((gaia_word)column) ? (double)(float)real : real);
    else
        return false;
    return true;
}

bool gaia_cell_read(text_slice text, gaia_column column, gaia_cell *cell)
{
    text_slice word;
    cell->n = 0;
    if (text.n == 0) { /* it may start nowhere */
        gaia_cell_add_missing(cell);
        return true;
    }
    while (text_array_next(&text, &word))
        if (cell->n == GAIA_MOST_CCDS || !read_word(word, column, cell))
            return false;
    if (cell->n == 0)
        gaia_cell_add_missing(cell);
    return true;
}
