#include "core/time_name.h"

#include <stdbool.h>
#include <string.h>

const char time_name_usual[] = "JD";

/* Dates that are merely shortened keep the name of the whole one. */
static const struct {
    const char *word, *name;
} known[] = {{"jd", "JD"},   {"rjd", "JD"},  {"tjd", "JD"},   {"mjd", "MJD"},
             {"hjd", "HJD"}, {"bjd", "BJD"}, {"btjd", "BJD"}, {"jdb", "BJD"}};

static char small(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_letter(char c)
{
    return small(c) >= 'a' && small(c) <= 'z';
}

static const char *name_of_word(const char *word, size_t n)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        size_t k = 0;
        while (k < n && small(word[k]) == known[i].word[k])
            k++; /* ends at the latest at the end of the known word */
        if (k == n && known[i].word[k] == '\0')
            return known[i].name;
    }
    return NULL;
}

const char *time_name_find(const char *words, size_t n)
{
    for (size_t start = 0; start < n; start++) {
        size_t end = start;
        while (end < n && is_letter(words[end]))
            end++;
        const char *name = name_of_word(words + start, end - start);
        if (name != NULL)
            return name;
        start = end;
    }
    return NULL;
}
