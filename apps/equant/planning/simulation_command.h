/* equant plan --simulate: strategies against each other, on stars that are made up. */
#ifndef EQUANT_APP_PLANNING_SIMULATION_COMMAND_H
#define EQUANT_APP_PLANNING_SIMULATION_COMMAND_H

#include <stdbool.h>

/* Whether a command line asks for it. */
bool simulation_command_is_asked(int argc, char **argv);

/* Takes the whole command line of `equant plan`; returns an exit code. */
int simulation_command_run(int argc, char **argv);

#endif
