/* Observations left out by their times (--leave-out-times, --leave-out-transits). */
#ifndef EQUANT_APP_OPTIONS_LEFT_OUT_TIMES_H
#define EQUANT_APP_OPTIONS_LEFT_OUT_TIMES_H

#include "equant.h"
#include "terminal/text_list.h"

struct left_out_times {
    struct text_list spans, transits; /* as they were typed */
};

/* The same as numbers, which options of a data set point to. */
struct left_out_numbers {
    equant_time_span *spans;
    equant_transit_times *transits;
};

/* Reads them into the options of a data set; planets named by letters have the ephemerides of the
 * states, which may be NULL. Returns an exit code, with a sentence on failure; free the numbers in
 * any case. */
int left_out_times_read(const char *command, const struct left_out_times *own,
                        const equant_states *states, struct left_out_numbers *numbers,
                        equant_dataset_options *options);
void left_out_numbers_free(struct left_out_numbers *numbers);

#endif
