#include "figures/orbit_labels.h"

#include <string.h>

#include "drawing/svg.h"
#include "files/html.h"

/* An index that nothing is in is left out. What has no symbol on pages has its label. */
void orbit_label_symbol(FILE *page, const equant_quantity_info *kind, const char *planet)
{
    if (kind->html == NULL) {
        html_text(page, kind->label);
        fprintf(page, planet[0] != '\0' ? "<sub>%s</sub>" : "%s", planet);
        return;
    }
    static const char number_alone[] = "<sub>%s</sub>";
    const char *place = strstr(kind->html, "%s"), *index = strstr(kind->html, number_alone);
    if (planet[0] != '\0')
        fprintf(page, "%.*s%s%s", (int)(place - kind->html), kind->html, planet,
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

void orbit_label_header(FILE *page, const equant_quantity_info *kind, const char *planet,
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
    orbit_label_symbol(page, kind, "");
    write_unit(page, kind);
    fputs("</th>", page);
}

void orbit_label_sign(const equant_quantity_info *kind, const char *planet, char *text, size_t n)
{
    size_t length = (size_t)snprintf(text, n, "%s", kind->symbol);
    for (const char *c = planet; *c != '\0' && length + sizeof SVG_SUBSCRIPT + 1 < n; c++)
        length += (size_t)snprintf(text + length, n - length, SVG_SUBSCRIPT "%c", *c);
}
