/* Names of files in archives and folders. */
#ifndef EQUANT_CORE_FILES_PACKED_NAME_H
#define EQUANT_CORE_FILES_PACKED_NAME_H

#include <stdbool.h>

/* An absolute name, or one with "..". */
bool packed_name_leads_out(const char *name);

/* False for folders and for what stands beside tables: hidden files, "__MACOSX", a README, a
 * MANIFEST, a licence. */
bool packed_name_is_table(const char *name);

#endif
