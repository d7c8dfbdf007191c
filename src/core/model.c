#include "core/model.h"

#include <stdlib.h>

#include "core/status.h"
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

static parameter_shape shape_of(const equant_model_options *options)
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
    };
}

equant_status equant_model_create(const equant_model_options *options, equant_model **out)
{
    if (!out)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is nowhere to put the model");
    equant_status status = check_options(options);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_model *model = calloc(1, sizeof *model);
    if (!model)
        return status_out_of_memory();
    model->layout = parameter_layout_of(shape_of(options));
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
    return model->layout.n_parameters;
}

const char *equant_model_parameter_name(const equant_model *model, size_t column)
{
    return column < model->layout.n_parameters ? model->names[column] : NULL;
}

size_t equant_model_n_linear(const equant_model *model)
{
    return model->layout.n_linear;
}

size_t equant_model_n_planets(const equant_model *model)
{
    return model->layout.n_planets;
}
