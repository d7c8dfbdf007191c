/* Machine-readable tables of the AAS journals: a description byte by byte, then columns of a fixed
 * width. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tables/grid_writer.h"
#include "terminal/messages.h"

#define LINE "--------------------------------------------------------------------------------\n"
#define DOUBLE_LINE                                                                                \
    "================================================================================\n"

enum { CELL_SIZE = 600 };

/* A cell as it stands in its column. */
static void print_cell(const struct paper_grid *grid, size_t row, size_t column,
                       char text[CELL_SIZE])
{
    const struct paper_cell *cell = paper_grid_at(grid, row, column);
    int decimals = grid->columns[column].decimals;
    if (cell->text != NULL)
        snprintf(text, CELL_SIZE, "%s", cell->text);
    else if (isnan(cell->number))
        text[0] = '\0';
    else if (decimals >= 0)
        snprintf(text, CELL_SIZE, "%.*f", decimals, cell->number);
    else
        snprintf(text, CELL_SIZE, "%.11g", cell->number);
}

struct mrt_column {
    size_t width;
    int decimals; /* the most behind a point */
    bool has_exponent, may_be_missing;
};

static struct mrt_column measure(const struct paper_grid *grid, size_t column)
{
    struct mrt_column made = {.width = 1};
    char text[CELL_SIZE];
    for (size_t r = 0; r < paper_grid_n_rows(grid); r++) {
        print_cell(grid, r, column, text);
        const char *point = strchr(text, '.');
        size_t n = strlen(text), n_decimals = point != NULL ? strspn(point + 1, "0123456789") : 0;
        made.width = n > made.width ? n : made.width;
        made.decimals = (int)n_decimals > made.decimals ? (int)n_decimals : made.decimals;
        made.has_exponent |= strchr(text, 'e') != NULL;
        made.may_be_missing |= n == 0;
    }
    return made;
}

/* As the CDS spells it. */
static const char *cds_unit(const char *unit)
{
    return unit[0] == '\0' ? "---" : strcmp(unit, "m / s") == 0 ? "m/s" : unit;
}

static void describe(FILE *stream, const struct paper_column *own, struct mrt_column form,
                     size_t first)
{
    char format[32];
    if (own->is_text)
        snprintf(format, sizeof format, "A%zu", form.width);
    else
        snprintf(format, sizeof format, "%c%zu.%d", form.has_exponent ? 'E' : 'F', form.width,
                 form.decimals);
    fprintf(stream, "%4zu-%4zu %-8s %-7s %-14s %s%s\n", first, first + form.width - 1, format,
            cds_unit(own->unit), own->name, form.may_be_missing ? "? " : "", own->meaning);
}

static void write_row(FILE *stream, const struct paper_grid *grid, const struct mrt_column *forms,
                      size_t row)
{
    char text[CELL_SIZE];
    for (size_t c = 0; c < grid->n_columns; c++) {
        int width = (int)forms[c].width;
        print_cell(grid, row, c, text);
        fputs(c == 0 ? "" : " ", stream);
        if (grid->columns[c].is_text)
            fprintf(stream, "%-*s", width, text);
        else
            fprintf(stream, "%*s", width, text);
    }
    fputc('\n', stream);
}

int grid_mrt_write(FILE *stream, const struct paper_grid *grid)
{
    struct mrt_column forms[PAPER_GRID_MOST_COLUMNS];
    size_t first = 1;
    fprintf(stream, "Title: \nAuthors: \nTable: %s\n" DOUBLE_LINE, grid->title);
    fputs("Byte-by-byte Description of file: table.txt\n" LINE, stream);
    fputs("    Bytes Format   Units   Label          Explanations\n" LINE, stream);
    for (size_t c = 0; c < grid->n_columns; c++) {
        forms[c] = measure(grid, c);
        describe(stream, &grid->columns[c], forms[c], first);
        first += forms[c].width + 1;
    }
    fputs(LINE, stream);
    for (size_t i = 0; i < grid->notes.n; i++)
        fprintf(stream, "Note (%zu): %s\n", i + 1, grid->notes.texts[i]);
    if (grid->notes.n > 0)
        fputs(LINE, stream);
    for (size_t r = 0; r < paper_grid_n_rows(grid); r++)
        write_row(stream, grid, forms, r);
    return EXIT_CODE_OK;
}
