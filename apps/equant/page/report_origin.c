/* The end of a report: the commands that make it again, and what to cite. */
#include "files/html.h"
#include "page/page_parts.h"
#include "page/report_sections.h"
#include "stars/posterior_result.h"

/* ---- again ----------------------------------------------------------------------------------- */

void report_repeat_write(FILE *page, const struct report_contents *report)
{
    const equant_posterior *posterior = report->posterior;
    fputs("<section id=\"repeat\"><h2>To repeat it</h2>\n<pre class=\"commands\">", page);
    if (report->fit != NULL)
        page_parts_command(page, report->fit->command);
    if (posterior != NULL)
        page_parts_command(page, posterior_result_provenance(posterior, "command"));
    page_parts_command(page, report->typed);
    fputs("</pre>\n<dl class=\"facts\">\n", page);
    if (report->fit != NULL)
        page_parts_version(page, "fit", report->fit->version);
    if (posterior != NULL) {
        page_parts_version(page, "run", posterior_result_provenance(posterior, "version"));
        fputs("<div><dt>backend</dt><dd>", page);
        html_text(page, posterior_result_provenance(posterior, "backend"));
        fputs("</dd></div>\n<div><dt>seed</dt><dd>", page);
        html_text(page, posterior_result_provenance(posterior, "seed"));
        fputs("</dd></div>\n", page);
    }
    page_parts_version(page, "page", equant_version());
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
    if (!report->is_demonstration || report->references->n > 0)
        page_parts_references(page, report->references);
}

void report_citations_write(FILE *page, const struct report_contents *report)
{
    fputs("<section id=\"cite\"><h2>To cite</h2>\n<ul class=\"remarks\">\n", page);
    page_parts_program(page);
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
