#include "figures/posterior_axis.h"

#include "drawing/figure_style.h"
#include "figures/orbit_labels.h"
#include "drawing/text_width.h"
#include "files/quantity_kind.h"
#include "terminal/text_line.h"

static const double line_height = 13.0;

struct posterior_axis posterior_axis_of(const struct posterior_column *column, double extent)
{
    equant_quantity_info kind = quantity_kind_at(column->kind);
    struct posterior_axis axis = {.axis = short_axis_of(column->low, column->high, extent)};
    char unit[64], name[128];
    orbit_label_sign(&kind, column->planet, axis.sign, sizeof axis.sign);
    short_axis_sign(&axis.axis, axis.sign, name, sizeof name);
    short_axis_unit(&axis.axis, kind.html_unit, unit, sizeof unit);
    double wide = text_width_of(name, FIGURE_TEXT_SIZE) + text_width_of(" ", FIGURE_TEXT_SIZE) +
                  text_width_of(unit, FIGURE_TEXT_SIZE);
    if (unit[0] != '\0' && (wide <= extent || column->instrument[0] != '\0'))
        text_line_append(name, sizeof name, " %s", unit);
    else
        text_width_cut(unit, FIGURE_SMALL_SIZE, extent, axis.second, sizeof axis.second);
    text_width_cut(name, FIGURE_TEXT_SIZE, extent, axis.first, sizeof axis.first);
    if (column->instrument[0] != '\0')
        text_width_cut(column->instrument, FIGURE_SMALL_SIZE, extent, axis.second,
                       sizeof axis.second);
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
