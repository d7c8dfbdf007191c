/* What a solution is fitted to: rows of the sky and, behind them, velocities; one more row where
 * the colour has a prior. */
#ifndef EQUANT_ASTROMETRY_SOLUTION_SKY_DATA_H
#define EQUANT_ASTROMETRY_SOLUTION_SKY_DATA_H

#include <stdbool.h>

#include "astrometry/solution/sky_motion_rows.h"
#include "equant.h"

enum { SKY_DATA_MAX_INSTRUMENTS = 15, SKY_DATA_MAX_GROUPS = 2 + SKY_DATA_MAX_INSTRUMENTS };

/* Rows of one group share a jitter: the star on the sky is group 0, each instrument of velocities
 * one more, and behind them the star as a second mission saw it. SKY_DATA_NO_GROUP: none, as for
 * positions of companions. */
enum { SKY_DATA_NO_GROUP = -1 };

typedef struct sky_data {
    equant_sky_rows rows; /* views of `source` */
    size_t n_sky, n_velocities, n_instruments;
    size_t n_motions;  /* rows of catalogues' proper motions, behind the velocities */
    size_t n_rows;     /* all of them, the row of the prior not counted */
    size_t n_star;     /* of n_sky those of the star                    */
    size_t n_transits; /* passages of the star                          */
    bool has_parallax, has_colour, has_companion_rows;
    bool has_second_frame; /* rows of a second mission */
    bool lacks_parallax;   /* what is fitted is a correction to one that is not known */
    double sky_span_days;  /* of the rows of the sky                          */
    double span_days;      /* of all rows                                     */
    double *time_days;     /* [n_rows], since the reference time, as all of these */
    double *value;         /* mas and m/s            */
    double *uncertainty;   /* mas and m/s            */
    int *group, *instrument;
    equant_astrometry *means; /* NULL: the rows are the caller's */
    sky_motion_rows motions;  /* where n_motions is not 0        */
} sky_data;

/* Whether the star itself is seen on the sky: by rows, or where there are none by the motions of a
 * catalogue. */
bool sky_data_has_star(const sky_data *data);

/* Means of transits, or the rows as they are; velocities may be NULL where there are such rows. The
 * source and the velocities must outlive the data. */
equant_status sky_data_create(const equant_astrometry *source, bool as_ccds,
                              const equant_dataset *velocities, sky_data *data);
void sky_data_free(sky_data *data);

/* The Julian date of a time that velocities are counted in: shortened ones are told by their size.
 * And days since the reference time, TCB, of a date that is TDB as those of velocities are. */
double sky_data_velocity_jd(const equant_dataset *velocities, double time_days);
double sky_data_velocity_days(double jd, double reference_jd);

/* Between which logarithms the scale of an orbit's amplitudes may lie, by the rows from `first` to
 * before `end`: from what no error would show to far beyond what was seen. */
void sky_data_log_scales(const sky_data *data, size_t first, size_t end, double log_scale[2]);

/* The same on the sky, mas: by its rows, or where there are none by the motions and how far they
 * lead in the time that they span. */
void sky_data_log_scales_of_sky(const sky_data *data, double log_scale[2]);

/* Adds the rows of a catalogue's motions, which it takes over in any case; where there are no rows
 * of the sky they are all that is seen of the star. */
equant_status sky_data_add_motions(sky_data *data, sky_motion_rows *motions);

#endif
