#include "results/catalogue_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/ecsv_writer.h"
#include "terminal/messages.h"

static const struct ecsv_column columns[] = {
    {"source_id", ECSV_INTEGER, NULL, NULL},
    {"n_transits", ECSV_INTEGER, NULL, NULL},
    {"verdict", ECSV_TEXT, NULL, "5p, 7p, 9p, orbit or scan_angle"},
    {"parallax_mas", ECSV_NUMBER, "mas", NULL},
    {"parallax_mas_err", ECSV_NUMBER, "mas", NULL},
    {"pm_ra_mas_yr", ECSV_NUMBER, "mas / yr", NULL},
    {"pm_ra_mas_yr_err", ECSV_NUMBER, "mas / yr", NULL},
    {"pm_dec_mas_yr", ECSV_NUMBER, "mas / yr", NULL},
    {"pm_dec_mas_yr_err", ECSV_NUMBER, "mas / yr", NULL},
    {"chi2_5p", ECSV_NUMBER, NULL, NULL},
    {"chi2_orbit", ECSV_NUMBER, NULL, NULL},
    {"chi2_scan_angle", ECSV_NUMBER, NULL, NULL},
    {"gain", ECSV_NUMBER, NULL, "in ln L of the best orbit"},
    {"fap", ECSV_NUMBER, NULL, "that noise gains as much"},
    {"period_days", ECSV_NUMBER, "d", NULL},
    {"eccentricity", ECSV_NUMBER, NULL, NULL},
    {"a0_mas", ECSV_NUMBER, "mas", NULL},
    {"a0_mas_err", ECSV_NUMBER, "mas", NULL},
    {"flags", ECSV_TEXT, NULL, NULL},
};
enum { N_COLUMNS = sizeof columns / sizeof *columns, HEADER_LENGTH = 512 };

static bool is_ecsv(const char *path)
{
    size_t n = strlen(path);
    return n > 5 && strcmp(path + n - 5, ".ecsv") == 0;
}

static void write_names(char names[HEADER_LENGTH])
{
    size_t n = 0;
    for (size_t i = 0; i < N_COLUMNS; i++)
        n += (size_t)snprintf(names + n, HEADER_LENGTH - n, "%s%s", i ? "," : "", columns[i].name);
}

static int start(struct catalogue_table *table)
{
    char names[HEADER_LENGTH];
    table->stream = fopen(table->path, "w"); /* what is there is empty */
    if (table->stream == NULL)
        return messages_file("write", table->path);
    write_names(names);
    if (is_ecsv(table->path))
        ecsv_writer_start(table->stream, N_COLUMNS, columns, 0, NULL);
    else
        fprintf(table->stream, "%s\n", names);
    return EXIT_CODE_OK;
}

/* Notes whose row a line is. */
static int note(struct catalogue_table *table, const char *line, size_t *capacity)
{
    if (table->n_done == *capacity) {
        size_t more = 2 * *capacity + 1024;
        void *grown = realloc(table->ids, more * sizeof *table->ids);
        if (grown == NULL)
            return messages_out_of_memory();
        table->ids = grown;
        *capacity = more;
    }
    snprintf(table->ids[table->n_done++], sizeof *table->ids, "%.*s", (int)strcspn(line, ","),
             line);
    return EXIT_CODE_OK;
}

/* Reads what is there, and where its last whole line ends. */
static int read_rows(struct catalogue_table *table, FILE *stream, long *end)
{
    char names[HEADER_LENGTH], *line = NULL;
    size_t size = 0, capacity = 0;
    bool has_names = false;
    int code = EXIT_CODE_OK;
    write_names(names);
    ssize_t length;
    while (code == EXIT_CODE_OK && (length = getline(&line, &size, stream)) > 0 &&
           line[length - 1] == '\n') {
        line[length - 1] = '\0';
        if (has_names)
            code = note(table, line, &capacity);
        else if (strcmp(line, names) == 0)
            has_names = true;
        else if (line[0] != '#')
            break;
        *end = ftell(stream);
    }
    free(line);
    if (code == EXIT_CODE_OK && !has_names)
        return messages_failure("%s: this is no table of `equant catalogue`; name another",
                                table->path);
    return code;
}

static int go_on(struct catalogue_table *table)
{
    long end = 0;
    table->stream = fopen(table->path, "r+");
    if (table->stream == NULL)
        return messages_file("write", table->path);
    int code = read_rows(table, table->stream, &end);
    if (code == EXIT_CODE_OK &&
        (fseek(table->stream, end, SEEK_SET) != 0 || ftruncate(fileno(table->stream), end) != 0))
        return messages_file("write", table->path);
    return code;
}

int catalogue_table_open(struct catalogue_table *table, const char *path, bool goes_on)
{
    struct stat about;
    bool is_there = stat(path, &about) == 0 && about.st_size > 0;
    *table = (struct catalogue_table){.path = path};
    if (is_there && !goes_on)
        return messages_failure("%s is there already; go on with it by --resume, or name another",
                                path);
    int code = is_there ? go_on(table) : start(table);
    if (code != EXIT_CODE_OK && table->stream != NULL)
        fclose(table->stream);
    if (code != EXIT_CODE_OK)
        free(table->ids);
    return code;
}

bool catalogue_table_has(const struct catalogue_table *table, size_t number,
                         const equant_astrometry *source)
{
    char id[24];
    snprintf(id, sizeof id, "%" PRId64, equant_astrometry_source_id(source));
    return strcmp(id, table->ids[number]) == 0;
}

/* A cell that has no number stays empty. */
static void write_number(FILE *stream, double value)
{
    if (isfinite(value))
        fprintf(stream, ",%.12g", value);
    else
        fputc(',', stream);
}

static void write_row(FILE *stream, const equant_sky_catalogue_row *row)
{
    const double numbers[] = {row->parallax_mas,
                              row->parallax_mas_err,
                              row->pm_ra_mas_yr,
                              row->pm_ra_mas_yr_err,
                              row->pm_dec_mas_yr,
                              row->pm_dec_mas_yr_err,
                              row->chi_square_5p,
                              row->chi_square_orbit,
                              row->chi_square_scan_angle,
                              row->gain,
                              row->false_alarm,
                              row->period_days,
                              row->eccentricity,
                              row->a0_mas,
                              row->a0_mas_err};
    fprintf(stream, "%" PRId64 ",%zu,%s", row->source_id, row->n_transits,
            row->is_solved ? equant_sky_verdict_name(row->verdict) : "");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        write_number(stream, numbers[i]);
    fputc(',', stream);
    for (const char *c = row->flags; *c != '\0'; c++) /* commas part cells */
        if (*c != ' ')
            fputc(*c == ',' ? ';' : *c, stream);
    fputc('\n', stream);
}

int catalogue_table_add(struct catalogue_table *table, size_t n,
                        const equant_sky_catalogue_row *rows)
{
    for (size_t i = 0; i < n; i++)
        write_row(table->stream, &rows[i]);
    if (fflush(table->stream) != 0)
        return messages_file("write", table->path);
    return EXIT_CODE_OK;
}

int catalogue_table_close(struct catalogue_table *table, int code)
{
    free(table->ids);
    if (fclose(table->stream) != 0 && code == EXIT_CODE_OK)
        return messages_file("write", table->path);
    return code;
}
