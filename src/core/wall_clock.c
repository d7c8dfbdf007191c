#include "core/wall_clock.h"

#include "platform/system_clock.h"

double wall_clock_s(void)
{
    return system_clock_s();
}
