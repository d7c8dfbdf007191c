/* The library's catalogue of quantities, for all that name, label or measure them. */
#ifndef EQUANT_APP_FILES_QUANTITY_KIND_H
#define EQUANT_APP_FILES_QUANTITY_KIND_H

#include <stdbool.h>

#include "equant.h"
#include "text/ecsv_writer.h"

/* Room for one value of each kind. */
enum { QUANTITY_KIND_MOST = 64, QUANTITY_KIND_NAME_SIZE = 64 };

/* How many kinds there are, and one of them; the first EQUANT_N_ELEMENTS are the elements. */
size_t quantity_kind_n(void);
equant_quantity_info quantity_kind_at(size_t index);

/* The index of a name that the catalogue has. */
size_t quantity_kind_index(const char *name);

/* "k_m_s_2" */
void quantity_kind_name(const equant_quantity_info *kind, size_t number,
                        char name[QUANTITY_KIND_NAME_SIZE]);

/* Whether planets of a fit have it. */
bool quantity_kind_is_of_planet(const equant_quantity_info *kind);

/* The column of a table that shows it, angles in degrees. */
struct ecsv_column quantity_kind_column(const equant_quantity_info *kind);

#endif
