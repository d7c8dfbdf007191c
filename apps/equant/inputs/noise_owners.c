#include "inputs/noise_owners.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/messages.h"

/* What ends the name of an instrument. */
#define ENDS "(),@ \t\n"

static int no_such_instrument(const equant_dataset *dataset, const char *text, const char *name,
                              size_t n)
{
    char names[200] = "";
    for (size_t i = 0; i < equant_dataset_n_instruments(dataset); i++) {
        strncat(names, i > 0 ? ", " : "", sizeof names - strlen(names) - 1);
        strncat(names, equant_dataset_instrument_name(dataset, i),
                sizeof names - strlen(names) - 1);
    }
    return messages_failure("noise '%s': the data have no instrument '%.*s'; they have %s", text,
                            (int)n, name, names);
}

int noise_owners_number(const equant_dataset *dataset, const char *text, char **made)
{
    const size_t digits = 20;
    const char *whole = text;
    size_t n_owners = 0;
    for (const char *at = strchr(text, '@'); at != NULL; at = strchr(at + 1, '@'))
        n_owners++;
    *made = malloc(strlen(text) + digits * n_owners + 1);
    if (*made == NULL)
        return messages_out_of_memory();
    char *to = *made;
    while (*text != '\0') {
        *to++ = *text;
        if (*text++ != '@')
            continue;
        size_t n = strcspn(text, ENDS), i = 0,
               n_instruments = equant_dataset_n_instruments(dataset);
        while (i < n_instruments &&
               !(strlen(equant_dataset_instrument_name(dataset, i)) == n &&
                 memcmp(equant_dataset_instrument_name(dataset, i), text, n) == 0))
            i++;
        if (i == n_instruments && n > 0)
            return no_such_instrument(dataset, whole, text, n);
        if (n > 0)
            to += snprintf(to, digits, "%zu", i);
        text += n;
    }
    *to = '\0';
    return EXIT_CODE_OK;
}
