/* The data as a model sees them: rows with a time, a value, an uncertainty and an instrument.
 *
 * What a row measures is a matter of its instrument: all rows of one instrument are of one kind.
 * So backends, which walk over the rows instrument by instrument, ask for the kind once for each
 * run of rows and not once for each row. Whatever else a telescope records beside velocities is
 * another instrument here. */
#ifndef EQUANT_MODEL_OBSERVATION_ROWS_H
#define EQUANT_MODEL_OBSERVATION_ROWS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum row_kind {
    ROW_VELOCITY, /* m/s; a planet adds two amplitudes, of cos nu + e and of sin nu */
    N_ROW_KINDS
} row_kind;

typedef struct observation_rows {
    size_t n;
    const double *time_days; /* from the reference time, sorted             */
    const double *value;     /* in the unit of the kind                     */
    const double *uncertainty;
    const int *instrument;
    size_t n_instruments;
    const row_kind *kind; /* [n_instruments]                              */
    /* Where the model has noise of nights, else NULL: which rows begin a night of their instrument,
     * and a place for each night that no other has while it lasts. */
    const bool *begins_night;
    const int *night_place;
    int n_night_places;
} observation_rows;

#endif
