/* What a catalogue of astrometry joins to its sources: velocities, and what lists tell of them. */
#ifndef EQUANT_APP_ARCHIVE_CATALOGUE_JOINT_H
#define EQUANT_APP_ARCHIVE_CATALOGUE_JOINT_H

#include "equant.h"
#include "options/option_table.h"
#include "results/catalogue_table.h"

enum { CATALOGUE_JOINT_COLUMNS = 36, CATALOGUE_ORIGINS = 4 };

/* Behind the columns of astrometry. */
extern const struct ecsv_column catalogue_joint_columns[CATALOGUE_JOINT_COLUMNS];

struct catalogue_joint {
    bool is_there; /* something is joined; else all of this is empty */
    equant_sky_sources *list;
    equant_sky_velocities *velocities;
    bool *has_astrometry; /* of the stars with velocities: a source was there */
    size_t next_star;     /* of those without astrometry */
    int64_t last_noted;
    size_t n_listed, n_listed_there; /* with epoch astrometry by the list; of these in the files */
    size_t n_origins[CATALOGUE_ORIGINS], n_disagreeing;
};

/* Files of velocities, archives that may have some beside their astrometry, and lists of sources.
 * Returns an exit code, with a sentence on failure. */
int catalogue_joint_read(const struct file_list *velocities, const struct file_list *mixed,
                         const struct file_list *lists, const equant_dataset_options *reading,
                         struct catalogue_joint *joint);
void catalogue_joint_free(struct catalogue_joint *joint);

/* A source has come: its velocities, if there are any, are not told again. */
void catalogue_joint_note(struct catalogue_joint *joint, int64_t source_id);

/* The next star that has velocities and no astrometry: its number; 0 behind the last one. */
int64_t catalogue_joint_next_star(struct catalogue_joint *joint);

/* What is known of a source; its velocities are the caller's to free. */
int catalogue_joint_star(const struct catalogue_joint *joint, int64_t source_id,
                         equant_dataset **velocities, equant_sky_star *star);

void catalogue_joint_write(struct catalogue_joint *joint, struct catalogue_table *table,
                           int64_t source_id, const equant_sky_joint_row *row);
void catalogue_joint_say(const struct catalogue_joint *joint);

#endif
