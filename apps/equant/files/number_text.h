/* A number as people write it. */
#ifndef EQUANT_APP_FILES_NUMBER_TEXT_H
#define EQUANT_APP_FILES_NUMBER_TEXT_H

#include <stdbool.h>

/* The whole of `text` as a number, blanks around it apart; inf and nan count. False, and *value
 * as it was, when it is none. */
bool number_text_parse(const char *text, double *value);

#endif
