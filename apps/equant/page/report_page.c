#include "page/report_page.h"

#include <ctype.h>
#include <math.h>

#include "figures/figure_periodograms.h"
#include "figures/figure_probabilities.h"
#include "figures/figure_velocities.h"
#include "files/html.h"
#include "options/star_request.h"
#include "terminal/messages.h"
#include "terminal/spoken_number.h"
#include "page/page_parts.h"
#include "page/report_sections.h"
#include "drawing/ticks.h"

/* ---- at a glance ------------------------------------------------------------------------------
 */

static void write_time_span(FILE *page, const equant_dataset *dataset)
{
    const double days_per_year = 365.25, few_days = 700.0;
    const double *time_days = equant_dataset_times_days(dataset);
    double first = time_days[0], last = time_days[equant_dataset_n_obs(dataset) - 1];
    double span = last - first, from = ticks_year_of(first), to = ticks_year_of(last);
    if (span < few_days)
        fprintf(page, "%s days", spoken_number_digits(span, 3).text);
    else
        fprintf(page, "%s years", spoken_number_digits(span / days_per_year, 3).text);
    if (!isnan(from) && !isnan(to) && floor(from) == floor(to))
        fprintf(page, " of %.0f", floor(from));
    else if (!isnan(from) && !isnan(to))
        fprintf(page, ", from %.0f to %.0f", floor(from), floor(to));
}

/* "; planet b is a candidate, of a probability below 0.95". */
static void write_candidates(FILE *page, const struct star_result *star)
{
    size_t n = star_result_n_candidates(star), n_said = 0;
    if (n == 0)
        return;
    fprintf(page, "; planet%s", n == 1 ? "" : "s");
    for (size_t i = 0; i < star->n_planets; i++)
        if (star_result_is_candidate(star, i)) {
            fprintf(page, "%s %s",
                    n_said == 0      ? ""
                    : n_said + 1 < n ? ","
                                     : " and",
                    planet_name_short(&star->letters, i).text);
            n_said++;
        }
    fprintf(page, " %s, of a probability below %.4g", n == 1 ? "is a candidate" : "are candidates",
            star_result_threshold(star));
}

static void write_lede(FILE *page, const struct report_contents *report)
{
    const equant_dataset *dataset = report->star->dataset;
    size_t n_instruments = equant_dataset_n_instruments(dataset);
    const struct star_noise *noise = &report->star->noise;
    size_t n_found = star_result_n_found(report->star);
    struct spoken_number planets = spoken_number_words(n_found);
    planets.text[0] = (char)toupper((unsigned char)planets.text[0]);
    fprintf(
        page,
        "<p class=\"lede\">%s planet%s in %zu radial velocities that %s instrument%s took over ",
        planets.text, n_found == 1 ? "" : "s", equant_dataset_n_obs(dataset),
        spoken_number_words(n_instruments).text, n_instruments == 1 ? "" : "s");
    write_time_span(page, dataset);
    write_candidates(page, report->star);
    fprintf(page, ". What %s leave%s unexplained scatters by %s&nbsp;m/s.",
            report->star->n_planets == 0   ? "a constant velocity"
            : report->star->n_planets == 1 ? "it"
                                           : "they",
            report->star->n_planets > 1 ? "" : "s",
            spoken_number_digits(report->star->summary.rms_m_s, 2).text);
    if (report->star->noise.process_m_s != NULL)
        fprintf(page, " Correlated noise explains all of that but %s&nbsp;m/s.",
                spoken_number_digits(star_noise_rms_after(report->star), 2).text);
    if (noise->process_m_s != NULL && !isnan(noise->rotation_days))
        fprintf(page, " The rotation period of the star is %s&nbsp;days.",
                spoken_number_digits(noise->rotation_days, 3).text);
    else if (noise->process_m_s != NULL && !isnan(noise->memory_days))
        fprintf(page, " Its memory is %s&nbsp;days.",
                spoken_number_digits(noise->memory_days, 2).text);
    if (report->host.mass > 0.0) {
        char mass[64];
        star_request_mass_text(&report->host, mass, sizeof mass);
        fprintf(page, " The star has %s&nbsp;solar masses.", mass);
    }
    fputs("</p>\n", page);
}

static void write_navigation(FILE *page, const struct report_contents *report)
{
    const struct page_entry entries[] = {
        {"planets", "Planets", true},
        {"velocities", "Velocities", true},
        {"orbits", "Planet by planet", report->star->n_planets > 0},
        {"probabilities", "How sure",
         report->fit != NULL && figure_probabilities_is_there(report->star)},
        {"why", "Why", report->fit != NULL && equant_fit_n_rivals(report->star->fit) > 0},
        {"periodograms", "Periodograms", report->data_periodogram != NULL},
        {"residuals", "Residuals", true},
        {"data", "Data", true},
        {"posterior", "Posterior", report->posterior != NULL},
        {"next", "What comes next", report->posterior != NULL},
        {"repeat", "To repeat it", true},
        {"cite", "To cite", true},
        {NULL, NULL, false},
    };
    page_parts_navigation(page, entries);
}

static void write_header(FILE *page, const struct report_contents *report)
{
    fputs("<body>\n<header>\n<p class=\"kicker\">Radial velocities</p>\n<h1>", page);
    html_text(page, page_parts_name(report->star_name));
    fputs("</h1>\n", page);
    write_lede(page, report);
    write_navigation(page, report);
    fputs("</header>\n<main>\n", page);
}

/* ---- sections of figures --------------------------------------------------------------------- */

static int write_velocities(FILE *page, const struct report_contents *report)
{
    fputs("<section id=\"velocities\"><h2>Velocities</h2>\n", page);
    int code = figure_velocities_write(page, report->star);
    fputs("</section>\n", page);
    return code;
}

static int write_periodograms(FILE *page, const struct report_contents *report)
{
    if (report->data_periodogram == NULL)
        return EXIT_CODE_OK;
    fputs("<section id=\"periodograms\"><h2>Periodograms</h2>\n", page);
    const struct figure_periodograms contents = {.star = report->star,
                                                 .data_periodogram = report->data_periodogram,
                                                 .residual_periodogram =
                                                     report->residual_periodogram,
                                                 .is_eccentric = report->is_eccentric};
    int code = figure_periodograms_write(page, &contents);
    fputs("</section>\n", page);
    return code;
}

int report_page_write(FILE *page, const struct report_contents *report)
{
    page_parts_head(page, report->star_name);
    write_header(page, report);
    report_overview_write(page, report);
    int code = write_velocities(page, report);
    if (code == EXIT_CODE_OK)
        code = report_orbits_write(page, report);
    report_probabilities_write(page, report);
    report_why_write(page, report);
    if (code == EXIT_CODE_OK)
        code = write_periodograms(page, report);
    report_residuals_write(page, report);
    report_data_write(page, report);
    if (code == EXIT_CODE_OK)
        code = report_posterior_write(page, report);
    report_next_write(page, report);
    report_repeat_write(page, report);
    report_citations_write(page, report);
    page_parts_end(page);
    return code;
}
