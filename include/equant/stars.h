/* equant/stars.h: many stars. Files that hold many of them, and fits of many at a time. */
#ifndef EQUANT_STARS_H
#define EQUANT_STARS_H

#include <stddef.h>

#include "equant/data.h"
#include "equant/fit.h"
#include "equant/sample.h"
#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A file of velocities, star by star, of which one is in memory at a time. */
typedef struct equant_star_stream equant_star_stream;

/* Opens a table that equant_dataset_from_files could read, with one column more, "star" (or
 * star_name, star_id, name, object, target, source_id, id), that tells whose a row is; the rows of
 * a star stand together. A file without such a column is one star, with the name of the file.
 * options may be NULL; what they point to must outlive the stream. */
EQUANT_API equant_status equant_star_stream_open(const char *path,
                                                 const equant_dataset_options *options,
                                                 equant_star_stream **stream);

/* The next star, for the caller to free; *dataset is NULL behind the last. dataset may be NULL: the
 * star is passed over, without a look at its numbers. Where the rows of a star cannot be used, the
 * sentence names it, and the call after goes on with the next. */
EQUANT_API equant_status equant_star_stream_next(equant_star_stream *stream,
                                                 equant_dataset **dataset);

/* Whose data, or whose failure, the last call was about; NULL behind the last star, and where the
 * file itself can be read no further. Valid until the next call. */
EQUANT_API const char *equant_star_stream_name(const equant_star_stream *stream);

EQUANT_API void equant_star_stream_free(equant_star_stream *stream);

/* Fits many stars, each as equant_fit_star does with the same options, to the same bits: as many at
 * a time as the engine of the options has threads, one thread each. Scans of stars that are under
 * way together go to a GPU together. fits[i] is for the caller to free; where a star has none it is
 * NULL, statuses[i] says what kind of failure it was, and equant_fit_star of that star alone has
 * the words. Fails as a whole only where it is cancelled, or cannot begin: there are no fits then.
 * Progress is that over stars, as stage "stars". */
EQUANT_API equant_status equant_fit_stars(size_t n_stars, const equant_dataset *const *datasets,
                                          const equant_fit_options *options, equant_fit **fits,
                                          equant_status *statuses);

/* Samples many stars side by side, each as equant_sample does with the same options, seed included:
 * the draws of a star are those that it has alone on the same processors, to the bit, whoever else
 * is in the list. Each half step the proposals of all stars under way are evaluated in one call,
 * which on a GPU is one launch; where no backend is named, one is taken for that many. (Alone, a
 * GPU has the walkers as well: draws are then others of the same posterior.) Stars may have
 * different numbers of instruments, and are taken together with those that have as many. Offsets
 * are parameters; states, basis and path stay NULL, and noise terms are a
 * processor's. posteriors[i] is for the caller to free; where a star has none it is NULL,
 * statuses[i] says what kind of failure it was, and equant_sample of that star alone has the words.
 * max_seconds is that of all together. Fails as a whole only where it is cancelled, or cannot
 * begin: there are no posteriors then. Progress is that over stars, as stage "sampling stars". */
EQUANT_API equant_status equant_sample_stars(size_t n_stars, const equant_dataset *const *datasets,
                                             const equant_sample_options *options,
                                             equant_posterior **posteriors,
                                             equant_status *statuses);

#ifdef __cplusplus
}
#endif
#endif
