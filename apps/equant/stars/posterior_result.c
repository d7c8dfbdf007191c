#include "stars/posterior_result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stars/dataset_order.h"
#include "stars/fit_hints.h"
#include "stars/conditional_noise.h"
#include "terminal/messages.h"

enum { NAME_SIZE = 64 };

bool posterior_result_quantity(const equant_posterior *posterior, const char *name,
                               equant_sampled_quantity *quantity)
{
    quantity->struct_size = sizeof *quantity;
    for (size_t i = 0; i < equant_posterior_n_quantities(posterior); i++)
        if (equant_posterior_quantity(posterior, i, quantity) == EQUANT_SUCCESS &&
            strcmp(quantity->name, name) == 0)
            return true;
    return false;
}

bool posterior_result_trusts_evidence(const equant_posterior_summary *facts)
{
    return !isnan(facts->log_evidence) && facts->evidence_is_sound;
}

const char *posterior_result_provenance(const equant_posterior *posterior, const char *name)
{
    for (size_t i = 0; i < equant_posterior_n_provenance(posterior); i++)
        if (strcmp(equant_posterior_provenance_name(posterior, i), name) == 0)
            return equant_posterior_provenance_text(posterior, i);
    return NULL;
}

bool posterior_result_of_planet(const equant_posterior *posterior, size_t kind, size_t number,
                                equant_sampled_quantity *quantity)
{
    quantity->struct_size = sizeof *quantity;
    for (size_t i = 0; i < equant_posterior_n_quantities(posterior); i++)
        if (equant_posterior_quantity(posterior, i, quantity) == EQUANT_SUCCESS &&
            quantity->kind == kind && quantity->planet == number)
            return true;
    return false;
}

static struct star_planet planet_of(const equant_posterior *posterior, size_t number)
{
    struct star_planet planet = star_planet_unknown();
    for (size_t i = 0; i < quantity_kind_n(); i++) {
        equant_sampled_quantity quantity;
        if (posterior_result_of_planet(posterior, i, number, &quantity)) {
            planet.values[i] = quantity.best;
            planet.errors[i] = 0.5 * (quantity.high - quantity.low);
        }
    }
    return planet;
}

static int copy_data(const equant_dataset *from, equant_dataset **made)
{
    size_t n = equant_dataset_n_instruments(from);
    const char **names = calloc(n, sizeof *names);
    if (names == NULL)
        return messages_out_of_memory();
    for (size_t i = 0; i < n; i++)
        names[i] = equant_dataset_instrument_name(from, i);
    equant_status status =
        dataset_order_copy(from, n, names, equant_dataset_reference_time_days(from), made);
    free(names);
    return messages_status(status);
}

/* Where offsets were integrated out, their best values follow from the residuals. */
static void solve_offsets(struct star_result *star)
{
    for (size_t i = 0; i < equant_dataset_n_instruments(star->dataset); i++) {
        double weights = 0.0, sum = 0.0, jitter = star_result_jitter(star, i).value;
        for (size_t k = 0; k < equant_dataset_n_obs(star->dataset); k++) {
            double uncertainty = equant_dataset_uncertainties_m_s(star->dataset)[k];
            double weight = 1.0 / (uncertainty * uncertainty + jitter * jitter);
            if ((size_t)equant_dataset_instruments(star->dataset)[k] != i)
                continue;
            weights += weight;
            sum += weight * star->residual_m_s[k];
        }
        char name[NAME_SIZE];
        snprintf(name, sizeof name, "offset_m_s_%zu", i + 1);
        star_result_set(star, name,
                        (struct star_parameter){weights > 0.0 ? sum / weights : 0.0, NAN});
    }
}

static equant_trend trend_of(const equant_posterior *posterior)
{
    equant_sampled_quantity quantity;
    return posterior_result_quantity(posterior, "trend_m_s_day2", &quantity)
               ? EQUANT_TREND_QUADRATIC
           : posterior_result_quantity(posterior, "trend_m_s_day", &quantity) ? EQUANT_TREND_LINEAR
                                                                              : EQUANT_TREND_NONE;
}

static int evaluate(const equant_posterior *posterior, struct star_result *star)
{
    equant_sampled_quantity quantity;
    bool has_offsets = posterior_result_quantity(posterior, "offset_m_s_1", &quantity);
    for (size_t i = 0; i < equant_posterior_n_quantities(posterior); i++)
        if (equant_posterior_quantity(posterior, i, &quantity) == EQUANT_SUCCESS)
            star_result_set(
                star, quantity.name,
                (struct star_parameter){quantity.best, 0.5 * (quantity.high - quantity.low)});
    int code = star_result_evaluate(star, &star->summary.chi_square);
    if (code != EXIT_CODE_OK || has_offsets)
        return code;
    solve_offsets(star);
    return star_result_evaluate(star, &star->summary.chi_square);
}

/* The column of a parameter of noise, as equant_model names it; owner: the instrument of its term,
 * from 1, or 0. */
static void name_noise(const char *term, const equant_noise_parameter_info *parameter, size_t owner,
                       char name[NAME_SIZE])
{
    const char *unit = strcmp(parameter->unit, "m/s") == 0 ? "_m_s"
                       : strcmp(parameter->unit, "d") == 0 ? "_days"
                                                           : "";
    int n = snprintf(name, NAME_SIZE, "%s_%s%s", term, parameter->name, unit);
    if (owner > 0)
        snprintf(name + n, NAME_SIZE - (size_t)n, "_%zu", owner);
}

/* One term, of all instruments or of one, where the posterior has it. */
static void take_term(const equant_posterior *posterior, size_t kind, size_t owner,
                      const equant_dataset *dataset, struct star_noise *noise)
{
    equant_noise_term_info term = {.struct_size = sizeof term};
    equant_noise_parameter_info parameter = {.struct_size = sizeof parameter};
    equant_sampled_quantity quantity;
    char name[NAME_SIZE];
    if (equant_noise_term_at(kind, &term) != EQUANT_SUCCESS)
        return;
    for (size_t i = 0; equant_noise_term_parameter(kind, i, &parameter) == EQUANT_SUCCESS; i++) {
        name_noise(term.name, &parameter, owner, name);
        if (!posterior_result_quantity(posterior, name, &quantity) ||
            noise->n_parameters == STAR_NOISE_MOST_PARAMETERS)
            break;
        struct star_noise_parameter *own = &noise->parameters[noise->n_parameters++];
        snprintf(own->term, sizeof own->term, "%s%s%s", term.name, owner > 0 ? "@" : "",
                 owner > 0 ? equant_dataset_instrument_name(dataset, owner - 1) : "");
        snprintf(own->name, sizeof own->name, "%s", parameter.name);
        snprintf(own->unit, sizeof own->unit, "%s", parameter.unit);
        own->value = quantity.best;
        own->err = 0.5 * (quantity.high - quantity.low);
        own->is_fixed = !(quantity.high > quantity.low);
        if (term.is_rotation && strcmp(parameter.name, "period") == 0)
            noise->rotation_days = own->value; /* it was asked for */
    }
}

/* The noise of the most probable draw, with what it explains of the residuals. */
static int take_noise(const equant_posterior *posterior, struct star_result *star)
{
    struct star_noise *noise = &star->noise;
    noise->rotation_days = noise->memory_days = NAN;
    for (size_t t = 0; t < equant_n_noise_terms(); t++)
        for (size_t owner = 0; owner <= equant_dataset_n_instruments(star->dataset); owner++)
            take_term(posterior, t, owner, star->dataset, noise);
    return noise->n_parameters > 0 ? conditional_noise_expect(star) : EXIT_CODE_OK;
}

static double rms_of(const struct star_result *star)
{
    double sum = 0.0;
    size_t n = equant_dataset_n_obs(star->dataset);
    for (size_t k = 0; k < n; k++)
        sum += star->residual_m_s[k] * star->residual_m_s[k];
    return sqrt(sum / (double)n);
}

int posterior_result_create(const equant_posterior *posterior, struct star_result *star)
{
    equant_posterior_summary facts = {.struct_size = sizeof facts};
    equant_status status = equant_posterior_summarize(posterior, &facts);
    *star = (struct star_result){.n_planets = facts.n_planets,
                                 .letters = planet_letters_of_run(posterior)};
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    star->planets = calloc(star->n_planets + 1, sizeof *star->planets);
    if (star->planets == NULL)
        return messages_out_of_memory();
    for (size_t i = 0; i < star->n_planets; i++)
        star->planets[i] = planet_of(posterior, i + 1);
    int code = copy_data(equant_posterior_dataset(posterior), &star->dataset);
    if (code == EXIT_CODE_OK)
        code = star_result_prepare(star, trend_of(posterior));
    if (code == EXIT_CODE_OK)
        code = evaluate(posterior, star);
    if (code == EXIT_CODE_OK)
        code = take_noise(posterior, star);
    if (code != EXIT_CODE_OK)
        return code;
    equant_sampled_quantity offset; /* integrated out, it was free all the same */
    size_t n_integrated = posterior_result_quantity(posterior, "offset_m_s_1", &offset)
                              ? 0
                              : equant_dataset_n_instruments(star->dataset);
    star->summary = (equant_fit_summary){.struct_size = sizeof star->summary,
                                         .n_obs = equant_dataset_n_obs(star->dataset),
                                         .n_fitted = facts.n_fitted + n_integrated,
                                         .chi_square = star->summary.chi_square,
                                         .log_likelihood = NAN,
                                         .bic = NAN,
                                         .rms_m_s = rms_of(star),
                                         .reference_time_days = facts.reference_time_days,
                                         .log_likelihood_without_planets = NAN,
                                         .bic_without_planets = NAN};
    fit_hints_collect(star, &star->hints);
    return EXIT_CODE_OK;
}
