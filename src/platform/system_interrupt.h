/* Ctrl-C and requests to end. */
#ifndef EQUANT_PLATFORM_SYSTEM_INTERRUPT_H
#define EQUANT_PLATFORM_SYSTEM_INTERRUPT_H

/* The first one calls `remember`, which may only set a flag, and lets a read that waits for input
 * come back; a second one ends the program at once. */
void system_interrupt_watch(void (*remember)(int signal_number));

#endif
