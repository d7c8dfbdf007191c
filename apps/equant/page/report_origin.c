/* The end of a report: the commands that make it again, and what to cite. */
#include <string.h>

#include "files/html.h"
#include "page/report_sections.h"
#include "stars/posterior_result.h"

/* ---- again ----------------------------------------------------------------------------------- */

/* Names of options are marked: in a narrow window a line must not end within one. */
static void write_command(FILE *page, const char *command)
{
    if (command == NULL || command[0] == '\0')
        return;
    fputs("<span>", page);
    while (command[0] != '\0') {
        bool is_option = strncmp(command, "--", 2) == 0;
        size_t n_word = strcspn(command, " "), n = n_word + strspn(command + n_word, " ");
        fputs(is_option ? "<b>" : "", page);
        html_text_n(page, command, n_word);
        fputs(is_option ? "</b>" : "", page);
        html_text_n(page, command + n_word, n - n_word);
        command += n;
    }
    fputs("</span>", page);
}

static void write_version(FILE *page, const char *what, const char *version)
{
    if (version == NULL)
        return;
    fprintf(page, "<div><dt>%s</dt><dd>equant ", what);
    html_text(page, version);
    fputs("</dd></div>\n", page);
}

void report_repeat_write(FILE *page, const struct report_contents *report)
{
    const equant_posterior *posterior = report->posterior;
    fputs("<section id=\"repeat\"><h2>To repeat it</h2>\n<pre class=\"commands\">", page);
    if (report->fit != NULL)
        write_command(page, report->fit->command);
    if (posterior != NULL)
        write_command(page, posterior_result_provenance(posterior, "command"));
    write_command(page, report->typed);
    fputs("</pre>\n<dl class=\"facts\">\n", page);
    if (report->fit != NULL)
        write_version(page, "fit", report->fit->version);
    if (posterior != NULL) {
        write_version(page, "run", posterior_result_provenance(posterior, "version"));
        fputs("<div><dt>backend</dt><dd>", page);
        html_text(page, posterior_result_provenance(posterior, "backend"));
        fputs("</dd></div>\n<div><dt>seed</dt><dd>", page);
        html_text(page, posterior_result_provenance(posterior, "seed"));
        fputs("</dd></div>\n", page);
    }
    write_version(page, "page", equant_version());
    fputs(
        "</dl>\n<p class=\"note\">Same data, same options, same seed: same numbers, on any number "
        "of threads.</p>\n</section>\n",
        page);
}

/* ---- citations ---------------------------------------------------------------------------------
 */

static void write_references(FILE *page, const struct report_contents *report)
{
    if (report->is_demonstration)
        fputs("<li>The data: Fulton, B. J., Howard, A. W., Weiss, L. M., et al. 2016, "
              "<cite>Three Temperate Neptunes Orbiting Nearby Stars</cite>, ApJ 830, 46.</li>\n",
              page);
    for (size_t i = 0; i < report->references->n; i++) {
        fputs("<li>The data: ", page);
        html_text(page, report->references->texts[i]);
        fputs("</li>\n", page);
    }
    if (!report->is_demonstration && report->references->n == 0)
        fputs("<li>The data: the papers that published them.</li>\n", page);
}

void report_citations_write(FILE *page, const struct report_contents *report)
{
    fputs("<section id=\"cite\"><h2>To cite</h2>\n<ul class=\"remarks\">\n", page);
    fprintf(page,
            "<li>The program: the equant developers, <cite>equant: which orbits explain these "
            "radial velocities?</cite>, version %s.</li>\n",
            equant_version());
    fputs(
        "<li>The method: Ford, E. B. 2009, <cite>Parallel algorithm for solving Kepler's equation "
        "on Graphics Processing Units: Application to analysis of Doppler exoplanet "
        "searches</cite>, New Astronomy 14, 406 "
        "(<a href=\"https://arxiv.org/abs/0812.2976\">arXiv:0812.2976</a>).</li>\n",
        page);
    if (report->data_periodogram != NULL)
        fputs("<li>The false-alarm probabilities: Baluev, R. V. 2008, MNRAS 385, 1279, and 2015, "
              "MNRAS "
              "446, 1478.</li>\n",
              page);
    if (report->posterior != NULL)
        fputs("<li>The walkers: ter Braak, C. J. F. 2006, Stat. Comput. 16, 239; ter Braak, C. J. "
              "F., "
              "&amp; Vrugt, J. A. 2008, Stat. Comput. 18, 435.</li>\n"
              "<li>R-hat and effective draws: Vehtari, A., et al. 2021, Bayesian Analysis 16, "
              "667.</li>\n",
              page);
    write_references(page, report);
    fputs("</ul></section>\n", page);
}
