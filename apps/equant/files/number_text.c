#include "files/number_text.h"

#include <ctype.h>
#include <stdlib.h>

bool number_text_parse(const char *text, double *value)
{
    char *end;
    double parsed = strtod(text, &end);
    if (end == text)
        return false;
    while (isspace((unsigned char)*end))
        end++;
    if (*end != '\0')
        return false;
    *value = parsed;
    return true;
}
