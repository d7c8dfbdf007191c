/* What a run of astrometry predicts: positions, scans, companions, velocities, each a channel. */
#ifndef EQUANT_APP_PLANNING_SKY_CHANNELS_H
#define EQUANT_APP_PLANNING_SKY_CHANNELS_H

#include <stdbool.h>

#include "equant.h"
#include "options/picture_options.h"
#include "planning/effort_request.h"
#include "planning/future_times.h"

struct sky_channels_request {
    const char *scans;      /* a file of scans whose abscissae are predicted; NULL: none  */
    const char *instrument; /* of velocities; NULL: that of the last one                 */
    const char *error;      /* of a velocity in m/s, as it was given; NULL: the usual    */
    bool is_bare;           /* the things themselves, without errors and jitters         */
    struct effort_request effort;
};

struct sky_channel {
    char name[32];      /* "companion_1_ra" */
    char words[96];     /* "companion 1 east of its star" */
    const char *symbol; /* on an axis: "east (mas)" */
    const char *unit;   /* "mas", "m/s" */
    bool is_scans;      /* at times of scans, and not at those that were asked for */
    equant_sky_prediction *prediction;
};

/* Two for the light, two for each companion, velocities, scans. */
enum { SKY_CHANNELS_MOST = 24 };
struct sky_channels {
    const equant_sky_posterior *run;
    size_t n;
    struct sky_channel channels[SKY_CHANNELS_MOST];
    bool is_bare;
};

/* Everything that the draws know. Returns an exit code, with a sentence on failure; free it in any
 * case. */
int sky_channels_find(const char *command, const equant_sky_posterior *run,
                      const struct sky_channels_request *request, const struct future_times *times,
                      struct sky_channels *found);
void sky_channels_free(struct sky_channels *found);

/* Each returns an exit code, with a sentence on failure. The table has the names of channels in its
 * first column; the picture has a panel for each channel but scans. */
int sky_channels_text(const struct sky_channels *found);
int sky_channels_json(const struct sky_channels *found);
int sky_channels_tables(const struct sky_channels *found, const char *folder);
int sky_channel_picture(const struct sky_channels *found, const char *folder,
                        enum picture_format format);

#endif
