/* Ctrl-C as a question that a long command asks between two batches. */
#ifndef EQUANT_APP_TERMINAL_INTERRUPT_H
#define EQUANT_APP_TERMINAL_INTERRUPT_H

#include <stdbool.h>

/* From here on the first SIGINT or SIGTERM is only remembered; a second one
 * ends the program at once. */
void interrupt_watch(void);

bool interrupt_requested(void);

#endif
