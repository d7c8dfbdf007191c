/* Text for a page, whatever is in it: names of files and stars come from anywhere. */
#ifndef EQUANT_APP_FILES_HTML_H
#define EQUANT_APP_FILES_HTML_H

#include <stdio.h>

#include "terminal/measured_value.h"

/* Text or the value of an attribute: what HTML would take for markup is escaped, control
 * characters become blanks, what is not UTF-8 becomes U+FFFD. */
void html_text(FILE *page, const char *text);
/* The first n bytes of it. */
void html_text_n(FILE *page, const char *text, size_t n);

/* A number as papers print it: true minus, "2.6 × 10" and its exponent for "2.6e-13". */
void html_number(FILE *page, const char *number);

/* "1.81 ± 0.22" as it is; "2.22 +0.31 -0.25" with its two ends one above the other. */
void html_measured(FILE *page, struct measured_value value);

#endif
