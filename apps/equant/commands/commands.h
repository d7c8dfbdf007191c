/* The commands of equant, in the order in which `equant help` lists them: a name, which is also
 * that of its file here, and what it does. Each takes its own part of the command line, with
 * argv[0] its own name, and returns the exit code (messages.h). */
#ifndef EQUANT_APP_COMMANDS_COMMANDS_H
#define EQUANT_APP_COMMANDS_COMMANDS_H

#define COMMANDS(COMMAND)                                                                          \
    COMMAND(info, "print CPU, GPUs, backends and threads of this machine")                         \
    COMMAND(data, "read observations and print what was understood")                               \
    COMMAND(init, "write a star file: what is known of a star, to be edited")                      \
    COMMAND(solve, "solve Kepler's equation for lines `M e`")                                      \
    COMMAND(evaluate, "compute chi-square for a table of orbits")                                  \
    COMMAND(simulate, "simulate observations of an orbit")                                         \
    COMMAND(search, "compute a periodogram of Keplerian orbits")                                   \
    COMMAND(fit, "find the planets of a star, without a starting guess")                           \
    COMMAND(catalogue, "search many stars for orbits, with one row for each")                      \
    COMMAND(check, "check published orbits against the epochs of their sources")                   \
    COMMAND(inject, "measure completeness: which planets would have been detected")                \
    COMMAND(compare, "compute the probability of each number of planets and of each planet")       \
    COMMAND(models, "compare the fit with fewer planets, circular orbits, another trend")          \
    COMMAND(priors, "write the default priors of `sample`, as a file to edit")                     \
    COMMAND(sample, "draw from the posterior")                                                     \
    COMMAND(predict, "predict velocities and conjunctions from a posterior")                       \
    COMMAND(plan, "find when the next observation is most informative")                            \
    COMMAND(report, "write a page about a star, from the results of `fit` and `sample`")           \
    COMMAND(view, "write a page that a browser opens, with a star to look at and to fit")          \
    COMMAND(table, "write LaTeX and machine-readable tables, from the same results")               \
    COMMAND(nights, "find when a star is observable: twilights, airmass, moon")                    \
    COMMAND(merge, "join the tables of several runs of `fit --batch`")                             \
    COMMAND(montecarlo, "draw random orbits and keep the best")                                    \
    COMMAND(bench, "measure speed and error on this machine")

#define COMMANDS_DECLARE(name, summary) int command_##name(int argc, char **argv);
COMMANDS(COMMANDS_DECLARE)

#endif
