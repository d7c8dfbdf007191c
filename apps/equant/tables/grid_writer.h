/* Writes a table in the style that it was made for. */
#ifndef EQUANT_APP_TABLES_GRID_WRITER_H
#define EQUANT_APP_TABLES_GRID_WRITER_H

#include <stdio.h>

#include "tables/paper_grid.h"

/* `is_document` puts LaTeX into a document that compiles by itself. Returns an exit code, with a
 * sentence on failure. */
int grid_writer_write(FILE *stream, const struct paper_grid *grid, bool is_document);

/* The styles, one each. */
int grid_plain_write(FILE *stream, const struct paper_grid *grid);
int grid_latex_write(FILE *stream, const struct paper_grid *grid, bool is_document);
int grid_mrt_write(FILE *stream, const struct paper_grid *grid);
int grid_ecsv_write(FILE *stream, const struct paper_grid *grid);
int grid_votable_write(FILE *stream, const struct paper_grid *grid);

#endif
