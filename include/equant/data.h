/* equant/data.h: data sets. Observations, from arrays or from files. */
#ifndef EQUANT_DATA_H
#define EQUANT_DATA_H

#include <stddef.h>

#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Observations of one star by one or more instruments, sorted by time. */
typedef struct equant_dataset equant_dataset;

typedef enum equant_unit {
    EQUANT_UNIT_FROM_FILE = 0, /* header of the file, else a guess with a warning */
    EQUANT_UNIT_M_S = 1,
    EQUANT_UNIT_KM_S = 2
} equant_unit;

/* An activity indicator: a number beside each velocity that tells of the star's
 * surface or of its lines, and not of planets. Known by name are s_index,
 * log_rhk, h_alpha, na_d, na_d1, na_d2, ca_ii, fwhm, bis, contrast, crx and dlw
 * (docs/formats.md has the headings of their columns); arrays may bring others.
 * Of an array of them the first names the size of all. */
typedef struct equant_indicator {
    size_t struct_size;
    const char *name;            /* "log_rhk"                                 */
    const char *label;           /* for people, "log R'HK"; NULL: the usual   */
    const char *unit;            /* "m/s", ...; "" or NULL: none, or unknown  */
    const double *values;        /* [n_obs]; NaN where a row has none         */
    const double *uncertainties; /* [n_obs]; NaN where unknown; NULL: all are */
} equant_indicator;

/* Times from one to another, both of them included; either may be infinite. A pair of numbers that
 * never grows. */
typedef struct equant_time_span {
    double from_days, to_days;
} equant_time_span;

/* Transits: half of a duration before and after each conjunction, so that observations of the
 * Rossiter-McLaughlin effect can be left out. Three numbers that never grow. */
typedef struct equant_transit_times {
    double period_days, conjunction_days; /* on the clock of the data */
    double duration_hours;                /* from first to last contact, or longer */
} equant_transit_times;

/* `columns` says which columns of files to take, by their names or by numbers
 * from 1 on, as in "time=BJD,rv=3,err=e_RV,instrument=tel". Indicators are taken
 * so too, "s_index=CaHK,s_index_err=7". An entry whose column has a comma in its
 * name stands in quotes. What is not said is recognised as ever. "star=HOST" is the
 * column that names the star of each row, and "star=none" says that none does.
 * A file with rows of several stars is refused, unless `star` chooses one: an
 * equant_star_stream reads one after the other. `indicators` of
 * arrays are in the order of the rows that are given. `time_name` is what times
 * are called, "JD", "BJD", "HJD" or "MJD", also as a heading has it, "BJD_TDB". */
typedef struct equant_dataset_options {
    size_t struct_size;
    equant_unit velocity_unit;              /* of the input; forces, where not FROM_FILE */
    int has_reference_time;                 /* 1: take the next member; 0: choose       */
    double reference_time_days;             /* t_ref, on the time scale of the input    */
    int skip_bad_rows;                      /* 1: rows that cannot be used are left out,
                                               with a warning; 0: they are errors        */
    const char *columns;                    /* of files; NULL: by their names            */
    size_t n_indicators;                    /* of arrays                                 */
    const equant_indicator *indicators;     /* [n_indicators]                    */
    const char *time_name;                  /* NULL: as files say, "JD" for arrays       */
    const char *star;                       /* of files: the rows of this star alone; NULL: all,
                                               which must be of one star                 */
    size_t n_left_out_times;                /* observations at these times are left out; */
    const equant_time_span *left_out_times; /* warnings count them                   */
    size_t n_left_out_transits;             /* likewise, in transits                     */
    const equant_transit_times *left_out_transits;
} equant_dataset_options;

/* Makes a data set from arrays of length n_obs (copied; n_obs >= 1).
 * instrument[k] in [0, n_instruments) says who made observation k; NULL means
 * one instrument. instrument_names has n_instruments entries, or is NULL.
 * Times may be unsorted and may repeat. Not finite values and uncertainties
 * <= 0 are EQUANT_ERROR_INVALID_ARGUMENT, unless options->skip_bad_rows leaves
 * such rows out. options may be NULL. Velocities and
 * uncertainties are in m/s unless options->velocity_unit says km/s. The caller
 * frees *dataset with equant_dataset_free. */
EQUANT_API equant_status equant_dataset_from_arrays(
    size_t n_obs, const double *time_days, const double *velocity, const double *uncertainty,
    const int *instrument, size_t n_instruments, const char *const *instrument_names,
    const equant_dataset_options *options, equant_dataset **dataset);

/* Reads files; formats are recognised by their contents (docs/formats.md). A
 * folder or a zip archive stands for the files in it, and "ARCHIVE.zip/MEMBER"
 * for one of them; what gzip compressed is unpacked.
 * Several files without instrument columns are several instruments. What was
 * guessed is in the warnings. Errors name file and line. */
EQUANT_API equant_status equant_dataset_from_files(size_t n_files, const char *const *paths,
                                                   const equant_dataset_options *options,
                                                   equant_dataset **dataset);

/* The same for one file's bytes already in memory; `name` stands for the path
 * in messages and instrument names. */
EQUANT_API equant_status equant_dataset_from_text(const char *text, size_t n_bytes,
                                                  const char *name,
                                                  const equant_dataset_options *options,
                                                  equant_dataset **dataset);

/* The same observations with other uncertainties, [n_obs] in m/s, in the order of the data set: as
 * a fit believes them (equant_fit_uncertainties_m_s). What is not above zero is
 * EQUANT_ERROR_INVALID_ARGUMENT. The caller frees *made with equant_dataset_free. */
EQUANT_API equant_status equant_dataset_with_uncertainties(const equant_dataset *dataset,
                                                           const double *uncertainties_m_s,
                                                           equant_dataset **made);

/* Some rows of a data set, [n_rows] indices that ascend: instruments of which none is left are left
 * out, and all else is kept, the reference time, too. The caller frees *made with
 * equant_dataset_free. */
EQUANT_API equant_status equant_dataset_select(const equant_dataset *dataset, size_t n_rows,
                                               const size_t *rows, equant_dataset **made);

/* A data set without observations at some times, as left_out_times and left_out_transits of its
 * options leave them out when it is made; the reference time stays. The caller frees *made with
 * equant_dataset_free. */
EQUANT_API equant_status equant_dataset_without(const equant_dataset *dataset, size_t n_times,
                                                const equant_time_span *times, size_t n_transits,
                                                const equant_transit_times *transits,
                                                equant_dataset **made);

/* The embedded demonstration: HD 164922, 401 velocities (Fulton et al. 2016). */
EQUANT_API equant_status equant_dataset_demonstration(equant_dataset **dataset);

EQUANT_API void equant_dataset_free(equant_dataset *dataset);

/* Views into the data set, sorted by time (equal times keep their order),
 * valid until it is freed. Times are as given; velocities and uncertainties
 * are in m/s whatever the file's unit was. */
EQUANT_API size_t equant_dataset_n_obs(const equant_dataset *dataset);
EQUANT_API const double *equant_dataset_times_days(const equant_dataset *dataset);
EQUANT_API const double *equant_dataset_velocities_m_s(const equant_dataset *dataset);
EQUANT_API const double *equant_dataset_uncertainties_m_s(const equant_dataset *dataset);
/* What the times are called: "BJD", "HJD" or "MJD" where the heading of their
 * column says so, in all files; else "JD", whatever their size. */
EQUANT_API const char *equant_dataset_time_name(const equant_dataset *dataset);
EQUANT_API const int *equant_dataset_instruments(const equant_dataset *dataset);
EQUANT_API double equant_dataset_reference_time_days(const equant_dataset *dataset);

EQUANT_API size_t equant_dataset_n_instruments(const equant_dataset *dataset);
/* NULL when index is out of range. */
EQUANT_API const char *equant_dataset_instrument_name(const equant_dataset *dataset, size_t index);
/* Observations of instrument `index`; 0 when out of range. */
EQUANT_API size_t equant_dataset_instrument_n_obs(const equant_dataset *dataset, size_t index);

/* The activity indicators, as views that are valid until the data set is freed;
 * NULL when index is out of range. Neither label, unit nor uncertainties of a
 * view are NULL. Widths and bisector spans of lines are in m/s where their unit
 * was told or could be guessed. */
EQUANT_API size_t equant_dataset_n_indicators(const equant_dataset *dataset);
EQUANT_API const equant_indicator *equant_dataset_indicator(const equant_dataset *dataset,
                                                            size_t index);

/* Columns of the files that were of no use, by their names. */
EQUANT_API size_t equant_dataset_n_ignored_columns(const equant_dataset *dataset);
EQUANT_API const char *equant_dataset_ignored_column(const equant_dataset *dataset, size_t index);

/* Unit in which the velocities were read: M_S or KM_S. With files of both
 * kinds, that of the first. */
EQUANT_API equant_unit equant_dataset_unit(const equant_dataset *dataset);
/* What the reader recognised, e.g. "RadVel table"; "" for arrays. */
EQUANT_API const char *equant_dataset_format(const equant_dataset *dataset);
/* Observations that were left out by their times (left_out_times, left_out_transits). */
EQUANT_API size_t equant_dataset_n_left_out(const equant_dataset *dataset);
/* What a file says of its star, as a .sys of Systemic does: its name, "" where unknown, and its
 * mass in solar masses, 0 where unknown. */
EQUANT_API const char *equant_dataset_star_name(const equant_dataset *dataset);
EQUANT_API double equant_dataset_star_mass(const equant_dataset *dataset);
/* Things a person should know: guesses made, rows left out. */
EQUANT_API size_t equant_dataset_n_warnings(const equant_dataset *dataset);
EQUANT_API const char *equant_dataset_warning(const equant_dataset *dataset, size_t index);

#ifdef __cplusplus
}
#endif
#endif
