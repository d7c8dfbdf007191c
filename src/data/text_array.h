/* A cell with several values: "(1, 2, 3)", "[true,false]" or "1 2 3". */
#ifndef EQUANT_DATA_TEXT_ARRAY_H
#define EQUANT_DATA_TEXT_ARRAY_H

#include "data/text_table.h"

/* Takes the next word off the front of a cell; false when there is none. */
bool text_array_next(text_slice *cell, text_slice *word);

/* True for the words that stand for no value: "null", "--", "nan" and others. */
bool text_array_is_missing(text_slice word);

#endif
