#include "inference/density/noise_priors.h"

#include <string.h>

#include "core/status.h"
#include "inference/study/noise_menu.h"

static int place_in_catalogue(const noise_term *term)
{
    return (int)noise_kind_find(term->kind->name, strlen(term->kind->name));
}

static void sort_terms(noise_priors *made)
{
    noise_kinds kinds = {.n = 0};
    for (size_t i = 1; i < made->n_terms; i++)
        for (size_t j = i;
             j > 0 && place_in_catalogue(&made->terms[j]) < place_in_catalogue(&made->terms[j - 1]);
             j--) {
            noise_term kept = made->terms[j];
            made->terms[j] = made->terms[j - 1];
            made->terms[j - 1] = kept;
        }
    for (size_t i = 0; i < made->n_terms; i++)
        kinds.kind[kinds.n++] = (noise_kind)place_in_catalogue(&made->terms[i]);
    noise_kinds_write_sorted(&kinds, made->names);
}

equant_status noise_priors_read(const char *words, noise_priors *made)
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
        if (made->terms[t].owner[0])
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "noise '%s@%s': terms of one instrument are fitted, and not sampled",
                               made->terms[t].kind->name, made->terms[t].owner);
    if (status == EQUANT_SUCCESS)
        sort_terms(made);
    return status;
}

void noise_priors_words(const noise_kinds *kinds, char words[NOISE_PRIORS_WORDS_SIZE])
{
    words[0] = '\0';
    for (int i = 0; i < kinds->n; i++) {
        if (i > 0)
            strncat(words, ",", NOISE_PRIORS_WORDS_SIZE - strlen(words) - 1);
        strncat(words, noise_kind_name(kinds->kind[i]),
                NOISE_PRIORS_WORDS_SIZE - strlen(words) - 1);
        /* Without one of its own parameters a rotation would be taken for mep. */
        if (kinds->kind[i] == NOISE_ROTATION)
            strncat(words, "(mix=0.05:2)", NOISE_PRIORS_WORDS_SIZE - strlen(words) - 1);
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
    bool turns = column.kind == NOISE_MEP || column.kind == NOISE_ESP2 ||
                 column.kind == NOISE_ESP3 || column.kind == NOISE_QP;
    return turns && column.index == 2;
}
