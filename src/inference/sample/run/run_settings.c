#include "inference/sample/run/run_settings.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/decimal_text.h"
#include "core/engine.h"
#include "core/model_object.h"
#include "core/placement.h"
#include "core/status_fail.h"
#include "core/trend_order.h"

#define OPTION(member) OPTION_OR_ZERO(options, equant_sample_options, member)
#define ENGINE(member) OPTION_OR_ZERO(engine, equant_engine_options, member)

enum { MOST_PLANETS = 20, TEXT_SIZE = NOISE_KINDS_TEXT_SIZE };

/* ---- from a caller ------------------------------------------------------------------- */

static uint64_t or_default(uint64_t value, uint64_t usual)
{
    return value > 0 ? value : usual;
}

static void take_engine(const equant_engine_options *engine, run_settings *made)
{
    made->precision = (uint64_t)ENGINE(precision);
    made->solver = (uint64_t)ENGINE(solver);
    made->summation = (uint64_t)ENGINE(summation);
    made->danby_tolerance = ENGINE(danby_tolerance);
    made->danby_max_iterations = (uint64_t)ENGINE(danby_max_iterations);
    if (!engine_is_automatic(engine))
        snprintf(made->backend, sizeof made->backend, "%s", engine->backend);
}

static equant_status check_options(const equant_sample_options *options)
{
    double star_mass = OPTION(star_mass);
    if (OPTION(n_planets) > MOST_PLANETS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "0 to %d planets can be sampled",
                           MOST_PLANETS);
    if (OPTION(start) != EQUANT_START_FIT && OPTION(start) != EQUANT_START_PRIOR)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no start number %d",
                           (int)OPTION(start));
    if (OPTION(n_known) > OPTION(n_planets) || (OPTION(n_known) > 0 && !OPTION(known)))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "known planets must be among those to be sampled");
    if (!(star_mass >= 0.0) || isinf(star_mass))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "a star's mass must be positive");
    if (equant_star_check(OPTION(star)) != EQUANT_SUCCESS)
        return EQUANT_ERROR_INVALID_ARGUMENT;
    return trend_order_check(OPTION(trend));
}

equant_status run_settings_take(const equant_dataset *dataset, const equant_sample_options *options,
                                run_settings *made)
{
    equant_status status = OPTIONS_CHECK(options);
    if (status == EQUANT_SUCCESS && !dataset)
        status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "sampling needs a data set");
    if (status == EQUANT_SUCCESS)
        status = check_options(options);
    if (status != EQUANT_SUCCESS)
        return status;
    bool is_tempered = OPTION(n_temperatures) > 1;
    *made = (run_settings){.n_planets = OPTION(n_planets),
                           .trend_order = (uint64_t)trend_order_of(OPTION(trend)),
                           .marginalise_offsets = OPTION(marginalise_offsets) != 0,
                           .start = (uint64_t)OPTION(start),
                           .star = host_star_of(OPTION(star), OPTION(star_mass)),
                           .seed = OPTION(seed),
                           .n_populations = or_default(OPTION(n_populations), 4),
                           .n_walkers = OPTION(n_walkers),
                           .n_temperatures = or_default(OPTION(n_temperatures), 1),
                           .n_burn_in = or_default(OPTION(n_burn_in), is_tempered ? 3200 : 400),
                           .thinning = or_default(OPTION(thinning), 4),
                           .max_draws = or_default(OPTION(max_draws), 200000),
                           .max_rhat = 1.01,
                           .min_ess = 1000.0,
                           .max_steps = 1000000};
    take_engine(OPTION(engine), made);
    return run_settings_extend(options, made);
}

/* Whether the limits leave room for draws. */
static equant_status check_limits(const run_settings *settings)
{
    if (!(settings->max_rhat > 1.0) || !(settings->min_ess > 0.0) || isinf(settings->min_ess))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the goal for R-hat is above 1, that of effective draws above 0, not "
                           "%g and %g",
                           settings->max_rhat, settings->min_ess);
    if (settings->max_steps <= settings->n_burn_in)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "%" PRIu64 " steps leave nothing to keep after a burn-in of %" PRIu64,
                           settings->max_steps, settings->n_burn_in);
    return EQUANT_SUCCESS;
}

equant_status run_settings_extend(const equant_sample_options *options, run_settings *settings)
{
    equant_status status = OPTIONS_CHECK(options);
    if (status != EQUANT_SUCCESS)
        return status;
    if (OPTION(max_rhat) != 0.0)
        settings->max_rhat = OPTION(max_rhat);
    if (OPTION(min_ess) != 0.0)
        settings->min_ess = OPTION(min_ess);
    if (OPTION(max_steps) != 0)
        settings->max_steps = OPTION(max_steps);
    return check_limits(settings);
}

/* ---- the engine ------------------------------------------------------------------------ */

equant_status run_settings_settle(run_settings *settings, const equant_dataset *dataset,
                                  size_t n_sets)
{
    if (settings->backend[0] != '\0')
        return EQUANT_SUCCESS;
    const equant_engine_options engine = run_settings_engine(settings, 0);
    const equant_work work = {.struct_size = sizeof work,
                              .kind = EQUANT_WORK_WALKERS,
                              .n_sets = n_sets,
                              .n_planets = settings->n_planets,
                              .n_obs = equant_dataset_n_obs(dataset)};
    placement found;
    equant_status status = placement_find(NULL, &engine, &work, &found);
    if (status == EQUANT_SUCCESS)
        snprintf(settings->backend, sizeof settings->backend, "%s", found.chosen->name);
    return status;
}

equant_engine_options run_settings_engine(const run_settings *settings, int n_threads)
{
    return (equant_engine_options){.struct_size = sizeof(equant_engine_options),
                                   .backend =
                                       settings->backend[0] != '\0' ? settings->backend : NULL,
                                   .precision = (equant_precision)settings->precision,
                                   .solver = (equant_solver)settings->solver,
                                   .summation = (equant_summation)settings->summation,
                                   .n_threads = n_threads,
                                   .danby_tolerance = settings->danby_tolerance,
                                   .danby_max_iterations = (int)settings->danby_max_iterations};
}

/* ---- for those who run it ------------------------------------------------------------------ */

quantities_shape run_settings_shape(const run_settings *settings, const equant_dataset *dataset)
{
    size_t n_instruments = equant_dataset_n_instruments(dataset);
    parameter_shape columns = {.n_planets = settings->n_planets,
                               .n_instruments = n_instruments,
                               .offsets_given = !settings->marginalise_offsets,
                               .trend_order = (int)settings->trend_order,
                               .trend_given = true,
                               .n_jitters = n_instruments};
    (void)model_noise_read(settings->noise, &columns.noise); /* read before */
    return (quantities_shape){parameter_layout_of(columns), settings->star, false};
}

sampler_run_goals run_settings_goals(const run_settings *settings)
{
    return (sampler_run_goals){.max_rhat = settings->max_rhat,
                               .min_ess = settings->min_ess,
                               .max_steps = settings->max_steps};
}

/* ---- as texts -------------------------------------------------------------------------- */

typedef struct setting {
    const char *name;
    enum { COUNT, NUMBER, PROPERTY, WORD, TERMS } kind;
    size_t offset;
} setting;

#define COUNT_OF(member)                                                                           \
    {                                                                                              \
#member, COUNT, offsetof(run_settings, member)                                             \
    }
#define NUMBER_OF(member)                                                                          \
    {                                                                                              \
#member, NUMBER, offsetof(run_settings, member)                                            \
    }

static const setting list[] = {
    COUNT_OF(n_planets),
    COUNT_OF(trend_order),
    COUNT_OF(marginalise_offsets),
    {"star_mass", NUMBER, offsetof(run_settings, star.value[STAR_MASS])},
    COUNT_OF(start),
    COUNT_OF(seed),
    COUNT_OF(n_populations),
    COUNT_OF(n_walkers),
    COUNT_OF(n_temperatures),
    COUNT_OF(n_burn_in),
    COUNT_OF(thinning),
    COUNT_OF(max_draws),
    NUMBER_OF(max_rhat),
    NUMBER_OF(min_ess),
    COUNT_OF(max_steps),
    COUNT_OF(precision),
    COUNT_OF(solver),
    COUNT_OF(summation),
    NUMBER_OF(danby_tolerance),
    COUNT_OF(danby_max_iterations),
    {"backend", WORD, offsetof(run_settings, backend)},
    {"noise", TERMS, offsetof(run_settings, noise)},
    {"star_mass_err", PROPERTY, offsetof(run_settings, star.error[STAR_MASS])},
    {"star_radius", PROPERTY, offsetof(run_settings, star.value[STAR_RADIUS])},
    {"star_radius_err", PROPERTY, offsetof(run_settings, star.error[STAR_RADIUS])},
    {"star_luminosity", PROPERTY, offsetof(run_settings, star.value[STAR_LUMINOSITY])},
    {"star_luminosity_err", PROPERTY, offsetof(run_settings, star.error[STAR_LUMINOSITY])},
    {"star_temperature_k", PROPERTY, offsetof(run_settings, star.value[STAR_TEMPERATURE])},
    {"star_temperature_err_k", PROPERTY, offsetof(run_settings, star.error[STAR_TEMPERATURE])},
};

enum { N_SETTINGS = sizeof list / sizeof *list };

static void write_text(const run_settings *settings, const setting *which, char text[TEXT_SIZE])
{
    const char *at = (const char *)settings + which->offset;
    uint64_t count;
    double number;
    switch (which->kind) {
    case COUNT:
        memcpy(&count, at, sizeof count);
        snprintf(text, TEXT_SIZE, "%" PRIu64, count);
        break;
    case NUMBER:
    case PROPERTY:
        memcpy(&number, at, sizeof number);
        decimal_text_print(text, TEXT_SIZE, "%.17g", number);
        break;
    case WORD:
    case TERMS:
        snprintf(text, TEXT_SIZE, "%s", at);
        break;
    }
}

/* Whether a property of the star is given. */
static bool is_known(const run_settings *settings, const setting *which)
{
    double number;
    memcpy(&number, (const char *)settings + which->offset, sizeof number);
    return number > 0.0;
}

equant_status run_settings_write(const run_settings *settings, provenance *texts)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < N_SETTINGS && status == EQUANT_SUCCESS; i++) {
        char text[TEXT_SIZE];
        if (list[i].kind == PROPERTY && !is_known(settings, &list[i]))
            continue;
        write_text(settings, &list[i], text);
        status = provenance_add(texts, list[i].name, text);
    }
    return status;
}

static bool read_text(const char *text, const setting *which, run_settings *settings)
{
    char *at = (char *)settings + which->offset, *end;
    uint64_t count;
    double number;
    switch (which->kind) {
    case COUNT:
        count = strtoull(text, &end, 10);
        memcpy(at, &count, sizeof count);
        return *text != '\0' && *end == '\0';
    case NUMBER:
    case PROPERTY:
        number = decimal_text_read(text, &end);
        memcpy(at, &number, sizeof number);
        return *text != '\0' && *end == '\0';
    case WORD:
        snprintf(at, SAMPLE_BACKEND_SIZE, "%s", text);
        return true;
    case TERMS:
        return model_noise_sort(text, at) == EQUANT_SUCCESS;
    }
    return false;
}

equant_status run_settings_read(const run_file *from, const char *path, run_settings *settings)
{
    *settings = (run_settings){0};
    for (size_t i = 0; i < N_SETTINGS; i++) {
        const char *text = run_file_provenance(from, list[i].name);
        /* Files of older versions have white noise, and a star of which its mass is known at most.
         */
        if (!text && (list[i].kind == TERMS || list[i].kind == PROPERTY))
            continue;
        if (!text || !read_text(text, &list[i], settings))
            return status_fail(EQUANT_ERROR_FORMAT,
                               "%s: this file does not say how its run was made (%s), so that the "
                               "run cannot go on",
                               path, list[i].name);
    }
    return check_limits(settings);
}
