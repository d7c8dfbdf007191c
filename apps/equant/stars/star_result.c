#include "stars/star_result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stars/fit_hints.h"
#include "inputs/known_planets.h"
#include "terminal/messages.h"
#include "terminal/watched_call.h"

static int read_planets(const struct fit_request *request, const equant_dataset *dataset,
                        struct known_planets *planets, size_t *n_fixed)
{
    int code = EXIT_CODE_OK;
    if (request->fixed != NULL)
        code = known_planets_read(planets, request->fixed, dataset);
    *n_fixed = planets->n; /* the fixed ones come first */
    if (code == EXIT_CODE_OK && request->start != NULL)
        code = known_planets_read(planets, request->start, dataset);
    return code;
}

equant_fit_options star_result_fit_options(const struct fit_request *request)
{
    const struct search_range *range = &request->range;
    return (equant_fit_options){
        .struct_size = sizeof(equant_fit_options),
        .engine = &range->engine,
        .exact_precision = range->has_precision,
        .method = request->method,
        .n_planets = request->n_planets,
        .max_planets = request->max_planets,
        .false_alarm_max = request->false_alarm_max,
        .probability_min = request->probability_min,
        .no_probabilities = request->has_no_probabilities,
        .budget_s = request->budget_s,
        .keeps_partial = request->keeps_partial,
        .period_min_days = range->period_min_days,
        .period_max_days = range->period_max_days,
        .eccentricity_max = range->eccentricity_max,
        .trend = range->trend,
        .no_jitter = request->has_no_jitter,
        .noise = request->noise.terms,
        .indicators = request->noise.indicators,
        .indicators_as_series = request->noise.as_series,
        .outliers = request->noise.outliers,
        .star = &request->star,
        .states = request->states.made,
        .basis = request->basis,
        .seed = range->seed,
    };
}

static int fit(const struct fit_request *request, const char *label, struct star_result *star)
{
    struct known_planets planets = {0};
    size_t n_fixed;
    int code = read_planets(request, star->dataset, &planets, &n_fixed);
    if (code == EXIT_CODE_OK) {
        struct watched_call call = watched_call_start(label);
        equant_fit_options options = star_result_fit_options(request);
        options.n_known = planets.n;
        options.known = planets.elements;
        options.n_fixed = n_fixed;
        options.progress = watched_call_progress;
        options.progress_context = &call;
        code = watched_call_end(&call, equant_fit_star(star->dataset, &options, &star->fit));
    }
    known_planets_free(&planets);
    return code;
}

/* A planet with what only a fit knows of it. */
static struct star_planet judged(const equant_planet *known)
{
    struct star_planet planet = star_planet_unknown();
    planet.false_alarm = known->false_alarm;
    planet.log_likelihood_gain = known->log_likelihood_gain;
    planet.delta_bic = known->delta_bic;
    planet.probability = known->probability;
    planet.false_inclusion = known->false_inclusion;
    planet.k_m_s_low = known->k_m_s_low;
    planet.k_m_s_high = known->k_m_s_high;
    planet.eccentricity_low = known->eccentricity_low;
    planet.eccentricity_high = known->eccentricity_high;
    planet.at_limit = known->at_limit;
    planet.period_days_bound = known->period_days_bound;
    return planet;
}

/* The periods that the signal of a planet may have. */
static void collect_aliases(const equant_fit *fit, size_t index, struct star_planet *planet)
{
    size_t n = equant_fit_n_aliases(fit, index);
    for (size_t i = 0; i < n && i < STAR_PLANET_MOST_ALIASES; i++) {
        planet->aliases[i].struct_size = sizeof planet->aliases[i];
        if (equant_fit_alias(fit, index, i, &planet->aliases[i]) == EQUANT_SUCCESS)
            planet->n_aliases = i + 1;
    }
}

static void set_quantity(struct star_planet *planet, const equant_fitted_quantity *quantity)
{
    if (quantity->kind < QUANTITY_KIND_MOST) {
        planet->values[quantity->kind] = quantity->value;
        planet->errors[quantity->kind] = quantity->err;
    }
}

static equant_status collect_quantities(struct star_result *star)
{
    equant_status status = EQUANT_SUCCESS;
    equant_fitted_quantity quantity = {.struct_size = sizeof quantity};
    for (size_t i = 0; i < equant_fit_n_quantities(star->fit) && status == EQUANT_SUCCESS; i++) {
        status = equant_fit_quantity(star->fit, i, &quantity);
        if (status == EQUANT_SUCCESS && quantity.planet > 0)
            set_quantity(&star->planets[quantity.planet - 1], &quantity);
    }
    for (size_t i = 0; i < equant_fit_n_candidate_quantities(star->fit) && status == EQUANT_SUCCESS;
         i++) {
        status = equant_fit_candidate_quantity(star->fit, i, &quantity);
        if (status == EQUANT_SUCCESS)
            set_quantity(&star->candidate, &quantity);
    }
    return status;
}

static equant_status collect_planets(struct star_result *star)
{
    equant_status status = EQUANT_SUCCESS;
    equant_planet known = {.struct_size = sizeof known};
    for (size_t i = 0; i < star->n_planets && status == EQUANT_SUCCESS; i++) {
        status = equant_fit_planet(star->fit, i, &known);
        star->planets[i] = judged(&known);
        star->planets[i].m_jupiter =
            equant_fit_mass_jupiter(star->fit, i, &star->planets[i].m_jupiter_err);
        collect_aliases(star->fit, i, &star->planets[i]);
    }
    star->has_candidate = equant_fit_candidate(star->fit, &known) == EQUANT_SUCCESS;
    star->candidate = judged(&known);
    if (star->has_candidate) {
        snprintf(star->refused_because, sizeof star->refused_because, "%s",
                 equant_refusal_name(known.refused_because));
        snprintf(star->refusal, sizeof star->refusal, "%s", equant_fit_refusal(star->fit));
    }
    if (status == EQUANT_SUCCESS)
        status = collect_quantities(star);
    star->summary.struct_size = sizeof star->summary;
    return status == EQUANT_SUCCESS ? equant_fit_summarize(star->fit, &star->summary) : status;
}

int star_result_prepare(struct star_result *star, equant_trend trend)
{
    size_t n_obs = equant_dataset_n_obs(star->dataset);
    equant_model_options options = {.struct_size = sizeof options,
                                    .n_planets = star->n_planets,
                                    .n_instruments = equant_dataset_n_instruments(star->dataset),
                                    .trend = trend,
                                    .offset_columns = EQUANT_NUISANCE_GIVEN,
                                    .trend_columns = EQUANT_NUISANCE_GIVEN,
                                    .with_jitter = 1};
    equant_status status = equant_model_create(&options, &star->model);
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    star->parameters = calloc(equant_model_n_parameters(star->model), sizeof *star->parameters);
    star->model_m_s = calloc(n_obs, sizeof *star->model_m_s);
    star->residual_m_s = calloc(n_obs, sizeof *star->residual_m_s);
    bool has_memory =
        star->parameters != NULL && star->model_m_s != NULL && star->residual_m_s != NULL;
    return has_memory ? EXIT_CODE_OK : messages_out_of_memory();
}

/* The column of that name; the number of columns when there is none. */
static size_t find_column(const struct star_result *star, const char *name)
{
    size_t i = 0;
    while (i < equant_model_n_parameters(star->model) &&
           strcmp(name, equant_model_parameter_name(star->model, i)) != 0)
        i++;
    return i;
}

void star_result_set(struct star_result *star, const char *name, struct star_parameter parameter)
{
    size_t column = find_column(star, name);
    if (column < equant_model_n_parameters(star->model))
        star->parameters[column] = parameter;
}

static equant_status evaluate(struct star_result *star, const double *values, double *chi_square)
{
    equant_evaluator *evaluator;
    equant_results results = {.struct_size = sizeof results,
                              .chi_square = chi_square,
                              .velocities = star->model_m_s,
                              .residuals = star->residual_m_s};
    equant_dataset *widened = NULL;
    equant_status status = EQUANT_SUCCESS;
    if (star->outliers.uncertainties_m_s != NULL)
        status = equant_dataset_with_uncertainties(star->dataset, star->outliers.uncertainties_m_s,
                                                   &widened);
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_create(widened != NULL ? widened : star->dataset, star->model,
                                         NULL, &evaluator);
    if (status == EQUANT_SUCCESS) {
        status = equant_evaluator_evaluate(evaluator, 1, values, &results);
        equant_evaluator_free(evaluator);
    }
    equant_dataset_free(widened);
    return status;
}

int star_result_evaluate(struct star_result *star, double *chi_square)
{
    size_t n = equant_model_n_parameters(star->model);
    double *values = calloc(n, sizeof *values);
    if (values == NULL)
        return messages_out_of_memory();
    for (size_t i = 0; i < n; i++)
        values[i] = star->parameters[i].value;
    equant_status status = evaluate(star, values, chi_square);
    free(values);
    return messages_status(status);
}

/* The model of the fit has the columns of ours, in the same order, and those of noise behind
 * them. */
static void collect_parameters(struct star_result *star)
{
    size_t n = equant_model_n_parameters(star->model),
           n_all = equant_model_n_parameters(equant_fit_model(star->fit));
    for (size_t i = 0; i < n; i++)
        star->parameters[i] =
            (struct star_parameter){equant_fit_parameters(star->fit)[i],
                                    sqrt(equant_fit_covariance(star->fit)[i * n_all + i])};
    for (size_t p = 0; p < star->n_planets; p++)
        if (star->planets[p].at_limit != EQUANT_LIMIT_NONE)
            star->parameters[p * EQUANT_N_ELEMENTS + EQUANT_ELEMENT_PERIOD].uncertainty = NAN;
}

static void collect_residuals(struct star_result *star)
{
    size_t n_bytes = star->summary.n_obs * sizeof(double);
    memcpy(star->model_m_s, equant_fit_velocities_m_s(star->fit), n_bytes);
    memcpy(star->residual_m_s, equant_fit_residuals_m_s(star->fit), n_bytes);
}

void star_result_collect_probabilities(struct star_result *star)
{
    size_t most = equant_fit_max_planets(star->fit);
    star->n_numbers = 0;
    star->is_sampled = strcmp(equant_fit_probabilities(star->fit), "full") == 0;
    for (size_t i = 0; i < star->n_planets; i++) {
        equant_planet known = {.struct_size = sizeof known};
        (void)equant_fit_planet(star->fit, i, &known); /* there are as many */
        star->planets[i].probability = known.probability;
        star->planets[i].false_inclusion = known.false_inclusion;
    }
    if (isnan(equant_fit_number_probability(star->fit, 0)))
        return; /* they were not asked for */
    for (size_t n = 0; n <= most && n < STAR_RESULT_MOST_NUMBERS; n++)
        star->numbers[star->n_numbers++] = equant_fit_number_probability(star->fit, n);
}

static void collect_pairs(struct star_result *star)
{
    size_t n = equant_fit_n_alias_pairs(star->fit);
    star->n_pairs = 0;
    for (size_t i = 0; i < n && i < STAR_RESULT_MOST_PAIRS; i++) {
        equant_alias_pair *own = &star->pairs[star->n_pairs];
        *own = (equant_alias_pair){.struct_size = sizeof *own};
        if (equant_fit_alias_pair(star->fit, i, own) == EQUANT_SUCCESS)
            star->n_pairs++;
    }
}

/* Everything but the hints. */
static int collect(struct star_result *star)
{
    star->n_planets = equant_fit_n_planets(star->fit);
    star->planets = calloc(star->n_planets + 1, sizeof *star->planets);
    if (star->planets == NULL)
        return messages_out_of_memory();
    equant_status status = collect_planets(star);
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    int code = star_result_prepare(star, equant_fit_trend(star->fit));
    if (code != EXIT_CODE_OK)
        return code;
    collect_parameters(star);
    collect_residuals(star);
    star_result_collect_probabilities(star);
    collect_pairs(star);
    code = star_noise_collect(star);
    if (code == EXIT_CODE_OK)
        code = star_outliers_collect(star);
    if (code == EXIT_CODE_OK && equant_fit_has_letters(star->fit))
        star->letters = planet_letters_of_fit(star->fit);
    return code;
}

static void collect_warnings(struct star_result *star)
{
    for (size_t i = 0; i < equant_dataset_n_warnings(star->dataset); i++)
        text_list_add(&star->warnings, "%s", equant_dataset_warning(star->dataset, i));
}

int star_result_take_fit(struct star_result *star, size_t n_hints, const char *const *hints)
{
    collect_warnings(star);
    int code = collect(star);
    for (size_t i = 0; i < n_hints && code == EXIT_CODE_OK; i++)
        text_list_add(&star->hints, "%s", hints[i]);
    /* The Python package looks for none. */
    if (code == EXIT_CODE_OK && n_hints == 0)
        fit_hints_collect(star, &star->hints);
    return code;
}

int star_result_load(const struct fit_request *request, const char *command,
                     const struct file_list *files, struct star_result *star)
{
    *star = (struct star_result){0};
    int code = data_source_load(command, &request->source, files, &star->dataset);
    if (code != EXIT_CODE_OK)
        return code;
    collect_warnings(star);
    return EXIT_CODE_OK;
}

int star_result_run(const struct fit_request *request, const char *label, struct star_result *star)
{
    int code = fit(request, label, star);
    star->threshold = request->threshold;
    if (code == EXIT_CODE_OK)
        code = collect(star);
    if (code == EXIT_CODE_OK)
        fit_hints_collect(star, &star->hints);
    for (size_t i = 0; code == EXIT_CODE_OK && i < equant_fit_n_remarks(star->fit); i++)
        text_list_add(&star->hints, "%s", equant_fit_remark(star->fit, i));
    if (code == EXIT_CODE_OK && request->range.period_max_days == 0.0)
        fit_hints_range(star, &star->hints);
    if (code == EXIT_CODE_OK && request->n_planets > (int)star->n_planets)
        text_list_add(&star->hints,
                      "%d planets were asked for; %zu observations carry no more than %zu.",
                      request->n_planets, star->summary.n_obs, star->n_planets);
    return code;
}

double star_result_threshold(const struct star_result *star)
{
    const double usual = 0.95;
    return star->threshold > 0.0 ? star->threshold : usual;
}

bool star_result_is_candidate(const struct star_result *star, size_t planet)
{
    return star->planets[planet].probability < star_result_threshold(star);
}

size_t star_result_n_candidates(const struct star_result *star)
{
    size_t n = 0;
    for (size_t i = 0; i < star->n_planets; i++)
        n += star_result_is_candidate(star, i);
    return n;
}

size_t star_result_n_found(const struct star_result *star)
{
    return star->n_planets - star_result_n_candidates(star);
}

bool star_parameter_is_significant(struct star_parameter parameter)
{
    const double errors = 3.0;
    return fabs(parameter.value) > errors * parameter.uncertainty;
}

void star_result_free(struct star_result *star)
{
    equant_dataset_free(star->dataset);
    equant_fit_free(star->fit);
    equant_comparison_free(star->comparison);
    equant_model_free(star->model);
    free(star->planets);
    free(star->parameters);
    free(star->model_m_s);
    free(star->residual_m_s);
    star_noise_free(&star->noise);
    star_outliers_free(&star->outliers);
    text_list_free(&star->warnings);
    text_list_free(&star->hints);
    *star = (struct star_result){0};
}

bool star_result_parameter(const struct star_result *star, const char *name,
                           struct star_parameter *parameter)
{
    size_t column = find_column(star, name);
    if (column == equant_model_n_parameters(star->model))
        return false;
    *parameter = star->parameters[column];
    return true;
}

struct star_parameter star_result_of_instrument(const struct star_result *star, const char *name,
                                                size_t instrument)
{
    char numbered[QUANTITY_KIND_NAME_SIZE];
    struct star_parameter parameter = {0.0, 0.0};
    snprintf(numbered, sizeof numbered, "%s_%zu", name, instrument + 1);
    star_result_parameter(star, numbered, &parameter);
    return parameter;
}

struct star_parameter star_result_offset(const struct star_result *star, size_t instrument)
{
    return star_result_of_instrument(star, "offset_m_s", instrument);
}

struct star_parameter star_result_jitter(const struct star_result *star, size_t instrument)
{
    return star_result_of_instrument(star, "jitter_m_s", instrument);
}

double star_result_uncertainty(const struct star_result *star, size_t k)
{
    size_t instrument = (size_t)equant_dataset_instruments(star->dataset)[k];
    const double *widened = star->outliers.uncertainties_m_s;
    return hypot(widened != NULL ? widened[k] : equant_dataset_uncertainties_m_s(star->dataset)[k],
                 star_result_jitter(star, instrument).value);
}

double star_result_trend_at(const struct star_result *star, double time_days)
{
    struct star_parameter linear = {0.0, 0.0}, quadratic = {0.0, 0.0};
    double since = time_days - equant_dataset_reference_time_days(star->dataset);
    star_result_parameter(star, "trend_m_s_day", &linear);
    star_result_parameter(star, "trend_m_s_day2", &quadratic);
    return since * (linear.value + since * quadratic.value);
}

double star_result_span_days(const struct star_result *star)
{
    const double *time_days = equant_dataset_times_days(star->dataset);
    return time_days[equant_dataset_n_obs(star->dataset) - 1] - time_days[0];
}
