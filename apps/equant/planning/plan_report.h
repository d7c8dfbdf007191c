/* A plan as text, JSON, tables and a calendar. */
#ifndef EQUANT_APP_PLANNING_PLAN_REPORT_H
#define EQUANT_APP_PLANNING_PLAN_REPORT_H

#include "equant.h"
#include "files/output_check.h"
#include "planning/candidate_list.h"

struct plan_report {
    const equant_posterior *posterior;
    const equant_plan *plan;
    const char *target; /* in the words of the command line */
    const struct candidate_list *candidates;
};

extern const struct output_member plan_report_members[];

/* Each returns an exit code, with a sentence on failure. */
int plan_report_text(const struct plan_report *report);
int plan_report_json(const struct plan_report *report);
int plan_report_tables(const struct plan_report *report, const char *folder);

#endif
