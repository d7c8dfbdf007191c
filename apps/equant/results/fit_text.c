#include "results/fit_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stars/noise_words.h"
#include "stars/star_models.h"
#include "stars/star_numbers.h"
#include "terminal/measured_value.h"
#include "terminal/messages.h"
#include "terminal/plain_text.h"
#include "terminal/spoken_number.h"
#include "terminal/table.h"
#include "terminal/terminal.h"
#include "terminal/text_line.h"
#include "terminal/wrapped_text.h"

/* Planets side by side; the others follow below. */
enum { PLANETS_PER_BLOCK = 3 };

static void print_headline(const struct star_result *star)
{
    size_t n_instruments = equant_dataset_n_instruments(star->dataset);
    const struct star_noise *noise = &star->noise;
    printf("%s", terminal_style(stdout, TERMINAL_BOLD));
    if (star->summary.end != EQUANT_FIT_FINISHED)
        printf("Not finished: %s. Found until then:\n", star->summary.end == EQUANT_FIT_SECONDS
                                                            ? "the time that was given was over"
                                                            : "interrupted");
    size_t n_candidates = star_result_n_candidates(star), n_found = star_result_n_found(star);
    if (n_found == 0)
        printf("No planet found");
    else
        printf("%zu planet%s found", n_found, n_found == 1 ? "" : "s");
    if (n_candidates > 0)
        printf(", %s %zu candidate%s", n_found == 0 ? "but" : "and", n_candidates,
               n_candidates == 1 ? "" : "s");
    if (!star_noise_is_white(noise) && !isnan(noise->rotation_days))
        printf("; stellar rotation period %s days",
               spoken_number_digits(noise->rotation_days, 3).text);
    else if (!star_noise_is_white(noise) && !isnan(noise->memory_days))
        printf("; correlated noise with a memory of %s days",
               spoken_number_digits(noise->memory_days, 2).text);
    printf(".%s\n\n", terminal_style(stdout, TERMINAL_PLAIN));
    wrapped_text_print(
        "  %zu observations over %.1f days, %zu instrument%s, reference time %.9g\n\n",
        star->summary.n_obs, star_result_span_days(star), n_instruments,
        n_instruments == 1 ? "" : "s", star->summary.reference_time_days);
}

/* --- Planets ------------------------------------------------------------------- */

/* An angle that could be any is not one. */
static void add_quantity(struct table *table, const equant_quantity_info *kind, double value,
                         double uncertainty)
{
    const double straight = 180.0;
    value *= kind->shown_factor;
    uncertainty *= kind->shown_factor;
    if (kind->is_angle && uncertainty >= straight)
        table_add(table, "undetermined");
    else
        table_add(table, "%s", measured_value_of(value, uncertainty).text);
}

/* Whether the period of any planet has rivals worth a line. */
static bool has_rivals(const struct star_planet *planets, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!star_planet_is_certain_of_period(&planets[i]))
            return true;
    return false;
}

/* "87 %". */
static struct spoken_number percent(double probability)
{
    struct spoken_number said = {"-"};
    if (isnan(probability))
        return said;
    bool is_certain = probability > 0.995;
    snprintf(said.text, sizeof said.text, "%s%.0f %%", is_certain ? "> " : "",
             is_certain ? 99.0 : 100.0 * probability);
    return said;
}

/* How probable its period is among its aliases. */
static struct spoken_number period_probability(const struct star_planet *planet)
{
    return percent(planet->n_aliases > 0 ? planet->aliases[0].probability : 1.0);
}

/* Whether anything is known of the probability of any planet. */
static bool has_probability(const struct star_planet *planets, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isnan(planets[i].probability))
            return true;
    return false;
}

/* Whether the inclination of any is known. */
static bool has_mass(const struct star_planet *planets, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isnan(planets[i].m_jupiter))
            return true;
    return false;
}

static int print_block(const struct star_result *star, size_t n, const size_t *numbers)
{
    static const char *const alignments[] = {"l", "ll", "lll", "llll"};
    struct table table = table_start(alignments[n]);
    struct star_planet planets[PLANETS_PER_BLOCK];
    table_add(&table, "%s", "");
    for (size_t i = 0; i < n; i++) {
        planets[i] = star->planets[numbers[i]];
        table_add(&table, "%s", planet_name_of(&star->letters, numbers[i]).text);
    }
    for (size_t k = 0; k < quantity_kind_n(); k++) {
        equant_quantity_info kind = quantity_kind_at(k);
        bool is_unknown = kind.needs_star_mass && isnan(planets[0].values[k]);
        if (!quantity_kind_is_of_planet(&kind) || is_unknown)
            continue;
        table_add(&table, "%s", kind.label);
        for (size_t i = 0; i < n; i++)
            if (star_planet_has_bound(&planets[i], k))
                table_add(&table, "%s", star_planet_bound(&planets[i], k).text);
            else
                add_quantity(&table, &kind, planets[i].values[k], planets[i].errors[k]);
    }
    if (has_mass(planets, n)) {
        table_add(&table, "m MJup");
        for (size_t i = 0; i < n; i++)
            if (isnan(planets[i].m_jupiter))
                table_add(&table, "-");
            else
                table_add(&table, "%s",
                          measured_value_of(planets[i].m_jupiter, planets[i].m_jupiter_err).text);
    }
    table_add(&table, "FAP");
    for (size_t i = 0; i < n; i++)
        table_add(&table, "%s", spoken_number_probability(planets[i].false_alarm).text);
    if (has_probability(planets, n)) {
        table_add(&table, "probability");
        for (size_t i = 0; i < n; i++)
            table_add(&table, "%s", percent(planets[i].probability).text);
    }
    if (has_rivals(planets, n)) {
        table_add(&table, "this period");
        for (size_t i = 0; i < n; i++)
            table_add(&table, "%s", period_probability(&planets[i]).text);
    }
    table_add(&table, "delta BIC");
    for (size_t i = 0; i < n; i++)
        if (isnan(planets[i].delta_bic))
            table_add(&table, "-");
        else
            table_add(&table, "%.1f", planets[i].delta_bic);
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    putchar('\n');
    return code;
}

/* Those that are candidates, or those that are not, some side by side. */
static int print_kind(const struct star_result *star, bool are_candidates)
{
    size_t numbers[PLANETS_PER_BLOCK], n = 0;
    int code = EXIT_CODE_OK;
    for (size_t i = 0; i < star->n_planets && code == EXIT_CODE_OK; i++) {
        if (star_result_is_candidate(star, i) != are_candidates)
            continue;
        numbers[n++] = i;
        if (n == PLANETS_PER_BLOCK) {
            code = print_block(star, n, numbers);
            n = 0;
        }
    }
    return n > 0 && code == EXIT_CODE_OK ? print_block(star, n, numbers) : code;
}

static int print_planets(const struct star_result *star)
{
    int code = print_kind(star, false);
    if (code != EXIT_CODE_OK || star_result_n_candidates(star) == 0)
        return code;
    wrapped_text_print("  Candidates, of a probability below %.4g:\n\n",
                       star_result_threshold(star));
    return print_kind(star, true);
}

/* --- Everything else -------------------------------------------------------------- */

static double rms_of_instrument(const struct star_result *star, size_t instrument)
{
    size_t n = equant_dataset_instrument_n_obs(star->dataset, instrument);
    const int *owner = equant_dataset_instruments(star->dataset);
    double sum = 0.0;
    for (size_t k = 0; k < star->summary.n_obs; k++)
        if ((size_t)owner[k] == instrument)
            sum += star->residual_m_s[k] * star->residual_m_s[k];
    return n > 0 ? sqrt(sum / (double)n) : NAN;
}

static int print_instruments(const struct star_result *star)
{
    const char *const headers[] = {
        "instrument", "observations", quantity_kind_at(quantity_kind_index("offset_m_s")).label,
        quantity_kind_at(quantity_kind_index("jitter_m_s")).label, "rms m/s"};
    struct star_parameter jitter;
    bool has_jitter = star_result_parameter(star, "jitter_m_s_1", &jitter);
    struct table table = table_start("lrllr");
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        table_add(&table, "%s", headers[i]);
    for (size_t i = 0; i < equant_dataset_n_instruments(star->dataset); i++) {
        struct star_parameter offset = star_result_offset(star, i);
        jitter = star_result_jitter(star, i);
        table_add(&table, "%s", equant_dataset_instrument_name(star->dataset, i));
        table_add(&table, "%zu", equant_dataset_instrument_n_obs(star->dataset, i));
        table_add(&table, "%s", measured_value_of(offset.value, offset.uncertainty).text);
        if (has_jitter && jitter.value > 0.0)
            table_add(&table, "%s", measured_value_of(jitter.value, jitter.uncertainty).text);
        else
            table_add(&table, "%s", has_jitter ? "0" : "none");
        table_add(&table, "%s", spoken_number_digits(rms_of_instrument(star, i), 3).text);
    }
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    putchar('\n');
    return code;
}

static void print_trend(const struct star_result *star)
{
    struct star_parameter linear, quadratic;
    if (!star_result_parameter(star, "trend_m_s_day", &linear))
        return;
    printf("  trend  %s m/s/day", measured_value_of(linear.value, linear.uncertainty).text);
    if (star_result_parameter(star, "trend_m_s_day2", &quadratic))
        printf(", %s m/s/day^2", measured_value_of(quadratic.value, quadratic.uncertainty).text);
    putchar('\n');
}

static void print_quality(const struct star_result *star)
{
    const equant_fit_summary *summary = &star->summary;
    char after[64] = "";
    if (star->noise.n_parameters > 0)
        snprintf(after, sizeof after, ", %s after the noise",
                 spoken_number_digits(star_noise_rms_after(star), 3).text);
    wrapped_text_print("  chi2 %.2f with %zu parameters, lnL %.2f, BIC %.2f, rms %s m/s%s\n",
                       summary->chi_square, summary->n_fitted, summary->log_likelihood,
                       summary->bic, spoken_number_digits(summary->rms_m_s, 3).text, after);
}

/* What the fit was compared with, and itself: ln Z is less that of the fit. */
static int print_models(const struct star_result *star)
{
    const char *const headers[] = {"model", "planets", "lnL", "BIC", "ln Z"};
    struct table table = table_start("lrrrr");
    if (star_models_n(star) == 0)
        return EXIT_CODE_OK;
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        table_add(&table, "%s", headers[i]);
    for (size_t i = 0; i < star_models_n(star); i++) {
        struct star_model model = star_models_at(star, i);
        char text[STAR_MODEL_TEXT_SIZE];
        star_models_describe(star, &model, text);
        table_add(&table, "%s", text);
        table_add(&table, "%zu", model.n_planets);
        table_add(&table, "%.2f", model.log_likelihood);
        table_add(&table, "%.2f", model.bic);
        if (isfinite(model.delta_log_evidence))
            table_add(&table, "%.1f", model.delta_log_evidence);
        else
            table_add(&table, "-");
    }
    putchar('\n');
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    return code;
}

/* "Planets that these data show: 4 (87 %), or 3 (12 %)"; sampled numbers have their own table. */
static void print_numbers(const struct star_result *star)
{
    char text[STAR_NUMBERS_TEXT_SIZE];
    star_numbers_describe(star, sizeof text, text);
    if (star->is_sampled || text[0] == '\0')
        return;
    putchar('\n');
    wrapped_text_say(text);
}

/* Values of the terms; one that is fixed or at an end of its range has no error. */
static int print_noise_table(const struct star_noise *noise)
{
    struct table table = table_start("lll");
    table_add(&table, "noise");
    table_add(&table, "parameter");
    table_add(&table, "value");
    for (size_t i = 0; i < noise->n_parameters; i++) {
        const struct star_noise_parameter *own = &noise->parameters[i];
        bool is_first = i == 0 || strcmp(own->term, noise->parameters[i - 1].term) != 0;
        table_add(&table, "%s", is_first ? noise_words_term(own->term).text : "");
        table_add(&table, "%s %s", own->name, noise_words_unit(own));
        if (own->err > 0.0)
            table_add(&table, "%s", measured_value_of(own->value, own->err).text);
        else
            table_add(&table, "%s, %s", spoken_number_digits(own->value, 3).text,
                      own->is_fixed ? "fixed" : "the end of its range");
    }
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    putchar('\n');
    return code;
}

static double without_minus_zero(double value)
{
    return fabs(value) < 0.05 ? 0.0 : value;
}

static void add_trial(struct table *table, const char *name, bool is_given, bool is_chosen,
                      double delta_bic, double log_likelihood_gain)
{
    table_add(table, "%s", name);
    table_add(table, is_given ? "requested" : is_chosen ? "included" : "rejected");
    table_add(table, "%.1f", without_minus_zero(delta_bic));
    table_add(table, "%.1f", without_minus_zero(log_likelihood_gain));
}

/* Terms and indicators that were tried: by how much the BIC grows and ln L falls without each. */
static int print_trials(const struct star_result *star)
{
    const char *const headers[] = {"noise term", "status", "delta BIC", "delta lnL"};
    const struct star_noise *noise = &star->noise;
    struct table table = table_start("llrr");
    if (noise->n_trials + noise->n_indicator_trials == 0)
        return EXIT_CODE_OK;
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        table_add(&table, "%s", headers[i]);
    for (size_t i = 0; i < noise->n_trials; i++) {
        const struct star_noise_trial *own = &noise->trials[i];
        add_trial(&table, noise_words_term(own->term).text, own->is_given, own->is_chosen,
                  own->delta_bic, own->log_likelihood_gain);
    }
    for (size_t i = 0; i < noise->n_indicator_trials; i++) {
        const struct star_noise_indicator_trial *own = &noise->indicator_trials[i];
        char name[NOISE_WORDS_SIZE];
        noise_words_tried(star, i, name);
        add_trial(&table, name, own->is_given, own->is_chosen, own->delta_bic,
                  own->log_likelihood_gain);
    }
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    putchar('\n');
    return code;
}

static int print_noise(const struct star_result *star)
{
    const struct star_noise *noise = &star->noise;
    char text[NOISE_WORDS_SIZE];
    int code = EXIT_CODE_OK;
    if (noise->n_parameters > 0)
        code = print_noise_table(noise);
    for (size_t i = 0; i < noise->n_indicators; i++) {
        noise_words_indicator(star, i, text);
        wrapped_text_say(text);
    }
    noise_words_series(star, text);
    if (text[0] != '\0')
        wrapped_text_say(text);
    return code == EXIT_CODE_OK ? print_trials(star) : code;
}

static void print_outliers(const struct star_result *star)
{
    char text[STAR_OUTLIERS_TEXT_SIZE];
    for (size_t i = 0; i < star->outliers.n; i++) {
        star_outliers_describe(star, i, text);
        wrapped_text_say(text);
    }
}

static void print_candidate(const struct star_result *star)
{
    char text[sizeof "because " + sizeof star->refusal];
    if (!star->has_candidate)
        return;
    snprintf(
        text, sizeof text, "refused: a candidate at %s days%s, K %s m/s, FAP %s, delta BIC %.1f",
        spoken_number_digits(star->candidate.values[EQUANT_ELEMENT_PERIOD], 6).text,
        star->candidate.at_limit != EQUANT_LIMIT_NONE ? " (the end of the range)" : "",
        spoken_number_digits(star->candidate.values[EQUANT_ELEMENT_K], 3).text,
        spoken_number_probability(star->candidate.false_alarm).text, star->candidate.delta_bic);
    wrapped_text_say(text);
    snprintf(text, sizeof text, "because %s", star->refusal);
    if (star->refusal[0] != '\0')
        wrapped_text_say(text);
}

int fit_text_print(const struct star_result *star)
{
    print_headline(star);
    int code = print_planets(star);
    if (code == EXIT_CODE_OK)
        code = print_instruments(star);
    if (code != EXIT_CODE_OK)
        return code;
    print_trend(star);
    code = print_noise(star);
    if (code != EXIT_CODE_OK)
        return code;
    print_outliers(star);
    print_quality(star);
    print_candidate(star);
    code = print_models(star);
    if (code != EXIT_CODE_OK)
        return code;
    print_numbers(star);
    if (star->hints.n > 0)
        putchar('\n');
    for (size_t i = 0; i < star->hints.n; i++)
        wrapped_text_say(star->hints.texts[i]);
    return EXIT_CODE_OK;
}
