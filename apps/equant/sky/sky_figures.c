#include "sky/sky_figures.h"

#include <math.h>
#include <string.h>

#include "drawing/svg.h"
#include "files/html.h"
#include "sky/sky_panels.h"
#include "terminal/angles.h"
#include "terminal/measured_value.h"
#include "terminal/messages.h"
#include "terminal/spoken_number.h"
#include "terminal/text_line.h"

static const double margin = 10.0, between = 12.0, row = 118.0;

enum { NOTES = 900 };

/* What is drawn, wherever it goes. */
struct sheet {
    const struct sky_star *star;
    enum sky_figure figure;
    size_t number;
    struct key key;
    char notes[NOTES];
    double width, height; /* with the key, without the notes */
};

size_t sky_figures_count(const struct sky_star *star, enum sky_figure figure)
{
    switch (figure) {
    case SKY_FIGURE_ORBIT:
        return star->n_companions;
    case SKY_FIGURE_PATH: /* a catalogue's own motion is not in its residuals */
        return star->scans.n_rows > 0 && !sky_star_is_relative(star) && !sky_star_is_residual(star);
    case SKY_FIGURE_RESIDUALS:
        return star->scans.n_rows > 0;
    case SKY_FIGURE_VELOCITIES:
        return star->velocities.n_rows > 0;
    default:
        return star->periodogram.n_rows > 1;
    }
}

static const char *name_of(enum sky_figure figure)
{
    static const char *const names[SKY_N_FIGURES] = {"orbit", "path", "residuals", "velocities",
                                                     "periodogram"};
    return names[figure];
}

static const char *label_of(enum sky_figure figure)
{
    static const char *const labels[SKY_N_FIGURES] = {
        "An orbit on the sky, North up and East left, with the scans",
        "The path of the star on the sky, North up and East left, with the scans",
        "What models leave of each scan, over time and over the scan angle",
        "Velocities over time with the orbit, and residuals below",
        "Periodogram: the gain of the best orbit over its period"};
    return labels[figure];
}

/* ---- words ----------------------------------------------------------------------------------- */

static const char *rows_of(const struct sky_star *star)
{
    return star->summary.n_transits < star->scans.n_rows ? "CCD" : "transit";
}

static void tell_orbit(struct sheet *sheet)
{
    const equant_sky_companion *own = &sheet->star->companions[sheet->number];
    bool is_relative = sky_star_is_relative(sheet->star);
    double stretch = fabs(sky_star_stretch(sheet->star));
    key_add(&sheet->key, "curve strong", KEY_LINE, "orbit");
    if (sheet->star->scans.n_rows > 0)
        key_add(&sheet->key, "dot i1", 0, is_relative ? "positions" : "scans, with what they saw");
    key_add(&sheet->key, "mean", 3, "pericentre");
    key_add(&sheet->key, "level", KEY_LINE, "line of nodes");
    text_line_append(sheet->notes, NOTES, "%s about %s (cross).",
                     is_relative ? "The companion" : "The star",
                     is_relative ? "its star" : "the common centre of mass");
    if (sheet->star->scans.n_rows > 0)
        text_line_append(sheet->notes, NOTES,
                         " Each point lies beside its place on the orbit by what is left of the "
                         "%s, along the direction in which that measures; bars: errors with "
                         "jitter.",
                         is_relative ? "position" : "scan");
    text_line_append(sheet->notes, NOTES, " P %s d, e %s, ",
                     measured_value_of(own->period_days, own->period_days_err).text,
                     measured_value_of(own->eccentricity, own->eccentricity_err).text);
    text_line_append(sheet->notes, NOTES, "a %s mas, inclination %s°.",
                     measured_value_of(stretch * own->a0_mas, stretch * own->a0_mas_err).text,
                     measured_value_of(own->inclination_rad * DEGREES_PER_RADIAN,
                                       own->inclination_rad_err * DEGREES_PER_RADIAN)
                         .text);
}

static void tell_path(struct sheet *sheet)
{
    const struct sky_star *star = sheet->star;
    key_add(&sheet->key, "curve strong", KEY_LINE, "model");
    key_add(&sheet->key, "level", KEY_LINE,
            star->n_companions > 0 ? "centre of mass, without parallax" : "without parallax");
    key_add(&sheet->key, "dot i1", 0, "scans and their directions");
    text_line_append(sheet->notes, NOTES,
                     "Where the star was seen, about its place at J%.1f. A scan measures along its "
                     "direction; across it the point is taken from the model. Leaders: the first "
                     "of January.",
                     2000.0 + (star->summary.reference_jd - 2451545.0) / 365.25);
    if (!star->parallax.is_known)
        text_line_append(sheet->notes, NOTES,
                         " The parallax is left out: its factors do not tell where on the sky the "
                         "star stands.");
}

static void tell_residuals(struct sheet *sheet)
{
    const struct sky_star *star = sheet->star;
    if (sky_star_is_relative(star))
        text_line_append(sheet->notes, NOTES,
                         "Two points for each position, along the axes of its error ellipse.");
    else
        text_line_append(sheet->notes, NOTES, "Along the scan, one point for each %s; bars: errors",
                         rows_of(star));
    if (!sky_star_is_relative(star) && star->summary.jitter_mas > 0.0)
        text_line_append(sheet->notes, NOTES, " with a jitter of %s mas",
                         spoken_number_digits(star->summary.jitter_mas, 2).text);
    if (!sky_star_is_relative(star))
        text_line_append(sheet->notes, NOTES, ".");
}

static void tell_velocities(struct sheet *sheet)
{
    key_add(&sheet->key, "dot i1", 0, "velocities less their offset");
    if (sheet->star->n_companions > 0)
        key_add(&sheet->key, "curve strong", KEY_LINE, "orbit of the fit");
    text_line_append(sheet->notes, NOTES, "Of the star, away from us; bars: errors with jitter.");
}

static void tell_periodogram(struct sheet *sheet)
{
    text_line_append(sheet->notes, NOTES,
                     "What the best orbit of each period, of any eccentricity and phase, gains in "
                     "ln L over position, parallax and proper motion%s. FAP: how often noise alone "
                     "gains as much somewhere.",
                     sheet->star->velocities.n_rows > 0 ? ", in the astrometry alone" : "");
    if (sheet->star->n_companions > 0)
        text_line_append(sheet->notes, NOTES, " Dashed: the orbit of the fit, refined.");
}

/* ---- layout ------------------------------------------------------------------------------------
 */

static size_t n_residual_rows(const struct sky_star *star)
{
    bool has_plain = !isnan(star->scans.column[SKY_SCAN_PLAIN][0]) && strcmp(star->verdict, "5p");
    return sky_star_is_relative(star) ? 1 : has_plain ? 3 : 2;
}

static double body_height(const struct sheet *sheet)
{
    const double velocities = 190.0, below = 76.0, gains = 200.0;
    double square = sheet->width - SKY_PANELS_LEFT - SKY_PANELS_RIGHT;
    size_t n_rows;
    switch (sheet->figure) {
    case SKY_FIGURE_ORBIT:
    case SKY_FIGURE_PATH:
        return square + SKY_PANELS_BELOW;
    case SKY_FIGURE_RESIDUALS:
        n_rows = n_residual_rows(sheet->star);
        return SKY_PANELS_YEARS + (double)n_rows * row + SKY_PANELS_BELOW +
               (n_rows > 1 ? SKY_PANELS_BELOW + (double)(n_rows - 2) * between : 0.0);
    case SKY_FIGURE_VELOCITIES:
        return SKY_PANELS_YEARS + velocities + between + below + SKY_PANELS_BELOW;
    default:
        return gains + SKY_PANELS_BELOW;
    }
}

static struct sheet sheet_of(const struct sky_star *star, enum sky_figure figure, size_t number,
                             double width)
{
    static void (*const tell[SKY_N_FIGURES])(struct sheet *) = {
        tell_orbit, tell_path, tell_residuals, tell_velocities, tell_periodogram};
    struct sheet sheet = {.star = star, .figure = figure, .number = number, .width = width};
    tell[figure](&sheet);
    double across = width - SKY_PANELS_LEFT - SKY_PANELS_RIGHT;
    double key = sheet.key.n > 0 ? key_height(&sheet.key, across) + 6.0 : 0.0;
    sheet.height = margin + key + body_height(&sheet);
    return sheet;
}

static void draw_residuals(const struct sheet *sheet, struct sky_panel panel)
{
    const struct sky_star *star = sheet->star;
    size_t n_rows = n_residual_rows(star);
    char title[64];
    snprintf(title, sizeof title, "what the model %s leaves", star->verdict);
    panel.top += SKY_PANELS_YEARS;
    panel.height = row;
    if (n_rows == 3) {
        sky_panels_residuals(&panel, star, SKY_SCAN_PLAIN, SKY_OVER_TIME,
                             "what position, parallax and proper motion leave", true, false);
        panel.top += row + between;
    }
    sky_panels_residuals(&panel, star, SKY_SCAN_RESIDUAL, SKY_OVER_TIME, title, n_rows < 3, true);
    panel.top += row + SKY_PANELS_BELOW;
    if (n_rows > 1)
        sky_panels_residuals(&panel, star, SKY_SCAN_RESIDUAL, SKY_OVER_ANGLE, title, false, true);
}

static int draw_velocities(const struct sheet *sheet, struct sky_panel panel)
{
    const double below = 76.0;
    panel.top += SKY_PANELS_YEARS;
    panel.height = 190.0;
    int code = sky_panels_velocities(&panel, sheet->star);
    panel.top += panel.height + between;
    panel.height = below;
    sky_panels_velocity_residuals(&panel, sheet->star);
    return code;
}

static int draw_sheet(FILE *page, const struct sheet *sheet)
{
    double across = sheet->width - SKY_PANELS_LEFT - SKY_PANELS_RIGHT;
    struct sky_panel panel = {.page = page,
                              .left = SKY_PANELS_LEFT,
                              .top = sheet->height - body_height(sheet),
                              .width = across,
                              .height = body_height(sheet) - SKY_PANELS_BELOW};
    if (sheet->key.n > 0)
        key_draw(page, &sheet->key, SKY_PANELS_LEFT, margin, across);
    switch (sheet->figure) {
    case SKY_FIGURE_ORBIT:
        return sky_panels_orbit(&panel, sheet->star, sheet->number);
    case SKY_FIGURE_PATH:
        return sky_panels_path(&panel, sheet->star);
    case SKY_FIGURE_RESIDUALS:
        draw_residuals(sheet, panel);
        return EXIT_CODE_OK;
    case SKY_FIGURE_VELOCITIES:
        return draw_velocities(sheet, panel);
    default:
        panel.width -= SKY_PANELS_FAP - SKY_PANELS_RIGHT;
        sky_panels_periodogram(&panel, sheet->star);
        return EXIT_CODE_OK;
    }
}

/* ---- where they go ------------------------------------------------------------------------------
 */

static int draw_picture(const struct sheet *sheet, const char *folder, enum picture_format format)
{
    struct picture picture;
    char name[32];
    int code =
        picture_begin(&picture, sheet->width, sheet->height, label_of(sheet->figure), sheet->notes);
    if (code != EXIT_CODE_OK)
        return code;
    code = draw_sheet(picture.page, sheet);
    if (sheet->number == 0)
        snprintf(name, sizeof name, "%s", name_of(sheet->figure));
    else
        snprintf(name, sizeof name, "%s_%zu", name_of(sheet->figure), sheet->number + 1);
    return picture_finish(&picture, folder, name, format, code);
}

int sky_figures_draw(const struct sky_star *star, const char *folder, enum picture_format format)
{
    int code = EXIT_CODE_OK;
    for (int figure = 0; figure < SKY_N_FIGURES; figure++)
        for (size_t i = 0; i < sky_figures_count(star, figure) && code == EXIT_CODE_OK; i++) {
            struct sheet sheet = sheet_of(star, figure, i, PICTURE_WIDTH);
            code = draw_picture(&sheet, folder, format);
        }
    return code;
}

int sky_figures_draw_periodogram(const struct sky_star *star, const char *folder,
                                 enum picture_format format)
{
    if (sky_figures_count(star, SKY_FIGURE_PERIODOGRAM) == 0)
        return EXIT_CODE_OK;
    struct sheet sheet = sheet_of(star, SKY_FIGURE_PERIODOGRAM, 0, PICTURE_WIDTH);
    return draw_picture(&sheet, folder, format);
}

int sky_figures_write(FILE *page, const struct sky_star *star, enum sky_figure figure,
                      size_t number)
{
    struct sheet sheet = sheet_of(star, figure, number, PICTURE_WIDTH);
    fprintf(page, "<figure id=\"figure-%s", name_of(figure));
    if (number > 0)
        fprintf(page, "-%zu", number + 1);
    fputs("\">\n", page);
    svg_begin(page, "phase", sheet.width, sheet.height, label_of(figure));
    int code = draw_sheet(page, &sheet);
    svg_end(page);
    fputs("<figcaption>", page);
    html_text(page, sheet.notes);
    fputs("</figcaption>\n</figure>\n", page);
    return code;
}
