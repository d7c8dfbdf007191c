/* equant/record.h: the record of a fit. All that a fit found, in the files of a folder or as text;
 * written, read back and described. */
#ifndef EQUANT_RECORD_H
#define EQUANT_RECORD_H

#include <stddef.h>

#include "equant/compare.h"
#include "equant/data.h"
#include "equant/fit.h"
#include "equant/star.h"
#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a record says beside the fit and its data. NULL and zeros: unknown. */
typedef struct equant_record_options {
    size_t struct_size;
    const char *star_name;       /* what the star is called                            */
    const char *made_by;         /* the command, or the call                           */
    const equant_star *star;     /* as the fit knew it                                 */
    double threshold;            /* planets that are less probable are candidates; 0: 0.95 */
    size_t n_hints;              /* whole sentences for people                         */
    const char *const *hints;    /* [n_hints]                                          */
    size_t n_warnings;           /* of the reader of the data, where the data set does not have */
    const char *const *warnings; /* them; NULL: those of the data set                           */
} equant_record_options;

/* Writes planets.ecsv, parameters.ecsv, covariance.ecsv, residuals.ecsv, origin.json and, last,
 * fit.json into a folder, which is made where it is missing. Each is there whole or not at all, and
 * takes the place of one of its kind; files of another kind are EQUANT_ERROR_INVALID_ARGUMENT.
 * `dataset` is that of the fit; options may be NULL. */
EQUANT_API equant_status equant_fit_write(const equant_fit *fit, const equant_dataset *dataset,
                                          const equant_record_options *options, const char *folder);

/* fit.json alone, as new memory that ends with NUL, for equant_fit_text_free. */
EQUANT_API equant_status equant_fit_text(const equant_fit *fit, const equant_dataset *dataset,
                                         const equant_record_options *options, char **text,
                                         size_t *n_bytes);
EQUANT_API void equant_fit_text_free(char *text);

/* origin.json alone: who made the results of a folder, of which star. */
EQUANT_API equant_status equant_origin_write(const equant_record_options *options,
                                             const char *folder);

/* A folder in which one program at a time may write. The lock is the operating system's, and goes
 * with its program however that ends; a file of this name in the folder says whose it is. With
 * another `name` (NULL: this one) it is one of several locks of the folder. A shared one is taken
 * beside others that share it. EQUANT_ERROR_IO where another program has it, or the file system
 * has no locks. */
#define EQUANT_FOLDER_LOCK ".equant.lock"
typedef struct equant_folder_lock equant_folder_lock;
EQUANT_API equant_status equant_folder_lock_take(const char *folder, const char *name,
                                                 int is_shared, equant_folder_lock **lock);
EQUANT_API void equant_folder_lock_release(equant_folder_lock *lock);

/* What a folder says beside a fit and its data. */
typedef struct equant_origin equant_origin;

/* Reads the folder of a fit; free all three. `origin` may be NULL. What equant_fit_write makes of
 * them is the same again, to the byte. EQUANT_ERROR_FORMAT where the files are not of one fit. */
EQUANT_API equant_status equant_fit_read(const char *folder, equant_fit **fit,
                                         equant_dataset **dataset, equant_origin **origin);

/* origin.json alone; without such a file nothing is known. */
EQUANT_API equant_status equant_origin_read(const char *folder, equant_origin **origin);
EQUANT_API void equant_origin_free(equant_origin *origin);

/* As equant_fit_write takes it, and the version that wrote it, "" where that is unknown. Valid
 * until the origin is freed; of NULL NULL and "". */
EQUANT_API const equant_record_options *equant_origin_options(const equant_origin *origin);
EQUANT_API const char *equant_origin_version(const equant_origin *origin);

typedef enum equant_record_kind {
    EQUANT_RECORD_NUMBER = 0,
    EQUANT_RECORD_COUNT = 1, /* a whole number from 0 on          */
    EQUANT_RECORD_BOOLEAN = 2,
    EQUANT_RECORD_TEXT = 3,
    EQUANT_RECORD_NUMBERS = 4, /* lists of such                     */
    EQUANT_RECORD_COUNTS = 5,
    EQUANT_RECORD_TEXTS = 6,
    EQUANT_RECORD_OBJECT = 7, /* fields of its own                 */
    EQUANT_RECORD_LIST = 8,   /* rows with fields of their own     */
    EQUANT_RECORD_MEMBERS = 9 /* such rows by their names          */
} equant_record_kind;

/* A field of fit.json or origin.json. Strings are valid until the next call of this thread. */
typedef struct equant_record_field {
    size_t struct_size;
    const char *file; /* "fit.json"                                             */
    const char *path; /* "planets[].aliases[].overlap"                          */
    equant_record_kind kind;
    const char *unit; /* as astropy and VizieR write it; "" where there is none */
    const char *meaning;
    int is_optional; /* 1: it is left out where it is unknown; 0: it is null   */
} equant_record_field;

/* All fields, in the order of the files; quantities of planets and instruments are those of
 * equant/quantities.h. */
EQUANT_API size_t equant_n_record_fields(void);
EQUANT_API equant_status equant_record_field_at(size_t index, equant_record_field *field);

#ifdef __cplusplus
}
#endif
#endif
