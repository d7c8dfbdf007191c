#include "page/posterior_section.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figures/figure_corner.h"
#include "files/html.h"
#include "files/quantity_kind.h"
#include "terminal/messages.h"
#include "figures/orbit_labels.h"
#include "terminal/spoken_number.h"
#include "posteriors/convergence_words.h"
#include "stars/posterior_result.h"

/* ---- diagnostics ---------------------------------------------------------------------------- */

/* As docs/sampling.md has them. */
static const double good_rhat = 1.01, fair_rhat = 1.05, enough_turns = 10.0;

static void write_verdict(FILE *page, const struct posterior_view *posterior,
                          const equant_posterior_summary *facts)
{
    char lack[CONVERGENCE_WORDS_SIZE];
    convergence_words(posterior, facts, lack);
    static const char *const ends[] = {
        [EQUANT_END_CONVERGED] = "The run has converged.",
        [EQUANT_END_STEPS] = "The run has not converged: all its steps are made.",
        [EQUANT_END_SECONDS] = "The run has not converged: its time is over.",
        [EQUANT_END_NONE] = "The run has not converged yet.",
    };
    bool is_good = facts->end == EQUANT_END_CONVERGED;
    fprintf(page, "<p class=\"verdict %s\"><strong>%s</strong>", is_good ? "good" : "bad",
            ends[facts->end]);
    if (!is_good) {
        if (lack[0] != '\0') {
            fputs(" Worst is ", page);
            html_text(page, lack);
            fputs(".", page);
        }
        fputs(" Do not quote these intervals; <code>equant sample --resume</code> goes on.", page);
    }
    fputs("</p>\n", page);
}

static void write_rhat(FILE *page, const equant_posterior_summary *facts)
{
    fputs("<li>", page);
    if (facts->rhat < good_rhat)
        fprintf(page,
                "R-hat is below 1.01 for all quantities (at most %.4f): %s populations that know "
                "nothing of each other agree, in place and in width.",
                facts->rhat, spoken_number_words(facts->n_populations).text);
    else if (facts->rhat < fair_rhat)
        fprintf(page,
                "R-hat reaches %.3f: the %s populations do not quite agree yet, and the ends of "
                "intervals may still move.",
                facts->rhat, spoken_number_words(facts->n_populations).text);
    else if (isnan(facts->rhat))
        fputs("Nobody knows R-hat yet.", page);
    else
        fprintf(page,
                "R-hat reaches %.2f: the %s populations sit in different places. These are not "
                "draws from the posterior.",
                facts->rhat, spoken_number_words(facts->n_populations).text);
    fputs("</li>\n", page);
}

/* The error of a median is about 1.25 sigma / sqrt(ESS). */
static void write_sizes(FILE *page, const equant_posterior_summary *facts)
{
    const double of_median = 125.0;
    if (isnan(facts->ess_bulk) || isnan(facts->ess_tail))
        return;
    fprintf(page,
            "<li>Every quantity has at least %.0f effective draws for its median, which is "
            "thereby known to %s&nbsp;%% of its standard deviation, and at least %.0f for the "
            "ends of its interval.</li>\n",
            facts->ess_bulk, spoken_number_digits(of_median / sqrt(facts->ess_bulk), 2).text,
            facts->ess_tail);
}

static void write_walkers(FILE *page, const equant_posterior_summary *facts)
{
    size_t n_draws = facts->n_populations * facts->n_walkers * facts->n_kept;
    fprintf(page, "<li>%s draws of %zu walkers, steps %llu to %llu",
            spoken_number_of((double)n_draws).text, facts->n_populations * facts->n_walkers,
            (unsigned long long)facts->n_burn_in, (unsigned long long)facts->n_steps);
    if (!isnan(facts->acceptance))
        fprintf(page, "; %s&nbsp;%% of the proposals were accepted",
                spoken_number_digits(100.0 * facts->acceptance, 2).text);
    if (facts->turnover < 1.0)
        fputs(
            "; the run is shorter than one autocorrelation time of some walkers (ten are required)",
            page);
    else if (facts->turnover < 2.0)
        fputs("; every walker has run for at least one autocorrelation time (ten are required)",
              page);
    else if (!isnan(facts->turnover))
        fprintf(page, "; every walker has run for at least %s autocorrelation times%s",
                spoken_number_words((size_t)facts->turnover).text,
                facts->turnover < enough_turns ? " (ten are required)" : "");
    fputs(".</li>\n", page);
}

static void write_modes(FILE *page, const equant_posterior *posterior, size_t n_planets)
{
    size_t n = equant_posterior_n_modes(posterior);
    if (n < 2) {
        if (n_planets > 0)
            fputs("<li>All draws have the same periods: there is one mode.</li>\n", page);
        return;
    }
    fprintf(page, "<li>The draws fall into %s modes of other periods:<ul>\n",
            spoken_number_words(n).text);
    for (size_t i = 0; i < n; i++) {
        equant_posterior_mode_info mode = {.struct_size = sizeof mode};
        if (equant_posterior_mode(posterior, i, &mode) != EQUANT_SUCCESS)
            break;
        fprintf(page, "<li>%.1f ± %.1f&nbsp;%% at", 100.0 * mode.weight, 100.0 * mode.weight_err);
        for (size_t p = 0; p < n_planets; p++)
            fprintf(page, "%s %s", p == 0 ? "" : ",",
                    spoken_number_digits(mode.period_days[p], 6).text);
        fputs(" days</li>\n", page);
    }
    fputs("</ul></li>\n", page);
}

static void write_diagnostics(FILE *page, const struct posterior_view *posterior,
                              const equant_posterior_summary *facts)
{
    write_verdict(page, posterior, facts);
    fputs("<ul class=\"remarks\">\n", page);
    write_rhat(page, facts);
    write_sizes(page, facts);
    if (posterior->star != NULL)
        write_modes(page, posterior->star, facts->n_planets);
    write_walkers(page, facts);
    if (facts->n_temperatures > 1 && !posterior_result_trusts_evidence(facts)) {
        fputs(isnan(facts->log_evidence)
                  ? "<li>The evidence cannot be told: there are too few draws.</li>\n"
              : facts->evidence_k_hat > 0.7
                  ? "<li>The evidence cannot be told: its importance weights have too heavy a "
                    "tail.</li>\n"
                  : "<li>The evidence cannot be told: populations differ too much about it.</li>\n",
              page);
    } else if (facts->n_temperatures > 1) {
        fputs("<li>The natural logarithm of the evidence is ", page);
        html_measured(page, measured_value_of(facts->log_evidence, facts->log_evidence_err));
        fprintf(page,
                ", from %zu temperatures. It depends on the widths of the priors: quote "
                "them.</li>\n",
                facts->n_temperatures);
    }
    fputs("</ul>\n", page);
}

/* ---- the table ------------------------------------------------------------------------------ */

/* NULL: none, as on the sky, where they are told below the table. */
static const char *prior_of(const struct posterior_view *posterior, const char *parameter)
{
    char name[64];
    snprintf(name, sizeof name, "prior_%s", parameter);
    return posterior->star != NULL ? posterior_result_provenance(posterior->star, name) : NULL;
}

static void write_name(FILE *page, const struct planet_letters *letters,
                       const equant_sampled_quantity *quantity)
{
    char more[128] = "";
    equant_quantity_info kind = posterior_view_kind(quantity);
    if (quantity->instrument_name != NULL)
        snprintf(more, sizeof more, " of %s", quantity->instrument_name);
    orbit_label_header(
        page, &kind,
        quantity->planet > 0 ? planet_name_short(letters, quantity->planet - 1).text : "", more);
}

/* A prior with its numbers cut to what a reader wants: "uniform(0, 2π)". */
static void write_prior(FILE *page, const char *text)
{
    const double full_turn = 6.283185307179586;
    while (*text != '\0') {
        char *end, word[32];
        double value = strtod(text, &end);
        bool is_number = end > text && strchr("+-.0123456789", *text) != NULL;
        if (!is_number) {
            size_t n = strcspn(text, "(, ") + strspn(text + strcspn(text, "(, "), "(, ");
            html_text_n(page, text, n);
            text += n;
            continue;
        }
        snprintf(word, sizeof word, "%.6g", value);
        html_number(page, fabs(value - full_turn) < 1e-12 ? "2π" : word);
        text = end;
    }
}

static void write_row(FILE *page, const struct posterior_view *posterior,
                      const struct planet_letters *letters, const equant_sampled_quantity *quantity)
{
    const double almost_all = 240.0; /* degrees of 246 that 68.3 % of all angles are */
    double unit = posterior_view_kind(quantity).shown_factor;
    double low = quantity->low * unit, high = quantity->high * unit;
    const char *prior = prior_of(posterior, quantity->name);
    fprintf(page, "<tr%s>", quantity->is_derived ? " class=\"derived\"" : "");
    write_name(page, letters, quantity);
    fputs("<td>", page);
    if (quantity->is_angle && high - low >= almost_all)
        fputs("undetermined", page);
    else
        html_measured(page, measured_value_between(quantity->median * unit, low, high));
    if (isnan(quantity->rhat))
        fputs("</td><td>–</td><td>–</td><td>–</td>", page);
    else
        fprintf(page, "</td><td>%.4f</td><td>%.0f</td><td>%.0f</td>", quantity->rhat,
                quantity->ess_bulk, quantity->ess_tail);
    if (posterior->star != NULL)
        fputs("<td class=\"text\">", page);
    if (prior != NULL)
        write_prior(page, prior);
    fputs(posterior->star != NULL ? "</td></tr>\n" : "</tr>\n", page);
}

static equant_status write_table(FILE *page, const struct posterior_view *posterior)
{
    const struct planet_letters none = {""};
    const struct planet_letters letters =
        posterior->star != NULL ? planet_letters_of_run(posterior->star) : none;
    equant_status status = EQUANT_SUCCESS;
    fprintf(page,
            "<div class=\"scroll\"><table class=\"posterior\">\n<thead><tr><th></th>"
            "<th scope=\"col\">median, 68 %%</th><th scope=\"col\">R-hat</th>"
            "<th scope=\"col\"><abbr title=\"effective draws\">ESS</abbr> bulk</th>"
            "<th scope=\"col\">ESS tail</th>%s</tr></thead>\n<tbody>\n",
            posterior->star != NULL ? "<th scope=\"col\" class=\"text\">prior</th>" : "");
    for (size_t i = 0; i < posterior_view_n(posterior) && status == EQUANT_SUCCESS; i++) {
        equant_sampled_quantity quantity = {.struct_size = sizeof quantity};
        status = posterior_view_quantity(posterior, i, &quantity);
        if (status == EQUANT_SUCCESS)
            write_row(page, posterior, &letters, &quantity);
    }
    fputs("</tbody></table></div>\n", page);
    return status;
}

/* "Priors: ln P, e and M0 uniform; ...", as a run of astrometry tells them. */
static void write_sky_priors(FILE *page, const equant_sky_posterior *posterior)
{
    static const char *const names[] = {"prior_shapes", "prior_thiele_innes", "prior_jitter",
                                        "prior_linear"};
    static const char *const of[] = {"", "Thiele–Innes constants ", "jitters ",
                                     "all other linear parameters "};
    bool is_first = true;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *prior = equant_sky_posterior_provenance(posterior, names[i]);
        if (prior == NULL)
            continue;
        fprintf(page, "%s%s", is_first ? "<p class=\"note\">Priors: " : "; ", of[i]);
        html_text(page, prior);
        is_first = false;
    }
    if (!is_first)
        fputs(".</p>\n", page);
}

/* ---- the section ---------------------------------------------------------------------------- */

int posterior_section_write(FILE *page, const struct posterior_view *posterior)
{
    equant_posterior_summary facts = {.struct_size = sizeof facts};
    equant_status status = posterior_view_summarize(posterior, &facts);
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    write_diagnostics(page, posterior, &facts);
    int code = figure_corner_write(page, posterior);
    fputs("<p class=\"caption\">Pairs of parameters: shades hold 68&nbsp;% and 95&nbsp;% of the "
          "draws. On the diagonal the median is solid, the ends of 68&nbsp;% are dashed.</p>\n",
          page);
    status = write_table(page, posterior);
    if (posterior->sky != NULL)
        write_sky_priors(page, posterior->sky);
    fputs("<p class=\"note\">Paler rows follow from the others. ESS: effective number of "
          "independent draws, "
          "for medians (bulk) and for ends of intervals (tail).</p>\n</section>\n",
          page);
    return status == EQUANT_SUCCESS ? code : messages_status(status);
}
