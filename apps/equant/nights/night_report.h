/* Nights for people and for programs: text, JSON, tables and a calendar. */
#ifndef EQUANT_APP_NIGHTS_NIGHT_REPORT_H
#define EQUANT_APP_NIGHTS_NIGHT_REPORT_H

#include "files/output_check.h"
#include "nights/night_question.h"

/* Each returns an exit code, with a sentence on failure. */
int night_report_text(const struct found_nights *found);
int night_report_json(const struct found_nights *found);

/* The files of night_report_write, as output_check_folder wants them. */
extern const struct output_member night_report_members[];

/* FOLDER/nights.ecsv, windows.ecsv, and nights.ics, whose entries are the windows of the star of
 * that name. */
int night_report_write(const struct found_nights *found, const char *star, const char *folder);

/* The sites that are known by name. */
int night_report_sites(void);

#endif
