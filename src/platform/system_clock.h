/* Clocks. */
#ifndef EQUANT_PLATFORM_SYSTEM_CLOCK_H
#define EQUANT_PLATFORM_SYSTEM_CLOCK_H

#include <stddef.h>

/* Seconds since some moment of the past; never set back. */
double system_clock_s(void);
/* Seconds that a processor has spent on this thread. */
double system_clock_thread_s(void);
/* Seconds since 1970. */
double system_clock_utc_s(void);
/* Now, as strftime writes it, in UTC; "" where nobody knows. */
void system_clock_text(char *text, size_t n_bytes, const char *format);

#endif
