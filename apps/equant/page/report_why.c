/* Why the planets of a fit are there: the rival models that came closest. */
#include "files/html.h"
#include "page/report_sections.h"
#include "tables/rival_table.h"
#include "terminal/spoken_number.h"

static void write_sentences(FILE *page, const equant_fit *fit)
{
    equant_fitted_rival rival = {.struct_size = sizeof rival};
    fputs("<ul class=\"remarks\">\n", page);
    for (size_t i = 0; i < equant_fit_n_rivals(fit); i++)
        if (equant_fit_rival(fit, i, &rival) == EQUANT_SUCCESS) {
            fputs("<li>", page);
            html_text(page, rival.sentence);
            fputs("</li>\n", page);
        }
    fputs("</ul>\n", page);
}

static void write_row(FILE *page, const equant_fitted_rival *rival)
{
    char text[RIVAL_TABLE_TEXT_SIZE];
    fprintf(page, "<tr><th scope=\"row\">%s %s&nbsp;days</th><td>",
            rival->is_of_candidate ? "with" : "without",
            spoken_number_digits(rival->period_days, 4).text);
    rival_table_planets(rival, text);
    html_text(page, text);
    fputs("</td><td>", page);
    rival_table_noise(rival, text);
    html_text(page, text);
    fputs("</td><td>", page);
    snprintf(text, sizeof text, "%.1f", rival->delta_lnl);
    html_number(page, text);
    fputs("</td><td>", page);
    snprintf(text, sizeof text, "%.1f", rival->delta_score);
    html_number(page, text);
    fputs("</td></tr>\n", page);
}

void report_why_write(FILE *page, const struct report_contents *report)
{
    const equant_fit *fit = report->star->fit;
    equant_fitted_rival rival = {.struct_size = sizeof rival};
    size_t n = equant_fit_n_rivals(fit);
    if (report->fit == NULL || n == 0)
        return;
    fputs("<section id=\"why\"><h2>Why</h2>\n", page);
    write_sentences(page, fit);
    fputs("<div class=\"scroll\"><table class=\"overview\">\n<thead><tr><th>rival model</th>"
          "<th scope=\"col\">its planets, days</th><th scope=\"col\">its noise</th>"
          "<th scope=\"col\">Δ ln <i>L</i></th><th scope=\"col\">Δ score</th></tr></thead>\n"
          "<tbody>\n",
          page);
    for (size_t i = 0; i < n; i++)
        if (equant_fit_rival(fit, i, &rival) == EQUANT_SUCCESS)
            write_row(page, &rival);
    fputs("</tbody></table></div>\n<p class=\"note\">The score is ln of evidence and prior "
          "probability, here less that of the fit.</p>\n</section>\n",
          page);
}
