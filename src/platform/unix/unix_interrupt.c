#include "platform/system_interrupt.h"

#include <signal.h>
#include <stddef.h>

void system_interrupt_watch(void (*remember)(int signal_number))
{
    /* No SA_RESTART: a read that waits for input must come back to ask. */
    struct sigaction action = {.sa_handler = remember, .sa_flags = SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}
