#include "inputs/orbit_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/number_text.h"
#include "files/quantity_kind.h"
#include "files/table_line.h"
#include "terminal/messages.h"
#include "terminal/angles.h"

enum { NAME_SIZE = 64 };

#define EXAMPLE_NAMES "period_days_1,k_m_s_1,eccentricity_1,omega_rad_1,m0_rad_1"

/* What the names in a header say about the model. */
struct header {
    size_t n_columns;
    char (*names)[NAME_SIZE]; /* as the model spells them                     */
    size_t n_planets;
    bool has_offsets, has_jitter;
    bool lacks_jitters; /* there are no columns of them, but states say something */
    int trend_order;
};

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* The number after a planet's element, e.g. 2 of "k_m_s_2"; 0 when the name is
 * not of that kind. */
static size_t planet_number(const char *name)
{
    for (size_t i = 0; i < EQUANT_N_ELEMENTS; i++) {
        const char *element = quantity_kind_at(i).name;
        if (starts_with(name, element) && name[strlen(element)] == '_')
            return strtoul(name + strlen(element) + 1, NULL, 10);
    }
    return 0;
}

/* Columns that equant's own tables carry beside the parameters, and the unnamed
 * index that some programs write. */
static bool is_ignored(const char *name)
{
    static const char *const ignored[] = {"", "rank", "index", "chi_square", "log_likelihood"};
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
        if (strcmp(name, ignored[i]) == 0)
            return true;
    return false;
}

/* Spells degrees as radians, with their factor. */
static double spell_as_model(const char *field, char name[NAME_SIZE])
{
    snprintf(name, NAME_SIZE, "%s", field);
    char *degrees = strstr(name, "_deg_");
    if (degrees == NULL)
        return 1.0;
    memcpy(degrees, "_rad_", strlen("_rad_"));
    return RADIANS_PER_DEGREE;
}

static void summarise_header(struct header *header)
{
    for (size_t c = 0; c < header->n_columns; c++) {
        const char *name = header->names[c];
        size_t planet = planet_number(name);
        if (planet > header->n_planets)
            header->n_planets = planet;
        header->has_offsets |= starts_with(name, "offset_m_s_");
        header->has_jitter |= starts_with(name, "jitter_m_s_");
        if (strcmp(name, "trend_m_s_day") == 0 && header->trend_order < 1)
            header->trend_order = 1;
        if (strcmp(name, "trend_m_s_day2") == 0)
            header->trend_order = 2;
    }
    /* A planet takes five columns: a larger number is a slip of the pen, and
     * must not make a model that fills the memory. */
    if (header->n_planets > header->n_columns)
        header->n_planets = header->n_columns;
}

/* Splits the header line; allocates the columns of the table and the names. */
static int read_names(struct orbit_table *table, char *line, struct header *header)
{
    size_t n_most = strlen(line) + 1;
    double number;
    table->delimiter = table_line_delimiter(line);
    header->names = calloc(n_most, sizeof *header->names);
    table->factor = calloc(n_most, sizeof *table->factor);
    table->parameter = calloc(n_most, sizeof *table->parameter);
    if (header->names == NULL || table->factor == NULL || table->parameter == NULL)
        return messages_out_of_memory();
    const char *field;
    for (; (field = table_line_cell(&line, table->delimiter)) != NULL; header->n_columns++) {
        if (number_text_parse(field, &number))
            return messages_failure(
                "%s:%zu: the first line must name the columns, such as " EXAMPLE_NAMES,
                table->reader.name, table->reader.number);
        table->factor[header->n_columns] = spell_as_model(field, header->names[header->n_columns]);
    }
    table->n_columns = header->n_columns;
    summarise_header(header);
    return EXIT_CODE_OK;
}

/* Whether something is said of a parameter of this name, or of that of an instrument, "jitter[A]".
 */
static bool says(const equant_states *states, const char *name)
{
    for (size_t i = 0; i < equant_states_n(states); i++) {
        const char *own = equant_states_name(states, i);
        size_t length = strlen(name);
        if (starts_with(own, name) && (own[length] == '\0' || own[length] == '[') &&
            strcmp(equant_states_text(states, i), "free") != 0)
            return true;
    }
    return false;
}

/* What states say has no need of a column. */
static void take_states(const equant_states *states, struct header *header)
{
    size_t n_stated = equant_states_n_planets(states);
    if (n_stated > header->n_planets)
        header->n_planets = n_stated;
    header->has_offsets |= says(states, "offset");
    header->lacks_jitters = !header->has_jitter;
    header->has_jitter |= says(states, "jitter");
    if (says(states, "trend_m_s_day") && header->trend_order < 1)
        header->trend_order = 1;
    if (says(states, "trend_m_s_day2"))
        header->trend_order = 2;
}

static int create_model(struct orbit_table *table, const struct header *header,
                        const struct orbit_table_options *options)
{
    bool gives_trend = header->trend_order > 0;
    if (gives_trend && options->trend_order > 0)
        return messages_failure("%s:%zu: the table gives the trend, so leave --trend out",
                                table->reader.name, table->reader.number);
    int order = gives_trend ? header->trend_order : options->trend_order;
    bool gives_offsets = header->has_offsets || !options->solves_offsets;
    equant_model_options model = {
        .struct_size = sizeof model,
        .n_planets = header->n_planets,
        .n_instruments = options->n_instruments,
        .trend = (equant_trend)(EQUANT_TREND_NONE + order),
        .offset_columns = gives_offsets ? EQUANT_NUISANCE_GIVEN : EQUANT_NUISANCE_SOLVED,
        .trend_columns = gives_trend ? EQUANT_NUISANCE_GIVEN : EQUANT_NUISANCE_SOLVED,
        .with_jitter = header->has_jitter,
        .noise = options->noise,
    };
    equant_status status = equant_model_create(&model, &table->model);
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    table->n_parameters = equant_model_n_parameters(table->model);
    table->noise_values = options->noise_values;
    table->n_noise_values = options->n_noise_values;
    table->states = options->states;
    table->dataset = options->dataset;
    return EXIT_CODE_OK;
}

/* The parameter of that name; n_parameters when there is none. */
static size_t find_parameter(const struct orbit_table *table, const char *name)
{
    size_t p = 0;
    while (p < table->n_parameters && strcmp(name, equant_model_parameter_name(table->model, p)))
        p++;
    return p;
}

static int reject_name(const struct orbit_table *table, const struct header *header,
                       const struct orbit_table_options *options, const char *name)
{
    const struct line_reader *reader = &table->reader;
    if (header->n_planets == 0)
        return messages_failure("%s:%zu: column '%s' means nothing here; name them " EXAMPLE_NAMES,
                                reader->name, reader->number, name);
    return messages_failure("%s:%zu: column '%s' means nothing here, with %zu planet%s and %zu "
                            "instrument%s",
                            reader->name, reader->number, name, header->n_planets,
                            header->n_planets == 1 ? "" : "s", options->n_instruments,
                            options->n_instruments == 1 ? "" : "s");
}

/* Every column must mean something, and nothing twice. */
static int assign_columns(struct orbit_table *table, const struct header *header,
                          const struct orbit_table_options *options, bool *is_given)
{
    const struct line_reader *reader = &table->reader;
    for (size_t c = 0; c < table->n_columns; c++) {
        const char *name = header->names[c];
        size_t p = find_parameter(table, name);
        table->parameter[c] = p;
        if (p == table->n_parameters) {
            if (is_ignored(name))
                continue;
            return reject_name(table, header, options, name);
        }
        if (is_given[p])
            return messages_failure("%s:%zu: column %s is there twice", reader->name,
                                    reader->number, name);
        is_given[p] = true;
    }
    return EXIT_CODE_OK;
}

static int match_columns(struct orbit_table *table, const struct header *header,
                         const struct orbit_table_options *options)
{
    const struct line_reader *reader = &table->reader;
    bool *is_given = calloc(table->n_parameters + 1, sizeof *is_given);
    if (is_given == NULL)
        return messages_out_of_memory();
    int code = assign_columns(table, header, options, is_given);
    for (size_t p = 0; p < table->n_parameters && code == EXIT_CODE_OK; p++) {
        const char *name = equant_model_parameter_name(table->model, p);
        bool may_be_zero = (!options->solves_offsets && starts_with(name, "offset_m_s_")) ||
                           (header->lacks_jitters && starts_with(name, "jitter_m_s_"));
        bool is_of_noise = p + table->n_noise_values >= table->n_parameters;
        bool is_stated = table->states != NULL &&
                         equant_states_gives(table->states, table->dataset, table->model, p);
        if (is_given[p] && (is_of_noise || is_stated))
            code =
                messages_failure("%s:%zu: column %s is there, and --%s gives its value",
                                 reader->name, reader->number, name, is_of_noise ? "noise" : "set");
        else if (!is_given[p] && !may_be_zero && !is_of_noise && !is_stated)
            code = messages_failure("%s:%zu: column %s is missing", reader->name, reader->number,
                                    name);
    }
    free(is_given);
    if (code == EXIT_CODE_OK && header->n_planets == 0)
        code = messages_failure("%s:%zu: column period_days_1 is missing", reader->name,
                                reader->number);
    return code;
}

static int read_header(struct orbit_table *table, const struct orbit_table_options *options)
{
    char *line;
    struct header header = {0};
    enum line_result result = line_reader_next_content(&table->reader, &line);
    if (result == LINE_INTERRUPTED)
        return EXIT_CODE_INTERRUPTED;
    if (result == LINE_END)
        return messages_failure("%s: the table of orbits is empty", table->reader.name);
    if (result == LINE_FAILED)
        return EXIT_CODE_FAILED;
    int code = read_names(table, line, &header);
    if (code == EXIT_CODE_OK)
        take_states(options->states, &header);
    if (code == EXIT_CODE_OK)
        code = create_model(table, &header, options);
    if (code == EXIT_CODE_OK)
        code = match_columns(table, &header, options);
    free(header.names);
    return code;
}

int orbit_table_open(struct orbit_table *table, const char *path,
                     const struct orbit_table_options *options)
{
    *table = (struct orbit_table){0};
    int code = line_reader_open(&table->reader, path);
    if (code != EXIT_CODE_OK)
        return code;
    code = read_header(table, options);
    if (code != EXIT_CODE_OK)
        orbit_table_close(table);
    return code;
}

void orbit_table_close(struct orbit_table *table)
{
    line_reader_close(&table->reader);
    equant_model_free(table->model);
    free(table->parameter);
    free(table->factor);
    *table = (struct orbit_table){0};
}

/* The sentence for a cell of column c, which is named as in the file. */
static int reject_number(const struct orbit_table *table, size_t c, const char *field)
{
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "%s",
             equant_model_parameter_name(table->model, table->parameter[c]));
    char *radians = table->factor[c] == 1.0 ? NULL : strstr(name, "_rad_");
    if (radians != NULL)
        memcpy(radians, "_deg_", strlen("_deg_"));
    return messages_failure("%s:%zu: '%s' is not a number (column %s)", table->reader.name,
                            table->reader.number, field, name);
}

/* One line into one parameter set. What is not finite or outside the domain is
 * for the evaluator to judge; here a value need only be a number. */
static int read_row(struct orbit_table *table, char *line, double *parameters)
{
    const struct line_reader *reader = &table->reader;
    size_t n_fields = 0;
    memset(parameters, 0, table->n_parameters * sizeof *parameters);
    for (size_t i = 0; i < table->n_noise_values; i++)
        parameters[table->n_parameters - table->n_noise_values + i] = table->noise_values[i];
    const char *field;
    for (; (field = table_line_cell(&line, table->delimiter)) != NULL; n_fields++) {
        if (n_fields >= table->n_columns)
            continue;
        size_t p = table->parameter[n_fields];
        double value;
        if (p == table->n_parameters)
            continue;
        if (!number_text_parse(field, &value))
            return reject_number(table, n_fields, field);
        parameters[p] = value * table->factor[n_fields];
    }
    if (n_fields != table->n_columns)
        return messages_failure("%s:%zu: this row has %zu columns, the header has %zu",
                                reader->name, reader->number, n_fields, table->n_columns);
    return EXIT_CODE_OK;
}

static int read_rows(struct orbit_table *table, size_t n_max, double *parameters, size_t *n_rows)
{
    *n_rows = 0;
    while (*n_rows < n_max) {
        char *line;
        enum line_result result = line_reader_next_content(&table->reader, &line);
        if (result == LINE_END)
            return EXIT_CODE_OK;
        if (result == LINE_FAILED)
            return EXIT_CODE_FAILED;
        if (result == LINE_INTERRUPTED) {
            table->interrupted = true;
            return EXIT_CODE_OK;
        }
        int code = read_row(table, line, parameters + *n_rows * table->n_parameters);
        if (code != EXIT_CODE_OK)
            return code;
        ++*n_rows;
    }
    return EXIT_CODE_OK;
}

int orbit_table_read(struct orbit_table *table, size_t n_max, double *parameters, size_t *n_rows)
{
    int code = read_rows(table, n_max, parameters, n_rows);
    if (table->states == NULL)
        return code;
    int filled = messages_status(
        equant_states_fill(table->states, table->dataset, table->model, *n_rows, parameters));
    return code == EXIT_CODE_OK ? filled : code;
}

int orbit_table_skip(struct orbit_table *table, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        char *line;
        enum line_result result = line_reader_next_content(&table->reader, &line);
        if (result == LINE_END)
            return messages_failure("%s: the table ends after row %" PRIu64, table->reader.name, i);
        if (result != LINE_READ)
            return result == LINE_INTERRUPTED ? EXIT_CODE_INTERRUPTED : EXIT_CODE_FAILED;
    }
    return EXIT_CODE_OK;
}
