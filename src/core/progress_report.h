/* What a caller's progress callback is told. */
#ifndef EQUANT_CORE_PROGRESS_REPORT_H
#define EQUANT_CORE_PROGRESS_REPORT_H

#include "equant.h"

/* Tells it to a callback, which may be NULL; EQUANT_ERROR_CANCELLED when the caller has had
 * enough. */
equant_status progress_report_tell(equant_progress progress, void *context, const char *stage,
                                   double done);

#endif
