#include "inference/fit/fit_parameters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/model_object.h"
#include "core/status_fail.h"
#include "core/trend_order.h"

/* Whether a term is in the model of a fit. */
static bool is_of_model(const solution *best, size_t term)
{
    return best->noise.terms >> term & 1;
}

/* The columns of a study that the model of a fit has: those of everybody, and those of the noise
 * that was chosen or asked for. Returns how many there are. */
static size_t list_columns(const study *star, const solution *best, size_t *columns)
{
    size_t first = study_first_indicator(star, best->n_planets, best->trend_order),
           jitters = first + star->menu.n_indicators,
           noise = study_first_correlated(star, best->n_planets, best->trend_order), n = 0;
    for (size_t i = 0; i < first; i++)
        columns[n++] = i;
    for (size_t i = 0; i < star->n_instruments; i++)
        columns[n++] = jitters + i;
    for (size_t t = 0; t < star->menu.n_terms; t++)
        for (size_t i = 0; i < star->menu.terms[t].kind->n_parameters && is_of_model(best, t); i++)
            columns[n++] = noise + star->menu.terms[t].first + i;
    return n;
}

equant_status fit_parameters_keep(const study *star, const solution *best, const uncertainty *known,
                                  equant_fit *fit)
{
    size_t *columns = malloc((known->n + 1) * sizeof *columns);
    if (!columns)
        return status_out_of_memory();
    size_t n = fit->n_parameters = list_columns(star, best, columns);
    fit->covariance = malloc(n * n * sizeof *fit->covariance);
    fit->parameters = malloc(n * sizeof *fit->parameters);
    bool has_room = fit->covariance && fit->parameters;
    for (size_t i = 0; i < n && has_room; i++) {
        fit->parameters[i] = best->set[columns[i]];
        for (size_t j = 0; j < n; j++)
            fit->covariance[i * n + j] = known->elements[columns[i] * known->n + columns[j]];
    }
    free(columns);
    return has_room ? EQUANT_SUCCESS : status_out_of_memory();
}

equant_status fit_parameters_keep_model(const study *star, const solution *best, equant_fit *fit)
{
    char noise[NOISE_KINDS_TEXT_SIZE] = "";
    for (size_t t = 0; t < star->menu.n_terms; t++)
        if (is_of_model(best, t)) {
            const noise_menu_term *term = &star->menu.terms[t];
            size_t n = strlen(noise);
            n += (size_t)snprintf(noise + n, sizeof noise - n, "%s%s", n > 0 ? "," : "",
                                  term->kind->name);
            if (term->owner > 0)
                snprintf(noise + n, sizeof noise - n, "@%d", term->owner - 1);
        }
    equant_model_options options = {.struct_size = sizeof options,
                                    .n_planets = best->n_planets,
                                    .n_instruments = star->n_instruments,
                                    .trend = trend_order_name(best->trend_order),
                                    .offset_columns = EQUANT_NUISANCE_GIVEN,
                                    .trend_columns = EQUANT_NUISANCE_GIVEN,
                                    .with_jitter = 1,
                                    .noise = noise[0] ? noise : NULL};
    return equant_model_create(&options, &fit->model);
}
