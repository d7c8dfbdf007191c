#include "tables/paper_grid.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/messages.h"

bool paper_grid_is_for_people(const struct paper_grid *grid)
{
    return grid->style == PAPER_PLAIN || paper_grid_is_latex(grid);
}

bool paper_grid_is_latex(const struct paper_grid *grid)
{
    return grid->style == PAPER_AASTEX || grid->style == PAPER_AA;
}

void paper_grid_set_title(struct paper_grid *grid, const char *star_name, const char *what)
{
    struct paper_escaped escaped = paper_grid_escape(star_name);
    snprintf(grid->title, sizeof grid->title, "%s%s%.100s", what,
             star_name[0] != '\0' ? " of " : "",
             paper_grid_is_latex(grid) ? escaped.text : star_name);
}

void paper_grid_add_text_column(struct paper_grid *grid, const char *name, const char *heading,
                                const char *meaning)
{
    struct paper_column column = {.unit = "", .meaning = meaning, .is_text = true};
    snprintf(column.name, sizeof column.name, "%s", name);
    snprintf(column.heading, sizeof column.heading, "%s", heading);
    paper_grid_add_column(grid, column);
}

void paper_grid_add_column(struct paper_grid *grid, struct paper_column column)
{
    if (grid->n_columns < PAPER_GRID_MOST_COLUMNS)
        grid->columns[grid->n_columns++] = column;
}

static void add_cell(struct paper_grid *grid, struct paper_cell cell)
{
    if (grid->n_cells == grid->capacity) {
        size_t capacity = 2 * grid->capacity + 64;
        struct paper_cell *cells = realloc(grid->cells, capacity * sizeof *cells);
        if (cells == NULL) {
            grid->has_failed = true;
            free(cell.text);
            return;
        }
        grid->cells = cells;
        grid->capacity = capacity;
    }
    grid->cells[grid->n_cells++] = cell;
}

void paper_grid_add_text(struct paper_grid *grid, const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    char *text = strdup(line);
    grid->has_failed |= text == NULL;
    add_cell(grid, (struct paper_cell){.text = text, .number = NAN});
}

void paper_grid_add_number(struct paper_grid *grid, double value)
{
    add_cell(grid, (struct paper_cell){.number = value});
}

void paper_grid_add_section(struct paper_grid *grid, const char *text)
{
    size_t first = grid->n_cells;
    for (size_t i = 0; i < grid->n_columns; i++)
        paper_grid_add_text(grid, "%s", i == 0 ? text : "");
    if (first < grid->n_cells)
        grid->cells[first].is_section = true;
}

void paper_grid_add_note(struct paper_grid *grid, const char *format, ...)
{
    char note[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(note, sizeof note, format, arguments);
    va_end(arguments);
    text_list_add(&grid->notes, "%s",
                  paper_grid_is_latex(grid) ? paper_grid_escape(note).text : note);
}

size_t paper_grid_n_rows(const struct paper_grid *grid)
{
    return grid->n_columns > 0 ? grid->n_cells / grid->n_columns : 0;
}

const struct paper_cell *paper_grid_at(const struct paper_grid *grid, size_t row, size_t column)
{
    return &grid->cells[row * grid->n_columns + column];
}

int paper_grid_check(const struct paper_grid *grid)
{
    return grid->has_failed || grid->notes.out_of_memory ? messages_out_of_memory() : EXIT_CODE_OK;
}

void paper_grid_free(struct paper_grid *grid)
{
    for (size_t i = 0; i < grid->n_cells; i++)
        free(grid->cells[i].text);
    free(grid->cells);
    text_list_free(&grid->notes);
}

struct paper_escaped paper_grid_escape(const char *text)
{
    static const char *const replacements[][2] = {{"\\", "\\textbackslash{}"},
                                                  {"~", "\\textasciitilde{}"},
                                                  {"^", "\\textasciicircum{}"},
                                                  {"&", "\\&"},
                                                  {"%", "\\%"},
                                                  {"$", "\\$"},
                                                  {"#", "\\#"},
                                                  {"_", "\\_"},
                                                  {"{", "\\{"},
                                                  {"}", "\\}"}};
    struct paper_escaped made = {""};
    size_t n = 0;
    for (; *text != '\0'; text++) {
        char own[2] = {*text, '\0'};
        const char *written = own;
        for (size_t i = 0; i < sizeof replacements / sizeof replacements[0]; i++)
            if (*text == replacements[i][0][0])
                written = replacements[i][1];
        if (n + strlen(written) >= sizeof made.text)
            break;
        n += (size_t)sprintf(made.text + n, "%s", written);
    }
    return made;
}

struct paper_escaped paper_grid_subscript(const char *name)
{
    struct paper_escaped made = {""};
    bool is_plain = true;
    for (const char *c = name; *c != '\0'; c++)
        is_plain = is_plain && (unsigned char)*c < 0x80 && isalnum((unsigned char)*c);
    if (name[0] != '\0' && is_plain)
        snprintf(made.text, sizeof made.text, "_\\mathrm{%.200s}", name);
    else if (name[0] != '\0')
        snprintf(made.text, sizeof made.text, "_{\\textnormal{%.230s}}",
                 paper_grid_escape(name).text);
    return made;
}
