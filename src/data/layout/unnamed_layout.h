/* Layouts of tables without a header: by a comment that names the columns, else by place. */
#ifndef EQUANT_DATA_LAYOUT_UNNAMED_LAYOUT_H
#define EQUANT_DATA_LAYOUT_UNNAMED_LAYOUT_H

#include "data/layout/layout_search.h"

equant_status unnamed_layout_find(layout_search *search);

#endif
