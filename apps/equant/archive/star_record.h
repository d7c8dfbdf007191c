/* What a batch knows of a star: a table of one row, FOLDER/star.ecsv in the star's own folder.
 * It is the record; tables of many stars (record_table.h) are made of these rows as they stand. */
#ifndef EQUANT_APP_ARCHIVE_STAR_RECORD_H
#define EQUANT_APP_ARCHIVE_STAR_RECORD_H

#include <stdbool.h>

#include "files/output_check.h"
#include "stars/star_result.h"

#define STAR_RECORD_FILE "star.ecsv"

enum star_status {
    STAR_NONE,    /* nothing is known of it                          */
    STAR_RUNNING, /* begun; whoever was at it has not come to an end */
    STAR_OK,
    STAR_FAILED, /* with a sentence, as of data that cannot be read */
    STAR_LOST    /* its process crashed or took too long            */
};

struct star_record {
    enum star_status status;
    int attempts;
    char *header, *row; /* of the table; NULL: there is none */
};

/* The record, and tables of such rows: known by the first column. */
#define STAR_RECORD_BEGINNING                                                                      \
    "#%ECSV1.0#---#delimiter:','#datatype:#-{name:name,datatype:string,"                           \
    "description:'ofthestaranditsfolder'}"
extern const struct output_member star_record_members[];

/* What goes into a row. */
struct star_entry {
    const char *name;
    enum star_status status;
    int attempts;
    const struct star_result *star; /* NULL: none was fitted */
    double seconds;
    const char *message; /* why it failed; "" where it did not */
};

/* Replaces the record in a star's folder, which must be there. `options` is the line of
 * fit_request_describe. Returns an exit code, with a sentence on failure. */
int star_record_write(const char *folder, const char *options, const struct star_entry *entry);

/* Reads it back; STAR_NONE where there is none, or one that is cut short, or that speaks of a fit
 * which is not there. Returns an exit code, with a sentence on failure; free it in any case. */
int star_record_read(const char *folder, struct star_record *record);
void star_record_free(struct star_record *record);

/* Header of the tables of these options, in new memory; NULL, with a sentence, where there is
 * none. */
char *star_record_header(const char *options);

/* The name in a row, in new memory; NULL, with a sentence, where there is none. */
char *star_record_name(const struct star_record *record);

#endif
