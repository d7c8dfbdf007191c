/* What a search found, and its ways onto screen and disk. */
#ifndef EQUANT_APP_RESULTS_SEARCH_REPORT_H
#define EQUANT_APP_RESULTS_SEARCH_REPORT_H

#include <stdbool.h>

#include "equant.h"
#include "files/output_check.h"

struct search_report {
    const equant_dataset *dataset;
    const equant_periodogram *periodogram;
    size_t n_known; /* planets taken into account */
    bool is_circular;
    size_t n_draws;
};

/* The tables, for output_check_folder. */
extern const struct output_member search_report_members[];

/* Each returns an exit code, with a sentence on failure. The tables are FOLDER/
 * periodogram.ecsv and FOLDER/peaks.ecsv. */
int search_report_text(const struct search_report *report);
int search_report_json(const struct search_report *report);
int search_report_tables(const struct search_report *report, const char *folder);

#endif
