#include "platform/system_interrupt.h"

void system_interrupt_watch(void (*remember)(int signal_number))
{
    (void)remember; /* there are no signals */
}
