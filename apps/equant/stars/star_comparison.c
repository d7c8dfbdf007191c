#include "stars/star_comparison.h"

#include <math.h>
#include <string.h>

#include "terminal/messages.h"
#include "terminal/sample_progress.h"

/* The words of noise where they name terms, with ranges of their own. */
static const char *words_of(const struct noise_request *noise)
{
    bool is_choice = noise->terms == NULL || strcmp(noise->terms, "auto") == 0 ||
                     strcmp(noise->terms, "white") == 0;
    return is_choice ? NULL : noise->terms;
}

/* Whether one of the periods of a signal is that of a planet, as far as the data resolve. */
static bool has_period(const struct star_result *star, size_t index, const equant_signal *signal,
                       double period_days)
{
    double half = 0.5 / star_result_span_days(star);
    for (size_t i = 0; i < signal->n_aliases; i++) {
        equant_alias alias = {.struct_size = sizeof alias};
        if (equant_comparison_alias(star->comparison, index, i, &alias) == EQUANT_SUCCESS &&
            fabs(1.0 / alias.period_days - 1.0 / period_days) < half)
            return true;
    }
    return false;
}

/* Of a planet that is no signal of its own, the probability of its period alone. */
static void judge(const struct star_result *star, struct star_planet *planet)
{
    double period = planet->values[EQUANT_ELEMENT_PERIOD];
    double half = 0.5 / star_result_span_days(star);
    for (size_t i = 0; i < equant_comparison_n_signals(star->comparison); i++) {
        equant_signal signal = {.struct_size = sizeof signal};
        if (equant_comparison_signal(star->comparison, i, &signal) != EQUANT_SUCCESS ||
            !has_period(star, i, &signal, period))
            continue;
        planet->probability = signal.probability;
        planet->false_inclusion = signal.fip;
        return;
    }
    double longest = 1.0 / fmax(1.0 / period - half, 1e-3 / period);
    if (equant_comparison_fip(star->comparison, 1.0 / (1.0 / period + half), longest,
                              &planet->false_inclusion, NULL) == EQUANT_SUCCESS)
        planet->probability = 1.0 - planet->false_inclusion;
}

/* Sampled probabilities of numbers take the place of the quick ones. */
static void take_numbers(struct star_result *star)
{
    size_t most = equant_comparison_max_planets(star->comparison);
    star->n_numbers = 0;
    star->is_sampled = true;
    for (size_t n = 0; n <= most && n < STAR_RESULT_MOST_NUMBERS; n++)
        star->numbers[star->n_numbers++] = equant_comparison_probability(star->comparison, n, NULL);
}

static equant_compare_options options_of(const struct fit_request *fit,
                                         const struct compare_request *request)
{
    equant_compare_options options = compare_request_options(request);
    options.n_threads = fit->range.engine.n_threads;
    options.engine = &fit->range.engine;
    options.seed = fit->range.seed;
    options.no_jitter = fit->has_no_jitter;
    options.noise = words_of(&fit->noise);
    return options;
}

int star_comparison_check(const struct fit_request *fit, const struct compare_request *request,
                          const struct star_result *star)
{
    equant_compare_options options = options_of(fit, request);
    options.period_min_days = fit->range.period_min_days;
    options.period_max_days = fit->range.period_max_days;
    return messages_status(equant_compare_check(star->dataset, &options));
}

int star_comparison_run(const struct fit_request *fit, const struct compare_request *request,
                        struct star_result *star)
{
    struct sample_progress line = sample_progress_start();
    equant_compare_options options = options_of(fit, request);
    options.progress = sample_progress_show;
    options.progress_context = &line;
    equant_status status = equant_compare(star->dataset, star->fit, &options, &star->comparison);
    progress_clear(&line.progress);
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    for (size_t i = 0; i < star->n_planets; i++)
        judge(star, &star->planets[i]);
    take_numbers(star);
    return EXIT_CODE_OK;
}
