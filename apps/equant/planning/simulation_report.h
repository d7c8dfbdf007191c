/* Strategies against each other, as text, JSON, a table and a picture. */
#ifndef EQUANT_APP_PLANNING_SIMULATION_REPORT_H
#define EQUANT_APP_PLANNING_SIMULATION_REPORT_H

#include "equant.h"
#include "files/output_check.h"
#include "options/picture_options.h"

/* A comparison and what it was of, without zeros. */
struct simulation_report {
    const equant_strategies *study;
    const equant_strategies_options *options;
    const char *site;
};

extern const struct output_member simulation_report_members[];

/* Each returns an exit code, with a sentence on failure. */
int simulation_report_text(const struct simulation_report *report);
int simulation_report_json(const struct simulation_report *report);
int simulation_report_tables(const struct simulation_report *report, const char *folder);

/* Which part of the stars has an answer after so many observations. */
int simulation_report_picture(const struct simulation_report *report, const char *folder,
                              enum picture_format format);

#endif
