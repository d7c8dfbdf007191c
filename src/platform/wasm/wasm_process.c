/* There are no processes: whoever asks for one is told. */
#include "platform/system_process.h"

#include <errno.h>

int system_process_start(system_process *made, char *const *argv, const char *device,
                         size_t n_others, const system_process *const *others)
{
    (void)made, (void)argv, (void)device, (void)n_others, (void)others;
    return ENOTSUP;
}

system_process_end system_process_join(system_process *process)
{
    (void)process;
    return (system_process_end){0, 0, NULL};
}

void system_process_ask_to_end(const system_process *process)
{
    (void)process;
}

void system_process_kill(const system_process *process)
{
    (void)process;
}

bool system_process_send(const system_process *process, const char *text)
{
    (void)process, (void)text;
    return false;
}

ptrdiff_t system_process_hear(const system_process *process, char *text, size_t n_bytes)
{
    (void)process, (void)text, (void)n_bytes;
    return 0;
}

void system_process_wait(size_t n, const system_process *const *processes, int milliseconds,
                         bool *has_news)
{
    (void)processes, (void)milliseconds;
    for (size_t i = 0; i < n; i++)
        has_news[i] = false;
}
