#include "data/text_array.h"

#include <string.h>

#include "data/text_number.h"

static bool is_between(char c)
{
    return c != '\0' && strchr(" \t\r\n,()[]{}\"'", c) != NULL;
}

bool text_array_next(text_slice *cell, text_slice *word)
{
    size_t i = 0;
    while (i < cell->n && is_between(cell->start[i]))
        i++;
    size_t start = i;
    while (i < cell->n && !is_between(cell->start[i]))
        i++;
    *word = (text_slice){cell->start + start, i - start};
    *cell = (text_slice){cell->start + i, cell->n - i};
    return word->n > 0;
}

bool text_array_is_missing(text_slice word)
{
    static const char *const words[] = {"null", "none", "--", "nan", "?", "na", "masked", "inf"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (text_is_word(word, words[i]))
            return true;
    return word.n == 0 || text_number_is_not_finite(word);
}
