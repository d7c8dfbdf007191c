/* A VOTable of velocities, as text. */
#ifndef EQUANT_DATA_VOTABLE_TEXT_H
#define EQUANT_DATA_VOTABLE_TEXT_H

#include <stdio.h>

#include "data/tables/table_text.h"
#include "equant.h"

typedef struct votable_text votable_text;

/* Takes the stream, also where it fails; `path` and `table`, which gets the lines, outlive it. */
equant_status votable_text_open(FILE *stream, const char *path, table_text *table,
                                votable_text **reader);
equant_status votable_text_step(votable_text *reader, bool *is_at_end);
void votable_text_close(votable_text *reader);

#endif
