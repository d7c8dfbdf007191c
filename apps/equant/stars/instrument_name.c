#include "stars/instrument_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "text/utf8.h"

/* Letters of a name that needs no shorter one, and of a word that says something. */
enum { SHORT = 16, WORD = 3 };

static size_t n_characters(const char *text)
{
    size_t n = 0;
    while (*text != '\0') {
        size_t step = utf8_length(text);
        text += step > 0 ? step : 1;
        n++;
    }
    return n;
}

static bool has_digit(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (isdigit((unsigned char)text[i]))
            return true;
    return false;
}

/* Without the file in brackets, without what is behind the first word of a long name, and without
 * the star before the first underscore of one. */
static struct instrument_name stem_of(const char *name)
{
    struct instrument_name made;
    size_t n = strlen(name);
    const char *bracket = strstr(name, " (");
    if (bracket != NULL && bracket > name && name[n - 1] == ')')
        n = (size_t)(bracket - name);
    snprintf(made.text, sizeof made.text, "%.*s", (int)n, name);
    const char *blank = strchr(made.text, ' '), *line = strchr(made.text, '_');
    if (n_characters(made.text) <= SHORT)
        return made;
    if (blank != NULL && blank - made.text >= WORD)
        made.text[blank - made.text] = '\0';
    else if (line != NULL && line[1] != '\0' && has_digit(made.text, (size_t)(line - made.text)))
        memmove(made.text, line + 1, strlen(line + 1) + 1);
    return made;
}

struct instrument_name instrument_name_short(const equant_dataset *dataset, size_t index)
{
    struct instrument_name own = stem_of(equant_dataset_instrument_name(dataset, index)),
                           made = own;
    size_t n_alike = 0, number = 0;
    for (size_t i = 0; i < equant_dataset_n_instruments(dataset); i++) {
        bool is_alike =
            strcmp(stem_of(equant_dataset_instrument_name(dataset, i)).text, own.text) == 0;
        n_alike += is_alike;
        number += is_alike && i <= index;
    }
    if (n_alike > 1)
        snprintf(made.text, sizeof made.text, "%.80s %zu", own.text, number);
    return made;
}
