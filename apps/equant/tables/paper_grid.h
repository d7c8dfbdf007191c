/* A table for a paper as its contents: columns with names, headings and units, and cells that are
 * numbers or texts; grid_writer.h writes it in the style of a journal or of a format. */
#ifndef EQUANT_APP_TABLES_PAPER_GRID_H
#define EQUANT_APP_TABLES_PAPER_GRID_H

#include <stdbool.h>
#include <stddef.h>

#include "terminal/text_list.h"

enum paper_style { PAPER_PLAIN, PAPER_AASTEX, PAPER_AA, PAPER_MRT, PAPER_ECSV, PAPER_VOTABLE };

enum { PAPER_GRID_MOST_COLUMNS = 32 };

struct paper_column {
    char name[64];       /* in formats for machines                               */
    char heading[96];    /* for people, in LaTeX where the style is               */
    const char *unit;    /* as astropy has it; "": none                           */
    const char *meaning; /* a few words                                           */
    bool is_text;
    int decimals; /* of numbers, for people and in MRT                            */
};

struct paper_cell {
    char *text;    /* NULL: a number */
    double number; /* NaN: nothing   */
    bool is_section;
};

struct paper_grid {
    enum paper_style style;
    char title[160], label[64];
    size_t n_columns, n_cells, capacity;
    struct paper_column columns[PAPER_GRID_MOST_COLUMNS];
    struct paper_cell *cells; /* row by row */
    struct text_list notes;   /* what a reader has to know, in LaTeX where the style is */
    bool has_failed;          /* memory has run out, which paper_grid_check says */
};

/* Styles that people read show values with their errors; the others have them in columns. */
bool paper_grid_is_for_people(const struct paper_grid *grid);
bool paper_grid_is_latex(const struct paper_grid *grid);

/* "Parameters of HD 164922"; a star without a name is left out. */
void paper_grid_set_title(struct paper_grid *grid, const char *star_name, const char *what);

void paper_grid_add_text_column(struct paper_grid *grid, const char *name, const char *heading,
                                const char *meaning);
void paper_grid_add_column(struct paper_grid *grid, struct paper_column column);
/* Cells of a row, one call each, in the order of the columns. */
__attribute__((format(printf, 2, 3))) void paper_grid_add_text(struct paper_grid *grid,
                                                               const char *format, ...);
void paper_grid_add_number(struct paper_grid *grid, double value);
/* A row that is a heading for those below. */
void paper_grid_add_section(struct paper_grid *grid, const char *text);

/* A sentence below the table, protected where the style is LaTeX. */
__attribute__((format(printf, 2, 3))) void paper_grid_add_note(struct paper_grid *grid,
                                                               const char *format, ...);

size_t paper_grid_n_rows(const struct paper_grid *grid);
const struct paper_cell *paper_grid_at(const struct paper_grid *grid, size_t row, size_t column);

/* Returns an exit code, with a sentence where a cell could not be kept. */
int paper_grid_check(const struct paper_grid *grid);
void paper_grid_free(struct paper_grid *grid);

/* A text with what LaTeX would take for its own protected. */
struct paper_escaped {
    char text[256];
};
struct paper_escaped paper_grid_escape(const char *text);

/* A name as a subscript of math mode: "_\mathrm{HIRES}"; as text, which keeps blanks and hyphens,
 * where it is more than letters and digits: "_{\textnormal{HARPS-N}}". "" where there is none. */
struct paper_escaped paper_grid_subscript(const char *name);

#endif
