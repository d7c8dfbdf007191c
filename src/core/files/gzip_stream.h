/* The contents of a stream that gzip compressed, by zlib. */
#ifndef EQUANT_CORE_FILES_GZIP_STREAM_H
#define EQUANT_CORE_FILES_GZIP_STREAM_H

#include <stdio.h>

#include "equant.h"

/* Takes `packed` over, also where it fails. A read fails with EBADMSG where the file is cut or
 * damaged, and with EFBIG where it unpacks to more than the bound. */
equant_status gzip_stream_open(FILE *packed, const char *path, FILE **stream);

#endif
