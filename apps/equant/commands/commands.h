/* The commands of equant. Each takes its own part of the command line, with
 * argv[0] its own name, and returns the exit code (messages.h). */
#ifndef EQUANT_APP_COMMANDS_COMMANDS_H
#define EQUANT_APP_COMMANDS_COMMANDS_H

int command_info(int argc, char **argv);
int command_data(int argc, char **argv);
int command_solve(int argc, char **argv);
int command_evaluate(int argc, char **argv);
int command_simulate(int argc, char **argv);
int command_search(int argc, char **argv);
int command_fit(int argc, char **argv);
int command_sample(int argc, char **argv);
int command_report(int argc, char **argv);
int command_montecarlo(int argc, char **argv);
int command_bench(int argc, char **argv);

#endif
