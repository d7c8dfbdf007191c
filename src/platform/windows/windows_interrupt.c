#include "platform/system_interrupt.h"

#include <signal.h>

/* The system takes a handler away before it calls it. */
void system_interrupt_watch(void (*remember)(int signal_number))
{
    signal(SIGINT, remember);
    signal(SIGTERM, remember);
}
