#include "inference/sample/run/believed_data.h"

#include <stdio.h>
#include <string.h>

#include "core/decimal_text.h"
#include "core/status_fail.h"
#include "inference/fit/fit_model.h"
#include "inference/sample/target/noise_priors.h"
#include "inference/sample/target/model_priors.h"
#include "inference/sample/target/star_priors.h"

enum { NOISE_WORDS = 1024 + NOISE_PRIORS_WORDS_SIZE };

#define OPTION(member) OPTION_OR_ZERO(options, equant_sample_options, member)

/* The noise of the run as a fit takes it. */
static void name_noise(const equant_dataset *dataset, const equant_sample_options *options,
                       char words[NOISE_WORDS])
{
    const equant_priors *held = OPTION(priors);
    const noise_kinds *kinds = held ? &priors_layout(held->set)->noise : NULL;
    snprintf(words, NOISE_WORDS, "%s", OPTION(noise) ? OPTION(noise) : "white");
    if (!OPTION(noise) && kinds && kinds->n > 0)
        noise_priors_words(kinds, dataset, words);
}

static equant_status fit_star(const equant_dataset *dataset, const equant_sample_options *options,
                              equant_fit **fit)
{
    char words[NOISE_WORDS];
    name_noise(dataset, options, words);
    const equant_fit_options wanted = {.struct_size = sizeof wanted,
                                       .engine = OPTION(engine),
                                       .n_planets =
                                           OPTION(n_planets) > 0 ? (int)OPTION(n_planets) : -1,
                                       .trend = OPTION(trend),
                                       .n_known = OPTION(n_known),
                                       .known = OPTION(known),
                                       .seed = OPTION(seed),
                                       .progress = OPTION(progress),
                                       .progress_context = OPTION(progress_context),
                                       .noise = words,
                                       .indicators = "none",
                                       .outliers = OPTION(outliers)};
    return fit_model(dataset, &wanted, false, fit);
}

static void describe(const equant_dataset *dataset, const equant_fitted_outlier *outlier,
                     char text[BELIEVED_DATA_TEXT_SIZE])
{
    char more[160];
    decimal_text_print(more, sizeof more, "%s%s of %s %.3f (%s), %+.3g m/s", text[0] ? "; " : "",
                       outlier->is_night ? "night" : "observation",
                       equant_dataset_time_name(dataset), outlier->time_days,
                       equant_dataset_instrument_name(dataset, outlier->instrument),
                       outlier->deviation_m_s);
    strncat(text, more, BELIEVED_DATA_TEXT_SIZE - strlen(text) - 1);
}

equant_status believed_data_create(const equant_dataset *dataset,
                                   const equant_sample_options *options, equant_dataset **made,
                                   char text[BELIEVED_DATA_TEXT_SIZE])
{
    equant_fit *fit;
    const char *asked = OPTION(outliers);
    *made = NULL;
    text[0] = '\0';
    if (!asked || strcmp(asked, "none") == 0)
        return EQUANT_SUCCESS;
    equant_status status = fit_star(dataset, options, &fit);
    if (status != EQUANT_SUCCESS)
        return status;
    size_t n = equant_fit_n_outliers(fit);
    for (size_t i = 0; i < n && status == EQUANT_SUCCESS; i++) {
        equant_fitted_outlier outlier = {.struct_size = sizeof outlier};
        status = equant_fit_outlier(fit, i, &outlier);
        if (status == EQUANT_SUCCESS)
            describe(dataset, &outlier, text);
    }
    if (status == EQUANT_SUCCESS && n > 0)
        status =
            equant_dataset_with_uncertainties(dataset, equant_fit_uncertainties_m_s(fit), made);
    equant_fit_free(fit);
    return status;
}
