#include "planning/star_list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/line_reader.h"
#include "files/number_text.h"
#include "terminal/messages.h"

static const char *const text_names[STAR_TEXTS] = {"run", "name",   "ra",
                                                   "dec", "target", "instrument"};
static const char *const number_names[STAR_NUMBERS] = {"pm_ra",    "pm_dec", "error", "exposure",
                                                       "overhead", "weight", "gap",   "most"};

enum { MOST_COLUMNS = 64, NOT_OURS = -1 };

/* What stands in each column: a text, or a number behind the texts. */
struct columns {
    size_t n;
    int what[MOST_COLUMNS];
};

/* Cuts the next cell off a line at a comma, blanks and quotes around it apart; NULL at its end. */
static char *next_cell(char **line)
{
    char *cell = *line, *end;
    if (cell == NULL)
        return NULL;
    char *comma = strchr(cell, ',');
    *line = comma != NULL ? comma + 1 : NULL;
    end = comma != NULL ? comma : cell + strlen(cell);
    while (cell < end && strchr(" \t\"", *cell) != NULL)
        cell++;
    while (end > cell && strchr(" \t\"", end[-1]) != NULL)
        end--;
    *end = '\0';
    return cell;
}

static int what_is(const char *name)
{
    for (int i = 0; i < STAR_TEXTS; i++)
        if (strcmp(name, text_names[i]) == 0)
            return i;
    for (int i = 0; i < STAR_NUMBERS; i++)
        if (strcmp(name, number_names[i]) == 0)
            return STAR_TEXTS + i;
    return NOT_OURS;
}

static int read_heading(const struct line_reader *reader, char *line, struct columns *columns)
{
    bool has[STAR_TEXTS] = {false};
    for (char *cell = next_cell(&line); cell != NULL; cell = next_cell(&line)) {
        if (columns->n == MOST_COLUMNS)
            return messages_failure("%s:%zu: there are more than %d columns", reader->name,
                                    reader->number, MOST_COLUMNS);
        int what = what_is(cell);
        columns->what[columns->n++] = what;
        if (what >= 0 && what < STAR_TEXTS)
            has[what] = true;
    }
    if (!has[STAR_RUN])
        return messages_failure("%s:%zu: there is no column 'run', which names the folders of runs",
                                reader->name, reader->number);
    return EXIT_CODE_OK;
}

static int read_row(const struct line_reader *reader, char *line, const struct columns *columns,
                    struct star_row *row)
{
    *row = (struct star_row){.numbers = {0}};
    for (int i = 0; i < STAR_NUMBERS; i++)
        row->numbers[i] = NAN;
    for (size_t k = 0; k < columns->n; k++) {
        const char *cell = next_cell(&line);
        int what = columns->what[k];
        if (cell == NULL || cell[0] == '\0' || what == NOT_OURS)
            continue;
        if (what < STAR_TEXTS)
            snprintf(row->texts[what], STAR_LIST_TEXT, "%s", cell);
        else if (!number_text_parse(cell, &row->numbers[what - STAR_TEXTS]))
            return messages_failure("%s:%zu: '%s' is no number, as '%s' is", reader->name,
                                    reader->number, cell, number_names[what - STAR_TEXTS]);
    }
    if (row->texts[STAR_RUN][0] == '\0')
        return messages_failure("%s:%zu: this star has no run", reader->name, reader->number);
    if (row->texts[STAR_NAME][0] == '\0')
        memcpy(row->texts[STAR_NAME], row->texts[STAR_RUN], STAR_LIST_TEXT);
    return EXIT_CODE_OK;
}

static int read_lines(struct line_reader *reader, struct star_list *list)
{
    struct columns columns = {.n = 0};
    enum line_result result;
    char *line;
    int code = EXIT_CODE_OK;
    while (code == EXIT_CODE_OK &&
           (result = line_reader_next_content(reader, &line)) == LINE_READ) {
        if (columns.n == 0) {
            code = read_heading(reader, line, &columns);
            continue;
        }
        struct star_row *larger = realloc(list->rows, (list->n + 1) * sizeof *larger);
        if (larger == NULL)
            return messages_out_of_memory();
        list->rows = larger;
        code = read_row(reader, line, &columns, &list->rows[list->n]);
        list->n += code == EXIT_CODE_OK;
    }
    if (code == EXIT_CODE_OK && result != LINE_END)
        return EXIT_CODE_FAILED;
    return code == EXIT_CODE_OK && list->n == 0
               ? messages_failure("%s: there are no stars in it", reader->name)
               : code;
}

int star_list_read(const char *path, struct star_list *list)
{
    struct line_reader reader;
    *list = (struct star_list){.n = 0};
    int code = line_reader_open(&reader, path);
    if (code != EXIT_CODE_OK)
        return code;
    code = read_lines(&reader, list);
    line_reader_close(&reader);
    return code;
}

void star_list_free(struct star_list *list)
{
    free(list->rows);
    *list = (struct star_list){.n = 0};
}
