/* Observations without those of some instruments (--leave-out). */
#ifndef EQUANT_APP_OPTIONS_INSTRUMENT_FILTER_H
#define EQUANT_APP_OPTIONS_INSTRUMENT_FILTER_H

#include <stdbool.h>

#include "equant.h"
#include "terminal/text_list.h"

struct instrument_filter {
    struct text_list names; /* of instruments to leave out                  */
    bool ignores_strangers; /* a name that the data do not have is no error */
};

/* Replaces *dataset by one without those instruments; the reference time stays. Returns an
 * exit code, with a sentence on failure; *dataset is then what it was. */
int instrument_filter_apply(const struct instrument_filter *filter, equant_dataset **dataset);

#endif
