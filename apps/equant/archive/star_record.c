#include "archive/star_record.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/system_file.h"
#include "platform/system_stream.h"
#include "text/ecsv_writer.h"
#include "files/input_file.h"
#include "files/output_file.h"
#include "files/output_folder.h"
#include "files/quantity_kind.h"
#include "results/fit_folder.h"
#include "results/sample_folder.h"
#include "terminal/messages.h"

static const char *const status_words[] = {[STAR_NONE] = "none",
                                           [STAR_RUNNING] = "running",
                                           [STAR_OK] = "ok",
                                           [STAR_FAILED] = "failed",
                                           [STAR_LOST] = "lost"};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Of each planet. */
static const equant_element elements[] = {EQUANT_ELEMENT_PERIOD, EQUANT_ELEMENT_K,
                                          EQUANT_ELEMENT_ECCENTRICITY};

static const struct ecsv_column columns_before[] = {
    {"name", ECSV_TEXT, NULL, "of the star and its folder"},
    {"status", ECSV_TEXT, NULL, "ok, failed, lost (crashed or out of time), or running"},
    {"attempts", ECSV_INTEGER, NULL, "how often it was begun"},
    {"n_obs", ECSV_INTEGER, NULL, NULL},
    {"n_planets", ECSV_INTEGER, NULL, "of the model, candidates among them"},
    {"n_candidates", ECSV_INTEGER, NULL, "planets of a probability below the threshold"},
};

static const struct ecsv_column columns_behind[] = {
    {"probability", ECSV_NUMBERS, NULL,
     "that each planet is there: those below the threshold, 0.95, are candidates"},
    {"period_days_bound", ECSV_NUMBERS, "d", "of each planet; of a period at a limit alone"},
    {"at_limit", ECSV_TEXT, NULL, "end of the range at which each period lies: longest, shortest"},
    {"rotation_days", ECSV_NUMBER, "d", "in which the star turns, where its noise determines it"},
    {"rms_m_s", ECSV_NUMBER, "m / s", "of the residuals"},
    {"seconds", ECSV_NUMBER, "s", "that the fit took"},
    {"message", ECSV_TEXT, NULL, "why it failed"},
};

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

/* null for planets that were given. */
static void write_probabilities(struct ecsv_writer *writer, const struct star_result *star)
{
    double values[PLANETS_MOST];
    size_t n = n_planets_of(star);
    for (size_t i = 0; i < n; i++)
        values[i] = star->planets[i].probability;
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

static void write_row(struct ecsv_writer *writer, const struct star_entry *entry)
{
    const struct star_result *star = entry->star;
    ecsv_writer_text(writer, entry->name);
    ecsv_writer_text(writer, status_words[entry->status]);
    ecsv_writer_integer(writer, entry->attempts);
    ecsv_writer_integer(writer, star != NULL ? (long long)star->summary.n_obs : 0);
    ecsv_writer_integer(writer, star != NULL ? (long long)star->n_planets : 0);
    ecsv_writer_integer(writer, star != NULL ? (long long)star_result_n_candidates(star) : 0);
    for (size_t i = 0; i < COUNT(elements); i++)
        write_planets(writer, star, elements[i]);
    write_probabilities(writer, star);
    write_limits(writer, star);
    ecsv_writer_number(writer, star != NULL ? star->noise.rotation_days : NAN);
    ecsv_writer_number(writer, star != NULL ? star->summary.rms_m_s : NAN);
    ecsv_writer_number(writer, entry->seconds);
    ecsv_writer_text(writer, entry->message);
}

const struct output_member star_record_members[] = {
    {STAR_RECORD_FILE,
     {.what = "the record of a star", .beginning = STAR_RECORD_BEGINNING, .is_maintained = true}},
    {0}};

int star_record_write(const char *folder, const char *options, const struct star_entry *entry)
{
    struct output_file file;
    int code = output_file_open(&file, folder, STAR_RECORD_FILE, star_record_members);
    if (code != EXIT_CODE_OK)
        return code;
    struct ecsv_writer writer = write_header(file.stream, options);
    write_row(&writer, entry);
    return output_file_close(&file, EXIT_CODE_OK);
}

char *star_record_header(const char *options)
{
    char *header = NULL;
    size_t n_header;
    FILE *memory = system_stream_to_text(&header, &n_header);
    if (memory != NULL)
        write_header(memory, options);
    if (memory == NULL || !system_stream_close_text(memory)) {
        free(header);
        messages_out_of_memory();
        return NULL;
    }
    return header;
}

/* --- Reading --------------------------------------------------------------------- */

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
    return length > 1 && row[0] == '"' && n_commas == N_COLUMNS - 1 && !is_quoted &&
           row[length - 1] == '"';
}

/* The whole file in new memory; NULL with EXIT_CODE_OK where there is none. */
static int read_text(const char *path, char **text)
{
    enum { MOST = 1 << 20 };
    FILE *stream = input_file_open(path);
    *text = NULL;
    if (stream == NULL)
        return errno == ENOENT || errno == ENOTDIR ? EXIT_CODE_OK : messages_file("read", path);
    char *buffer = NULL;
    size_t n = 0, n_read = 1;
    while (n_read > 0 && n < MOST) {
        char *longer = realloc(buffer, 2 * n + 4096);
        if (longer == NULL)
            break;
        buffer = longer;
        n_read = fread(buffer + n, 1, n + 4095, stream);
        n += n_read;
    }
    bool is_read = n_read == 0 && !ferror(stream);
    fclose(stream);
    if (!is_read) {
        free(buffer);
        return n < MOST ? messages_file("read", path)
                        : messages_failure("%s: it is no record of a star", path);
    }
    buffer[n] = '\0';
    *text = buffer;
    return EXIT_CODE_OK;
}

/* Cuts the text into header and row. */
static int split(char *text, struct star_record *record)
{
    size_t length = strlen(text);
    if (length > 0 && text[length - 1] == '\n')
        text[--length] = '\0';
    char *end = strrchr(text, '\n');
    if (strncmp(text, "# %ECSV", 7) == 0 && end != NULL && is_complete(end + 1)) {
        record->row = strdup(end + 1);
        end[1] = '\0';
        record->header = strdup(text);
        if (record->row == NULL || record->header == NULL)
            return messages_out_of_memory();
    }
    return EXIT_CODE_OK;
}

/* Behind the name: ,"status",attempts, */
static void read_status(struct star_record *record)
{
    const char *at = strchr(record->row + 1, '"') + 1;
    for (size_t i = 0; i < COUNT(status_words); i++) {
        size_t n = strlen(status_words[i]);
        if (strncmp(at, ",\"", 2) == 0 && strncmp(at + 2, status_words[i], n) == 0 &&
            strncmp(at + 2 + n, "\",", 2) == 0) {
            record->status = (enum star_status)i;
            record->attempts = atoi(at + 4 + n);
        }
    }
}

static int find_member(const char *folder, const char *name, bool *is_there)
{
    char *path = output_folder_join(folder, name);
    *is_there = *is_there || (path != NULL && system_file_exists(path));
    int code = path == NULL ? EXIT_CODE_FAILED : EXIT_CODE_OK;
    free(path);
    return code;
}

/* Of a fit or of a run; folders of both are none of one batch. */
static int find_result(const char *folder, bool *is_there)
{
    *is_there = false;
    int code = find_member(folder, FIT_FOLDER_MARK, is_there);
    return code == EXIT_CODE_OK ? find_member(folder, SAMPLE_FOLDER_MARK, is_there) : code;
}

int star_record_read(const char *folder, struct star_record *record)
{
    char *path = output_folder_join(folder, STAR_RECORD_FILE), *text = NULL;
    bool has_result = true;
    *record = (struct star_record){0};
    int code = path == NULL ? EXIT_CODE_FAILED : read_text(path, &text);
    if (code == EXIT_CODE_OK && text != NULL)
        code = split(text, record);
    if (code == EXIT_CODE_OK && record->row != NULL)
        read_status(record);
    if (code == EXIT_CODE_OK && record->status == STAR_OK)
        code = find_result(folder, &has_result);
    if (!has_result)
        record->status = STAR_NONE;
    free(text);
    free(path);
    return code;
}

void star_record_free(struct star_record *record)
{
    free(record->header);
    free(record->row);
    *record = (struct star_record){0};
}

char *star_record_name(const struct star_record *record)
{
    char *name = strndup(record->row + 1, strcspn(record->row + 1, "\""));
    if (name == NULL)
        messages_out_of_memory();
    return name;
}
