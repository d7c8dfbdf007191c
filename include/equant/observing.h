/* equant/observing.h: observing. When a star can be seen from a place: sun, moon, airmass, nights,
 * and the times at which one could observe. Nothing of it needs a network. */
#ifndef EQUANT_OBSERVING_H
#define EQUANT_OBSERVING_H

#include <stddef.h>

#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Times are Julian dates of UTC, angles degrees. Altitudes are those without refraction, and of
 * centres. All but dates and files of slots is computed by ERFA; a library that was built without
 * it answers EQUANT_ERROR_UNAVAILABLE. UT1 is taken for UTC (a star is then up to 0.004 degrees
 * elsewhere), and times lie from 1972 to 2100. */

/* A place. Texts live as long as the library where equant_site_find filled them. */
typedef struct equant_site {
    size_t struct_size;
    const char *name;     /* "La Silla"; NULL or "": by its coordinates             */
    double longitude_deg; /* positive to the east                                   */
    double latitude_deg;  /* geodetic                                               */
    double height_m;      /* above the ellipsoid                                    */
    const char *source;   /* where the coordinates come from; may be NULL           */
} equant_site;

/* The sites that are known by name; `index` out of range is EQUANT_ERROR_INVALID_ARGUMENT. */
EQUANT_API size_t equant_n_sites(void);
EQUANT_API equant_status equant_site_at(size_t index, equant_site *site);

/* "La Silla", "la_silla", "ESO 3.6m", or "LONGITUDE,LATITUDE[,HEIGHT]" in degrees and metres. A
 * name that is not known is EQUANT_ERROR_INVALID_ARGUMENT, with the nearest one in the sentence. */
EQUANT_API equant_status equant_site_find(const char *text, equant_site *site);

/* Where a star is, ICRS. */
typedef struct equant_star_position {
    size_t struct_size;
    double ra_deg, dec_deg;
    double epoch_year;        /* of these; 0: 2000                          */
    double pm_ra_mas_per_yr;  /* with the cosine of the declination         */
    double pm_dec_mas_per_yr; /* 0: unknown, or none                        */
} equant_star_position;

/* Reads a right ascension, "18:02:30.9", "18h02m30.9s" (hours) or "270.629" (degrees), and a
 * declination, "+26:18:46.8" or "26.313"; blanks may stand in place of colons. Other members of the
 * position stay as they are. */
EQUANT_API equant_status equant_star_position_read(const char *ra, const char *dec,
                                                   equant_star_position *position);

/* "2026-11-16", "2026-11-16T23:30", "2026-11-16 23:30:15Z" or a Julian date. */
EQUANT_API equant_status equant_utc_read(const char *text, double *jd_utc);
#define EQUANT_UTC_TEXT_BYTES 32
/* "2026-11-16T23:30:15" to the nearest second; n_bytes >= EQUANT_UTC_TEXT_BYTES. */
EQUANT_API equant_status equant_utc_text(double jd_utc, char *text, size_t n_bytes);

/* The sky at an instant. */
typedef struct equant_sky_conditions {
    size_t struct_size;
    double jd_utc;
    double bjd_tdb; /* when the light passes the barycentre of the solar system  */
    double altitude_deg, azimuth_deg;
    double airmass;          /* of Pickering (2002); infinite below the horizon           */
    double hour_angle_hours; /* from -12 to 12, negative in the east                      */
    double sun_altitude_deg;
    double moon_altitude_deg; /* for this place, as the next two are                       */
    double moon_separation_deg;
    double moon_illumination;        /* the part of the disc that is lit, 0 to 1                  */
    double barycentric_velocity_m_s; /* of the observer towards the star                   */
} equant_sky_conditions;

EQUANT_API equant_status equant_sky_conditions_at(const equant_site *site,
                                                  const equant_star_position *star, double jd_utc,
                                                  equant_sky_conditions *conditions);

/* Slots: nights or times that one may use, from a file. */
typedef struct equant_slots equant_slots;

typedef struct equant_slot {
    size_t struct_size;
    double start_jd_utc, end_jd_utc; /* of a night: the date that its evening has, at 0 h */
    int is_night;                    /* 1: from noon to noon of the place                 */
    const char *site;                /* "" : any                                          */
    const char *label;               /* "" : none. Texts live as long as the slots        */
} equant_slot;

/* CSV with columns night (or date), or start and end, and site and label where wanted; a list of
 * dates without headings; or the events of an ICS calendar (RFC 5545) in UTC, of which whole days
 * are nights. What is neither, an event in another time zone and one that repeats are
 * EQUANT_ERROR_FORMAT with file and line. */
EQUANT_API equant_status equant_slots_read(const char *path, equant_slots **slots);
EQUANT_API equant_status equant_slots_from_text(const char *text, size_t n_bytes, const char *name,
                                                equant_slots **slots);
EQUANT_API void equant_slots_free(equant_slots *slots);
EQUANT_API size_t equant_slots_n(const equant_slots *slots);
EQUANT_API equant_status equant_slots_at(const equant_slots *slots, size_t index,
                                         equant_slot *slot);

/* What may be observed. Zero means the default; a negative value lifts a limit. */
typedef struct equant_observing_limits {
    size_t struct_size;
    double sun_altitude_deg;      /* the sun is below; 0: -12. Positive: by day, too         */
    double altitude_min_deg;      /* of the star; 0: 30                                      */
    double airmass_max;           /* 0: none                                                 */
    double moon_separation_deg;   /* at least, while the moon is up; 0: 30                   */
    double moon_illumination_max; /* at most, while the moon is up; 0: none                */
    double window_min_minutes;    /* windows that are shorter do not count; 0: 0             */
    const equant_slots *slots;    /* NULL: all of the interval                               */
} equant_observing_limits;

typedef enum equant_night_kind {
    EQUANT_NIGHT_USUAL = 0,
    EQUANT_NIGHT_NEVER_DARK = 1, /* the sun does not sink below the limit     */
    EQUANT_NIGHT_ALL_DARK = 2    /* it does not rise above it                 */
} equant_night_kind;

/* A night at a site, from noon to noon of local mean time. NaN: it does not happen. */
typedef struct equant_night {
    size_t struct_size;
    size_t site;   /* index of those that were given                              */
    char date[16]; /* of its evening at the site: "2026-11-16"                    */
    equant_night_kind kind;
    double noon_jd_utc; /* at which it begins                                          */
    double sunset_jd_utc, sunrise_jd_utc;      /* the sun at -0.833 degrees                     */
    double dusk_jd_utc, dawn_jd_utc;           /* the sun at the limit                          */
    double dark_start_jd_utc, dark_end_jd_utc; /* the sun at -18                            */
    double rise_jd_utc, set_jd_utc;            /* the star at the horizon                       */
    double transit_jd_utc;                     /* its highest                                   */
    double hours;       /* in which it can be observed                                 */
    double best_jd_utc; /* the highest of these; NaN: there are none                   */
    double best_airmass, best_altitude_deg;
    double moon_illumination, moon_separation_deg; /* then, or in the middle of the night   */
    double moon_rise_jd_utc, moon_set_jd_utc;
    const char *reason; /* why there are no hours: "the star is too low", ...; "" else */
} equant_night;

/* Times at which all limits are kept, without a pause. */
typedef struct equant_window {
    size_t struct_size;
    size_t site, night; /* indices */
    double start_jd_utc, end_jd_utc;
} equant_window;

typedef struct equant_nights equant_nights;

/* All nights of an interval at one or several sites, by time, with their windows. At most 20000
 * nights. `limits` may be NULL. A star that never rises high enough at any of the sites is
 * EQUANT_ERROR_INVALID_ARGUMENT; nights without hours are no error, equant_nights_trouble has the
 * sentence. */
EQUANT_API equant_status equant_nights_create(size_t n_sites, const equant_site *sites,
                                              const equant_star_position *star, double start_jd_utc,
                                              double end_jd_utc,
                                              const equant_observing_limits *limits,
                                              equant_nights **nights);
EQUANT_API void equant_nights_free(equant_nights *nights);
EQUANT_API size_t equant_nights_n(const equant_nights *nights);
EQUANT_API equant_status equant_nights_at(const equant_nights *nights, size_t index,
                                          equant_night *night);
EQUANT_API size_t equant_nights_n_windows(const equant_nights *nights);
EQUANT_API equant_status equant_nights_window(const equant_nights *nights, size_t index,
                                              equant_window *window);
/* Why nothing can be observed in all of the interval, in a sentence; "" where something can. */
EQUANT_API const char *equant_nights_trouble(const equant_nights *nights);

/* Times to choose from, in their order: every `step_minutes` (0: 10) of all windows. With
 * `gap_hours` above zero the highest are taken first, and none that is nearer to one that is taken:
 * 12 leaves one time a night. */
EQUANT_API equant_status equant_nights_find_times(equant_nights *nights, double step_minutes,
                                                  double gap_hours);
EQUANT_API size_t equant_nights_n_times(const equant_nights *nights);
/* One of them with the index of its site (may be NULL) and what the sky is like. */
EQUANT_API equant_status equant_nights_time(const equant_nights *nights, size_t index, size_t *site,
                                            equant_sky_conditions *conditions);

/* An entry of a calendar. Texts may be NULL. */
typedef struct equant_event {
    size_t struct_size;
    double start_jd_utc, end_jd_utc;
    const char *summary, *description, *location;
} equant_event;

/* A calendar as ICS (RFC 5545), the same bytes for the same events: *text is new memory that ends
 * with NUL, for equant_calendar_free. */
EQUANT_API equant_status equant_calendar_write(size_t n_events, const equant_event *events,
                                               char **text, size_t *n_bytes);
EQUANT_API void equant_calendar_free(char *text);

#ifdef __cplusplus
}
#endif
#endif
