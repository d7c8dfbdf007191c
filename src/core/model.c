#include "core/model_object.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "core/trend_order.h"

_Static_assert(EQUANT_N_ELEMENTS == N_ELEMENTS && EQUANT_ELEMENT_M0 == (int)ELEMENT_M0,
               "callers and the library agree on what an orbit is");

/* More planets than any star has, and few enough that no size overflows. */
#define MODEL_MAX_PLANETS 100000
#define MODEL_MAX_INSTRUMENTS 1000000

static void name_columns(equant_model *model)
{
    quantity list[QUANTITIES_MOST];
    const quantities_shape shape = {.layout = model->layout};
    size_t n = quantities_list(&shape, list);
    for (size_t q = 0; q < n; q++)
        for (size_t i = 0; list[q].kind->formula == NULL && i < list[q].n; i++)
            quantity_write_name(&list[q], i, model->names[list[q].column + i * list[q].stride]);
}

static equant_status check_options(const equant_model_options *options)
{
    if (!options)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "a model needs its options");
    equant_status status = OPTIONS_CHECK(options);
    if (status != EQUANT_SUCCESS)
        return status;
    int offsets = OPTION_OR_ZERO(options, equant_model_options, offset_columns);
    int trend = OPTION_OR_ZERO(options, equant_model_options, trend_columns);
    if (offsets < 0 || offsets > EQUANT_NUISANCE_GIVEN || trend < 0 ||
        trend > EQUANT_NUISANCE_GIVEN)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "offsets and trend are either solved or given");
    if (OPTION_OR_ZERO(options, equant_model_options, n_planets) > MODEL_MAX_PLANETS ||
        OPTION_OR_ZERO(options, equant_model_options, n_instruments) > MODEL_MAX_INSTRUMENTS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a model has at most %d planets and %d instruments", MODEL_MAX_PLANETS,
                           MODEL_MAX_INSTRUMENTS);
    return trend_order_check(OPTION_OR_ZERO(options, equant_model_options, trend));
}

static equant_status no_such_noise(const char *text, const char *name, size_t n)
{
    char names[256] = "";
    for (int i = 0; i < N_NOISE_KINDS; i++) {
        strncat(names, i > 0 ? ", " : "", sizeof names - strlen(names) - 1);
        strncat(names, noise_kind_name((noise_kind)i), sizeof names - strlen(names) - 1);
    }
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                       "noise '%s': there is no term '%.*s'; there are %s", text,
                       (int)(n < 40 ? n : 40), name, names);
}

/* "@1": the number of an instrument, from 0, behind a name; without it a term is of all. */
static equant_status read_noise_owner(const char *text, const char **at, int *owner)
{
    *owner = 0;
    if (**at != '@')
        return EQUANT_SUCCESS;
    const char *number = *at + 1;
    size_t n = strspn(number, "0123456789");
    if (n == 0 || n > 6)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "noise '%s': the instruments of a model are numbers from 0, not '%.20s'",
                           text, number);
    *owner = 1 + atoi(number);
    *at = number + n;
    return EQUANT_SUCCESS;
}

/* One name, and what follows it: a comma or the end. */
static equant_status read_noise_term(const char *text, const char **at, noise_kinds *made)
{
    const char *name = *at + strspn(*at, " \t\n");
    size_t n = 0;
    while (isalnum((unsigned char)name[n]) || name[n] == '_')
        n++;
    noise_kind kind = noise_kind_find(name, n);
    if (kind == N_NOISE_KINDS)
        return no_such_noise(text, name, n);
    int owner;
    *at = name + n;
    equant_status status = read_noise_owner(text, at, &owner);
    if (status != EQUANT_SUCCESS)
        return status;
    if (noise_kinds_find(made, kind, owner) < made->n || made->n == NOISE_KIND_MOST_TERMS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "noise '%s': a model has each term once, and at most %d of them", text,
                           (int)NOISE_KIND_MOST_TERMS);
    made->owner[made->n] = owner;
    made->kind[made->n++] = kind;
    *at += strspn(*at, " \t\n");
    if (**at == '(')
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "noise '%s': the noise of a model has names alone; its values are "
                           "columns of parameter sets",
                           text);
    if (**at != ',' && **at != '\0')
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "noise '%s': ',' or the end is wanted where it says '%.20s'", text, *at);
    return EQUANT_SUCCESS;
}

equant_status model_noise_read(const char *text, noise_kinds *made)
{
    equant_status status = EQUANT_SUCCESS;
    const char *at = text;
    *made = (noise_kinds){.n = 0};
    if (!text || text[strspn(text, " \t\n")] == '\0')
        return EQUANT_SUCCESS;
    do {
        at += made->n > 0; /* the comma */
        status = read_noise_term(text, &at, made);
    } while (status == EQUANT_SUCCESS && *at);
    return status;
}

equant_status model_noise_sort(const char *text, char sorted[NOISE_KINDS_TEXT_SIZE])
{
    noise_kinds kinds;
    equant_status status = model_noise_read(text, &kinds);
    if (status == EQUANT_SUCCESS)
        noise_kinds_write_sorted(&kinds, sorted);
    return status;
}

/* Whether the model has the instruments of its noise. */
static equant_status check_noise_owners(const equant_model_options *options,
                                        const noise_kinds *noise)
{
    size_t n = OPTION_OR_ZERO(options, equant_model_options, n_instruments);
    n = n > 0 ? n : 1;
    for (int i = 0; i < noise->n; i++)
        if ((size_t)noise->owner[i] > n)
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "noise '%s@%d': the model has %zu instrument%s, numbered from 0",
                               noise_kind_name(noise->kind[i]), noise->owner[i] - 1, n,
                               n == 1 ? "" : "s");
    return EQUANT_SUCCESS;
}

static parameter_shape shape_of(const equant_model_options *options, const noise_kinds *noise)
{
    size_t n_instruments = OPTION_OR_ZERO(options, equant_model_options, n_instruments);
    n_instruments = n_instruments > 0 ? n_instruments : 1;
    bool with_jitter = OPTION_OR_ZERO(options, equant_model_options, with_jitter) != 0;
    return (parameter_shape){
        .n_planets = OPTION_OR_ZERO(options, equant_model_options, n_planets),
        .n_instruments = n_instruments,
        .trend_order = trend_order_of(OPTION_OR_ZERO(options, equant_model_options, trend)),
        .offsets_given =
            OPTION_OR_ZERO(options, equant_model_options, offset_columns) == EQUANT_NUISANCE_GIVEN,
        .trend_given =
            OPTION_OR_ZERO(options, equant_model_options, trend_columns) == EQUANT_NUISANCE_GIVEN,
        .n_jitters = with_jitter ? n_instruments : 0,
        .noise = *noise,
    };
}

equant_status equant_model_create(const equant_model_options *options, equant_model **out)
{
    if (!out)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is nowhere to put the model");
    noise_kinds noise;
    memset(&noise, 0, sizeof noise);
    equant_status status = check_options(options);
    if (status == EQUANT_SUCCESS)
        status = model_noise_read(OPTION_OR_ZERO(options, equant_model_options, noise), &noise);
    if (status == EQUANT_SUCCESS)
        status = check_noise_owners(options, &noise);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_model *model = calloc(1, sizeof *model);
    if (!model)
        return status_out_of_memory();
    model->layout = parameter_layout_of(shape_of(options, &noise));
    model->names = calloc(model->layout.n_parameters + 1, sizeof *model->names);
    if (!model->names) {
        free(model);
        return status_out_of_memory();
    }
    name_columns(model);
    *out = model;
    return EQUANT_SUCCESS;
}

void equant_model_free(equant_model *model)
{
    if (!model)
        return;
    free(model->names);
    free(model);
}

size_t equant_model_n_parameters(const equant_model *model)
{
    return model ? model->layout.n_parameters : 0;
}

const char *equant_model_parameter_name(const equant_model *model, size_t column)
{
    if (!model)
        return NULL;
    return column < model->layout.n_parameters ? model->names[column] : NULL;
}

size_t equant_model_n_linear(const equant_model *model)
{
    return model ? model->layout.n_linear : 0;
}

size_t equant_model_n_planets(const equant_model *model)
{
    return model ? model->layout.n_planets : 0;
}
