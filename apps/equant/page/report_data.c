/* The data of a report: instruments, what the model leaves of their velocities, and whether that
 * looks like noise. */
#include <math.h>
#include <stdlib.h>

#include "drawing/ticks.h"
#include "figures/figure_residuals.h"
#include "figures/orbit_labels.h"
#include "files/html.h"
#include "page/report_sections.h"
#include "stars/noise_words.h"
#include "stars/posterior_result.h"
#include "terminal/messages.h"
#include "terminal/spoken_number.h"

/* ---- instruments --------------------------------------------------------------------------- */

struct instrument {
    size_t n;
    double first, last, median_uncertainty_m_s, rms_m_s;
};

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* NaN without memory: the page then has a blank in one place. */
static double median_of(const struct star_result *star, size_t index, size_t n)
{
    double *sorted = calloc(n, sizeof *sorted), median = NAN;
    size_t used = 0;
    for (size_t k = 0; sorted != NULL && k < equant_dataset_n_obs(star->dataset); k++)
        if ((size_t)equant_dataset_instruments(star->dataset)[k] == index)
            sorted[used++] = equant_dataset_uncertainties_m_s(star->dataset)[k];
    if (used > 0) {
        qsort(sorted, used, sizeof *sorted, compare);
        median = 0.5 * (sorted[(used - 1) / 2] + sorted[used / 2]);
    }
    free(sorted);
    return median;
}

static struct instrument describe(const struct star_result *star, size_t index)
{
    struct instrument instrument = {.n = equant_dataset_instrument_n_obs(star->dataset, index),
                                    .first = INFINITY,
                                    .last = -INFINITY};
    double sum = 0.0;
    for (size_t k = 0; k < equant_dataset_n_obs(star->dataset); k++) {
        double time = equant_dataset_times_days(star->dataset)[k];
        if ((size_t)equant_dataset_instruments(star->dataset)[k] != index)
            continue;
        instrument.first = fmin(instrument.first, time);
        instrument.last = fmax(instrument.last, time);
        sum += star->residual_m_s[k] * star->residual_m_s[k];
    }
    instrument.median_uncertainty_m_s = median_of(star, index, instrument.n);
    instrument.rms_m_s = instrument.n > 0 ? sqrt(sum / (double)instrument.n) : NAN;
    return instrument;
}

/* Years where the times tell, else the times. */
static void write_span(FILE *page, double first, double last)
{
    double from = ticks_year_of(first), to = ticks_year_of(last);
    if (isnan(from) || isnan(to))
        fprintf(page, "%.0f – %.0f", first, last);
    else
        fprintf(page, "%.1f – %.1f", from, to);
}

/* An offset or a jitter: of the fit, else of the posterior, else of the best draw. */
static void write_parameter(FILE *page, const struct report_contents *report,
                            const equant_quantity_info *kind, size_t index)
{
    char name[QUANTITY_KIND_NAME_SIZE];
    equant_sampled_quantity quantity;
    struct star_parameter parameter = {NAN, NAN};
    quantity_kind_name(kind, index + 1, name);
    star_result_parameter(report->star, name, &parameter);
    if (report->fit == NULL && posterior_result_quantity(report->posterior, name, &quantity))
        html_measured(page, measured_value_between(quantity.median, quantity.low, quantity.high));
    else if (parameter.value == 0.0)
        fputs("0", page);
    else if (isnan(parameter.uncertainty))
        html_number(page, spoken_number_digits(parameter.value, 4).text);
    else
        html_measured(page, measured_value_of(parameter.value, parameter.uncertainty));
}

static void write_instrument(FILE *page, const struct report_contents *report, size_t index)
{
    const struct star_result *star = report->star;
    struct instrument instrument = describe(star, index);
    fputs("<tr><th scope=\"row\">", page);
    html_text(page, equant_dataset_instrument_name(star->dataset, index));
    fprintf(page, "</th><td>%zu</td><td>", instrument.n);
    if (instrument.n > 0)
        write_span(page, instrument.first, instrument.last);
    fprintf(page, "</td><td>%s</td>",
            spoken_number_digits(instrument.median_uncertainty_m_s, 3).text);
    for (size_t i = 0; i < quantity_kind_n(); i++) {
        equant_quantity_info kind = quantity_kind_at(i);
        if (kind.axis != EQUANT_QUANTITY_PER_INSTRUMENT)
            continue;
        fputs("<td>", page);
        write_parameter(page, report, &kind, index);
        fputs("</td>", page);
    }
    fprintf(page, "<td>%s</td></tr>\n", spoken_number_digits(instrument.rms_m_s, 3).text);
}

void report_data_write(FILE *page, const struct report_contents *report)
{
    const struct star_result *star = report->star;
    bool has_years = !isnan(ticks_year_of(equant_dataset_times_days(star->dataset)[0]));
    fprintf(page,
            "<section id=\"data\"><h2>Data</h2>\n<div class=\"scroll\"><table>\n<thead><tr>"
            "<th scope=\"col\">instrument</th><th scope=\"col\">observations</th>"
            "<th scope=\"col\">%s</th>"
            "<th scope=\"col\">median <i>σ</i> <span class=\"unit\">m/s</span></th>",
            has_years ? "years" : "times");
    for (size_t i = 0; i < quantity_kind_n(); i++) {
        equant_quantity_info kind = quantity_kind_at(i);
        if (kind.axis == EQUANT_QUANTITY_PER_INSTRUMENT)
            orbit_label_column(page, &kind);
    }
    fputs("<th scope=\"col\">rms <span class=\"unit\">m/s</span></th></tr></thead>\n<tbody>\n",
          page);
    for (size_t i = 0; i < equant_dataset_n_instruments(star->dataset); i++)
        write_instrument(page, report, i);
    fprintf(page, "</tbody></table></div>\n<p class=\"note\">%s</p>\n",
            report->fit != NULL
                ? "Offsets, jitters and rms are those of the fit."
                : "Offsets and jitters are medians of the posterior; rms is that of the most "
                  "probable draw.");
    if (star->warnings.n > 0)
        fputs("<p class=\"note\">What the reader of the files had to guess:</p>\n"
              "<ul class=\"remarks\">\n",
              page);
    for (size_t i = 0; i < star->warnings.n; i++) {
        fputs("<li>", page);
        html_text(page, star->warnings.texts[i]);
        fputs("</li>\n", page);
    }
    fputs(star->warnings.n > 0 ? "</ul>\n</section>\n" : "</section>\n", page);
}

/* ---- residuals ---------------------------------------------------------------------------------
 */

/* A residual in units of its uncertainty: with the correlated noise of the run, where that is
 * known. */
static double scaled_residual(const struct report_contents *report, size_t k)
{
    return report->whitened != NULL
               ? report->whitened[k]
               : report->star->residual_m_s[k] / star_result_uncertainty(report->star, k);
}

static size_t count_beyond(const struct report_contents *report, double sigmas)
{
    size_t n = 0;
    for (size_t k = 0; k < equant_dataset_n_obs(report->star->dataset); k++)
        n += fabs(scaled_residual(report, k)) > sigmas;
    return n;
}

/* That of the model; of correlated noise, with all of the covariance. */
static double chi_square_of(const struct report_contents *report)
{
    double sum = 0.0;
    if (report->whitened == NULL)
        return report->star->summary.chi_square;
    for (size_t k = 0; k < equant_dataset_n_obs(report->star->dataset); k++)
        sum += report->whitened[k] * report->whitened[k];
    return sum;
}

/* Whose residuals these are, and what their noise is taken for. */
static void write_correlated_noise(FILE *page, const struct report_contents *report)
{
    char text[NOISE_WORDS_SIZE];
    const struct star_noise *noise = &report->star->noise;
    if (star_noise_is_white(noise))
        return;
    noise_words_all(report->star, text);
    fputs("<p>The model has noise beside jitters: ", page);
    html_text(page, text);
    fputs(noise->n_parameters == 0
              ? ".</p>\n"
              : ". The figures here are taken with it: each residual in units of what the noise "
                "leaves open, given the earlier ones. The histogram and periodograms take the "
                "noise as white; folded velocities are less it.</p>\n",
          page);
}

/* Observations that are not believed: open marks in the figures. */
static void write_outliers(FILE *page, const struct star_result *star)
{
    char text[STAR_OUTLIERS_TEXT_SIZE];
    if (star->outliers.n == 0)
        return;
    fputs("<p>Marks that are open are outliers, which the rest of the data does not predict:</p>\n"
          "<ul>\n",
          page);
    for (size_t i = 0; i < star->outliers.n; i++) {
        star_outliers_describe(star, i, text);
        fputs("<li>", page);
        html_text(page, text);
        fputs("</li>\n", page);
    }
    fputs("</ul>\n", page);
}

static void write_noise(FILE *page, const struct report_contents *report)
{
    write_correlated_noise(page, report);
    write_outliers(page, report->star);
    if (report->fit == NULL)
        fputs("<p>These are the residuals of the most probable draw.</p>\n", page);
}

static void write_quality(FILE *page, const struct report_contents *report)
{
    const equant_fit_summary *summary = &report->star->summary;
    fputs("<dl class=\"facts\">\n", page);
    fprintf(page, "<div><dt>rms</dt><dd>%s m/s", spoken_number_digits(summary->rms_m_s, 3).text);
    if (report->star->noise.process_m_s != NULL)
        fprintf(page, "; %s m/s after the noise",
                spoken_number_digits(star_noise_rms_after(report->star), 3).text);
    fputs("</dd></div>\n", page);
    fprintf(page,
            "<div><dt><i>χ</i>²</dt><dd>%.1f for %zu observations, %zu parameter%s</dd></div>\n",
            chi_square_of(report), summary->n_obs, summary->n_fitted,
            summary->n_fitted == 1 ? "" : "s");
    if (isfinite(summary->log_likelihood)) {
        fputs("<div><dt>ln <i>L</i></dt><dd>", page);
        html_number(page, spoken_number_digits(summary->log_likelihood, 6).text);
        if (report->star->n_planets > 0) {
            fputs("; without planets ", page);
            html_number(page,
                        spoken_number_digits(summary->log_likelihood_without_planets, 6).text);
        }
        fputs("</dd></div>\n<div><dt>BIC</dt><dd>", page);
        html_number(page, spoken_number_digits(summary->bic, 6).text);
        if (report->star->n_planets > 0) {
            fputs("; without planets ", page);
            html_number(page, spoken_number_digits(summary->bic_without_planets, 6).text);
        }
        fputs("</dd></div>\n", page);
    }
    fputs("</dl>\n", page);
}

/* In the residuals, a peak that noise would hardly make is a planet that nobody asked for. */
static void write_rest(FILE *page, const equant_periodogram *residual_periodogram,
                       bool has_correlated_noise)
{
    equant_peak peak = {.struct_size = sizeof peak};
    if (residual_periodogram == NULL || equant_periodogram_n_peaks(residual_periodogram) == 0 ||
        equant_periodogram_peak(residual_periodogram, 0, &peak) != EQUANT_SUCCESS)
        return;
    const double rare = 1e-3;
    fprintf(page,
            "<p>The strongest peak that is left in the periodogram is at %s days, with a "
            "false-alarm probability of ",
            spoken_number_digits(peak.period_days, 4).text);
    html_number(page, spoken_number_probability(peak.false_alarm).text);
    fputs(has_correlated_noise ? " if the noise were white; that of the fit makes such peaks "
                                 "itself.</p>\n"
          : peak.false_alarm < rare
              ? ": noise would hardly make it, so that something is left to be explained.</p>\n"
              : ": nothing that noise would not do.</p>\n",
          page);
}

void report_residuals_write(FILE *page, const struct report_contents *report)
{
    const struct star_result *star = report->star;
    size_t n_obs = equant_dataset_n_obs(star->dataset);
    size_t beyond_2 = count_beyond(report, 2.0), beyond_3 = count_beyond(report, 3.0);
    fputs("<section id=\"residuals\"><h2>Residuals</h2>\n<div class=\"pair\">\n", page);
    figure_residuals_write(page, star);
    fputs("<div>\n", page);
    write_noise(page, report);
    write_quality(page, report);
    fprintf(page,
            "<p>%zu of %zu residuals (%.1f&nbsp;%%) lie beyond two of their uncertainties, %zu "
            "(%.1f&nbsp;%%) beyond three; of normal noise it would be 4.6 and 0.3&nbsp;%%.</p>\n",
            beyond_2, n_obs, 100.0 * (double)beyond_2 / (double)n_obs, beyond_3,
            100.0 * (double)beyond_3 / (double)n_obs);
    write_rest(page,
               report->residual_periodogram != NULL ? report->residual_periodogram
                                                    : report->data_periodogram,
               star->noise.n_parameters > 0);
    fputs("</div></div></section>\n", page);
}
