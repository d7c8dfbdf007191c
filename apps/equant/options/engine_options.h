/* The options that say how to compute, shared by every command that computes:
 * --precision, --solver, --summation, --backend, --threads, --tolerance,
 * --max-iterations. */
#ifndef EQUANT_APP_OPTIONS_ENGINE_OPTIONS_H
#define EQUANT_APP_OPTIONS_ENGINE_OPTIONS_H

#include "equant.h"
#include "options/option_table.h"

/* Of a struct equant_engine_options; the second for commands that scan the sky, in mixed precision
 * unless told otherwise. */
extern const struct option_row engine_options_rows[], engine_options_scan_rows[];

/* Their names for precisions. */
extern const struct option_choice engine_options_precisions[];

enum { ENGINE_OPTIONS_MOST_THREADS = 4096 };

/* Everything at its default. */
equant_engine_options engine_options_default(void);

/* Asks the library whether it can compute so, before any long work begins.
 * Returns EXIT_CODE_OK, EXIT_CODE_USAGE (no such backend) or
 * EXIT_CODE_UNAVAILABLE (not on this machine), with a sentence. */
int engine_options_check(const char *command, const equant_engine_options *options);

/* The GPU where there is one; NULL: none. */
const char *engine_options_gpu(void);

/* Names backend and threads where none were named, for all of the work: its batches would each
 * choose for itself, and a result would depend on them. Returns an exit code, with a sentence on
 * failure. */
int engine_options_settle(equant_engine_options *options, const equant_work *work);

const char *engine_options_precision_name(equant_precision precision);
const char *engine_options_solver_name(equant_solver solver);

#endif
