/* The commands of equant, in the order in which `equant help` lists them: a name, which is also
 * that of its file here, and what it does. Each takes its own part of the command line, with
 * argv[0] its own name, and returns the exit code (messages.h). */
#ifndef EQUANT_APP_COMMANDS_COMMANDS_H
#define EQUANT_APP_COMMANDS_COMMANDS_H

#define COMMANDS(COMMAND)                                                                          \
    COMMAND(info, "what this machine offers: processor, backends, threads")                        \
    COMMAND(data, "read radial velocities and say what was understood")                            \
    COMMAND(init, "write a star file for data: what is known of a star, to be edited")             \
    COMMAND(solve, "solve Kepler's equation for lines `M e`")                                      \
    COMMAND(evaluate, "chi-square of a table of orbits against data")                              \
    COMMAND(simulate, "make a data file from an orbit")                                            \
    COMMAND(search, "periods in the data: a periodogram with eccentric orbits")                    \
    COMMAND(fit, "the planets of a star, without a starting guess")                                \
    COMMAND(catalogue, "one row for each of many sources: orbits on the sky, or planets")          \
    COMMAND(inject, "which companions of a source on the sky would have been found")               \
    COMMAND(compare, "how many planets, and how probable each of them is")                         \
    COMMAND(models, "the fit beside models without a planet, on circles, with another trend")      \
    COMMAND(priors, "what `sample` believes before the data, as a file to edit")                   \
    COMMAND(sample, "how well the planets are known: draws from the posterior")                    \
    COMMAND(predict, "what will be seen: velocities and conjunctions at other times, from a run")  \
    COMMAND(plan, "when an observation would teach most, from a run")                              \
    COMMAND(report, "a page about a star, from what fit and sample left behind")                   \
    COMMAND(table, "tables for a paper, from what fit and sample left behind")                     \
    COMMAND(nights, "when a star can be observed: twilights, airmass, moon")                       \
    COMMAND(merge, "one table of the stars that `fit --batch` has done, here and elsewhere")       \
    COMMAND(montecarlo, "draw orbits at random and keep the best")                                 \
    COMMAND(bench, "measure speed and error on this machine")

#define COMMANDS_DECLARE(name, summary) int command_##name(int argc, char **argv);
COMMANDS(COMMANDS_DECLARE)

#endif
