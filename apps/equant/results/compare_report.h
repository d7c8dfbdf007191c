/* What a comparison found, and its ways onto screen and disk. */
#ifndef EQUANT_APP_RESULTS_COMPARE_REPORT_H
#define EQUANT_APP_RESULTS_COMPARE_REPORT_H

#include "equant.h"
#include "text/json_writer.h"
#include "files/output_check.h"
#include "stars/star_result.h"

/* The file of the chains as they run. */
#define COMPARE_REPORT_CHAINS "chains.bin"

struct compare_report {
    const struct star_result *star; /* the fit that it began with */
    const equant_comparison *comparison;
    double threshold; /* from which a signal is called a planet */
    double seconds;
    const char *longer; /* the command that goes on where the chains disagree */
    bool has_chains;    /* they are kept in its folder                        */
};

/* The tables, for output_check_folder. */
extern const struct output_member compare_report_members[];

/* Each returns an exit code, with a sentence on failure. The tables are FOLDER/compare.json and
 * FOLDER/fip.ecsv. */
int compare_report_text(const struct compare_report *report);
int compare_report_json(const struct compare_report *report);
int compare_report_tables(const struct compare_report *report, const char *folder);

/* The number of signals from the threshold on. */
size_t compare_report_n_planets(const struct compare_report *report);
equant_signal compare_report_signal(const struct compare_report *report, size_t index);

#endif
