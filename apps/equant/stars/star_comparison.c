#include "stars/star_comparison.h"

#include <stdbool.h>
#include <string.h>

#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "terminal/sample_progress.h"

/* The words of noise where they name terms, with ranges of their own. */
static const char *words_of(const struct noise_request *noise)
{
    bool is_choice = noise->terms == NULL || strcmp(noise->terms, "auto") == 0 ||
                     strcmp(noise->terms, "white") == 0;
    return is_choice ? NULL : noise->terms;
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

/* Somebody who waits for so long. */
struct watch {
    struct sample_progress line;
    double end_s;
    bool is_late;
};

static int show(const equant_progress_report *now, void *context)
{
    struct watch *watch = context;
    int is_over = sample_progress_show(now, &watch->line);
    watch->is_late = progress_clock_s() > watch->end_s;
    return is_over || watch->is_late;
}

int star_comparison_run(const struct fit_request *fit, const struct compare_request *request,
                        double end_s, struct star_result *star)
{
    struct watch watch = {.line = sample_progress_start(), .end_s = end_s};
    equant_compare_options options = options_of(fit, request);
    options.progress = show;
    options.progress_context = &watch;
    equant_status status = equant_compare(star->dataset, star->fit, &options, &star->comparison);
    progress_clear(&watch.line.progress);
    if (status == EQUANT_ERROR_CANCELLED && watch.is_late && !interrupt_requested()) {
        messages_note("the time that was given was over before the probabilities were sampled: "
                      "those of the fit are quick estimates");
        return EXIT_CODE_OK;
    }
    if (status == EQUANT_SUCCESS)
        status = equant_fit_take_comparison(star->fit, star->dataset, star->comparison);
    if (status == EQUANT_SUCCESS)
        star_result_collect_probabilities(star);
    return messages_status(status);
}
