/* Units and kinds of times that the names of columns, or the header of an ECSV table, tell. */
#ifndef EQUANT_DATA_LAYOUT_HEADER_UNITS_H
#define EQUANT_DATA_LAYOUT_HEADER_UNITS_H

#include "data/layout/layout_search.h"

/* Units of velocities and their uncertainties, of which the header stands in `line`; times must be
 * in days. */
equant_status header_units_find(const layout_search *search, size_t line, const text_slice *names);

/* Units of line widths and bisector spans; other words in brackets say nothing. */
void header_units_of_indicators(const layout_search *search, const text_slice *names);

/* What times are called: headings name the system; in ECSV, where "time" is as good a name as any,
 * the description may. */
void header_units_time_name(const layout_search *search, const text_slice *names);

#endif
