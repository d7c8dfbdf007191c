/* Cells of a line of a table. Every reader of tables in the command cuts its lines here. */
#ifndef EQUANT_APP_FILES_TABLE_LINE_H
#define EQUANT_APP_FILES_TABLE_LINE_H

#include <stddef.h>

/* What separates the cells of a line, quoted text apart: a comma, a semicolon or a tab; a blank
 * where there is none of them, which stands for any run of blanks. */
char table_line_delimiter(const char *line);

/* Cuts the next cell off a line: without the blanks around it and without its quotes, which protect
 * delimiters; a doubled quote between quotes stands for one. A cell between two delimiters is
 * empty. Moves *cursor, which starts at the line; returns NULL behind the last cell. */
char *table_line_cell(char **cursor, char delimiter);

/* Number of cells of a line, which is left as it is. */
size_t table_line_count(const char *line, char delimiter);

#endif
