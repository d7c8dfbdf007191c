#include "pictures/posterior_pictures.h"

#include "figures/figure_corner.h"
#include "figures/figure_trace.h"
#include "terminal/messages.h"
#include "terminal/text_line.h"

static const double margin = 10.0;

/* Columns of instruments come last, and some of them may have found no room. */
static void add_left_out(const struct posterior_columns *columns, char *text, size_t n)
{
    if (columns->n_left_out > 0)
        text_line_append(text, n, " Not drawn: %zu more parameter%s; summary.ecsv has all.",
                         columns->n_left_out, columns->n_left_out == 1 ? "" : "s");
}

int posterior_pictures_corner(const struct posterior_columns *columns, const char *folder,
                              enum picture_format format)
{
    struct picture picture;
    char notes[256] = "Contours hold 68 % and 95 % of the draws. Above the diagonal: medians with "
                      "the ends of 68 %, which are dashed.";
    if (columns->n == 0)
        return EXIT_CODE_OK;
    struct figure_corner_size size = figure_corner_measure(columns);
    add_left_out(columns, notes, sizeof notes);
    int code = picture_begin(&picture, size.width, size.height,
                             "Densities of pairs of parameters in the posterior", notes);
    if (code != EXIT_CODE_OK)
        return code;
    code = figure_corner_draw(picture.page, columns);
    return picture_finish(&picture, folder, "corner", format, code);
}

int posterior_pictures_trace(const struct posterior_columns *columns, const char *folder,
                             enum picture_format format)
{
    struct picture picture;
    struct key key = {0};
    char notes[256] = "Lines: medians of the walkers of a population; shades: 68 % of them. Steps "
                      "before the first one drawn are burn-in.";
    if (columns->n == 0)
        return EXIT_CODE_OK;
    add_left_out(columns, notes, sizeof notes);
    figure_trace_key(&key, columns);
    double across = PICTURE_WIDTH - 2.0 * margin, top = margin + key_height(&key, across) + 6.0;
    double notes_top = top + figure_trace_height(columns);
    int code = picture_begin(&picture, PICTURE_WIDTH, notes_top,
                             "Medians and intervals of the walkers over the steps", notes);
    if (code != EXIT_CODE_OK)
        return code;
    key_draw(picture.page, &key, margin, margin, across);
    code = figure_trace_draw(picture.page, columns, top, PICTURE_WIDTH);
    return picture_finish(&picture, folder, "trace", format, code);
}
