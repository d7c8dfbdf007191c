/* The page for browsers (web/page) with files in it, which it opens by itself. */
#ifndef EQUANT_APP_PAGE_VIEW_PAGE_H
#define EQUANT_APP_PAGE_VIEW_PAGE_H

#include <stddef.h>
#include <stdio.h>

/* Copies the file `page` to `out` with the bytes of the files at the place that it has for them,
 * under their names without folders. Returns an exit code, with a sentence on failure. */
int view_page_write(FILE *out, const char *page, size_t n_files, const char *const *paths);

#endif
