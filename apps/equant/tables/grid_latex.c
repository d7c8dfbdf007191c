/* LaTeX: a deluxetable of AASTeX, or a tabular between rules as A&A has them. */
#include <math.h>

#include "tables/grid_writer.h"
#include "terminal/messages.h"

static void write_columns(FILE *stream, const struct paper_grid *grid)
{
    for (size_t c = 0; c < grid->n_columns; c++)
        fputc(grid->columns[c].is_text && c < 2 ? 'l'
              : grid->columns[c].is_text        ? 'c'
                                                : 'r',
              stream);
}

static void write_cell(FILE *stream, const struct paper_grid *grid, size_t row, size_t column)
{
    const struct paper_cell *cell = paper_grid_at(grid, row, column);
    const char *nothing = grid->style == PAPER_AASTEX ? "\\nodata" : "\\dots";
    if (cell->text != NULL)
        fputs(cell->text, stream);
    else if (isnan(cell->number))
        fputs(nothing, stream);
    else
        fprintf(stream, "$%.*f$", grid->columns[column].decimals, cell->number);
}

static void write_section(FILE *stream, const struct paper_grid *grid, const char *text)
{
    if (grid->style == PAPER_AASTEX)
        fprintf(stream, "\\hline\n\\multicolumn{%zu}{c}{%s} \\\\\n\\hline\n", grid->n_columns,
                text);
    else
        fprintf(stream, "\\hline\n\\multicolumn{%zu}{c}{\\textit{%s}} \\\\\n\\hline\n",
                grid->n_columns, text);
}

static void write_rows(FILE *stream, const struct paper_grid *grid)
{
    size_t n = paper_grid_n_rows(grid);
    for (size_t r = 0; r < n; r++) {
        if (paper_grid_at(grid, r, 0)->is_section) {
            write_section(stream, grid, paper_grid_at(grid, r, 0)->text);
            continue;
        }
        for (size_t c = 0; c < grid->n_columns; c++) {
            fputs(c == 0 ? "" : " & ", stream);
            write_cell(stream, grid, r, c);
        }
        /* The last row of a deluxetable has no end of its own. */
        fputs(grid->style == PAPER_AASTEX && r + 1 == n ? "\n" : " \\\\\n", stream);
    }
}

static void write_notes(FILE *stream, const struct paper_grid *grid)
{
    for (size_t i = 0; i < grid->notes.n; i++)
        fprintf(stream, "%s%s", i == 0 ? "" : " ", grid->notes.texts[i]);
}

static void write_aastex(FILE *stream, const struct paper_grid *grid)
{
    fputs("\\begin{deluxetable*}{", stream);
    write_columns(stream, grid);
    fprintf(stream, "}\n\\tablecaption{%s\\label{%s}}\n\\tablehead{\n", grid->title, grid->label);
    for (size_t c = 0; c < grid->n_columns; c++)
        fprintf(stream, "%s\\colhead{%s}", c == 0 ? "" : " & ", grid->columns[c].heading);
    fputs("\n}\n\\startdata\n", stream);
    write_rows(stream, grid);
    fputs("\\enddata\n", stream);
    if (grid->notes.n > 0) {
        fputs("\\tablecomments{", stream);
        write_notes(stream, grid);
        fputs("}\n", stream);
    }
    fputs("\\end{deluxetable*}\n", stream);
}

static void write_aa(FILE *stream, const struct paper_grid *grid)
{
    fprintf(stream,
            "\\begin{table*}\n\\caption{%s.}\n\\label{%s}\n\\centering\n"
            "\\renewcommand{\\arraystretch}{1.3}\n\\begin{tabular}{",
            grid->title, grid->label);
    write_columns(stream, grid);
    fputs("}\n\\hline\\hline\n", stream);
    for (size_t c = 0; c < grid->n_columns; c++)
        fprintf(stream, "%s%s", c == 0 ? "" : " & ", grid->columns[c].heading);
    fputs(" \\\\\n\\hline\n", stream);
    write_rows(stream, grid);
    fputs("\\hline\n\\end{tabular}\n", stream);
    if (grid->notes.n > 0) {
        fputs("\\par\\smallskip{\\footnotesize\\textbf{Notes.} ", stream);
        write_notes(stream, grid);
        fputs("}\n", stream);
    }
    fputs("\\end{table*}\n", stream);
}

int grid_latex_write(FILE *stream, const struct paper_grid *grid, bool is_document)
{
    bool is_aastex = grid->style == PAPER_AASTEX;
    if (is_document)
        fprintf(stream, "\\documentclass{%s}\n\\usepackage[utf8]{inputenc}\n%s\\begin{document}\n",
                is_aastex ? "aastex631" : "article",
                /* As wide as both columns of the journal. */
                is_aastex ? ""
                          : "\\usepackage{amsmath}\n"
                            "\\usepackage[a4paper,textwidth=18cm]{geometry}\n");
    if (is_aastex)
        write_aastex(stream, grid);
    else
        write_aa(stream, grid);
    if (is_document)
        fputs("\\end{document}\n", stream);
    return EXIT_CODE_OK;
}
