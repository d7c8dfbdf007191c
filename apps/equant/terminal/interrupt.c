#include "terminal/interrupt.h"

#include <signal.h>

#include "platform/system_interrupt.h"

static volatile sig_atomic_t requested;

static void remember(int signal_number)
{
    (void)signal_number;
    requested = 1;
}

void interrupt_watch(void)
{
    system_interrupt_watch(remember);
}

bool interrupt_requested(void)
{
    return requested != 0;
}
