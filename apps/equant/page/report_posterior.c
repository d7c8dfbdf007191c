/* The posterior of a report, and how the run differs from the fit. */
#include <string.h>

#include "page/posterior_section.h"
#include "page/report_sections.h"
#include "stars/posterior_result.h"
#include "terminal/messages.h"
#include "terminal/spoken_number.h"

static bool is_in_fit(const struct report_contents *report, size_t number)
{
    for (size_t i = 0; i < report->star->n_planets; i++)
        if (report->run_planets[i] == number)
            return true;
    return false;
}

/* "no trend", "a linear trend": what a fit chooses by itself, and a run has as it was asked for. */
static const char *trend_of_fit(const struct star_result *star)
{
    struct star_parameter term;
    return star_result_parameter(star, "trend_m_s_day2", &term)  ? "a quadratic trend"
           : star_result_parameter(star, "trend_m_s_day", &term) ? "a linear trend"
                                                                 : "no trend";
}

static const char *trend_of_run(const equant_posterior *posterior)
{
    equant_sampled_quantity term;
    return posterior_result_quantity(posterior, "trend_m_s_day2", &term)  ? "a quadratic trend"
           : posterior_result_quantity(posterior, "trend_m_s_day", &term) ? "a linear trend"
                                                                          : "no trend";
}

static void write_trends(FILE *page, const struct report_contents *report)
{
    const char *fit = trend_of_fit(report->star), *run = trend_of_run(report->posterior);
    if (strcmp(fit, run) != 0)
        fprintf(page,
                "<p>The run has %s, the fit %s: they are different models, and their figures "
                "differ for that alone. A fit chooses its trend by itself, a run has the one that "
                "<code>--trend</code> names, and none without it.</p>\n",
                run, fit);
}

/* A run may be of other planets than the fit: of more, of fewer, of aliases; and of another trend.
 */
static void write_differences(FILE *page, const struct report_contents *report, size_t n_planets)
{
    if (report->fit == NULL)
        return;
    if (report->star->n_planets != n_planets)
        fprintf(page, "<p>The run is one of %s planet%s; the fit above has %s.</p>\n",
                spoken_number_words(n_planets).text, n_planets == 1 ? "" : "s",
                spoken_number_words(report->star->n_planets).text);
    write_trends(page, report);
    const struct planet_letters letters = planet_letters_of_run(report->posterior);
    for (size_t number = 1; number <= n_planets; number++) {
        equant_sampled_quantity period;
        if (posterior_result_of_planet(report->posterior, EQUANT_ELEMENT_PERIOD, number, &period) &&
            !is_in_fit(report, number))
            fprintf(page, "<p>Planet %s of the run, at %s days, is not in the fit.</p>\n",
                    planet_name_short(&letters, number - 1).text,
                    spoken_number_digits(period.median, 5).text);
    }
}

int report_posterior_write(FILE *page, const struct report_contents *report)
{
    if (report->posterior == NULL)
        return EXIT_CODE_OK;
    const struct posterior_view view = posterior_view_of(report->posterior);
    equant_posterior_summary facts = {.struct_size = sizeof facts};
    equant_status status = posterior_view_summarize(&view, &facts);
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    fputs("<section id=\"posterior\"><h2>Posterior</h2>\n", page);
    write_differences(page, report, facts.n_planets);
    return posterior_section_write(page, &view);
}
