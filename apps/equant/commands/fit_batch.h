/* Many stars, one after the other, each into a folder of its own. */
#ifndef EQUANT_APP_COMMANDS_FIT_BATCH_H
#define EQUANT_APP_COMMANDS_FIT_BATCH_H

#include <stdbool.h>

#include "results/fit_folder.h"
#include "options/fit_request.h"

/* Fits the stars of the list in FOLDER/NAME each, and keeps FOLDER/summary.ecsv. A star
 * that fails does not stop the others; stars that an earlier run has finished are passed
 * over. Returns EXIT_CODE_OK, EXIT_CODE_FAILED when stars failed, or another exit code,
 * with a sentence. */
int fit_batch_run(const struct fit_request *request, const char *command, const char *list_path,
                  const char *folder, const struct fit_folder_options *options, bool is_forced);

#endif
