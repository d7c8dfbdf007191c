#include "core/model.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/status.h"

/* More planets than any star has, and few enough that no size overflows. */
#define MODEL_MAX_PLANETS 100000
#define MODEL_MAX_INSTRUMENTS 1000000

static void name_columns(equant_model *model)
{
    static const char *const element[5] = {"period_days", "k_m_s", "eccentricity", "omega_rad",
                                           "m0_rad"};
    static const char *const trend[2] = {"trend_m_s_day", "trend_m_s_day2"};
    size_t column = 0;
    for (size_t p = 0; p < model->n_planets; p++)
        for (size_t i = 0; i < 5; i++)
            snprintf(model->names[column++], sizeof *model->names, "%s_%zu", element[i], p + 1);
    for (size_t i = 0; model->offsets_given && i < model->n_instruments; i++)
        snprintf(model->names[column++], sizeof *model->names, "offset_m_s_%zu", i + 1);
    for (int i = 0; model->trend_given && i < model->trend_order; i++)
        snprintf(model->names[column++], sizeof *model->names, "%s", trend[i]);
    for (size_t i = 0; model->with_jitter && i < model->n_instruments; i++)
        snprintf(model->names[column++], sizeof *model->names, "jitter_m_s_%zu", i + 1);
}

static equant_status check_options(const equant_model_options *options)
{
    if (!options)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "a model needs its options");
    equant_status status = OPTIONS_CHECK(options);
    if (status != EQUANT_SUCCESS)
        return status;
    int order = OPTION_OR_ZERO(options, equant_model_options, trend_order);
    int offsets = OPTION_OR_ZERO(options, equant_model_options, offsets);
    int trend = OPTION_OR_ZERO(options, equant_model_options, trend);
    if (offsets < 0 || offsets > EQUANT_NUISANCE_GIVEN || trend < 0 ||
        trend > EQUANT_NUISANCE_GIVEN)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "offsets and trend are either solved or given");
    if (OPTION_OR_ZERO(options, equant_model_options, n_planets) > MODEL_MAX_PLANETS ||
        OPTION_OR_ZERO(options, equant_model_options, n_instruments) > MODEL_MAX_INSTRUMENTS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a model has at most %d planets and %d instruments", MODEL_MAX_PLANETS,
                           MODEL_MAX_INSTRUMENTS);
    if (order < 0 || order > 2)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the order of the trend is 0, 1 or 2, not %d", order);
    return EQUANT_SUCCESS;
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
    model->n_planets = OPTION_OR_ZERO(options, equant_model_options, n_planets);
    model->n_instruments = OPTION_OR_ZERO(options, equant_model_options, n_instruments);
    if (model->n_instruments == 0)
        model->n_instruments = 1;
    model->trend_order = OPTION_OR_ZERO(options, equant_model_options, trend_order);
    model->offsets_given =
        OPTION_OR_ZERO(options, equant_model_options, offsets) == EQUANT_NUISANCE_GIVEN;
    model->trend_given =
        OPTION_OR_ZERO(options, equant_model_options, trend) == EQUANT_NUISANCE_GIVEN;
    model->with_jitter = OPTION_OR_ZERO(options, equant_model_options, with_jitter) != 0;
    model->n_linear = model->n_instruments + (size_t)model->trend_order;
    model->n_parameters = 5 * model->n_planets + (model->offsets_given ? model->n_instruments : 0) +
                          (model->trend_given ? (size_t)model->trend_order : 0) +
                          (model->with_jitter ? model->n_instruments : 0);
    model->names = calloc(model->n_parameters + 1, sizeof *model->names);
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
    return model->n_parameters;
}

const char *equant_model_parameter_name(const equant_model *model, size_t column)
{
    return column < model->n_parameters ? model->names[column] : NULL;
}

size_t equant_model_n_linear(const equant_model *model)
{
    return model->n_linear;
}

size_t equant_model_n_planets(const equant_model *model)
{
    return model->n_planets;
}
