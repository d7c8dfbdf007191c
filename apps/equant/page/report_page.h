/* A report as one page that needs nothing else: no network, no script, no other file. */
#ifndef EQUANT_APP_PAGE_REPORT_PAGE_H
#define EQUANT_APP_PAGE_REPORT_PAGE_H

#include <stdio.h>

#include "page/report_contents.h"

/* Same contents, same page. Returns an exit code, with a sentence on failure. */
int report_page_write(FILE *page, const struct report_contents *report);

#endif
