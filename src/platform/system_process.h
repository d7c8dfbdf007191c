/* Programs that work for this one: each with a line of text to it and from it, its standard input
 * and output. */
#ifndef EQUANT_PLATFORM_SYSTEM_PROCESS_H
#define EQUANT_PLATFORM_SYSTEM_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct system_process {
    long number; /* 0: no process */
    int line;
} system_process;

/* How a process ended: its exit code, or the signal that ended it. */
typedef struct system_process_end {
    int code, signal;
    const char *signal_name; /* NULL: none */
} system_process_end;

/* Starts this program again, with other arguments. `device`, unless NULL, is the only GPU that CUDA
 * then knows. It hears no Ctrl-C, is told to end when this program ends, and has none of the lines
 * of the `others`. 0 or an errno. */
int system_process_start(system_process *made, char *const *argv, const char *device,
                         size_t n_others, const system_process *const *others);
/* Closes its line, which ends one that waits for work, and waits for its end. */
system_process_end system_process_join(system_process *process);
void system_process_ask_to_end(const system_process *process);
void system_process_kill(const system_process *process);

/* false: it hears no more. */
bool system_process_send(const system_process *process, const char *text);
/* How many bytes came, 0: the line has ended; -1: ask again. */
ptrdiff_t system_process_hear(const system_process *process, char *text, size_t n_bytes);
/* Waits for some of them; has_news[i]: from the i-th. Those of number 0 have none. */
void system_process_wait(size_t n, const system_process *const *processes, int milliseconds,
                         bool *has_news);

#endif
