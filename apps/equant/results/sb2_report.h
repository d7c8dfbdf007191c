/* The orbit of a double-lined binary, from its files to a table or JSON. */
#ifndef EQUANT_APP_RESULTS_SB2_REPORT_H
#define EQUANT_APP_RESULTS_SB2_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "equant.h"
#include "options/fit_request.h"
#include "options/option_table.h"

/* Whether a file has two columns of velocities. */
bool sb2_report_is_meant(const struct file_list *files);

/* Whether an option means something for them. */
bool sb2_report_has_option(const char *name);

/* Fits and prints; returns an exit code, with a sentence on failure. */
int sb2_report_run(const struct fit_request *request, int64_t source_id,
                   const struct file_list *files, bool as_json);

#endif
