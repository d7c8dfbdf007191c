#include "figures/figure_corner.h"

#include <math.h>
#include <string.h>

#include "drawing/contour.h"
#include "drawing/figure_style.h"
#include "drawing/plot.h"
#include "figures/posterior_axis.h"
#include "drawing/text_width.h"
#include "posteriors/draw_density.h"
#include "terminal/measured_value.h"
#include "terminal/messages.h"

static const double left = 84.0, bottom = 56.0, top = 20.0, least_right = 8.0, gap = 6.0;
static const double large_panel = 118.0, small_panel = 84.0, widest = 920.0;

/* Beyond so many columns a figure takes the whole width of a page. */
enum { FEW_COLUMNS = 5 };

static const double shares[] = {0.954, 0.683};
static const char *const classes[] = {"density-95", "density-68"};

/* What is laid out once for all panels. */
struct corner {
    FILE *page;
    const struct posterior_columns *columns;
    double panel; /* side of a frame */
    struct posterior_axis axes[POSTERIOR_COLUMNS_MOST];
    char titles[POSTERIOR_COLUMNS_MOST][160];
};

/* "K₁ 2.22 +0.31 −0.25"; figures have true minus signs. */
static void write_title(const struct posterior_column *column, const char *sign, char *text,
                        size_t n)
{
    struct measured_value value =
        measured_value_between(column->median, column->low_68, column->high_68);
    size_t used = (size_t)snprintf(text, n, "%s ", sign);
    for (const char *at = value.text; *at != '\0' && used + 4 < n; at++) {
        if (*at == '-')
            used += (size_t)snprintf(text + used, n - used, "−");
        else
            text[used++] = *at;
    }
    text[used] = '\0';
}

static struct corner lay_out(FILE *page, const struct posterior_columns *columns)
{
    struct corner corner = {.page = page, .columns = columns};
    corner.panel = fmin((widest - left - least_right) / (double)columns->n - gap,
                        columns->n > FEW_COLUMNS ? large_panel : small_panel);
    for (size_t i = 0; i < columns->n; i++) {
        corner.axes[i] = posterior_axis_of(&columns->column[i], corner.panel);
        write_title(&columns->column[i], corner.axes[i].sign, corner.titles[i],
                    sizeof corner.titles[i]);
    }
    return corner;
}

/* Titles grow to the right of the diagonal, where nothing is; the last ones need a margin. */
static struct figure_corner_size size_of(const struct corner *corner)
{
    double pitch = corner->panel + gap, n = (double)corner->columns->n, right = left + n * pitch;
    struct figure_corner_size size = {right + least_right, top + n * pitch + bottom};
    for (size_t i = 0; i < corner->columns->n; i++)
        size.width = fmax(size.width, left + (double)i * pitch + 4.0 +
                                          text_width_of(corner->titles[i], FIGURE_SMALL_SIZE));
    return size;
}

static void draw_histogram(const struct plot *plot, size_t n, const struct posterior_column *column)
{
    double heights[DRAW_DENSITY_BINS], bin = plot->width / DRAW_DENSITY_BINS;
    draw_density_single(n, column, heights);
    svg_path_begin(plot->page, "histogram");
    svg_path_move(plot->page, 0.0, plot->height);
    for (size_t i = 0; i < DRAW_DENSITY_BINS; i++) {
        svg_path_line(plot->page, (double)i * bin, plot_y(plot, heights[i]));
        svg_path_line(plot->page, (double)(i + 1) * bin, plot_y(plot, heights[i]));
    }
    svg_path_line(plot->page, plot->width, plot->height);
    svg_path_end(plot->page);
    plot_mark(plot, "median", column->median);
    plot_mark(plot, "interval", column->low_68);
    plot_mark(plot, "interval", column->high_68);
}

/* A path of several closed lines, as it grows. */
struct outline {
    const struct plot *plot;
    bool has_lines;
};

/* Heights belong to the middles of bins. */
static void add_point(double column, double row, bool is_first, void *context)
{
    struct outline *outline = context;
    const struct plot *plot = outline->plot;
    double x = (column + 0.5) / DRAW_DENSITY_BINS * plot->width;
    double y = plot->height - (row + 0.5) / DRAW_DENSITY_BINS * plot->height;
    if (is_first && outline->has_lines)
        svg_path_close(plot->page);
    if (is_first)
        svg_path_move(plot->page, x, y);
    else
        svg_path_line(plot->page, x, y);
    outline->has_lines = true;
}

static int draw_pair(const struct plot *plot, size_t n, const struct posterior_column *across,
                     const struct posterior_column *up)
{
    struct draw_density density;
    bool has_memory = true;
    draw_density_pair(n, across, up, &density);
    for (size_t i = 0; i < sizeof shares / sizeof shares[0] && has_memory; i++) {
        struct outline outline = {.plot = plot};
        svg_path_begin(plot->page, classes[i]);
        has_memory = contour_trace(DRAW_DENSITY_BINS, DRAW_DENSITY_BINS, &density.heights[0][0],
                                   draw_density_level(&density, shares[i]), add_point, &outline);
        if (outline.has_lines)
            svg_path_close(plot->page);
        svg_path_end(plot->page);
    }
    return has_memory ? EXIT_CODE_OK : messages_out_of_memory();
}

static int draw_panel(const struct corner *corner, const struct plot *plot, size_t row,
                      size_t column)
{
    const struct posterior_columns *columns = corner->columns;
    const struct posterior_column *across = &columns->column[column], *up = &columns->column[row];
    const struct posterior_axis *below = &corner->axes[column], *beside = &corner->axes[row];
    struct ticks numbers_below = short_axis_across(&below->axis, plot->width);
    struct ticks numbers_beside = short_axis_upwards(&beside->axis, plot->height);
    int code = EXIT_CODE_OK;
    plot_begin_inside(plot);
    if (row == column)
        draw_histogram(plot, columns->n_draws, across);
    else
        code = draw_pair(plot, columns->n_draws, across, up);
    plot_end_inside(plot);
    plot_frame(plot);
    plot_ticks(plot, PLOT_BELOW, &numbers_below, row + 1 == columns->n);
    if (row != column)
        plot_ticks(plot, PLOT_LEFT, &numbers_beside, column == 0);
    else
        svg_text(plot->page, "small", plot->left, plot->top - 5.0, corner->titles[row]);
    if (row + 1 == columns->n)
        posterior_axis_below(below, plot, 33.0);
    if (column == 0 && row > 0)
        posterior_axis_left(beside, plot, 57.0);
    return code;
}

static int draw_panels(const struct corner *corner)
{
    const struct posterior_columns *columns = corner->columns;
    int code = EXIT_CODE_OK;
    for (size_t row = 0; row < columns->n && code == EXIT_CODE_OK; row++) {
        for (size_t column = 0; column <= row && code == EXIT_CODE_OK; column++) {
            const struct posterior_column *across = &columns->column[column];
            const struct posterior_column *up = &columns->column[row];
            struct plot plot = {.page = corner->page,
                                .left = left + (double)column * (corner->panel + gap),
                                .top = top + (double)row * (corner->panel + gap),
                                .width = corner->panel,
                                .height = corner->panel,
                                .x = {.low = across->low, .high = across->high},
                                .y = {.low = up->low, .high = up->high},
                                .has_small_numbers = true};
            if (row == column)
                plot.y = (struct plot_axis){.low = 0.0, .high = 1.08};
            code = draw_panel(corner, &plot, row, column);
        }
    }
    return code;
}

struct figure_corner_size figure_corner_measure(const struct posterior_columns *columns)
{
    struct corner corner = lay_out(NULL, columns);
    return size_of(&corner);
}

int figure_corner_draw(FILE *page, const struct posterior_columns *columns)
{
    struct corner corner = lay_out(page, columns);
    return draw_panels(&corner);
}

/* ---- on a page ------------------------------------------------------------------------------ */

static int write_figure(FILE *page, const struct posterior_columns *columns, const char *id)
{
    struct figure_corner_size size = figure_corner_measure(columns);
    fprintf(page, "<figure id=\"%s\" class=\"corner scroll%s\">\n", id,
            columns->n > FEW_COLUMNS ? " large" : "");
    svg_begin(page, "square", size.width, size.height,
              "Densities of pairs of parameters in the posterior");
    int code = figure_corner_draw(page, columns);
    svg_end(page);
    fputs("</figure>\n", page);
    return code;
}

/* Columns of instruments stand behind those of planets. */
static void keep_planets(struct posterior_columns *columns, size_t *n_others)
{
    size_t n = columns->n;
    while (n > 0 && columns->column[n - 1].planet == 0)
        n--;
    *n_others = n > 0 ? columns->n - n : 0;
    columns->n -= *n_others;
}

static int write_one(FILE *page, const struct posterior_view *posterior, size_t planet)
{
    struct posterior_columns columns;
    char id[48];
    size_t n_others = 0;
    int code = posterior_columns_load(posterior, planet, &columns);
    if (planet > 0)
        snprintf(id, sizeof id, "figure-corner-%zu", planet);
    else
        snprintf(id, sizeof id, "figure-corner");
    if (code == EXIT_CODE_OK) {
        keep_planets(&columns, &n_others);
        if (columns.n > 0)
            code = write_figure(page, &columns, id);
        columns.n += n_others;
    }
    posterior_columns_free(&columns);
    return code;
}

int figure_corner_write(FILE *page, const struct posterior_view *posterior)
{
    const size_t most_together = 2;
    equant_posterior_summary facts = {.struct_size = sizeof facts};
    equant_status status = posterior_view_summarize(posterior, &facts);
    int code = messages_status(status);
    if (code == EXIT_CODE_OK && facts.n_planets <= most_together)
        return write_one(page, posterior, 0);
    fputs("<div class=\"pair\">\n", page);
    for (size_t i = 1; i <= facts.n_planets && code == EXIT_CODE_OK; i++)
        code = write_one(page, posterior, i);
    fputs("</div>\n", page);
    return code;
}
