/* Options that results depend on, as a line that can be compared: " --fap 0.01 --noise night". */
#ifndef EQUANT_APP_OPTIONS_OPTION_LINE_H
#define EQUANT_APP_OPTIONS_OPTION_LINE_H

#include <stddef.h>

#include "options/data_source.h"

/* Zero and NULL are what was not given: nothing is added. */
void option_line_number(char *line, size_t n, const char *option, double value);
void option_line_text(char *line, size_t n, const char *option, const char *text);

/* How files are read. */
void option_line_source(char *line, size_t n, const struct data_source *source);

#endif
