#include "results/sample_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "posteriors/convergence_words.h"
#include "stars/planet_name.h"
#include "stars/posterior_result.h"
#include "terminal/measured_value.h"
#include "terminal/messages.h"
#include "terminal/spoken_number.h"
#include "terminal/table.h"
#include "terminal/terminal.h"
#include "terminal/wrapped_text.h"

/* What is missed by most, and what helps. */
static void print_lack(const struct posterior_view *posterior,
                       const equant_posterior_summary *facts)
{
    char text[CONVERGENCE_WORDS_SIZE];
    convergence_words(posterior, facts, text);
    if (text[0] == '\0')
        return;
    char *lack = strstr(text, ": ");
    if (lack != NULL) {
        *lack = '\0';
        wrapped_text_print("  Worst is %s:\n  %s.\n", text, lack + 2);
    } else
        wrapped_text_print("  Worst: %s.\n", text);
    wrapped_text_print(
        "  Do not quote these intervals: go on with --resume and a longer --budget or\n"
        "  more --max-steps.\n\n");
}

static void print_headline(const struct posterior_view *posterior,
                           const equant_posterior_summary *facts)
{
    static const char *const ends[] = {
        [EQUANT_END_CONVERGED] = "Converged.",
        [EQUANT_END_STEPS] = "Not converged when all steps were made.",
        [EQUANT_END_SECONDS] = "Not converged when the time was over.",
        [EQUANT_END_NONE] = "Not converged yet.",
    };
    size_t n_draws = facts->n_populations * facts->n_walkers * facts->n_kept;
    printf("%s%s%s\n\n", terminal_style(stdout, TERMINAL_BOLD), ends[facts->end],
           terminal_style(stdout, TERMINAL_PLAIN));
    print_lack(posterior, facts);
    char fixed[64] = "", accepted[64] = "";
    size_t n_fixed = facts->n_parameters - facts->n_fitted;
    if (n_fixed > 0)
        snprintf(fixed, sizeof fixed, " and %zu fixed", n_fixed);
    if (!isnan(facts->acceptance))
        snprintf(accepted, sizeof accepted, ", %s %% accepted",
                 spoken_number_digits(100.0 * facts->acceptance, 2).text);
    wrapped_text_print("  %zu planet%s, %zu parameters%s; %zu draws of %zu walkers in %zu "
                       "populations\n",
                       facts->n_planets, facts->n_planets == 1 ? "" : "s", facts->n_fitted, fixed,
                       n_draws, facts->n_walkers * facts->n_populations, facts->n_populations);
    wrapped_text_print("  steps %llu to %llu%s, %s s on %s; reference time %.9g\n\n",
                       (unsigned long long)facts->n_burn_in, (unsigned long long)facts->n_steps,
                       accepted, spoken_number_digits(facts->seconds, 3).text, facts->backend,
                       facts->reference_time_days);
}

static void add_value(struct table *table, const equant_sampled_quantity *quantity)
{
    const double almost_all = 240.0; /* degrees of 246 that 68.3 % of all angles are */
    double unit = posterior_view_kind(quantity).shown_factor;
    double low = quantity->low * unit, high = quantity->high * unit;
    if (quantity->is_angle && high - low >= almost_all)
        table_add(table, "undetermined");
    else
        table_add(table, "%s", measured_value_between(quantity->median * unit, low, high).text);
}

static void add_count(struct table *table, double count)
{
    if (isnan(count))
        table_add(table, "-");
    else
        table_add(table, "%.0f", count);
}

static void add_owner(struct table *table, const struct planet_letters *letters,
                      const equant_sampled_quantity *quantity)
{
    if (quantity->planet > 0)
        table_add(table, "%s", planet_name_of(letters, quantity->planet - 1).text);
    else
        table_add(table, "%s", quantity->instrument_name != NULL ? quantity->instrument_name : "");
}

static int print_quantities(const struct posterior_view *posterior)
{
    static const char *const headers[] = {"",         "",         "median and 68 %",
                                          "ESS bulk", "ESS tail", "R-hat"};
    struct table table = table_start("lllrrr");
    const struct planet_letters none = {""};
    struct planet_letters letters =
        posterior->star != NULL ? planet_letters_of_run(posterior->star) : none;
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        table_add(&table, "%s", headers[i]);
    for (size_t i = 0; i < posterior_view_n(posterior); i++) {
        equant_sampled_quantity quantity = {.struct_size = sizeof quantity};
        status = posterior_view_quantity(posterior, i, &quantity);
        if (status != EQUANT_SUCCESS)
            break;
        add_owner(&table, &letters, &quantity);
        table_add(&table, "%s", posterior_view_kind(&quantity).label);
        add_value(&table, &quantity);
        add_count(&table, quantity.ess_bulk);
        add_count(&table, quantity.ess_tail);
        if (isnan(quantity.rhat))
            table_add(&table, "-");
        else
            table_add(&table, "%.4f", quantity.rhat);
    }
    int code = status == EQUANT_SUCCESS ? table_print(&table, stdout, 2) : messages_status(status);
    table_free(&table);
    putchar('\n');
    return code;
}

/* Observations that are not believed. */
static void print_outliers(const equant_posterior *posterior)
{
    const char *outliers = posterior_result_provenance(posterior, "outliers");
    if (outliers != NULL)
        wrapped_text_print("  errors inflated for the %s\n\n", outliers);
}

/* Several modes with their periods; a single one goes without saying. */
static void print_modes(const equant_posterior *posterior, size_t n_planets)
{
    size_t n = equant_posterior_n_modes(posterior);
    if (n < 2)
        return;
    for (size_t i = 0; i < n; i++) {
        equant_posterior_mode_info mode = {.struct_size = sizeof mode};
        if (equant_posterior_mode(posterior, i, &mode) != EQUANT_SUCCESS)
            return;
        printf("  mode %zu: %.1f ± %.1f %%, periods", i + 1, 100.0 * mode.weight,
               100.0 * mode.weight_err);
        for (size_t p = 0; p < n_planets; p++)
            printf("%s %s", p == 0 ? "" : ",", spoken_number_digits(mode.period_days[p], 6).text);
        printf(" days\n");
    }
    putchar('\n');
}

/* Why there is no number. */
static void print_doubt(const equant_posterior_summary *facts)
{
    const double most = 0.7; /* of k-hat */
    if (isnan(facts->log_evidence))
        wrapped_text_print("  ln Z cannot be told: too few draws (more steps)\n");
    else if (facts->evidence_k_hat > most)
        wrapped_text_print(
            "  ln Z cannot be told: its importance weights have too heavy a tail, k-hat %.2f\n"
            "  (more draws: a larger --min-ess)\n",
            facts->evidence_k_hat);
    else
        wrapped_text_print(
            "  ln Z cannot be told: populations differ by more than it could be used for, "
            "%.2g\n  (more steps, or more temperatures)\n",
            facts->evidence_spread);
}

int sample_text_print(const struct posterior_view *posterior)
{
    equant_posterior_summary facts = {.struct_size = sizeof facts};
    equant_status status = posterior_view_summarize(posterior, &facts);
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    print_headline(posterior, &facts);
    int code = print_quantities(posterior);
    if (code != EXIT_CODE_OK)
        return code;
    if (posterior->star != NULL) {
        print_outliers(posterior->star);
        print_modes(posterior->star, facts.n_planets);
    }
    if (facts.n_temperatures > 1 && !posterior_result_trusts_evidence(&facts))
        print_doubt(&facts);
    else if (facts.n_temperatures > 1)
        wrapped_text_print(
            "  ln Z %.2f ± %.2f (natural logarithm; k-hat %.2f, %zu temperatures, %.0f round "
            "trips)\n",
            facts.log_evidence, facts.log_evidence_err, facts.evidence_k_hat, facts.n_temperatures,
            facts.round_trips);
    wrapped_text_print("  worst R-hat %.4f, fewest effective draws %.0f (bulk) and %.0f (tail)\n",
                       facts.rhat, facts.ess_bulk, facts.ess_tail);
    return EXIT_CODE_OK;
}
