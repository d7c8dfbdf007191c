/* Whether the system starts as many threads as are wanted. OpenMP ends the program when it does
 * not; the library asks before, so that its caller gets a status. */
#ifndef EQUANT_CORE_THREAD_SUPPLY_H
#define EQUANT_CORE_THREAD_SUPPLY_H

#include "equant.h"

/* Starts that many threads, the calling one included, and lets them end; once for each number
 * that is larger than all before. */
equant_status thread_supply_check(int n_threads);

#endif
