#include "planning/star_list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "files/line_reader.h"
#include "files/number_text.h"
#include "files/table_line.h"
#include "options/command_line.h"
#include "terminal/messages.h"
#include "terminal/text_line.h"

static const char *const names[STAR_TEXTS + STAR_NUMBERS] = {
    "run",    "name",  "ra",       "dec",      "target", "instrument", "pm_ra",
    "pm_dec", "error", "exposure", "overhead", "weight", "gap",        "most"};

enum { N_NAMES = STAR_TEXTS + STAR_NUMBERS };

/* What stands in each column: a text, or a number behind the texts. */
struct columns {
    size_t n;
    char delimiter;
    int what[N_NAMES];
};

/* A column that is read by nobody may be one that was meant: it is refused. */
static int reject_name(const struct line_reader *reader, const char *name)
{
    const char *nearest = command_line_nearest(name, names, N_NAMES);
    if (nearest != NULL)
        return messages_failure("%s:%zu: there is no column '%.80s'; did you mean '%s'?",
                                reader->name, reader->number, name, nearest);
    char known[256] = "";
    for (int i = 0; i < N_NAMES; i++)
        text_line_append(known, sizeof known, "%s%s", i > 0 ? ", " : "", names[i]);
    return messages_failure("%s:%zu: there is no column '%.80s'; columns are %s", reader->name,
                            reader->number, name, known);
}

static int read_heading(const struct line_reader *reader, char *line, struct columns *columns)
{
    bool has[N_NAMES] = {false};
    const char *cell;
    columns->delimiter = table_line_delimiter(line);
    while ((cell = table_line_cell(&line, columns->delimiter)) != NULL) {
        int what = 0;
        while (what < N_NAMES && strcasecmp(cell, names[what]) != 0)
            what++;
        if (what == N_NAMES)
            return reject_name(reader, cell);
        if (has[what])
            return messages_failure("%s:%zu: column '%s' is there twice", reader->name,
                                    reader->number, names[what]);
        has[what] = true;
        columns->what[columns->n++] = what;
    }
    if (!has[STAR_RUN])
        return messages_failure("%s:%zu: there is no column 'run', which names the folders of runs",
                                reader->name, reader->number);
    return EXIT_CODE_OK;
}

/* Weights, overheads and gaps may be zero, motions may be negative; a star is observed a whole
 * number of times. */
static bool is_possible(enum star_number which, double value)
{
    if (!isfinite(value))
        return false;
    switch (which) {
    case STAR_PM_RA:
    case STAR_PM_DEC:
        return true;
    case STAR_OVERHEAD:
    case STAR_WEIGHT:
    case STAR_GAP:
        return value >= 0.0;
    case STAR_MOST:
        return value >= 1.0 && value <= 1e9 && value == floor(value);
    default:
        return value > 0.0;
    }
}

static int read_cell(const struct line_reader *reader, const char *cell, int what,
                     struct star_row *row)
{
    int number = what - STAR_TEXTS;
    if (cell[0] == '\0')
        return EXIT_CODE_OK;
    if (number < 0) {
        if (strlen(cell) >= STAR_LIST_TEXT)
            return messages_failure("%s:%zu: this %s is longer than %d bytes", reader->name,
                                    reader->number, names[what], STAR_LIST_TEXT - 1);
        snprintf(row->texts[what], STAR_LIST_TEXT, "%s", cell);
        return EXIT_CODE_OK;
    }
    if (!number_text_parse(cell, &row->numbers[number]))
        return messages_failure("%s:%zu: '%.80s' is no number, as '%s' is", reader->name,
                                reader->number, cell, names[what]);
    if (!is_possible((enum star_number)number, row->numbers[number]))
        return messages_failure("%s:%zu: '%s' cannot be %.80s", reader->name, reader->number,
                                names[what], cell);
    return EXIT_CODE_OK;
}

static int read_row(const struct line_reader *reader, char *line, const struct columns *columns,
                    struct star_row *row)
{
    *row = (struct star_row){.numbers = {0}};
    for (int i = 0; i < STAR_NUMBERS; i++)
        row->numbers[i] = NAN;
    size_t n_cells = table_line_count(line, columns->delimiter);
    if (n_cells != columns->n)
        return messages_failure("%s:%zu: this row has %zu columns, the header has %zu; quote a "
                                "cell that contains '%c'",
                                reader->name, reader->number, n_cells, columns->n,
                                columns->delimiter);
    for (size_t k = 0; k < columns->n; k++) {
        const char *cell = table_line_cell(&line, columns->delimiter);
        int code = read_cell(reader, cell, columns->what[k], row);
        if (code != EXIT_CODE_OK)
            return code;
    }
    if (row->texts[STAR_RUN][0] == '\0')
        return messages_failure("%s:%zu: this star has no run", reader->name, reader->number);
    if (row->texts[STAR_NAME][0] == '\0')
        memcpy(row->texts[STAR_NAME], row->texts[STAR_RUN], STAR_LIST_TEXT);
    row->line = reader->number;
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
