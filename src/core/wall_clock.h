/* Seconds that pass for a person who waits. */
#ifndef EQUANT_CORE_WALL_CLOCK_H
#define EQUANT_CORE_WALL_CLOCK_H

/* Since some moment of the past; never set back. */
double wall_clock_s(void);

#endif
