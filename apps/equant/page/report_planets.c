/* The planets of a report: one table of all, then a curve and a table of each. */
#include <math.h>
#include <string.h>

#include "figures/figure_phase.h"
#include "figures/orbit_labels.h"
#include "files/html.h"
#include "files/quantity_kind.h"
#include "page/report_sections.h"
#include "stars/folded_planet.h"
#include "stars/posterior_result.h"
#include "terminal/messages.h"
#include "terminal/spoken_number.h"

#define EARTHS_PER_JUPITER 317.83

/* ---- values ----------------------------------------------------------------------------- */

/* An interval from one side to the other of a value, in the units that people read. */
struct interval {
    double middle, low, high;
    bool is_symmetric, is_angle;
    bool has_bound; /* on one side alone: that in words, and no interval */
    struct measured_value bound;
};

/* Degrees of 246 that 68.3 % of all angles are. */
static bool is_undetermined(const struct interval *interval)
{
    const double almost_all = 240.0;
    return interval->is_angle && interval->high - interval->low >= almost_all;
}

static void write_interval(FILE *page, const struct interval *interval)
{
    if (interval->has_bound)
        fputs(interval->bound.text, page);
    else if (is_undetermined(interval))
        fputs("undetermined", page);
    else if (interval->is_symmetric)
        html_measured(page, measured_value_of(interval->middle, interval->high - interval->middle));
    else
        html_measured(page,
                      measured_value_between(interval->middle, interval->low, interval->high));
}

static struct interval scaled(struct interval interval, double factor)
{
    interval.middle *= factor;
    interval.low *= factor;
    interval.high *= factor;
    return interval;
}

static struct interval fitted(const struct star_planet *planet, size_t kind)
{
    equant_quantity_info info = quantity_kind_at(kind);
    struct interval interval = {.middle = planet->values[kind],
                                .low = planet->values[kind] - planet->errors[kind],
                                .high = planet->values[kind] + planet->errors[kind],
                                .is_symmetric = true,
                                .is_angle = info.is_angle != 0,
                                .has_bound = star_planet_has_bound(planet, kind)};
    if (interval.has_bound)
        interval.bound = star_planet_bound(planet, kind);
    return interval.is_angle ? scaled(interval, info.shown_factor) : interval;
}

static struct interval sampled(const equant_posterior *posterior, size_t kind, size_t number)
{
    equant_sampled_quantity quantity;
    if (!posterior_result_of_planet(posterior, kind, number, &quantity))
        return (struct interval){NAN, NAN, NAN, .is_symmetric = true};
    struct interval interval = {.middle = quantity.median,
                                .low = quantity.low,
                                .high = quantity.high,
                                .is_angle = quantity.is_angle != 0};
    return interval.is_angle ? scaled(interval, quantity_kind_at(kind).shown_factor) : interval;
}

/* What the page quotes. */
static struct interval quoted(const struct report_contents *report, size_t index, size_t kind)
{
    return report->quotes_run ? sampled(report->posterior, kind, report->run_planets[index])
                              : fitted(&report->star->planets[index], kind);
}

/* ---- all in one table --------------------------------------------------------------------- */

/* Light planets are weighed in Earths. */
static void write_mass(FILE *page, struct interval mass)
{
    const double light = 0.1;
    if (isnan(mass.middle)) {
        fputs("–", page);
    } else if (mass.middle < light) {
        mass = scaled(mass, EARTHS_PER_JUPITER);
        write_interval(page, &mass);
        fputs(" <i class=\"unit\">M</i><sub>⊕</sub>", page);
    } else {
        write_interval(page, &mass);
        fputs(" <i class=\"unit\">M</i><sub>Jup</sub>", page);
    }
}

/* Where the mass of the star is exact and the period known well, an error would say nothing. */
static void write_axis(FILE *page, struct interval axis)
{
    const double small = 5e-4;
    bool is_sharp = !axis.has_bound && axis.high - axis.low < 2.0 * small * axis.middle;
    fputs("</td><td>", page);
    if (isnan(axis.middle))
        fputs("–", page);
    else if (is_sharp)
        fputs(spoken_number_digits(axis.middle, 4).text, page);
    else
        write_interval(page, &axis);
    fputs("</td>", page);
}

/* What the table of all planets says of each, besides mass and axis. */
static const equant_element overview[] = {EQUANT_ELEMENT_PERIOD, EQUANT_ELEMENT_K,
                                          EQUANT_ELEMENT_ECCENTRICITY};
enum { N_OVERVIEW = sizeof overview / sizeof overview[0] };

static void write_overview_row(FILE *page, const struct report_contents *report, size_t index)
{
    fprintf(page,
            "<tr><th scope=\"row\"><a href=\"#planet-%zu\"><span class=\"spare\">planet "
            "</span>%s</a></th>",
            index + 1, planet_name_short(&report->star->letters, index).text);
    for (size_t i = 0; i < N_OVERVIEW; i++) {
        struct interval value = quoted(report, index, overview[i]);
        fputs("<td>", page);
        write_interval(page, &value);
        fputs("</td>", page);
    }
    if (report->host.mass > 0.0) {
        fputs("<td>", page);
        write_mass(page, quoted(report, index, quantity_kind_index("m_sin_i_jupiter")));
        write_axis(page, quoted(report, index, quantity_kind_index("a_au")));
    }
    if (report->fit != NULL) {
        fputs("<td>", page);
        html_number(page, spoken_number_probability(report->star->planets[index].false_alarm).text);
        fputs("</td>", page);
    }
    fputs("</tr>\n", page);
}

static void write_overview_table(FILE *page, const struct report_contents *report)
{
    fputs("<div class=\"scroll\"><table class=\"overview\">\n<thead><tr><th></th>", page);
    for (size_t i = 0; i < N_OVERVIEW; i++) {
        equant_quantity_info kind = quantity_kind_at(overview[i]);
        orbit_label_column(page, &kind);
    }
    if (report->host.mass > 0.0) {
        equant_quantity_info mass = quantity_kind_at(quantity_kind_index("m_sin_i_jupiter"));
        equant_quantity_info axis = quantity_kind_at(quantity_kind_index("a_au"));
        fputs("<th scope=\"col\">", page); /* each mass has a unit of its own */
        orbit_label_symbol(page, &mass, "");
        fputs("</th>", page);
        orbit_label_column(page, &axis);
    }
    if (report->fit != NULL)
        fputs("<th scope=\"col\"><abbr title=\"false-alarm probability\">FAP</abbr></th>", page);
    fputs("</tr></thead>\n<tbody>\n", page);
    for (size_t i = 0; i < report->star->n_planets; i++)
        write_overview_row(page, report, i);
    fputs("</tbody></table></div>\n", page);
}

/* A term of the trend, of the estimator that the page quotes; false where there is none. */
static bool find_trend(const struct report_contents *report, const char *name,
                       struct measured_value *text, bool *is_significant)
{
    struct star_parameter term;
    equant_sampled_quantity quantity;
    bool is_there = report->quotes_run
                        ? posterior_result_quantity(report->posterior, name, &quantity)
                        : star_result_parameter(report->star, name, &term);
    if (is_there && report->quotes_run) {
        *text = measured_value_between(quantity.median, quantity.low, quantity.high);
        term = (struct star_parameter){quantity.median, 0.5 * (quantity.high - quantity.low)};
    } else if (is_there)
        *text = measured_value_of(term.value, term.uncertainty);
    *is_significant = *is_significant || (is_there && star_parameter_is_significant(term));
    return is_there;
}

static void write_trend(FILE *page, const struct report_contents *report)
{
    struct measured_value linear, quadratic;
    bool is_significant = false;
    if (!find_trend(report, "trend_m_s_day", &linear, &is_significant))
        return;
    fputs("<li>A trend of ", page);
    html_measured(page, linear);
    fputs(" m/s/d", page);
    if (find_trend(report, "trend_m_s_day2", &quadratic, &is_significant)) {
        fputs(", with a curvature of ", page);
        html_measured(page, quadratic);
        fputs(" m/s/d²,", page);
    }
    fprintf(page, " goes through the data%s%s.</li>\n",
            report->fit == NULL || report->posterior == NULL ? ""
            : report->quotes_run                             ? " (by the run)"
                                                             : " (by the fit)",
            is_significant ? ": perhaps a companion further out" : "");
}

static void write_candidate(FILE *page, const struct star_result *star)
{
    if (!star->has_candidate)
        return;
    fprintf(page, "<li>The next candidate, at %s days%s with <i>K</i> = %s m/s, FAP ",
            spoken_number_digits(star->candidate.values[EQUANT_ELEMENT_PERIOD], 5).text,
            star->candidate.at_limit != EQUANT_LIMIT_NONE ? " (the end of the range)" : "",
            spoken_number_digits(star->candidate.values[EQUANT_ELEMENT_K], 2).text);
    html_number(page, spoken_number_probability(star->candidate.false_alarm).text);
    fputs(" and ΔBIC ", page);
    char delta_bic[32];
    snprintf(delta_bic, sizeof delta_bic, "%.1f", star->candidate.delta_bic);
    html_number(page, delta_bic);
    fputs(", was refused", page);
    if (star->refusal[0] != '\0') {
        fputs(": ", page);
        html_text(page, star->refusal);
    }
    fputs(".</li>\n", page);
}

static void write_remarks(FILE *page, const struct report_contents *report)
{
    fputs("<ul class=\"remarks\">\n", page);
    for (size_t i = 0; i < report->star->hints.n; i++) {
        fputs("<li>", page);
        html_text(page, report->star->hints.texts[i]);
        fputs("</li>\n", page);
    }
    write_trend(page, report);
    write_candidate(page, report->star);
    fputs("</ul>\n", page);
}

/* How the numbers of the table are to be read. */
static void write_note(FILE *page, const struct report_contents *report)
{
    if (report->star->n_planets == 0)
        fputs("<p>No planet: noise alone would do as well.</p>\n", page);
    else
        fprintf(page, "<p class=\"note\">%s%s%s</p>\n",
                report->quotes_run
                    ? "Medians of the posterior, with intervals that hold 68.3 % of it."
                    : "Maximum likelihood, with standard errors from its curvature.",
                report->fit == NULL || report->posterior == NULL ? ""
                : report->quotes_run
                    ? " The fit, whose maximum is another estimate of the same, stands beside them "
                      "below; FAP is of the fit."
                    : " The run below has medians of the posterior, another estimate of the same: "
                      "the two need not agree to the last digit.",
                report->host.mass_err > 0.0
                    ? " Masses and axes have the error of the star's mass in theirs."
                : report->host.mass > 0.0 ? " Masses and axes take that of the star as exact."
                                          : "");
}

void report_overview_write(FILE *page, const struct report_contents *report)
{
    fputs("<section id=\"planets\"><h2>Planets</h2>\n", page);
    if (report->star->n_planets > 0)
        write_overview_table(page, report);
    write_note(page, report);
    write_remarks(page, report);
    fputs("</section>\n", page);
}

/* ---- one by one ------------------------------------------------------------------------------ */

static void write_orbit_row(FILE *page, const struct report_contents *report, size_t index,
                            size_t number, size_t kind)
{
    struct interval fit = fitted(&report->star->planets[index], kind);
    struct interval draws = number > 0 ? sampled(report->posterior, kind, number) : fit;
    if (isnan(fit.middle) && isnan(draws.middle))
        return;
    equant_quantity_info info = quantity_kind_at(kind);
    fputs("<tr>", page);
    orbit_label_header(page, &info, "", "");
    if (report->fit != NULL) {
        fputs("<td>", page);
        write_interval(page, &fit);
        fputs("</td>", page);
    }
    if (number > 0) {
        fputs("<td>", page);
        write_interval(page, &draws);
        fputs("</td>", page);
    }
    fputs("</tr>\n", page);
}

static void write_significance(FILE *page, const struct star_planet *planet, bool has_draws)
{
    const char *last = has_draws ? "<td></td></tr>\n" : "</tr>\n";
    fputs("<tr><th scope=\"row\" title=\"false-alarm probability\">FAP</th><td>", page);
    html_number(page, spoken_number_probability(planet->false_alarm).text);
    fprintf(page,
            "</td>%s<tr><th scope=\"row\" title=\"increase of the BIC without it\">ΔBIC</th>"
            "<td>%.1f</td>%s",
            last, planet->delta_bic, last);
    if (isnan(planet->probability))
        return;
    bool is_certain = planet->probability > 0.995;
    fprintf(page,
            "<tr><th scope=\"row\" title=\"that it is there, at any of its periods\">probability"
            "</th><td>%s%.0f&nbsp;%%</td>%s",
            is_certain ? "&gt;&nbsp;" : "", is_certain ? 99.0 : 100.0 * planet->probability, last);
}

static void write_orbit_table(FILE *page, const struct report_contents *report, size_t index)
{
    const struct star_planet *planet = &report->star->planets[index];
    size_t number = report->run_planets[index];
    fputs("<div class=\"scroll\"><table class=\"orbit\">\n", page);
    if (report->fit != NULL && number > 0)
        fputs("<thead><tr><th></th><th scope=\"col\">fit</th>"
              "<th scope=\"col\">posterior</th></tr></thead>\n",
              page);
    fputs("<tbody>\n", page);
    for (size_t i = 0; i < quantity_kind_n(); i++) {
        equant_quantity_info kind = quantity_kind_at(i);
        if (quantity_kind_is_of_planet(&kind))
            write_orbit_row(page, report, index, number, i);
    }
    if (report->fit != NULL)
        write_significance(page, planet, number > 0);
    fputs("</tbody></table></div>\n", page);
}

int report_orbits_write(FILE *page, const struct report_contents *report)
{
    int code = EXIT_CODE_OK;
    if (report->star->n_planets == 0)
        return code;
    fputs("<section id=\"orbits\"><h2>Planet by planet</h2>\n", page);
    fprintf(page,
            "<p class=\"note\">Each planet's share of the velocities, all else taken away, folded "
            "at its period%s. The line is the %s%s. Reference time of "
            "<i>M</i><sub>0</sub>: %.9g.</p>\n<div class=\"pair\">\n",
            folded_planet_has_means(report->star) ? "; open circles are means" : "",
            report->fit != NULL ? "fit" : "most probable draw",
            report->posterior != NULL
                ? ", shades hold 68&nbsp;% and 95&nbsp;% of the posterior's curves"
                : "",
            equant_dataset_reference_time_days(report->star->dataset));
    for (size_t i = 0; i < report->star->n_planets && code == EXIT_CODE_OK; i++) {
        struct interval period = quoted(report, i, EQUANT_ELEMENT_PERIOD);
        fprintf(page, "<article id=\"planet-%zu\"><h3>P%s <span>%s days</span></h3>\n", i + 1,
                planet_name_of(&report->star->letters, i).text + 1,
                period.has_bound ? period.bound.text : spoken_number_digits(period.middle, 4).text);
        code = figure_phase_write(page, report->star, i, report->posterior, report->run_planets[i]);
        write_orbit_table(page, report, i);
        fputs("</article>\n", page);
    }
    fputs("</div></section>\n", page);
    return code;
}
