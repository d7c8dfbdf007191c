#include "platform/system_clock.h"

#include <time.h>

static double read_clock(clockid_t clock)
{
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double system_clock_s(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double system_clock_thread_s(void)
{
#ifdef CLOCK_THREAD_CPUTIME_ID
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
#else
    return read_clock(CLOCK_MONOTONIC);
#endif
}

double system_clock_utc_s(void)
{
    return (double)time(NULL);
}

void system_clock_text(char *text, size_t n_bytes, const char *format)
{
    time_t now = time(NULL);
    struct tm utc;
    text[0] = '\0';
    if (gmtime_r(&now, &utc))
        strftime(text, n_bytes, format, &utc);
}
