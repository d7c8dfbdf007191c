/* Reads JSON into rows of fields, as record_writer.h writes them. */
#ifndef EQUANT_INFERENCE_RECORD_RECORD_READER_H
#define EQUANT_INFERENCE_RECORD_RECORD_READER_H

#include "inference/record/fit_document.h"

/* Fills a row, cleared before, from a file. Fields that the group does not have are of another
 * version: they are stepped over. Free the row and the texts in any case. */
equant_status record_reader_read(const char *path, const record_group *group, void *row,
                                 document_texts *texts);

#endif
