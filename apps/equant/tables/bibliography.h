/* What a paper has to cite for a fit or a run, in BibTeX. */
#ifndef EQUANT_APP_TABLES_BIBLIOGRAPHY_H
#define EQUANT_APP_TABLES_BIBLIOGRAPHY_H

#include <stdio.h>

#include "tables/paper_source.h"

void bibliography_write(FILE *stream, const struct paper_source *source);

#endif
