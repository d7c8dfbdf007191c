/* The sections of a report. Each writes itself whole; those that can fail return an exit code,
 * with a sentence on failure. */
#ifndef EQUANT_APP_PAGE_REPORT_SECTIONS_H
#define EQUANT_APP_PAGE_REPORT_SECTIONS_H

#include <stdio.h>

#include "page/report_contents.h"

/* report_planets.c: the planets in one table, with what an experienced eye notices; then one
 * by one. */
void report_overview_write(FILE *page, const struct report_contents *report);
int report_orbits_write(FILE *page, const struct report_contents *report);

/* report_probabilities.c: how many planets, which periods, and what was compared. */
void report_probabilities_write(FILE *page, const struct report_contents *report);

/* report_why.c: the rival models that came closest. */
void report_why_write(FILE *page, const struct report_contents *report);

/* report_data.c: instruments; residuals and what is left in them. */
void report_data_write(FILE *page, const struct report_contents *report);
void report_residuals_write(FILE *page, const struct report_contents *report);

/* report_posterior.c: diagnostics in words, a table, pairs of parameters. */
int report_posterior_write(FILE *page, const struct report_contents *report);

/* report_next.c: what is predicted, and when to observe. */
void report_next_write(FILE *page, const struct report_contents *report);

/* report_origin.c: how to make it again; what to cite. */
void report_repeat_write(FILE *page, const struct report_contents *report);
void report_citations_write(FILE *page, const struct report_contents *report);

/* report_style.c: the style sheet. */
void report_style_write(FILE *page);

#endif
