/* equant/astrometry.h: astrometry. Where a star was seen along lines on the sky: Gaia's epochs,
 * Hipparcos's scans, positions of companions. */
#ifndef EQUANT_ASTROMETRY_H
#define EQUANT_ASTROMETRY_H

#include <stddef.h>
#include <stdint.h>

#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The astrometry of one source, in the order of time.
 *
 * A row is a measurement along one direction of the sky, whose position angle psi is counted
 * from North through East: with the offsets x towards East (right ascension times the cosine of
 * declination) and y towards North, in mas, it says what
 *
 *     w = x sin psi + y cos psi + parallax x parallax factor
 *
 * was. A position in two coordinates is two rows, along the axes of its error ellipse. Times are in
 * days since the reference time, on the scale TCB at the barycentre where the data have it. */
typedef struct equant_astrometry equant_astrometry;

typedef enum equant_sky_kind {
    EQUANT_SKY_STAR = 0,      /* the star: absolute, or as a residual to a catalogue's solution */
    EQUANT_SKY_COMPANION = 1, /* a companion minus the star                                     */
    EQUANT_SKY_SCAN = 2       /* a scan that was planned, without a measurement: its abscissa
                                 is 0, its uncertainty 1                                       */
} equant_sky_kind;

typedef struct equant_sky_rows {
    size_t struct_size;
    size_t n_rows;
    const double *time_days;       /* since the reference time                               */
    const double *abscissa_mas;    /* w                                                      */
    const double *uncertainty_mas; /* above zero                                             */
    const double *angle_rad;       /* psi                                                    */
    const double *parallax_factor; /* NULL: none; zero in rows of companions                 */
    const double *colour_factor;   /* of Gaia's along-scan shift by colour; NULL: none       */
    const equant_sky_kind *kind;   /* NULL: all of the star                                  */
    const int64_t *transit;        /* rows of one number are of one passage; NULL: each alone */
    const int *frame;              /* 0, or 1 for rows whose zero of position is another: those of
                                      a second mission; NULL: all 0                          */
} equant_sky_rows;

/* Reference times: J2017.5 of Gaia DR4, J1991.25 of Hipparcos. */
#define EQUANT_SKY_GAIA_JD 2457936.875
#define EQUANT_SKY_HIPPARCOS_JD 2448349.0625

/* Makes a source from arrays of rows->n_rows >= 1 entries, which are copied and sorted by time;
 * rows of equal time keep their order. `name` may be NULL. A value that is not finite, or an
 * uncertainty that is not above zero, is EQUANT_ERROR_INVALID_ARGUMENT. The caller frees *source
 * with equant_astrometry_free. */
EQUANT_API equant_status equant_astrometry_create(const equant_sky_rows *rows, double reference_jd,
                                                  const char *name, equant_astrometry **source);
EQUANT_API void equant_astrometry_free(equant_astrometry *source);

/* A source of which nothing was measured on the sky itself, for fits of velocities beside the
 * motions of a catalogue (equant_sky_fit_options.motions). It counts from J2017.5, and `name` may
 * be NULL. */
EQUANT_API equant_status equant_astrometry_create_empty(int64_t source_id, const char *name,
                                                        equant_astrometry **source);

/* The rows, in the order of time: views that are valid until the source is freed. All of them but
 * colour_factor are there, whatever the source was made from. */
EQUANT_API equant_status equant_astrometry_rows(const equant_astrometry *source,
                                                equant_sky_rows *rows);
EQUANT_API double equant_astrometry_reference_jd(const equant_astrometry *source);
/* "" where there is none. */
EQUANT_API const char *equant_astrometry_name(const equant_astrometry *source);
/* Gaia's or Hipparcos's number of the source; 0 where there is none. */
EQUANT_API int64_t equant_astrometry_source_id(const equant_astrometry *source);
/* What the reader recognised, e.g. "Gaia DR4 VOTable"; "" for arrays. */
EQUANT_API const char *equant_astrometry_format(const equant_astrometry *source);
/* Passages with at least one row. */
EQUANT_API size_t equant_astrometry_n_transits(const equant_astrometry *source);

/* 1: abscissae are residuals to a catalogue's solution whose parallax is not known, so that a
 * fitted one is a correction to it: there are no sizes in au, no masses, and nothing ties
 * velocities to the orbit on the sky. equant_sky_reading takes that parallax. */
EQUANT_API int equant_astrometry_lacks_parallax(const equant_astrometry *source);

/* A sentence about each decision that was made on the way: rows left out, units, time scales. NULL
 * when index is out of range. */
EQUANT_API size_t equant_astrometry_n_remarks(const equant_astrometry *source);
EQUANT_API const char *equant_astrometry_remark(const equant_astrometry *source, size_t index);

/* One row for each passage: the mean of its rows, weighted by 1/uncertainty^2, of abscissa, time,
 * angle and factors, with the uncertainty of that mean. CCDs of one passage share errors that their
 * own uncertainties do not know, so that fits of these means, with a jitter, are the honest ones.
 * Angles are averaged as such where they differ by less than half a turn. A passage whose rows are
 * not all of one kind is EQUANT_ERROR_INVALID_ARGUMENT. The caller frees *means. */
EQUANT_API equant_status equant_astrometry_transits(const equant_astrometry *ccds,
                                                    equant_astrometry **means);

/* What two missions saw of one star, as one source with the reference time of the first: Gaia's
 * epochs and Hipparcos's scans. Parallax, proper motion and orbits are shared; each mission has a
 * zero of position ("ra_2", "dec_2" are those of the second) and a jitter of its own; colour and
 * harmonics of the scan angle are of the first. EQUANT_ERROR_INVALID_ARGUMENT where abscissae are
 * residuals to a solution that their file did not tell, as scans of 2007 do not. The caller frees
 * *joined. */
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_astrometry_join(const equant_astrometry *first,
                                                                    const equant_astrometry *second,
                                                                    equant_astrometry **joined);

/* What is wanted of files. */
typedef struct equant_sky_reading {
    size_t struct_size;
    int keep_rejected;      /* 1: also what whoever made the file did not use, where it has finite
                               numbers: CCDs without used_by_agis_al, outliers, rejected scans     */
    int keep_uncertainties; /* 1: those of Hipparcos as they are written, and not inflated until
                               the catalogue's goodness of fit is explained                       */
    int64_t source_id;      /* only the source with this number; 0: all. A file that gives its
                               source none is EQUANT_ERROR_INVALID_ARGUMENT with any other         */
    double catalogue_parallax_mas; /* of residuals whose file does not tell the parallax of the
                                      catalogue: it is put back; 0: none. Given for any other file
                                      it is EQUANT_ERROR_INVALID_ARGUMENT                        */
} equant_sky_reading;

/* Reads all sources of a file; formats are recognised by their contents (docs/astrometry.md).
 * `options` may be NULL. Errors name the file, and the line or row. The caller frees what comes
 * with equant_astrometry_free_all. */
EQUANT_API equant_status equant_astrometry_read(const char *path, const equant_sky_reading *options,
                                                equant_astrometry ***sources, size_t *n_sources);
EQUANT_API void equant_astrometry_free_all(equant_astrometry **sources, size_t n_sources);

/* The files of a folder or a zip archive that are no astrometry, as paths that all readers take:
 * the velocities that an archive packs beside it. None for any other path. The caller frees *paths
 * with equant_other_files_free. */
EQUANT_API equant_status equant_other_files_list(const char *path, char ***paths, size_t *n_paths);
EQUANT_API void equant_other_files_free(char **paths, size_t n_paths);

/* 1 when the contents of a file, or of one of a folder or a zip archive, are those of astrometry,
 * and not of velocities; else 0, also when it cannot be read. */
EQUANT_API int equant_astrometry_recognises(const char *path);

/* 1 when a file has positions of companions and velocities of their star, as orbitize's do: what
 * reads astrometry takes the positions, what reads observations the velocities. Else 0, also when
 * it cannot be read; equant_astrometry_recognises is 0 for such files. */
EQUANT_API int equant_astrometry_is_joint(const char *path);

/* The sources of a file one after another: for files of many, in as much memory as one of them
 * takes. The rows of a source stand together in such files. One thread at a time. */
typedef struct equant_sky_stream equant_sky_stream;
EQUANT_API equant_status equant_sky_stream_open(const char *path, const equant_sky_reading *options,
                                                equant_sky_stream **stream);
/* *source is the caller's to free, or NULL behind the last one. A file without a single source is
 * an error, as is a defect further on, after the sources before it have been given. */
EQUANT_API equant_status equant_sky_stream_next(equant_sky_stream *stream,
                                                equant_astrometry **source);
/* Sources so far without a row that could be used; they are not given. */
EQUANT_API size_t equant_sky_stream_n_left_out(const equant_sky_stream *stream);
/* Files so far, of a folder or an archive, that are no tables of astrometry; they are passed by. */
EQUANT_API size_t equant_sky_stream_n_other_files(const equant_sky_stream *stream);
EQUANT_API void equant_sky_stream_free(equant_sky_stream *stream);

/* A star in the Hipparcos-Gaia Catalogue of Accelerations (Brandt 2018, 2021): its proper motion
 * towards East and North around two epochs, and between them. Calibrations and the correction of
 * the long one for the curvature of the sphere are in the values, as the catalogue has them. Epochs
 * are Julian years, one for each coordinate. */
typedef struct equant_sky_motions {
    size_t struct_size;
    int64_t hip_id;
    int64_t gaia_id;
    double ra_deg, dec_deg; /* of Gaia */
    double parallax_mas, parallax_err_mas;
    double hipparcos_mas_yr[2], hipparcos_err_mas_yr[2], hipparcos_correlation;
    double long_mas_yr[2], long_err_mas_yr[2], long_correlation; /* from one epoch to the other */
    double gaia_mas_yr[2], gaia_err_mas_yr[2], gaia_correlation;
    double hipparcos_epoch_yr[2], gaia_epoch_yr[2];
    double chi_square; /* of a constant motion */
} equant_sky_motions;

/* Reads one row of the catalogue, a FITS file: that of a Hipparcos or Gaia number, or with 0 the
 * only one there is. */
EQUANT_API equant_status equant_sky_motions_read(const char *path, int64_t id,
                                                 equant_sky_motions *motions);

#ifdef __cplusplus
}
#endif
#endif
