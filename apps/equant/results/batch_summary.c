#include "results/batch_summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "results/fit_folder.h"
#include "files/line_reader.h"
#include "terminal/messages.h"
#include "files/output_file.h"
#include "files/output_folder.h"

static const char file_name[] = "summary.ecsv";

/* Of each planet. */
static const equant_element elements[] = {EQUANT_ELEMENT_PERIOD, EQUANT_ELEMENT_K,
                                          EQUANT_ELEMENT_ECCENTRICITY};

static const struct ecsv_column columns_before[] = {
    {"name", ECSV_TEXT, NULL, "of the star and its folder"},
    {"status", ECSV_TEXT, NULL, "ok or failed"},
    {"n_obs", ECSV_INTEGER, NULL, NULL},
    {"n_planets", ECSV_INTEGER, NULL, NULL},
};

static const struct ecsv_column columns_behind[] = {
    {"period_days_bound", ECSV_NUMBERS, "d", "of each planet; of a period at a limit alone"},
    {"at_limit", ECSV_TEXT, NULL, "end of the range at which each period lies: longest, shortest"},
    {"rotation_days", ECSV_NUMBER, "d", "in which the star turns, where its noise says so"},
    {"rms_m_s", ECSV_NUMBER, "m / s", "of the residuals"},
    {"seconds", ECSV_NUMBER, "s", "that the fit took"},
    {"message", ECSV_TEXT, NULL, "why it failed"},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
enum { N_COLUMNS = COUNT(columns_before) + COUNT(elements) + COUNT(columns_behind) };

static struct ecsv_writer write_header(FILE *stream, const char *options)
{
    const struct ecsv_note notes[] = {{"options", options, 0.0}};
    struct ecsv_column columns[N_COLUMNS];
    size_t n = COUNT(columns_before);
    memcpy(columns, columns_before, sizeof columns_before);
    for (size_t i = 0; i < COUNT(elements); i++) {
        equant_quantity_info kind = quantity_kind_at(elements[i]);
        columns[n] = quantity_kind_column(&kind);
        columns[n].type = ECSV_NUMBERS;
        columns[n++].description = "of each planet";
    }
    memcpy(columns + n, columns_behind, sizeof columns_behind);
    return ecsv_writer_start(stream, N_COLUMNS, columns, 1, notes);
}

/* --- What an earlier run has left ------------------------------------------------ */

/* A row that was cut short, as by a full disk, is none. */
static bool is_complete(const char *row)
{
    size_t length = strlen(row);
    int n_commas = 0;
    bool is_quoted = false;
    for (const char *at = row; *at != '\0'; at++) {
        is_quoted ^= *at == '"';
        n_commas += *at == ',' && !is_quoted;
    }
    return n_commas == N_COLUMNS - 1 && !is_quoted && row[length - 1] == '"';
}

static bool has_complete_folder(const char *folder, const char *name)
{
    char *own = output_folder_join(folder, name);
    char *mark = own == NULL ? NULL : output_folder_join(own, FIT_FOLDER_MARK);
    bool is_complete = mark != NULL && access(mark, F_OK) == 0;
    free(mark);
    free(own);
    return is_complete;
}

/* Index of the star that the row is about; list->n when the list has it no longer. */
static size_t find_star(const struct batch_list *list, const char *row)
{
    size_t n_name = strcspn(row + 1, "\""), i = 0;
    while (i < list->n && !(strlen(list->stars[i].name) == n_name &&
                            strncmp(list->stars[i].name, row + 1, n_name) == 0))
        i++;
    return i;
}

/* Rows of stars that are not in the list stay as they are; of the others those that are
 * done. */
static void keep_row(const char *row, const char *folder, const struct batch_list *list,
                     FILE *stream, bool *done)
{
    if (row[0] != '"' || !is_complete(row))
        return;
    size_t star = find_star(list, row);
    if (star < list->n) {
        bool is_ok = strncmp(row + strlen(list->stars[star].name) + 2, ",\"ok\",", 6) == 0;
        if (!is_ok || done[star] || !has_complete_folder(folder, list->stars[star].name))
            return;
        done[star] = true;
    }
    fprintf(stream, "%s\n", row);
}

static int reject_options(const char *path)
{
    return messages_failure("%s: it was written with other options, or is no summary of equant; "
                            "take another folder",
                            path);
}

/* Reads what is there already; its header must be `header` to the letter. */
static int keep_rows(const struct batch_summary *summary, const char *header, const char *folder,
                     const struct batch_list *list, FILE *stream, bool *done)
{
    struct line_reader reader;
    char *line;
    enum line_result result;
    int code = line_reader_open(&reader, summary->path);
    if (code != EXIT_CODE_OK)
        return code;
    while (code == EXIT_CODE_OK && (result = line_reader_next(&reader, &line)) != LINE_END) {
        size_t length = result == LINE_READ ? strlen(line) : 0;
        if (result != LINE_READ) {
            code = result == LINE_INTERRUPTED ? EXIT_CODE_INTERRUPTED : EXIT_CODE_FAILED;
        } else if (header[0] == '\0') {
            keep_row(line, folder, list, stream, done);
        } else if (strncmp(header, line, length) == 0 && header[length] == '\n') {
            header += length + 1;
        } else {
            code = reject_options(summary->path);
        }
    }
    line_reader_close(&reader);
    return code;
}

/* --- The table -------------------------------------------------------------------- */

static int write_anew(const struct batch_summary *summary, const char *folder, const char *options,
                      const struct batch_list *list, bool *done)
{
    struct output_file file;
    char *header = NULL;
    size_t n_header;
    FILE *memory = open_memstream(&header, &n_header);
    if (memory == NULL)
        return messages_out_of_memory();
    write_header(memory, options);
    if (fclose(memory) != 0) {
        free(header);
        return messages_out_of_memory();
    }
    int code = output_file_open(&file, folder, file_name);
    if (code == EXIT_CODE_OK) {
        fputs(header, file.stream);
        if (access(summary->path, F_OK) == 0)
            code = keep_rows(summary, header, folder, list, file.stream, done);
        code = output_file_close(&file, code);
    }
    free(header);
    return code;
}

int batch_summary_open(struct batch_summary *summary, const char *folder, const char *options,
                       const struct batch_list *list, bool *done)
{
    *summary = (struct batch_summary){.path = output_folder_join(folder, file_name)};
    if (summary->path == NULL)
        return EXIT_CODE_FAILED;
    int code = write_anew(summary, folder, options, list, done);
    if (code != EXIT_CODE_OK)
        return code;
    summary->stream = fopen(summary->path, "a");
    if (summary->stream == NULL)
        return messages_file("write", summary->path);
    summary->writer = (struct ecsv_writer){.stream = summary->stream, .n_columns = N_COLUMNS};
    return EXIT_CODE_OK;
}

enum { PLANETS_MOST = 100 };

static size_t n_planets_of(const struct star_result *star)
{
    return star == NULL ? 0 : star->n_planets < PLANETS_MOST ? star->n_planets : PLANETS_MOST;
}

/* One number of each planet, as a list. */
static void write_planets(struct ecsv_writer *writer, const struct star_result *star,
                          equant_element element)
{
    double values[PLANETS_MOST];
    size_t n = n_planets_of(star);
    for (size_t i = 0; i < n; i++)
        values[i] = star->planets[i].values[element];
    ecsv_writer_numbers(writer, n, values);
}

/* Bounds and ends of the range of periods at a limit: null and "none" for
 * planets that are at none; no word at all where none is at one. */
static void write_limits(struct ecsv_writer *writer, const struct star_result *star)
{
    double bounds[PLANETS_MOST] = {0};
    char words[PLANETS_MOST * sizeof "shortest "] = "";
    size_t n = n_planets_of(star), used = 0;
    bool has_limit = false;
    for (size_t i = 0; i < n; i++) {
        const char *word = star_planet_limit_word(star->planets[i].at_limit);
        has_limit |= word != NULL;
        bounds[i] = word != NULL ? star->planets[i].period_days_bound : NAN;
        used += (size_t)snprintf(words + used, sizeof words - used, "%s%s", i > 0 ? " " : "",
                                 word != NULL ? word : "none");
    }
    ecsv_writer_numbers(writer, n, bounds);
    ecsv_writer_text(writer, has_limit ? words : "");
}

int batch_summary_add(struct batch_summary *summary, const char *name,
                      const struct star_result *star, double seconds, const char *sentence)
{
    struct ecsv_writer *writer = &summary->writer;
    const struct star_noise_parameter *rotation =
        star != NULL ? star_noise_rotation(&star->noise) : NULL;
    ecsv_writer_text(writer, name);
    ecsv_writer_text(writer, star != NULL ? "ok" : "failed");
    ecsv_writer_integer(writer, star != NULL ? (long long)star->summary.n_obs : 0);
    ecsv_writer_integer(writer, star != NULL ? (long long)star->n_planets : 0);
    for (size_t i = 0; i < COUNT(elements); i++)
        write_planets(writer, star, elements[i]);
    write_limits(writer, star);
    ecsv_writer_number(writer, rotation != NULL ? rotation->value : NAN);
    ecsv_writer_number(writer, star != NULL ? star->summary.rms_m_s : NAN);
    ecsv_writer_number(writer, seconds);
    ecsv_writer_text(writer, star != NULL ? "" : sentence);
    if (fflush(summary->stream) != 0)
        return messages_file("write", summary->path);
    return EXIT_CODE_OK;
}

void batch_summary_close(struct batch_summary *summary)
{
    if (summary->stream != NULL)
        fclose(summary->stream);
    free(summary->path);
    *summary = (struct batch_summary){0};
}
