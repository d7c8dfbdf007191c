#include "results/injection_map.h"

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

struct injection_axis {
    const char *symbol, *unit, *page_unit; /* "a0", "mas" and its unit in a table */
    const char *edges, *least, *most;      /* keys of JSON and columns of the table */
    const char *threshold;                 /* likewise */
    const char *mass_meaning, *label;
    /* Mass of what is injected, in Jupiters. */
    double (*mass)(const struct injection_map *map, double size, double period_days);
    /* What was injected and what counts as detected, for a person and for a picture. */
    void (*describe)(const struct injection_map *map, char *text, size_t n);
};

static double mass_on_sky(const struct injection_map *map, double a0_mas, double period_days)
{
    return equant_sky_companion_mass(a0_mas, period_days, map->parallax_mas, map->star_mass);
}

static double mass_of_planet(const struct injection_map *map, double k_m_s, double period_days)
{
    return equant_minimum_mass_jupiter(period_days, k_m_s, 0.0, map->star_mass);
}

static size_t n_all(const struct injection_map *map)
{
    return map->n_periods * map->n_sizes * map->n_draws;
}

static void describe_sky(const struct injection_map *map, char *text, size_t n)
{
    snprintf(text, n,
             "%zu companions of random orientation and phase, each on the scans of the source with "
             "noise of its own. Detected: the highest peak of the scan has a false-alarm "
             "probability below %g.",
             n_all(map), map->threshold);
}

static void describe_velocities(const struct injection_map *map, char *text, size_t n)
{
    snprintf(text, n,
             "%zu planets of random phase, eccentricity and argument of pericentre, each added to "
             "the velocities beside the %zu planet%s of the fit. Detected: a fit gives the planet "
             "a probability of at least %g.",
             n_all(map), map->n_planets, map->n_planets == 1 ? "" : "s", map->threshold);
}

static const struct injection_axis on_sky = {
    .symbol = "a0",
    .unit = "mas",
    .page_unit = "mas",
    .edges = "a0_edges_mas",
    .least = "a0_min_mas",
    .most = "a0_max_mas",
    .threshold = "fap",
    .mass_meaning = "of a dark companion in the middle of the cell",
    .label = "a0 of the star (mas)",
    .mass = mass_on_sky,
    .describe = describe_sky,
};

static const struct injection_axis in_velocities = {
    .symbol = "K",
    .unit = "m/s",
    .page_unit = "m / s",
    .edges = "k_edges_m_s",
    .least = "k_min_m_s",
    .most = "k_max_m_s",
    .threshold = "probability_min",
    .mass_meaning = "m sin i of a circular orbit in the middle of the cell",
    .label = "K (m/s)",
    .mass = mass_of_planet,
    .describe = describe_velocities,
};

struct injection_map injection_map_of_sky(const equant_sky_injection *own)
{
    return (struct injection_map){
        .axis = &on_sky,
        .name = "",
        .n_periods = equant_sky_injection_n_periods(own),
        .n_sizes = equant_sky_injection_n_sizes(own),
        .n_draws = equant_sky_injection_n_draws(own),
        .period_edges_days = equant_sky_injection_period_edges_days(own),
        .size_edges = equant_sky_injection_a0_edges_mas(own),
        .found = equant_sky_injection_found(own),
        .recovered = equant_sky_injection_recovered(own),
        .parallax_mas = equant_sky_injection_parallax_mas(own),
    };
}

struct injection_map injection_map_of_velocities(const equant_injection *own)
{
    return (struct injection_map){
        .axis = &in_velocities,
        .name = "",
        .n_periods = equant_injection_n_periods(own),
        .n_sizes = equant_injection_n_amplitudes(own),
        .n_draws = equant_injection_n_draws(own),
        .period_edges_days = equant_injection_period_edges_days(own),
        .size_edges = equant_injection_k_edges_m_s(own),
        .found = equant_injection_recovered(own),
        .threshold = equant_injection_probability_min(own),
        .n_planets = equant_injection_n_planets(own),
    };
}

static double middle(const double *edges, size_t i)
{
    return sqrt(edges[i] * edges[i + 1]);
}

static double period_of(const struct injection_map *map, size_t i)
{
    return middle(map->period_edges_days, i);
}

static double size_of(const struct injection_map *map, size_t j)
{
    return middle(map->size_edges, j);
}

static double found_at(const struct injection_map *map, size_t i, size_t j)
{
    return map->found[j * map->n_periods + i];
}

static double mass_of(const struct injection_map *map, double size, double period_days)
{
    return map->axis->mass(map, size, period_days);
}

double injection_map_limit(const struct injection_map *map, size_t period, double share)
{
    size_t j = map->n_sizes;
    while (j > 0 && found_at(map, period, j - 1) >= share)
        j--;
    if (j == map->n_sizes)
        return NAN;
    if (j == 0)
        return size_of(map, 0);
    double below = found_at(map, period, j - 1), above = found_at(map, period, j);
    double part = (share - below) / (above - below);
    return size_of(map, j - 1) * pow(size_of(map, j) / size_of(map, j - 1), part);
}

/* ---- for a person ------------------------------------------------------------------------ */

/* Shares whose limits are given. */
static const double levels[] = {0.5, 0.9, 0.99};
enum { N_LEVELS = sizeof levels / sizeof *levels };

static void add_limits(struct table *table, const struct injection_map *map, const char *name,
                       double share, bool is_mass)
{
    table_add(table, "%s", name);
    for (size_t i = 0; i < map->n_periods; i++) {
        double limit = injection_map_limit(map, i, share);
        if (is_mass)
            limit = mass_of(map, limit, period_of(map, i));
        table_add(table, "%s", spoken_number_digits(limit, 2).text);
    }
}

int injection_map_print(const struct injection_map *map)
{
    const char *unit = map->axis->unit;
    char columns[256] = "r", notes[512], name[64];
    for (size_t i = 0; i < map->n_periods && i + 2 < sizeof columns; i++)
        text_line_append(columns, sizeof columns, "r");
    struct table table = table_start(columns);
    map->axis->describe(map, notes, sizeof notes);
    printf("%sPercentage of injections that are detected%s\n\n",
           terminal_style(stdout, TERMINAL_BOLD), terminal_style(stdout, TERMINAL_PLAIN));
    wrapped_text_print("  %s%s%s\n\n", map->name, map->name[0] != '\0' ? ": " : "", notes);
    table_add(&table, "%s %s \\ P d", map->axis->symbol, unit);
    for (size_t i = 0; i < map->n_periods; i++)
        table_add(&table, "%s", spoken_number_digits(period_of(map, i), 3).text);
    for (size_t j = map->n_sizes; j-- > 0;) {
        table_add(&table, "%s", spoken_number_digits(size_of(map, j), 3).text);
        for (size_t i = 0; i < map->n_periods; i++)
            table_add(&table, "%.0f", 100.0 * found_at(map, i, j));
    }
    for (int level = 0; level < N_LEVELS; level++) {
        snprintf(name, sizeof name, "%.0f %%, %s", 100.0 * levels[level], unit);
        add_limits(&table, map, name, levels[level], false);
    }
    for (int level = 0; level < N_LEVELS && !isnan(mass_of(map, 1.0, 100.0)); level++) {
        snprintf(name, sizeof name, "%.0f %%, M_jup", 100.0 * levels[level]);
        add_limits(&table, map, name, levels[level], true);
    }
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    wrapped_text_print("\n  %zu injections in %.3g s: %.3g per second\n", n_all(map), map->seconds,
                       (double)n_all(map) / map->seconds);
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
    json_key(json, key);
    json_array_begin(json);
    for (size_t j = 0; j < map->n_sizes; j++) {
        json_array_begin(json);
        for (size_t i = 0; i < map->n_periods; i++)
            json_number(json, values[j * map->n_periods + i]);
        json_array_end(json);
    }
    json_array_end(json);
}

static void write_limits(json_writer *json, const struct injection_map *map)
{
    json_key(json, "limits");
    json_array_begin(json);
    for (int level = 0; level < N_LEVELS; level++) {
        json_object_begin(json);
        json_key_number(json, "share", levels[level]);
        json_key(json, "sizes");
        json_array_begin(json);
        for (size_t i = 0; i < map->n_periods; i++)
            json_number(json, injection_map_limit(map, i, levels[level]));
        json_array_end(json);
        json_key(json, "masses_jupiter");
        json_array_begin(json);
        for (size_t i = 0; i < map->n_periods; i++)
            json_number(
                json, mass_of(map, injection_map_limit(map, i, levels[level]), period_of(map, i)));
        json_array_end(json);
        json_object_end(json);
    }
    json_array_end(json);
}

void injection_map_json(FILE *stream, const struct injection_map *map)
{
    json_writer json = json_start(stream);
    json_object_begin(&json);
    write_numbers(&json, "period_edges_days", map->n_periods + 1, map->period_edges_days);
    write_numbers(&json, map->axis->edges, map->n_sizes + 1, map->size_edges);
    json_key_unsigned(&json, "n_draws", map->n_draws);
    json_key_number(&json, map->axis->threshold, map->threshold);
    if (map->axis == &on_sky)
        json_key_number(&json, "parallax_mas", map->parallax_mas);
    else
        json_key_unsigned(&json, "n_planets", map->n_planets);
    write_shares(&json, "found", map, map->found);
    if (map->recovered != NULL)
        write_shares(&json, "recovered", map, map->recovered);
    write_limits(&json, map);
    json_object_end(&json);
    json_finish(&json);
}

const struct output_member injection_map_members[] = {
    {"injections.ecsv", OUTPUT_KIND_TABLE("period_min_days")}, {0}};

int injection_map_table(const struct injection_map *map, const char *folder)
{
    const struct injection_axis *axis = map->axis;
    const struct ecsv_column columns[] = {
        {"period_min_days", ECSV_NUMBER, "d", NULL},
        {"period_max_days", ECSV_NUMBER, "d", NULL},
        {axis->least, ECSV_NUMBER, axis->page_unit, NULL},
        {axis->most, ECSV_NUMBER, axis->page_unit, NULL},
        {"mass_jupiter", ECSV_NUMBER, "jupiterMass", axis->mass_meaning},
        {"found", ECSV_NUMBER, NULL, "share that is detected"},
        {"recovered", ECSV_NUMBER, NULL, "share that is detected at its own period"}};
    const size_t n_columns = sizeof columns / sizeof *columns - (map->recovered == NULL);
    struct output_file file;
    int code = output_file_open(&file, folder, "injections.ecsv", injection_map_members);
    if (code != EXIT_CODE_OK)
        return code;
    const struct ecsv_note notes[] = {{axis->threshold, NULL, map->threshold},
                                      {"n_draws", NULL, (double)map->n_draws}};
    struct ecsv_writer writer = ecsv_writer_start(file.stream, n_columns, columns, 2, notes);
    for (size_t j = 0; j < map->n_sizes; j++)
        for (size_t i = 0; i < map->n_periods; i++) {
            ecsv_writer_number(&writer, map->period_edges_days[i]);
            ecsv_writer_number(&writer, map->period_edges_days[i + 1]);
            ecsv_writer_number(&writer, map->size_edges[j]);
            ecsv_writer_number(&writer, map->size_edges[j + 1]);
            ecsv_writer_number(&writer, mass_of(map, size_of(map, j), period_of(map, i)));
            ecsv_writer_number(&writer, found_at(map, i, j));
            if (map->recovered != NULL)
                ecsv_writer_number(&writer, map->recovered[j * map->n_periods + i]);
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
    struct outline outline = {.plot = plot, .n_periods = map->n_periods, .n_sizes = map->n_sizes};
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
    plot_label_left(plot, plot->left - 12.0, map->axis->label);
    return is_drawn ? EXIT_CODE_OK : messages_out_of_memory();
}

int injection_map_draw(const struct injection_map *map, const char *folder,
                       enum picture_format format)
{
    const double margin = 10.0, left = 62.0, right = 16.0, height = 260.0, axis = 42.0;
    struct picture picture;
    struct key key = {0};
    char notes[512];
    double across = PICTURE_WIDTH - left - right;
    key_add(&key, "density-95", 1, "10 % detected");
    key_add(&key, "density-68", 1, "50 %");
    key_add(&key, "curve strong", KEY_LINE, "90 %");
    map->axis->describe(map, notes, sizeof notes);
    double top = margin + key_height(&key, across) + 6.0, below = top + height + axis;
    int code = picture_begin(&picture, PICTURE_WIDTH, below,
                             "Detected injections by period and size", notes);
    if (code != EXIT_CODE_OK)
        return code;
    const struct plot plot = {
        .page = picture.page,
        .left = left,
        .top = top,
        .width = across,
        .height = height,
        .x = {map->period_edges_days[0], map->period_edges_days[map->n_periods], true},
        .y = {map->size_edges[0], map->size_edges[map->n_sizes], true}};
    key_draw(picture.page, &key, left, margin, across);
    code = draw_map(map, &plot);
    return picture_finish(&picture, folder, "injections", format, code);
}
