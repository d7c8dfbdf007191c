/* A source with what a fit found of it, as far as it is drawn and told: made from a fit, or read
 * from the folder of one. */
#ifndef EQUANT_APP_SKY_SKY_STAR_H
#define EQUANT_APP_SKY_SKY_STAR_H

#include <stdbool.h>

#include "equant.h"
#include "sky/number_table.h"
#include "sky/parallax_path.h"
#include "terminal/text_list.h"

/* Tables of a folder. */
#define SKY_STAR_SCANS "scans.ecsv"
#define SKY_STAR_VELOCITIES "velocities.ecsv"
#define SKY_STAR_PERIODOGRAM "periodogram.ecsv"

enum sky_scan_column {
    SKY_SCAN_TIME,  /* days since the reference time */
    SKY_SCAN_ANGLE, /* degrees */
    SKY_SCAN_FACTOR,
    SKY_SCAN_ABSCISSA,
    SKY_SCAN_UNCERTAINTY, /* with jitter */
    SKY_SCAN_RESIDUAL,
    SKY_SCAN_PLAIN,     /* what five parameters alone leave; NaN: there are none */
    SKY_SCAN_COMPANION, /* 1: of the companion, relative to its star              */
    SKY_N_SCAN_COLUMNS
};
enum sky_velocity_column {
    SKY_VELOCITY_TIME,
    SKY_VELOCITY_VALUE, /* less the offset of its instrument */
    SKY_VELOCITY_UNCERTAINTY,
    SKY_VELOCITY_RESIDUAL,
    SKY_N_VELOCITY_COLUMNS
};
enum sky_periodogram_column {
    SKY_PERIODOGRAM_FREQUENCY,
    SKY_PERIODOGRAM_GAIN,
    SKY_PERIODOGRAM_ECCENTRICITY,
    SKY_N_PERIODOGRAM_COLUMNS
};

enum {
    SKY_STAR_MOST_COMPANIONS = 8,
    SKY_STAR_MOST_MODELS = 16,
    SKY_STAR_MOST_COLUMNS = 18,
    SKY_STAR_N_LEVELS = 3
};

/* Whose gains are known. */
extern const double sky_star_false_alarms[SKY_STAR_N_LEVELS];

struct sky_star_column {
    char name[24];
    double value, error;
};

struct sky_star_model {
    char name[24];
    double n_parameters, chi_square, bic, jitter_mas;
};

struct sky_star {
    char verdict[16], flags[EQUANT_SKY_FLAGS_LENGTH], source_id[32];
    char words[1024];
    equant_sky_summary summary;
    size_t n_companions, n_columns, n_models;
    equant_sky_companion companions[SKY_STAR_MOST_COMPANIONS];
    struct sky_star_column columns[SKY_STAR_MOST_COLUMNS];
    struct sky_star_model models[SKY_STAR_MOST_MODELS];
    struct text_list remarks;
    struct number_table scans, velocities, periodogram;
    double levels[SKY_STAR_N_LEVELS]; /* gains of these false alarms; NaN: unknown */
    struct parallax_path parallax;
};

/* From a fit of a source with these options. Returns an exit code, with a sentence on failure; free
 * it in any case. */
int sky_star_create(const equant_astrometry *source, const equant_sky_fit_options *options,
                    const equant_sky_fit *fit, struct sky_star *star);
void sky_star_free(struct sky_star *star);

/* A star of which nothing is known but the periodogram of its source: gains of every period, and
 * the levels that noise reaches. Without rows where a source has none. */
int sky_star_create_periodogram(const equant_astrometry *source,
                                const equant_sky_fit_options *options, struct sky_star *star);

/* Finds `parallax` from the scans. */
void sky_star_find_parallax(struct sky_star *star);

/* A column of the verdict's model, 0 where it has none. */
double sky_star_column(const struct sky_star *star, const char *name);

/* Whether all rows are of a companion relative to its star. */
bool sky_star_is_relative(const struct sky_star *star);

/* By how much the orbit that is told, the star's, is to be stretched to be the one that was seen:
 * 1, or below zero where that is a companion's about its star. */
double sky_star_stretch(const struct sky_star *star);

/* Whether the abscissae are residuals to a catalogue, whose own motion is not known here. */
bool sky_star_is_residual(const struct sky_star *star);

/* East and North, mas, at days since the reference time: of one companion's orbit, of all of them,
 * and of the motion besides, with the parallax where it is known. */
void sky_star_orbit(const equant_sky_companion *companion, double time_days, double place[2]);
void sky_star_orbits(const struct sky_star *star, double time_days, double place[2]);
void sky_star_motion(const struct sky_star *star, double time_days, bool has_parallax,
                     double place[2]);

/* Of the star, m/s, by all orbits. */
double sky_star_velocity(const struct sky_star *star, double time_days);

#endif
