#include "drawing/paragraph.h"

#include <string.h>

#include "drawing/figure_style.h"
#include "drawing/svg.h"
#include "drawing/text_width.h"

static const double line_height = 14.0;

/* Draws the lines where there is a page. Returns their height. */
static double walk(FILE *page, const char *text, double left, double top, double width)
{
    char line[256];
    double y = 0.0;
    while (*text != '\0') {
        size_t n = text_width_line(text, FIGURE_SMALL_SIZE, width);
        y += line_height;
        snprintf(line, sizeof line, "%.*s", (int)n, text);
        if (page != NULL)
            svg_text(page, "small quiet", left, top + y - 3.0, line);
        text += n + strspn(text + n, " ");
    }
    return y;
}

double paragraph_height(const char *text, double width)
{
    return walk(NULL, text, 0.0, 0.0, width);
}

void paragraph_draw(FILE *page, const char *text, double left, double top, double width)
{
    walk(page, text, left, top, width);
}
