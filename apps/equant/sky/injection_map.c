#include "sky/injection_map.h"

#include <math.h>
#include <stdlib.h>

#include "drawing/contour.h"
#include "drawing/key.h"
#include "drawing/plot.h"
#include "text/ecsv_writer.h"
#include "text/json_writer.h"
#include "files/output_file.h"
#include "terminal/messages.h"
#include "terminal/spoken_number.h"
#include "terminal/table.h"
#include "terminal/terminal.h"
#include "terminal/text_line.h"
#include "terminal/wrapped_text.h"

static double middle(const double *edges, size_t i)
{
    return sqrt(edges[i] * edges[i + 1]);
}

static double period_of(const struct injection_map *map, size_t i)
{
    return middle(equant_sky_injection_period_edges_days(map->injection), i);
}

static double size_of(const struct injection_map *map, size_t j)
{
    return middle(equant_sky_injection_a0_edges_mas(map->injection), j);
}

static double found_at(const struct injection_map *map, size_t i, size_t j)
{
    size_t n_periods = equant_sky_injection_n_periods(map->injection);
    return equant_sky_injection_found(map->injection)[j * n_periods + i];
}

static double mass_of(const struct injection_map *map, double a0_mas, double period_days)
{
    return equant_sky_companion_mass(
        a0_mas, period_days, equant_sky_injection_parallax_mas(map->injection), map->star_mass);
}

double injection_map_limit(const struct injection_map *map, size_t period, double share)
{
    size_t j = equant_sky_injection_n_sizes(map->injection);
    while (j > 0 && found_at(map, period, j - 1) >= share)
        j--;
    if (j == equant_sky_injection_n_sizes(map->injection))
        return NAN;
    if (j == 0)
        return size_of(map, 0);
    double below = found_at(map, period, j - 1), above = found_at(map, period, j);
    double part = (share - below) / (above - below);
    return size_of(map, j - 1) * pow(size_of(map, j) / size_of(map, j - 1), part);
}

/* ---- for a person ------------------------------------------------------------------------ */

static void add_limits(struct table *table, const struct injection_map *map, const char *name,
                       double share, bool is_mass)
{
    table_add(table, "%s", name);
    for (size_t i = 0; i < equant_sky_injection_n_periods(map->injection); i++) {
        double limit = injection_map_limit(map, i, share);
        if (is_mass)
            limit = mass_of(map, limit, period_of(map, i));
        table_add(table, "%s", spoken_number_digits(limit, 2).text);
    }
}

int injection_map_print(const struct injection_map *map)
{
    const equant_sky_injection *own = map->injection;
    size_t n_periods = equant_sky_injection_n_periods(own),
           n_sizes = equant_sky_injection_n_sizes(own);
    size_t n_all = n_periods * n_sizes * equant_sky_injection_n_draws(own);
    char columns[256] = "r";
    for (size_t i = 0; i < n_periods && i + 2 < sizeof columns; i++)
        text_line_append(columns, sizeof columns, "r");
    struct table table = table_start(columns);
    printf("%sWhich companions would have been found?%s\n\n  ",
           terminal_style(stdout, TERMINAL_BOLD), terminal_style(stdout, TERMINAL_PLAIN));
    if (map->name[0] != '\0')
        wrapped_text_print("%s: ", map->name);
    printf("%zu companions on the scans of the source, each with its own noise\n"
           "  per cent of them that noise makes with a probability below %g\n\n",
           n_all, map->false_alarm_max);
    table_add(&table, "a0 mas \\ P d");
    for (size_t i = 0; i < n_periods; i++)
        table_add(&table, "%s", spoken_number_digits(period_of(map, i), 3).text);
    for (size_t j = n_sizes; j-- > 0;) {
        table_add(&table, "%s", spoken_number_digits(size_of(map, j), 3).text);
        for (size_t i = 0; i < n_periods; i++)
            table_add(&table, "%.0f", 100.0 * found_at(map, i, j));
    }
    add_limits(&table, map, "half, mas", 0.5, false);
    add_limits(&table, map, "90 %, mas", 0.9, false);
    if (!isnan(mass_of(map, 1.0, 100.0)))
        add_limits(&table, map, "half, M_jup", 0.5, true);
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    wrapped_text_print("\n  %zu companions in %.3g s: %.3g a second\n", n_all, map->seconds,
                       (double)n_all / map->seconds);
    return code;
}

/* ---- for programs ---------------------------------------------------------------------------- */

static void write_numbers(json_writer *json, const char *key, size_t n, const double *values)
{
    json_key(json, key);
    json_array_begin(json);
    for (size_t i = 0; i < n; i++)
        json_number(json, values[i]);
    json_array_end(json);
}

static void write_shares(json_writer *json, const char *key, const struct injection_map *map,
                         const double *values)
{
    size_t n_periods = equant_sky_injection_n_periods(map->injection);
    json_key(json, key);
    json_array_begin(json);
    for (size_t j = 0; j < equant_sky_injection_n_sizes(map->injection); j++) {
        json_array_begin(json);
        for (size_t i = 0; i < n_periods; i++)
            json_number(json, values[j * n_periods + i]);
        json_array_end(json);
    }
    json_array_end(json);
}

void injection_map_json(FILE *stream, const struct injection_map *map)
{
    const equant_sky_injection *own = map->injection;
    json_writer json = json_start(stream);
    json_object_begin(&json);
    write_numbers(&json, "period_edges_days", equant_sky_injection_n_periods(own) + 1,
                  equant_sky_injection_period_edges_days(own));
    write_numbers(&json, "a0_edges_mas", equant_sky_injection_n_sizes(own) + 1,
                  equant_sky_injection_a0_edges_mas(own));
    json_key_unsigned(&json, "n_draws", equant_sky_injection_n_draws(own));
    json_key_number(&json, "fap", map->false_alarm_max);
    json_key_number(&json, "parallax_mas", equant_sky_injection_parallax_mas(own));
    write_shares(&json, "found", map, equant_sky_injection_found(own));
    write_shares(&json, "recovered", map, equant_sky_injection_recovered(own));
    json_object_end(&json);
    json_finish(&json);
}

const struct output_member injection_map_members[] = {
    {"injections.ecsv", OUTPUT_KIND_TABLE("period_min_days")}, {0}};

int injection_map_table(const struct injection_map *map, const char *folder)
{
    static const struct ecsv_column columns[] = {
        {"period_min_days", ECSV_NUMBER, "d", NULL},
        {"period_max_days", ECSV_NUMBER, "d", NULL},
        {"a0_min_mas", ECSV_NUMBER, "mas", NULL},
        {"a0_max_mas", ECSV_NUMBER, "mas", NULL},
        {"mass_jupiter", ECSV_NUMBER, "jupiterMass",
         "of a dark companion in the middle of the cell"},
        {"found", ECSV_NUMBER, NULL, "share whose best node is hardly noise"},
        {"recovered", ECSV_NUMBER, NULL, "share of which that node has the period, too"}};
    const equant_sky_injection *own = map->injection;
    const double *periods = equant_sky_injection_period_edges_days(own);
    const double *sizes = equant_sky_injection_a0_edges_mas(own);
    size_t n_periods = equant_sky_injection_n_periods(own);
    struct output_file file;
    int code = output_file_open(&file, folder, "injections.ecsv", injection_map_members);
    if (code != EXIT_CODE_OK)
        return code;
    const struct ecsv_note notes[] = {{"fap", NULL, map->false_alarm_max},
                                      {"n_draws", NULL, (double)equant_sky_injection_n_draws(own)}};
    struct ecsv_writer writer =
        ecsv_writer_start(file.stream, sizeof columns / sizeof *columns, columns, 2, notes);
    for (size_t j = 0; j < equant_sky_injection_n_sizes(own); j++)
        for (size_t i = 0; i < n_periods; i++) {
            ecsv_writer_number(&writer, periods[i]);
            ecsv_writer_number(&writer, periods[i + 1]);
            ecsv_writer_number(&writer, sizes[j]);
            ecsv_writer_number(&writer, sizes[j + 1]);
            ecsv_writer_number(&writer, mass_of(map, size_of(map, j), period_of(map, i)));
            ecsv_writer_number(&writer, found_at(map, i, j));
            ecsv_writer_number(&writer, equant_sky_injection_recovered(own)[j * n_periods + i]);
        }
    return output_file_close(&file, EXIT_CODE_OK);
}

/* ---- the picture --------------------------------------------------------------------------------
 */

/* Points of a line on its way to the page. */
struct outline {
    const struct plot *plot;
    size_t n_periods, n_sizes;
    bool has_lines;
};

/* The grid has one row and one column more on each side, which repeat the outermost, so that areas
 * reach the frame. */
static void add_point(double column, double row, bool is_first, void *context)
{
    struct outline *outline = context;
    const struct plot *plot = outline->plot;
    double x = plot->width * (column - 0.5) / (double)outline->n_periods;
    double y = plot->height * (1.0 - (row - 0.5) / (double)outline->n_sizes);
    if (is_first && outline->has_lines)
        svg_path_close(plot->page);
    if (is_first)
        svg_path_move(plot->page, x, y);
    else
        svg_path_line(plot->page, x, y);
    outline->has_lines = true;
}

static bool draw_share(const struct plot *plot, const struct injection_map *map, double share,
                       const char *class)
{
    struct outline outline = {.plot = plot,
                              .n_periods = equant_sky_injection_n_periods(map->injection),
                              .n_sizes = equant_sky_injection_n_sizes(map->injection)};
    size_t n_columns = outline.n_periods + 2, n_rows = outline.n_sizes + 2;
    double *heights = malloc(n_columns * n_rows * sizeof *heights);
    if (heights == NULL)
        return false;
    for (size_t r = 0; r < n_rows; r++)
        for (size_t c = 0; c < n_columns; c++) {
            size_t i = c == 0 ? 0 : c > outline.n_periods ? outline.n_periods - 1 : c - 1;
            size_t j = r == 0 ? 0 : r > outline.n_sizes ? outline.n_sizes - 1 : r - 1;
            heights[r * n_columns + c] = found_at(map, i, j);
        }
    svg_path_begin(plot->page, class);
    bool has_memory = contour_trace(n_rows, n_columns, heights, share, add_point, &outline);
    if (outline.has_lines)
        svg_path_close(plot->page);
    svg_path_end(plot->page);
    free(heights);
    return has_memory;
}

static void write_notes(const struct injection_map *map, char *text, size_t n)
{
    snprintf(text, n,
             "Companions of random orientation and phase on the scans of the source, with its "
             "noise, %zu in each of %zu cells. Found: noise makes the best node of a scan with a "
             "probability below %g.",
             equant_sky_injection_n_draws(map->injection),
             equant_sky_injection_n_periods(map->injection) *
                 equant_sky_injection_n_sizes(map->injection),
             map->false_alarm_max);
}

static int draw_map(const struct injection_map *map, const struct plot *plot)
{
    plot_begin_inside(plot);
    bool is_drawn = draw_share(plot, map, 0.1, "density-95") &&
                    draw_share(plot, map, 0.5, "density-68") &&
                    draw_share(plot, map, 0.9, "curve strong");
    plot_end_inside(plot);
    plot_frame(plot);
    struct ticks periods = ticks_logarithmic(plot->x.low, plot->x.high);
    struct ticks sizes = ticks_logarithmic(plot->y.low, plot->y.high);
    plot_ticks(plot, PLOT_BELOW, &periods, true);
    plot_ticks(plot, PLOT_LEFT, &sizes, true);
    plot_label_below(plot, 34.0, "period (days)");
    plot_label_left(plot, plot->left - 12.0, "a0 of the star (mas)");
    return is_drawn ? EXIT_CODE_OK : messages_out_of_memory();
}

int injection_map_draw(const struct injection_map *map, const char *folder,
                       enum picture_format format)
{
    const double margin = 10.0, left = 62.0, right = 16.0, height = 260.0, axis = 42.0;
    const equant_sky_injection *own = map->injection;
    size_t n_periods = equant_sky_injection_n_periods(own),
           n_sizes = equant_sky_injection_n_sizes(own);
    struct picture picture;
    struct key key = {0};
    char notes[512];
    double across = PICTURE_WIDTH - left - right;
    key_add(&key, "density-95", 1, "10 % found");
    key_add(&key, "density-68", 1, "half");
    key_add(&key, "curve strong", KEY_LINE, "90 %");
    write_notes(map, notes, sizeof notes);
    double top = margin + key_height(&key, across) + 6.0, below = top + height + axis;
    int code = picture_begin(&picture, PICTURE_WIDTH, below,
                             "Which companions would have been found, by period and size", notes);
    if (code != EXIT_CODE_OK)
        return code;
    const struct plot plot = {.page = picture.page,
                              .left = left,
                              .top = top,
                              .width = across,
                              .height = height,
                              .x = {equant_sky_injection_period_edges_days(own)[0],
                                    equant_sky_injection_period_edges_days(own)[n_periods], true},
                              .y = {equant_sky_injection_a0_edges_mas(own)[0],
                                    equant_sky_injection_a0_edges_mas(own)[n_sizes], true}};
    key_draw(picture.page, &key, left, margin, across);
    code = draw_map(map, &plot);
    return picture_finish(&picture, folder, "injections", format, code);
}
