/* The files of a command of which one is of astrometry. */
#ifndef EQUANT_APP_SKY_SKY_INPUTS_H
#define EQUANT_APP_SKY_SKY_INPUTS_H

#include "options/sky_request.h"

enum { SKY_INPUTS_MOST_SCANS = 8 };

struct sky_inputs {
    const char *path; /* of the astrometry */
    equant_astrometry *source;
    equant_dataset *velocities; /* NULL: none */
    bool has_motions;
    equant_sky_motions motions; /* of a catalogue of accelerations, and scans behind them */
    size_t n_scans;
    equant_astrometry *scans[SKY_INPUTS_MOST_SCANS];
};

/* Files that are not of astrometry are velocities of the same star; a FITS file among these is a
 * catalogue of accelerations, and with it scans of GOST and of Hipparcos stand beside positions of
 * a companion; without one, a file of Gaia and one of Hipparcos are of the same star, and joined.
 * Returns an exit code, with a sentence on failure; free them in any case. */
int sky_inputs_load(const char *command, const struct file_list *files,
                    const struct sky_request *sky, const struct data_source *velocities,
                    struct sky_inputs *inputs);
void sky_inputs_free(struct sky_inputs *inputs);

/* Puts velocities, motions and scans into the options of a fit, as long as the inputs are there. */
void sky_inputs_apply(const struct sky_inputs *inputs, equant_sky_fit_options *options);

#endif
