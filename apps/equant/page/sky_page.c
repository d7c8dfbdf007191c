#include "page/sky_page.h"

#include <math.h>
#include <string.h>

#include "files/html.h"
#include "page/page_parts.h"
#include "page/posterior_section.h"
#include "sky/sky_figures.h"
#include "terminal/angles.h"
#include "terminal/messages.h"
#include "terminal/spoken_number.h"

#define JUPITERS_PER_SUN 1047.5655

/* Above this many of Jupiter a mass is told in suns. */
#define MANY_JUPITERS 200.0

/* ---- at a glance ------------------------------------------------------------------------------
 */

static void write_lede(FILE *page, const struct sky_page *contents)
{
    const struct sky_star *star = contents->star;
    const double *time_days = star->scans.column[SKY_SCAN_TIME];
    double first = INFINITY, last = -INFINITY;
    for (size_t k = 0; k < star->scans.n_rows; k++) {
        first = fmin(first, time_days[k]);
        last = fmax(last, time_days[k]);
    }
    fputs("<p class=\"lede\">", page);
    html_text(page, star->words);
    const char *between = " ";
    if (star->scans.n_rows > 0) {
        fprintf(page, " %zu %s over %s&nbsp;years", star->summary.n_transits,
                sky_star_is_relative(star) ? "positions" : "transits",
                spoken_number_digits((last - first) / 365.25, 3).text);
        between = ", ";
    }
    if (star->summary.n_motions > 0) {
        fprintf(page, "%s%zu proper motions of a catalogue", between, star->summary.n_motions);
        between = ", ";
    }
    if (star->velocities.n_rows > 0)
        fprintf(page, "%s%zu velocities", between, star->velocities.n_rows);
    fputs(".", page);
    if (contents->star_mass > 0.0)
        fprintf(page, " The star has %g&nbsp;solar masses.", contents->star_mass);
    fputs("</p>\n", page);
}

static void write_header(FILE *page, const struct sky_page *contents)
{
    const struct sky_star *star = contents->star;
    const struct page_entry entries[] = {
        {"companions", "Companion", star->n_companions > 0},
        {"sky", "On the sky", sky_figures_count(star, SKY_FIGURE_PATH) > 0},
        {"residuals", "Residuals", sky_figures_count(star, SKY_FIGURE_RESIDUALS) > 0},
        {"velocities", "Velocities", sky_figures_count(star, SKY_FIGURE_VELOCITIES) > 0},
        {"periodogram", "Periodogram", sky_figures_count(star, SKY_FIGURE_PERIODOGRAM) > 0},
        {"posterior", "Posterior", contents->run != NULL},
        {"models", "Models", true},
        {"data", "Data", star->remarks.n > 0},
        {"repeat", "To repeat it", true},
        {"cite", "To cite", true},
        {NULL, NULL, false}};
    fputs("<body>\n<header>\n<p class=\"kicker\">Astrometry</p>\n<h1>", page);
    html_text(page, page_parts_name(contents->star_name));
    fputs("</h1>\n", page);
    write_lede(page, contents);
    page_parts_navigation(page, entries);
    fputs("</header>\n<main>\n", page);
}

/* ---- tables ------------------------------------------------------------------------------------
 */

static void write_row(FILE *page, const char *name, double value, double error, const char *unit)
{
    if (isnan(value))
        return;
    fprintf(page, "<tr><th scope=\"row\">%s</th><td>", name);
    html_measured(page, measured_value_of(value, error));
    fprintf(page, "</td><td class=\"unit\">%s</td></tr>\n", unit);
}

/* The median of companion `number` of the run in the second column; empty where it has none. */
static void write_sampled(FILE *page, const equant_sky_posterior *run, const char *name,
                          size_t number, double scale)
{
    size_t n = strlen(name);
    fputs("<td>", page);
    for (size_t i = 0; i < equant_sky_posterior_n_quantities(run); i++) {
        equant_sampled_quantity own = {.struct_size = sizeof own};
        if (equant_sky_posterior_quantity(run, i, &own) == EQUANT_SUCCESS && own.planet == number &&
            strncmp(own.name, name, n) == 0 && own.name[n] == '_' && isfinite(own.median))
            html_measured(page, measured_value_between(own.median * scale, own.low * scale,
                                                       own.high * scale));
    }
    fputs("</td>", page);
}

/* One element: of the fit, and of the run where there is one. */
struct element {
    const char *title, *name, *unit; /* the name is the run's */
    double value, error, scale;      /* of what the library tells */
};

static void write_element(FILE *page, const struct element *own, const equant_sky_posterior *run,
                          size_t index)
{
    if (isnan(own->value))
        return;
    fprintf(page, "<tr><th scope=\"row\">%s</th><td>", own->title);
    html_measured(page, measured_value_of(own->value * own->scale, own->error * own->scale));
    fputs("</td>", page);
    if (run != NULL)
        write_sampled(page, run, own->name, index + 1, own->scale);
    fprintf(page, "<td class=\"unit\">%s</td></tr>\n", own->unit);
}

static void write_elements(FILE *page, const struct sky_star *star, const equant_sky_posterior *run,
                           size_t index)
{
    const equant_sky_companion *own = &star->companions[index];
    bool is_large = own->mass_jupiter > MANY_JUPITERS;
    double of_mass = is_large ? 1.0 / JUPITERS_PER_SUN : 1.0, turn = DEGREES_PER_RADIAN;
    const struct element elements[] = {
        {"mass, where it is dark", "mass_jupiter", is_large ? "suns" : "Jupiters",
         own->mass_jupiter, own->mass_jupiter_err, of_mass},
        {"period", "period_days", "days", own->period_days, own->period_days_err, 1.0},
        {"eccentricity", "eccentricity", "", own->eccentricity, own->eccentricity_err, 1.0},
        {"semi-major axis of the light", "a0_mas", "mas", own->a0_mas, own->a0_mas_err, 1.0},
        {"inclination", "inclination_rad", "°", own->inclination_rad, own->inclination_rad_err,
         turn},
        {"ω of the star", "omega_rad", "°", own->omega_rad, own->omega_rad_err, turn},
        {"node", "node_rad", "°", own->node_rad, own->node_rad_err, turn},
        {"pericentre", "t_peri", "JD, TCB", own->t_peri_jd, own->t_peri_jd_err, 1.0},
        {star->velocities.n_rows > 0 ? "K of the star" : "K that the sky predicts", "k_m_s", "m/s",
         own->k_m_s, own->k_m_s_err, 1.0},
        {"from the companion to the star", "a_au", "au", own->a_au, own->a_au_err, 1.0}};
    fputs("<div class=\"scroll\"><table class=\"orbit\">", page);
    if (run != NULL)
        fputs("<thead><tr><th></th><th scope=\"col\">fit</th><th scope=\"col\">posterior</th>"
              "<th></th></tr></thead>",
              page);
    fputs("<tbody>\n", page);
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++)
        write_element(page, elements + i, run, index);
    fputs("</tbody></table></div>\n<p class=\"note\">Below 90° of inclination position angles "
          "grow. The "
          "companion's ω is 180° more than the star's. The node is the position angle, North "
          "through East, where the star recedes; ",
          page);
    fputs(star->velocities.n_rows > 0
              ? "the velocities tell which one does.</p>\n"
              : "without velocities ω and node may both be 180° more.</p>\n",
          page);
}

static int write_companions(FILE *page, const struct sky_page *contents)
{
    const struct sky_star *star = contents->star;
    int code = EXIT_CODE_OK;
    if (star->n_companions == 0)
        return code;
    fputs("<section id=\"companions\"><h2>Companion</h2>\n", page);
    for (size_t i = 0; i < star->n_companions && code == EXIT_CODE_OK; i++) {
        fputs("<article class=\"pair\">\n<div>\n", page);
        code = sky_figures_write(page, star, SKY_FIGURE_ORBIT, i);
        fputs("</div>\n<div>\n", page);
        write_elements(page, star, contents->run, i);
        fputs("</div>\n</article>\n", page);
    }
    if (star->flags[0] != '\0') {
        fputs("<p class=\"note\">Rules of acceptance that are not met: ", page);
        html_text(page, star->flags);
        fputs(".</p>\n", page);
    }
    fputs("</section>\n", page);
    return code;
}

static void write_columns(FILE *page, const struct sky_star *star)
{
    fputs("<div class=\"scroll\"><table class=\"orbit\"><tbody>\n", page);
    for (size_t j = 0; j < star->n_columns; j++) {
        const struct sky_star_column *own = &star->columns[j];
        const char *name = own->name;
        const char *unit = strncmp(name, "pm", 2) == 0              ? "mas/yr"
                           : strncmp(name, "acceleration", 12) == 0 ? "mas/yr²"
                           : strncmp(name, "jerk", 4) == 0          ? "mas/yr³"
                           : strncmp(name, "colour", 6) == 0        ? "1/µm"
                                                                    : "mas";
        char plain[sizeof own->name];
        snprintf(plain, sizeof plain, "%s", name);
        for (char *at = plain; *at != '\0'; at++)
            *at = *at == '_' ? ' ' : *at;
        write_row(page, plain, own->value, own->error, unit);
    }
    fputs("</tbody></table></div>\n", page);
}

static void write_models(FILE *page, const struct sky_star *star)
{
    fputs("<section id=\"models\"><h2>Models</h2>\n<div class=\"scroll\"><table>\n<thead><tr>"
          "<th>model</th><th>parameters</th><th>chi-square</th><th>BIC</th><th>own jitter, mas</th>"
          "</tr></thead><tbody>\n",
          page);
    for (size_t i = 0; i < star->n_models; i++) {
        const struct sky_star_model *own = &star->models[i];
        char name[sizeof own->name];
        snprintf(name, sizeof name, "%s", own->name);
        for (char *at = name; *at != '\0'; at++)
            *at = *at == '_' ? ' ' : *at;
        fprintf(page, "<tr><th scope=\"row\">%s</th><td>%.0f</td><td>%.2f</td><td>%.1f</td><td>%s",
                name, own->n_parameters, own->chi_square, own->bic,
                spoken_number_digits(own->jitter_mas, 3).text);
        fputs("</td></tr>\n", page);
    }
    fprintf(page,
            "</tbody></table></div>\n<p class=\"note\">Chi-squares are all with the jitter of the "
            "verdict's model, %s&nbsp;mas. The best orbit gains %s in ln&nbsp;L; noise alone does "
            "so with probability ",
            spoken_number_digits(star->summary.jitter_mas, 2).text,
            spoken_number_digits(star->summary.gain, 4).text);
    html_number(page, spoken_number_probability(star->summary.false_alarm_plain).text);
    fputs(" behind five parameters, and ", page);
    html_number(page, spoken_number_probability(star->summary.false_alarm_scan_angle).text);
    fputs(" behind harmonics of the scan angle.</p>\n</section>\n", page);
}

/* ---- figures -----------------------------------------------------------------------------------
 */

static int write_sky(FILE *page, const struct sky_star *star)
{
    int code = EXIT_CODE_OK;
    if (sky_figures_count(star, SKY_FIGURE_PATH) == 0)
        return code;
    fputs("<section id=\"sky\"><h2>On the sky</h2>\n<article class=\"pair\">\n<div>\n", page);
    code = sky_figures_write(page, star, SKY_FIGURE_PATH, 0);
    fputs("</div>\n<div>\n", page);
    write_columns(page, star);
    fputs("</div>\n</article>\n</section>\n", page);
    return code;
}

static int write_figure(FILE *page, const struct sky_star *star, enum sky_figure figure,
                        const char *id, const char *title)
{
    if (sky_figures_count(star, figure) == 0)
        return EXIT_CODE_OK;
    fprintf(page, "<section id=\"%s\"><h2>%s</h2>\n<div class=\"pair\"><div>\n", id, title);
    int code = sky_figures_write(page, star, figure, 0);
    fputs("</div></div>\n</section>\n", page);
    return code;
}

static void write_remarks(FILE *page, const struct sky_star *star)
{
    if (star->remarks.n == 0)
        return;
    fputs("<section id=\"data\"><h2>Data</h2>\n<ul class=\"remarks\">\n", page);
    for (size_t i = 0; i < star->remarks.n; i++) {
        fputs("<li>", page);
        html_text(page, star->remarks.texts[i]);
        fputs("</li>\n", page);
    }
    fputs("</ul></section>\n", page);
}

static int write_posterior(FILE *page, const struct sky_page *contents)
{
    const struct posterior_view view = {.sky = contents->run};
    equant_posterior_summary facts = {.struct_size = sizeof facts};
    size_t n_fitted = contents->star->n_companions;
    if (contents->run == NULL)
        return EXIT_CODE_OK;
    int code = messages_status(posterior_view_summarize(&view, &facts));
    if (code != EXIT_CODE_OK)
        return code;
    fputs("<section id=\"posterior\"><h2>Posterior</h2>\n", page);
    if (facts.n_planets != n_fitted)
        fprintf(page, "<p>The run has %s companion%s, the fit %s.</p>\n",
                spoken_number_words(facts.n_planets).text, facts.n_planets == 1 ? "" : "s",
                n_fitted == 0 ? "none" : spoken_number_words(n_fitted).text);
    return posterior_section_write(page, &view);
}

/* ---- the end ------------------------------------------------------------------------------------
 */

static void write_end(FILE *page, const struct sky_page *contents)
{
    fputs("<section id=\"repeat\"><h2>To repeat it</h2>\n<pre class=\"commands\">", page);
    page_parts_command(page, contents->command);
    page_parts_command(page, contents->typed);
    fputs("</pre>\n<dl class=\"facts\">\n", page);
    page_parts_version(page, "fit", contents->version);
    if (contents->run != NULL)
        page_parts_version(page, "run", equant_sky_posterior_provenance(contents->run, "version"));
    page_parts_version(page, "page", equant_version());
    fputs("</dl>\n</section>\n<section id=\"cite\"><h2>To cite</h2>\n<ul class=\"remarks\">\n",
          page);
    page_parts_program(page);
    fputs("<li>The false-alarm probabilities: Baluev, R. V. 2008, MNRAS 385, 1279; Delisle, J.-B., "
          "&amp; Ségransan, D. 2022, A&amp;A 667, A172.</li>\n"
          "<li>The rules of acceptance: Halbwachs, J.-L., et al. 2023, A&amp;A 674, A9.</li>\n",
          page);
    page_parts_references(page, contents->references);
    fputs("</ul></section>\n", page);
}

int sky_page_write(FILE *page, const struct sky_page *contents)
{
    const struct sky_star *star = contents->star;
    page_parts_head(page, contents->star_name);
    write_header(page, contents);
    int code = write_companions(page, contents);
    if (code == EXIT_CODE_OK)
        code = write_sky(page, star);
    if (code == EXIT_CODE_OK)
        code = write_figure(page, star, SKY_FIGURE_RESIDUALS, "residuals", "Residuals");
    if (code == EXIT_CODE_OK)
        code = write_figure(page, star, SKY_FIGURE_VELOCITIES, "velocities", "Velocities");
    if (code == EXIT_CODE_OK)
        code = write_figure(page, star, SKY_FIGURE_PERIODOGRAM, "periodogram", "Periodogram");
    if (code == EXIT_CODE_OK)
        code = write_posterior(page, contents);
    write_models(page, star);
    write_remarks(page, star);
    write_end(page, contents);
    page_parts_end(page);
    return code;
}
