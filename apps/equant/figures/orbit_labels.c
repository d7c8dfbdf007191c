#include "figures/orbit_labels.h"

#include <string.h>

#include "files/html.h"

/* An index that nothing is in is left out. */
void orbit_label_symbol(FILE *page, const equant_quantity_info *kind, size_t planet)
{
    static const char number_alone[] = "<sub>%s</sub>";
    const char *place = strstr(kind->html, "%s"), *index = strstr(kind->html, number_alone);
    if (planet > 0)
        fprintf(page, "%.*s%zu%s", (int)(place - kind->html), kind->html, planet,
                place + strlen("%s"));
    else if (index != NULL)
        fprintf(page, "%.*s%s", (int)(index - kind->html), kind->html,
                index + strlen(number_alone));
    else
        fprintf(page, "%.*s%s", (int)(place - kind->html), kind->html, place + strlen("%s"));
}

static void write_unit(FILE *page, const equant_quantity_info *kind)
{
    if (kind->html_unit[0] != '\0')
        fprintf(page, " <span class=\"unit\">%s</span>", kind->html_unit);
}

void orbit_label_header(FILE *page, const equant_quantity_info *kind, size_t planet,
                        const char *more)
{
    fprintf(page, "<th scope=\"row\" title=\"%s\">", kind->meaning);
    orbit_label_symbol(page, kind, planet);
    html_text(page, more);
    write_unit(page, kind);
    fputs("</th>", page);
}

void orbit_label_column(FILE *page, const equant_quantity_info *kind)
{
    fputs("<th scope=\"col\">", page);
    orbit_label_symbol(page, kind, 0);
    write_unit(page, kind);
    fputs("</th>", page);
}

void orbit_label_sign(const equant_quantity_info *kind, size_t planet, char *text, size_t n)
{
    static const char *const digits[] = {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};
    snprintf(text, n, "%s%s%s", kind->symbol, planet >= 10 ? digits[planet / 10 % 10] : "",
             planet > 0 ? digits[planet % 10] : "");
}
