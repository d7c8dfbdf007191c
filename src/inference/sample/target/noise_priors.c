#include "inference/sample/target/noise_priors.h"

#include <stdio.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/likelihood/noise_menu.h"

static noise_kind kind_of(const noise_term *term)
{
    return noise_kind_find(term->kind->name, strlen(term->kind->name));
}

static void sort_terms(noise_priors *made)
{
    noise_kinds kinds = {.n = 0};
    noise_term given[NOISE_TEXT_MOST_TERMS];
    int owners[NOISE_TEXT_MOST_TERMS];
    memcpy(given, made->terms, sizeof given);
    memcpy(owners, made->owners, sizeof owners);
    for (size_t i = 0; i < made->n_terms; i++) {
        kinds.kind[kinds.n] = kind_of(&given[i]);
        kinds.owner[kinds.n++] = owners[i];
    }
    noise_kinds_sort(&kinds);
    for (size_t i = 0; i < made->n_terms; i++) {
        int place = noise_kinds_find(&kinds, kind_of(&given[i]), owners[i]);
        made->terms[place] = given[i];
        made->owners[place] = owners[i];
    }
    noise_kinds_write_sorted(&kinds, made->names);
}

equant_status noise_priors_read(const char *words, const equant_dataset *dataset,
                                noise_priors *made)
{
    memset(made, 0, sizeof *made);
    if (!words || words[strspn(words, " \t\n")] == '\0' || strcmp(words, "white") == 0)
        return EQUANT_SUCCESS;
    if (strcmp(words, "auto") == 0)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "noise 'auto' is what a fit chooses; sampling takes terms by their "
                           "names: those of the fit, or 'rotation,night'");
    equant_status status = noise_menu_read(words, made->terms, &made->n_terms);
    for (size_t t = 0; t < made->n_terms && status == EQUANT_SUCCESS; t++)
        status = noise_menu_find_owner(&made->terms[t], dataset, &made->owners[t]);
    if (status == EQUANT_SUCCESS)
        sort_terms(made);
    return status;
}

void noise_priors_words(const noise_kinds *kinds, const equant_dataset *dataset,
                        char words[NOISE_PRIORS_WORDS_SIZE])
{
    words[0] = '\0';
    for (int i = 0; i < kinds->n; i++) {
        size_t n = strlen(words), instrument = (size_t)kinds->owner[i] - 1;
        const char *owner =
            kinds->owner[i] > 0 ? equant_dataset_instrument_name(dataset, instrument) : "";
        /* Without one of its own parameters a rotation would be taken for mep. */
        snprintf(words + n, NOISE_PRIORS_WORDS_SIZE - n, "%s%s%s%s%s", i > 0 ? "," : "",
                 noise_kind_name(kinds->kind[i]), kinds->owner[i] > 0 ? "@" : "", owner,
                 kinds->kind[i] == NOISE_ROTATION ? "(mix=0.05:2)" : "");
    }
}

static prior_density density_of(const noise_range *range)
{
    if (!noise_range_is_open(range))
        return prior_density_fixed(range->lowest);
    return range->per_period ? prior_density_turns(range->lowest, range->highest)
                             : prior_density_log_uniform(range->lowest, range->highest);
}

void noise_priors_fill(const noise_priors *noise, const equant_dataset *dataset,
                       prior_density *density)
{
    noise_ranges star = noise_ranges_of(dataset);
    for (size_t t = 0; t < noise->n_terms; t++) {
        const noise_term *term = &noise->terms[t];
        noise_range usual[NOISE_CATALOGUE_MOST_PARAMETERS];
        noise_ranges_usual(&star, term->kind, usual);
        for (size_t i = 0; i < term->kind->n_parameters; i++) {
            noise_range given = {.lowest = term->lowest[i], .highest = term->highest[i]};
            *density++ = density_of(isnan(term->lowest[i]) ? &usual[i] : &given);
        }
    }
}

noise_priors_column noise_priors_at(const noise_kinds *kinds, size_t place)
{
    int term = 0;
    while (term + 1 < kinds->n && place >= noise_kind_parameters(kinds->kind[term]))
        place -= noise_kind_parameters(kinds->kind[term++]);
    return (noise_priors_column){kinds->kind[term], place};
}

bool noise_priors_take_turns(noise_priors_column column)
{
    bool turns = column.kind == NOISE_MEP || column.kind == NOISE_MEP4 ||
                 column.kind == NOISE_ESP2 || column.kind == NOISE_ESP3 || column.kind == NOISE_QP;
    return turns && column.index == 2;
}
