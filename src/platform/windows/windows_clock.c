#include "platform/system_clock.h"

#include <time.h>
#include <windows.h>

double system_clock_s(void)
{
    LARGE_INTEGER now, per_second;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&per_second);
    return (double)now.QuadPart / (double)per_second.QuadPart;
}

static double seconds_of(FILETIME time)
{
    return 1e-7 * ((double)time.dwHighDateTime * 4294967296.0 + (double)time.dwLowDateTime);
}

double system_clock_thread_s(void)
{
    FILETIME start, end, in_system, own;
    if (!GetThreadTimes(GetCurrentThread(), &start, &end, &in_system, &own))
        return system_clock_s();
    return seconds_of(in_system) + seconds_of(own);
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
    if (gmtime_s(&utc, &now) == 0)
        strftime(text, n_bytes, format, &utc);
}
