#include "inputs/known_planets.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/number_text.h"
#include "files/quantity_kind.h"
#include "files/json_reader.h"
#include "files/line_reader.h"
#include "files/table_line.h"
#include "terminal/messages.h"
#include "inputs/orbit_table.h"
#include "terminal/angles.h"

enum { MAX_PLANETS = 1000 };

/* What a planet's row or JSON object may tell: its elements, or when it passes pericentre. */
enum { PERICENTRE = EQUANT_N_ELEMENTS, N_FIELDS };

/* What a name says. */
struct meaning {
    int field; /* N_FIELDS: of no planet    */
    double factor;
    char name[QUANTITY_KIND_NAME_SIZE];
};

/* Angles may be in degrees. */
static struct meaning meaning_of(const char *name)
{
    struct meaning found = {strcmp(name, "t_peri") == 0 ? PERICENTRE : N_FIELDS, 1.0, ""};
    snprintf(found.name, sizeof found.name, "%s", name);
    for (int i = 0; i < EQUANT_N_ELEMENTS; i++) {
        equant_quantity_info kind = quantity_kind_at((size_t)i);
        bool is_kept = strcmp(name, kind.name) == 0, is_shown = strcmp(name, kind.shown_name) == 0;
        if (is_kept || is_shown) {
            found.field = i;
            found.factor = is_kept ? 1.0 : RADIANS_PER_DEGREE;
        }
    }
    return found;
}

/* A time of pericentre that lies further from the data, and further than two turns, is counted from
 * another day than they are. */
#define MOST_DAYS (45.0 * 365.25)

/* A planet as it is being read: NaN where nothing has been said. */
struct draft {
    double field[N_FIELDS];
};

static struct draft draft_empty(void)
{
    struct draft draft;
    for (int i = 0; i < N_FIELDS; i++)
        draft.field[i] = NAN;
    return draft;
}

static int add(struct known_planets *planets, const double *elements, const char *path)
{
    if (planets->n == MAX_PLANETS)
        return messages_failure("%s: there are more than %d planets", path, (int)MAX_PLANETS);
    double *longer = realloc(planets->elements,
                             (planets->n + 1) * EQUANT_N_ELEMENTS * sizeof *planets->elements);
    if (longer == NULL)
        return messages_out_of_memory();
    planets->elements = longer;
    memcpy(longer + planets->n * EQUANT_N_ELEMENTS, elements, EQUANT_N_ELEMENTS * sizeof *elements);
    planets->n++;
    return EXIT_CODE_OK;
}

/* The passage of pericentre says M0 at any reference time, so it counts for more than an
 * M0 whose time may have been another. */
static int add_draft(struct known_planets *planets, const struct draft *draft, const char *path,
                     const equant_dataset *dataset)
{
    double elements[EQUANT_N_ELEMENTS];
    for (int i = EQUANT_ELEMENT_PERIOD; i <= EQUANT_ELEMENT_OMEGA; i++) {
        elements[i] = draft->field[i];
        if (isnan(elements[i]))
            return messages_failure("%s: planet %zu has no %s", path, planets->n + 1,
                                    quantity_kind_at((size_t)i).shown_name);
    }
    double since_pericentre =
        equant_dataset_reference_time_days(dataset) - draft->field[PERICENTRE];
    elements[EQUANT_ELEMENT_M0] = draft->field[EQUANT_ELEMENT_M0];
    if (fabs(since_pericentre) > fmax(MOST_DAYS, 2.0 * elements[EQUANT_ELEMENT_PERIOD]))
        return messages_failure("%s: t_peri of planet %zu lies %.0f years from the observations, "
                                "whose reference time is %.10g: count it from the same day as the "
                                "data (JD, MJD = JD - 2400000.5, JD - 2450000, ...)",
                                path, planets->n + 1, fabs(since_pericentre) / 365.25,
                                equant_dataset_reference_time_days(dataset));
    if (!isnan(since_pericentre))
        elements[EQUANT_ELEMENT_M0] =
            TWO_PI * fmod(since_pericentre / elements[EQUANT_ELEMENT_PERIOD], 1.0);
    if (isnan(elements[EQUANT_ELEMENT_M0]))
        return messages_failure("%s: planet %zu has neither t_peri nor m0_deg", path,
                                planets->n + 1);
    return add(planets, elements, path);
}

/* --- JSON ----------------------------------------------------------------- */

struct json_planets {
    struct draft draft[MAX_PLANETS];
    size_t n;
};

static void take_json_number(const char *path, double value, void *context)
{
    struct json_planets *read = context;
    size_t planet;
    char name[32];
    if (sscanf(path, "planets[%zu].%31s", &planet, name) != 2 || planet >= MAX_PLANETS)
        return;
    while (read->n <= planet)
        read->draft[read->n++] = draft_empty();
    struct meaning told = meaning_of(name);
    if (told.field < N_FIELDS)
        read->draft[planet].field[told.field] = value * told.factor;
}

static int read_json(struct known_planets *planets, const char *path, const equant_dataset *dataset)
{
    struct json_planets *read = calloc(1, sizeof *read);
    if (read == NULL)
        return messages_out_of_memory();
    struct json_listener listener = {.on_number = take_json_number, .context = read};
    int code = json_reader_file(path, &listener);
    for (size_t i = 0; code == EXIT_CODE_OK && i < read->n; i++)
        code = add_draft(planets, &read->draft[i], path, dataset);
    free(read);
    return code;
}

/* --- Tables with a planet in each row -------------------------------------- */

enum { MAX_COLUMNS = 1024 };

struct columns {
    size_t n;
    char delimiter;
    struct meaning told[MAX_COLUMNS];
};

static struct columns read_columns(char *line)
{
    struct columns columns = {.delimiter = table_line_delimiter(line)};
    const char *cell;
    while (columns.n < MAX_COLUMNS && (cell = table_line_cell(&line, columns.delimiter)) != NULL)
        columns.told[columns.n++] = meaning_of(cell);
    return columns;
}

static bool has_field(const struct columns *columns, int field)
{
    for (size_t i = 0; i < columns->n; i++)
        if (columns->told[i].field == field)
            return true;
    return false;
}

static int read_row(const struct columns *columns, char *line, const struct line_reader *reader,
                    struct draft *draft)
{
    *draft = draft_empty();
    size_t n_cells = table_line_count(line, columns->delimiter);
    if (n_cells != columns->n)
        return messages_failure("%s:%zu: this row has %zu columns, the header has %zu",
                                reader->name, reader->number, n_cells, columns->n);
    for (size_t i = 0; i < columns->n; i++) {
        const char *cell = table_line_cell(&line, columns->delimiter);
        const struct meaning *told = &columns->told[i];
        double value;
        if (told->field == N_FIELDS)
            continue;
        if (!number_text_parse(cell, &value))
            return messages_failure("%s:%zu: '%s' is not a number (column %s)", reader->name,
                                    reader->number, cell, told->name);
        draft->field[told->field] = value * told->factor;
    }
    return EXIT_CODE_OK;
}

static int read_rows(struct known_planets *planets, struct line_reader *reader,
                     const struct columns *columns, const equant_dataset *dataset)
{
    char *line;
    enum line_result result;
    while ((result = line_reader_next_content(reader, &line)) == LINE_READ) {
        struct draft draft;
        int code = read_row(columns, line, reader, &draft);
        if (code == EXIT_CODE_OK)
            code = add_draft(planets, &draft, reader->name, dataset);
        if (code != EXIT_CODE_OK)
            return code;
    }
    return result == LINE_END ? EXIT_CODE_OK : EXIT_CODE_FAILED;
}

/* --- Tables of orbits -------------------------------------------------------- */

static int read_orbit(struct known_planets *planets, const char *path,
                      const equant_dataset *dataset)
{
    struct orbit_table table;
    struct orbit_table_options options = {.n_instruments = equant_dataset_n_instruments(dataset),
                                          .solves_offsets = true};
    int code = orbit_table_open(&table, path, &options);
    if (code != EXIT_CODE_OK)
        return code;
    size_t n_rows = 0, n_planets = equant_model_n_planets(table.model);
    double *parameters = calloc(table.n_parameters, sizeof *parameters);
    code = parameters == NULL ? messages_out_of_memory()
                              : orbit_table_read(&table, 1, parameters, &n_rows);
    if (code == EXIT_CODE_OK && n_rows == 0)
        code = messages_failure("%s: the table has a header but no rows", path);
    for (size_t i = 0; code == EXIT_CODE_OK && i < n_planets; i++)
        code = add(planets, parameters + i * EQUANT_N_ELEMENTS, path);
    free(parameters);
    orbit_table_close(&table);
    return code;
}

/* --- Which of the three it is ------------------------------------------------ */

static int check(const struct known_planets *planets, size_t n_before, const char *path)
{
    for (size_t i = n_before; i < planets->n; i++) {
        const double *elements = planets->elements + i * EQUANT_N_ELEMENTS;
        bool is_orbit = elements[EQUANT_ELEMENT_PERIOD] > 0.0 &&
                        elements[EQUANT_ELEMENT_ECCENTRICITY] >= 0.0 &&
                        elements[EQUANT_ELEMENT_ECCENTRICITY] < 1.0;
        for (int j = 0; j < EQUANT_N_ELEMENTS; j++)
            is_orbit = is_orbit && isfinite(elements[j]);
        if (!is_orbit)
            return messages_failure("%s: planet %zu is no orbit: its period must be above zero, "
                                    "its eccentricity at least 0 and below 1",
                                    path, i - n_before + 1);
    }
    return EXIT_CODE_OK;
}

int known_planets_read(struct known_planets *planets, const char *path,
                       const equant_dataset *dataset)
{
    struct line_reader reader;
    char *line;
    size_t n_before = planets->n;
    int code = line_reader_open(&reader, path);
    if (code != EXIT_CODE_OK)
        return code;
    enum line_result result = line_reader_next_content(&reader, &line);
    if (result == LINE_END)
        code = messages_failure("%s: the file names no planets", path);
    else if (result != LINE_READ)
        code = EXIT_CODE_FAILED;
    if (code == EXIT_CODE_OK && line[0] == '{') {
        code = read_json(planets, path, dataset);
    } else if (code == EXIT_CODE_OK) {
        struct columns columns = read_columns(line);
        code = has_field(&columns, EQUANT_ELEMENT_PERIOD)
                   ? read_rows(planets, &reader, &columns, dataset)
                   : read_orbit(planets, path, dataset);
    }
    line_reader_close(&reader);
    return code == EXIT_CODE_OK ? check(planets, n_before, path) : code;
}

void known_planets_free(struct known_planets *planets)
{
    free(planets->elements);
    *planets = (struct known_planets){0};
}
