/* A schedule as text, JSON, a table and a calendar. */
#ifndef EQUANT_APP_PLANNING_SCHEDULE_REPORT_H
#define EQUANT_APP_PLANNING_SCHEDULE_REPORT_H

#include "equant.h"
#include "files/output_check.h"
#include "planning/candidate_list.h"

/* A star of it. */
struct scheduled_star {
    char name[256];
    equant_posterior *posterior;
    struct candidate_list candidates;
};

struct schedule_report {
    const equant_schedule *schedule;
    size_t n_stars;
    const struct scheduled_star *stars; /* [n_stars] */
};

extern const struct output_member schedule_report_members[];

/* Each returns an exit code, with a sentence on failure. */
int schedule_report_text(const struct schedule_report *report);
int schedule_report_json(const struct schedule_report *report);
int schedule_report_files(const struct schedule_report *report, const char *folder);

#endif
