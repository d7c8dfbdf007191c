#include "inference/plan/plan_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "inference/sample/run/posterior.h"
#include "model/quantity_catalogue.h"

/* Periods of two modes that differ by less than this part would read alike, with three digits. */
#define READS_ALIKE 0.02

/* The letter of a planet, from 1: what the caller has given, "b,c" of the provenance, else b, c,
 * ... */
static char letter_of(const equant_posterior *posterior, size_t planet)
{
    char usual = (char)(planet <= 'z' - 'b' ? 'b' + planet - 1 : 'z');
    const provenance *made_with = posterior_provenance(posterior);
    for (size_t i = 0; i < made_with->n; i++) {
        if (strcmp(made_with->texts[i].name, "letters") != 0)
            continue;
        for (const char *c = made_with->texts[i].value; *c != '\0'; c++)
            if (*c != ',' && --planet == 0)
                return *c;
    }
    return usual;
}

void plan_words_quantity(const equant_posterior *posterior, const equant_sampled_quantity *own,
                         char *text, size_t n_bytes)
{
    const quantity_kind *kind = quantity_catalogue_find(own->name);
    const char *words = kind == NULL     ? own->name
                        : kind->is_event ? kind->info.label
                                         : kind->info.meaning;
    const char *time = kind != NULL && kind->is_event ? "time of " : "";
    if (own->planet > 0)
        snprintf(text, n_bytes, "%s%s of planet %c", time, words,
                 letter_of(posterior, own->planet));
    else if (own->instrument_name != NULL && own->instrument_name[0] != '\0')
        snprintf(text, n_bytes, "%s of %s", words, own->instrument_name);
    else
        snprintf(text, n_bytes, "%s", words);
}

static bool has_period(const modes *found, size_t number, double period_days)
{
    for (size_t p = 0; p < found->n_planets; p++)
        if (fabs(log(found->mode[number].period_days[p] / period_days)) < READS_ALIKE)
            return true;
    return false;
}

/* "41.7 and 5.2": those of `number` that the other has not; returns how many letters they take. */
static size_t write_own(const modes *found, size_t number, size_t other, char *text, size_t n_bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t p = 0; p < found->n_planets && used < n_bytes; p++) {
        double period = found->mode[number].period_days[p];
        if (!has_period(found, other, period))
            used += (size_t)snprintf(text + used, n_bytes - used, "%s%.3g", used > 0 ? " and " : "",
                                     period);
    }
    return used;
}

bool plan_words_modes(const modes *found, size_t first, size_t second, char *text, size_t n_bytes)
{
    char one[96], other[96];
    if (first >= found->n || second >= found->n ||
        write_own(found, first, second, one, sizeof one) == 0 ||
        write_own(found, second, first, other, sizeof other) == 0)
        return false;
    snprintf(text, n_bytes, "%s from %s days", one, other);
    return true;
}
