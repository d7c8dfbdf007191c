/* `equant plan --schedule`: nights that are filled with observations of many stars. */
#ifndef EQUANT_APP_PLANNING_SCHEDULE_COMMAND_H
#define EQUANT_APP_PLANNING_SCHEDULE_COMMAND_H

#include <stdbool.h>

/* Whether --schedule is on the command line; it has options of its own. */
bool schedule_command_is_asked(int argc, char **argv);

/* All of it; returns an exit code. */
int schedule_command_run(int argc, char **argv);

#endif
