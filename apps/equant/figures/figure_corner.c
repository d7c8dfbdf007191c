#include "figures/figure_corner.h"

#include <math.h>
#include <string.h>

#include "figures/contour.h"
#include "stars/draw_density.h"
#include "terminal/messages.h"
#include "figures/orbit_labels.h"
#include "files/quantity_kind.h"
#include "figures/plot.h"

static const double left = 62.0, bottom = 52.0, top = 6.0, right = 8.0, gap = 6.0;
static const double large_panel = 118.0, small_panel = 84.0, widest = 920.0;

/* Beyond so many columns a figure takes the whole width of a page. */
enum { FEW_COLUMNS = 5 };

static const double shares[] = {0.954, 0.683};
static const char *const classes[] = {"density-95", "density-68"};

/* Numbers near the ends would touch those of the neighbours. */
static void clear_ends(struct ticks *ticks, const struct posterior_column *column)
{
    double margin = 0.1 * (column->high - column->low);
    for (size_t i = 0; i < ticks->n; i++)
        if (ticks->tick[i].at < column->low + margin || ticks->tick[i].at > column->high - margin)
            ticks->tick[i].text[0] = '\0';
}

/* As many numbers side by side as there is room for. */
static struct ticks ticks_beside(const struct posterior_column *column, double width)
{
    const double letter = 10.0;
    size_t most_letters = (size_t)(width / letter);
    struct ticks ticks = {0};
    for (int n = 5; n > 0; n--) {
        size_t length = 0;
        ticks = ticks_linear(column->low, column->high, n);
        clear_ends(&ticks, column);
        for (size_t i = 0; i < ticks.n; i++)
            length += ticks.tick[i].text[0] != '\0' ? strlen(ticks.tick[i].text) + 1 : 0;
        if (length <= most_letters)
            break;
    }
    return ticks;
}

static struct ticks ticks_above(const struct posterior_column *column)
{
    struct ticks ticks = ticks_linear(column->low, column->high, 5);
    clear_ends(&ticks, column);
    return ticks;
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

static void write_label(const struct posterior_column *column, char *text, size_t n)
{
    equant_quantity_info kind = quantity_kind_at(column->kind);
    if (column->planet > 0)
        orbit_label_write(&kind, column->planet, text, n);
    else
        snprintf(text, n, "%s", column->label);
}

static int draw_panel(const struct plot *plot, const struct posterior_columns *columns, size_t row,
                      size_t column)
{
    const struct posterior_column *across = &columns->column[column], *up = &columns->column[row];
    struct ticks below = ticks_beside(across, plot->width), left_side = ticks_above(up);
    char text[96];
    int code = EXIT_CODE_OK;
    plot_begin_inside(plot);
    if (row == column)
        draw_histogram(plot, columns->n_draws, across);
    else
        code = draw_pair(plot, columns->n_draws, across, up);
    plot_end_inside(plot);
    plot_frame(plot);
    plot_ticks(plot, PLOT_BELOW, &below, row + 1 == columns->n);
    if (row != column)
        plot_ticks(plot, PLOT_LEFT, &left_side, column == 0);
    write_label(across, text, sizeof text);
    if (row + 1 == columns->n)
        plot_label_below(plot, 36.0, text);
    write_label(up, text, sizeof text);
    if (column == 0 && row > 0)
        plot_label_left(plot, 46.0, text);
    return code;
}

static int draw(FILE *page, const struct posterior_columns *columns, const char *id)
{
    double n = (double)columns->n, panel = (widest - left - right) / n - gap;
    panel = fmin(panel, columns->n > FEW_COLUMNS ? large_panel : small_panel);
    double size = n * (panel + gap);
    int code = EXIT_CODE_OK;
    fprintf(page, "<figure id=\"%s\" class=\"corner%s\">\n", id,
            columns->n > FEW_COLUMNS ? " large" : "");
    svg_begin(page, "square", left + size + right, top + size + bottom,
              "Densities of pairs of parameters in the posterior");
    for (size_t row = 0; row < columns->n && code == EXIT_CODE_OK; row++) {
        for (size_t column = 0; column <= row && code == EXIT_CODE_OK; column++) {
            const struct posterior_column *across = &columns->column[column];
            const struct posterior_column *up = &columns->column[row];
            struct plot plot = {.page = page,
                                .left = left + (double)column * (panel + gap),
                                .top = top + (double)row * (panel + gap),
                                .width = panel,
                                .height = panel,
                                .x = {.low = across->low, .high = across->high},
                                .y = {.low = up->low, .high = up->high}};
            if (row == column)
                plot.y = (struct plot_axis){.low = 0.0, .high = 1.08};
            code = draw_panel(&plot, columns, row, column);
        }
    }
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

static int write_one(FILE *page, const equant_posterior *posterior, size_t planet)
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
            code = draw(page, &columns, id);
        columns.n += n_others;
    }
    posterior_columns_free(&columns);
    return code;
}

int figure_corner_write(FILE *page, const equant_posterior *posterior)
{
    const size_t most_together = 2;
    equant_posterior_summary facts = {.struct_size = sizeof facts};
    equant_status status = equant_posterior_summarize(posterior, &facts);
    int code = messages_status(status);
    if (code == EXIT_CODE_OK && facts.n_planets <= most_together)
        return write_one(page, posterior, 0);
    fputs("<div class=\"pair\">\n", page);
    for (size_t i = 1; i <= facts.n_planets && code == EXIT_CODE_OK; i++)
        code = write_one(page, posterior, i);
    fputs("</div>\n", page);
    return code;
}
