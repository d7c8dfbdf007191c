/* How sure a fit is: the number of planets, the periods, and the models that were compared. */
#include <math.h>

#include "figures/figure_probabilities.h"
#include "files/html.h"
#include "page/report_sections.h"
#include "stars/star_models.h"
#include "stars/star_numbers.h"

static void write_models(FILE *page, const struct star_result *star)
{
    if (star_models_n(star) == 0)
        return;
    fputs("<div class=\"scroll\"><table class=\"overview\">\n<thead><tr><th>model</th>"
          "<th scope=\"col\">planets</th><th scope=\"col\">ln <i>L</i></th>"
          "<th scope=\"col\">BIC</th><th scope=\"col\" title=\"less that of the fit\">ln "
          "<i>Z</i></th></tr></thead>\n<tbody>\n",
          page);
    for (size_t i = 0; i < star_models_n(star); i++) {
        struct star_model model = star_models_at(star, i);
        char text[STAR_MODEL_TEXT_SIZE], number[48];
        star_models_describe(star, &model, text);
        fputs("<tr><th scope=\"row\">", page);
        html_text(page, text);
        fprintf(page, "</th><td>%zu</td><td>", model.n_planets);
        snprintf(number, sizeof number, "%.2f", model.log_likelihood);
        html_number(page, number);
        fprintf(page, "</td><td>%.2f</td><td>", model.bic);
        snprintf(number, sizeof number, "%.1f", model.delta_log_evidence);
        html_number(page, isfinite(model.delta_log_evidence) ? number : "–");
        fputs("</td></tr>\n", page);
    }
    fputs("</tbody></table></div>\n", page);
}

void report_probabilities_write(FILE *page, const struct report_contents *report)
{
    const struct star_result *star = report->star;
    char text[STAR_NUMBERS_TEXT_SIZE];
    if (report->fit == NULL || !figure_probabilities_is_there(star))
        return;
    star_numbers_describe(star, sizeof text, text);
    fputs("<section id=\"probabilities\"><h2>How sure</h2>\n<p>", page);
    html_text(page, text);
    fputs("</p>\n", page);
    figure_probabilities_write(page, star);
    write_models(page, star);
    fputs("<p class=\"note\">ln <i>Z</i>, the evidence, is less that of the fit, by Laplace's "
          "method.</p>\n</section>\n",
          page);
}
