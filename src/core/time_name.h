/* What times are called: by the heading of their column, or by the caller. */
#ifndef EQUANT_CORE_TIME_NAME_H
#define EQUANT_CORE_TIME_NAME_H

#include <stddef.h>

/* Where nothing else is said. */
extern const char time_name_usual[];

/* "BJD", "HJD", "MJD" or "JD", static, from words like "BJD_TDB", "Time (rjd)" or "obj_date_bjd"
 * (n bytes); NULL where they name no Julian date. */
const char *time_name_find(const char *words, size_t n);

#endif
