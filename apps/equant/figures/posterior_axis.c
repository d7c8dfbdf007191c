#include "figures/posterior_axis.h"

#include <string.h>

#include "drawing/figure_style.h"
#include "figures/orbit_labels.h"
#include "drawing/text_width.h"
#include "terminal/text_line.h"

static const double line_height = 13.0;

struct posterior_axis posterior_axis_of(const struct posterior_column *column, double extent)
{
    equant_quantity_info kind = column->kind;
    struct posterior_axis axis = {.axis = short_axis_of(column->low, column->high, extent)};
    char unit[64], name[128], whole[224];
    orbit_label_sign(&kind, column->planet_name.text, axis.sign, sizeof axis.sign);
    short_axis_sign(&axis.axis, axis.sign, name, sizeof name);
    short_axis_unit(&axis.axis, kind.html_unit, unit, sizeof unit);
    const char *second = column->instrument;
    snprintf(whole, sizeof whole, "%s%s%s", name, unit[0] != '\0' ? " " : "", unit);
    bool has_room = text_width_of(whole, FIGURE_TEXT_SIZE) <= extent;
    if (!has_room && second[0] == '\0' && text_width_of(name, FIGURE_TEXT_SIZE) <= extent) {
        snprintf(whole, sizeof whole, "%s", name);
        second = unit;
    } else if (!has_room && axis.axis.base != 0.0) {
        /* What is taken from the numbers must not be cut: it goes to the smaller line. */
        snprintf(whole, sizeof whole, "%s%s%s", axis.sign, unit[0] != '\0' ? " " : "", unit);
        short_axis_sign(&axis.axis, "", name, sizeof name);
        if (second[0] != '\0')
            text_line_append(name, sizeof name, ", %s", second);
        second = name + strlen(" ");
    }
    text_width_cut(whole, FIGURE_TEXT_SIZE, extent, axis.first, sizeof axis.first);
    text_width_cut(second, FIGURE_SMALL_SIZE, extent, axis.second, sizeof axis.second);
    return axis;
}

void posterior_axis_below(const struct posterior_axis *axis, const struct plot *plot,
                          double distance)
{
    double x = plot->left + 0.5 * plot->width, y = plot->top + plot->height + distance;
    svg_text(plot->page, "mid", x, y, axis->first);
    if (axis->second[0] != '\0')
        svg_text(plot->page, "mid small", x, y + line_height, axis->second);
}

void posterior_axis_left(const struct posterior_axis *axis, const struct plot *plot,
                         double distance)
{
    double x = plot->left - distance, y = plot->top + 0.5 * plot->height;
    if (axis->second[0] != '\0')
        svg_text_upwards(plot->page, "mid small", x, y, axis->second);
    svg_text_upwards(plot->page, "mid", axis->second[0] != '\0' ? x - line_height : x, y,
                     axis->first);
}
