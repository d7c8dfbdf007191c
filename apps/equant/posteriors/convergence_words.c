#include "posteriors/convergence_words.h"

#include <math.h>
#include <stdio.h>

#include "stars/planet_name.h"

static bool find_quantity(const struct posterior_view *view, const equant_posterior_summary *facts,
                          equant_sampled_quantity *quantity)
{
    *quantity = (equant_sampled_quantity){.struct_size = sizeof *quantity};
    return facts->lacks_quantity < posterior_view_n(view) &&
           posterior_view_quantity(view, facts->lacks_quantity, quantity) == EQUANT_SUCCESS;
}

/* "planet b, K m/s: " */
static void write_owner(const struct posterior_view *view, const equant_sampled_quantity *quantity,
                        char text[CONVERGENCE_WORDS_SIZE])
{
    const struct planet_letters none = {""};
    const char *label = posterior_view_kind(quantity).label;
    if (quantity->planet > 0) {
        struct planet_letters letters =
            view->star != NULL ? planet_letters_of_run(view->star) : none;
        snprintf(text, CONVERGENCE_WORDS_SIZE,
                 "%s, %s: ", planet_name_of(&letters, quantity->planet - 1).text, label);
    } else if (quantity->instrument_name != NULL)
        snprintf(text, CONVERGENCE_WORDS_SIZE, "%.60s, %s: ", quantity->instrument_name, label);
    else
        snprintf(text, CONVERGENCE_WORDS_SIZE, "%s: ", label);
}

void convergence_words(const struct posterior_view *view, const equant_posterior_summary *facts,
                       char text[CONVERGENCE_WORDS_SIZE])
{
    static const char *const sentences[] = {
        [EQUANT_CRITERION_RHAT] = "R-hat is %.4f, and should be at most %.4g",
        [EQUANT_CRITERION_ESS] = "%.0f effective draws, and %.0f are needed",
        [EQUANT_CRITERION_TURNOVER] =
            "%.1f autocorrelation times were sampled, and %.0f are needed",
        [EQUANT_CRITERION_BURN_IN] = "the burn-in had %.0f steps, and needs %.0f",
        [EQUANT_CRITERION_DRIFT] =
            "early and late quantiles differ by %.1f standard errors, not by %.0f at most",
        [EQUANT_CRITERION_POPULATIONS] =
            "quantiles of populations differ by %.1f standard errors, not by %.0f at most",
        [EQUANT_CRITERION_ROUND_TRIPS] =
            "walkers made %.0f round trips through the temperatures, and %.0f are needed",
    };
    equant_sampled_quantity quantity;
    char owner[CONVERGENCE_WORDS_SIZE] = "", lack[CONVERGENCE_WORDS_SIZE] = "";
    text[0] = '\0';
    if (facts->lacks == EQUANT_CRITERION_NONE)
        return;
    if (find_quantity(view, facts, &quantity))
        write_owner(view, &quantity, owner);
    if (isnan(facts->lacks_found))
        snprintf(lack, sizeof lack, "too few steps were kept, or one population, to tell");
    else
        snprintf(lack, sizeof lack, sentences[facts->lacks], facts->lacks_found,
                 facts->lacks_wanted);
    snprintf(text, CONVERGENCE_WORDS_SIZE, "%.110s%.140s", owner, lack);
}

const char *convergence_words_criterion(const equant_posterior_summary *facts)
{
    static const char *const words[] = {
        [EQUANT_CRITERION_NONE] = NULL,
        [EQUANT_CRITERION_RHAT] = "rhat",
        [EQUANT_CRITERION_ESS] = "ess",
        [EQUANT_CRITERION_TURNOVER] = "turnover",
        [EQUANT_CRITERION_BURN_IN] = "burn_in",
        [EQUANT_CRITERION_DRIFT] = "drift",
        [EQUANT_CRITERION_POPULATIONS] = "populations",
        [EQUANT_CRITERION_ROUND_TRIPS] = "round_trips",
    };
    return words[facts->lacks];
}

const char *convergence_words_quantity(const struct posterior_view *view,
                                       const equant_posterior_summary *facts)
{
    equant_sampled_quantity quantity;
    return find_quantity(view, facts, &quantity) ? quantity.name : NULL;
}
