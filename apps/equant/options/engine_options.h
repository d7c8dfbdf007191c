/* The options that say how to compute, shared by every command that computes:
 * --precision, --solver, --summation, --backend, --threads, --tolerance,
 * --max-iterations. */
#ifndef EQUANT_APP_OPTIONS_ENGINE_OPTIONS_H
#define EQUANT_APP_OPTIONS_ENGINE_OPTIONS_H

#include <getopt.h>

#include "equant.h"

/* What getopt_long returns for them: above any character. */
enum engine_option {
    ENGINE_OPTION_FIRST = 1000,
    ENGINE_OPTION_PRECISION = ENGINE_OPTION_FIRST,
    ENGINE_OPTION_SOLVER,
    ENGINE_OPTION_SUMMATION,
    ENGINE_OPTION_BACKEND,
    ENGINE_OPTION_THREADS,
    ENGINE_OPTION_TOLERANCE,
    ENGINE_OPTION_MAX_ITERATIONS,
    ENGINE_OPTION_END
};

/* Entries for a command's table of long options. */
#define ENGINE_OPTIONS_LONG                                                                        \
    {"precision", required_argument, NULL, ENGINE_OPTION_PRECISION},                               \
        {"solver", required_argument, NULL, ENGINE_OPTION_SOLVER},                                 \
        {"summation", required_argument, NULL, ENGINE_OPTION_SUMMATION},                           \
        {"backend", required_argument, NULL, ENGINE_OPTION_BACKEND},                               \
        {"threads", required_argument, NULL, ENGINE_OPTION_THREADS},                               \
        {"tolerance", required_argument, NULL, ENGINE_OPTION_TOLERANCE},                           \
    {                                                                                              \
        "max-iterations", required_argument, NULL, ENGINE_OPTION_MAX_ITERATIONS                    \
    }

/* The lines of --help that describe them. */
extern const char engine_options_help[];

/* Everything at its default. */
equant_engine_options engine_options_default(void);

/* Takes one option that getopt_long found; `argument` must outlive `options`.
 * Returns EXIT_CODE_OK, or prints a sentence and returns EXIT_CODE_USAGE. */
int engine_options_take(const char *command, int option, const char *argument,
                        equant_engine_options *options);

/* Asks the library whether it can compute so, before any long work begins.
 * Returns EXIT_CODE_OK, EXIT_CODE_USAGE (no such backend) or
 * EXIT_CODE_UNAVAILABLE (not on this machine), with a sentence. */
int engine_options_check(const char *command, const equant_engine_options *options);

/* The GPU where there is one; NULL: none. */
const char *engine_options_gpu(void);

/* Names a backend where none was named, for a run of so many evaluations (sets x planets x
 * observations): its batches would each choose for itself, and a result would depend on them. */
void engine_options_settle(equant_engine_options *options, double n_evaluations);

const char *engine_options_precision_name(equant_precision precision);
const char *engine_options_solver_name(equant_solver solver);

#endif
