#include "terminal/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t requested;

static void remember(int signal_number)
{
    (void)signal_number;
    requested = 1;
}

void interrupt_watch(void)
{
    /* No SA_RESTART: a read that waits for input must come back to ask. */
    struct sigaction action = {.sa_handler = remember, .sa_flags = SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool interrupt_requested(void)
{
    return requested != 0;
}
