/* What a person asks of a fit of astrometry beside what every fit is asked for. */
#ifndef EQUANT_APP_OPTIONS_SKY_REQUEST_H
#define EQUANT_APP_OPTIONS_SKY_REQUEST_H

#include <stdbool.h>

#include "options/fit_request.h"

struct sky_request {
    bool as_ccds, has_free_velocities, has_orbit, keeps_rejected;
    int jitter; /* 0: fitted, 1: none */
    double star_mass_err, parallax_zero_point_mas, radial_velocity_km_s;
    double catalogue_parallax_mas; /* of Hipparcos's residuals; 0: none was given */
    int64_t source_id;             /* 0: the only one of the file */
};

/* What --source was given. */
int sky_request_source(const char *command, const char *text, int64_t *source_id);

/* Of every command that takes astrometry, and of those that decide about an orbit. */
extern const struct option_row sky_request_rows[];
extern const struct option_row sky_request_verdict_rows[];

/* Whether a file is a catalogue of accelerations: of one star, or of several of which one must be
 * named. */
bool sky_request_is_catalogue(const char *path);

/* Whether one of the files is of astrometry. */
bool sky_request_is_meant(const struct file_list *files);

/* The options of the library; `velocities` may be NULL. The first ones leave out what a fit is
 * asked for besides. */
equant_sky_fit_options sky_request_plain(const struct sky_request *sky,
                                         const equant_dataset *velocities);
equant_sky_fit_options sky_request_options(const struct sky_request *sky,
                                           const struct fit_request *fit,
                                           const equant_dataset *velocities);

/* Whether an option says nothing of astrometry; and refuses one that was given, NULL: none was. */
bool sky_request_is_of_velocities(const char *option);
int sky_request_refuse(const char *command, const char *option);

/* Refuses a number of companions that there cannot be on the sky. */
int sky_request_check_companions(const char *command, size_t n);

/* Gives the star the error of --star-mass-err, and refuses what is of astrometry alone where no
 * file is. */
int sky_request_settle(const char *command, const struct sky_request *sky,
                       const struct file_list *files, equant_star *star);

/* The mass of the star with its error. */
void sky_request_weigh(const equant_star *star, equant_sky_fit_options *options);

#endif
