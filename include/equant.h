/* equant: which orbits explain these radial velocities?
 *
 * This header is the manual of the C API and includes all of it. Its parts read from simple to
 * advanced, and each may be included alone:
 *
 *   equant/status.h       status and errors    every call answers with an equant_status
 *   equant/library.h      library and machine  version, backends found on this machine
 *   equant/data.h         data sets            observations, from arrays or from files
 *   equant/model.h        models               how many planets, which nuisance parameters
 *   equant/star.h         the star             what is known of it from elsewhere, with errors
 *   equant/quantities.h   quantities           names, units and words of all that results hold
 *   equant/evaluate.h     evaluation           orbits in; chi-square, velocities, derivatives out
 *   equant/random.h       random numbers       counter-based: same seed, same draws; random orbits
 *   equant/progress.h     progress             how far a long call has come, and how to cancel it
 *   equant/states.h       states               what is known of parameters: values, ranges, priors
 *   equant/search.h       search               the Keplerian periodogram and its peaks
 *   equant/star_file.h    star files           data, states and options of a star in one file
 *   equant/fit.h          fit                  the planets of a star, without a starting guess
 *   equant/models.h       models compared      without a planet, on circles, with another trend
 *   equant/priors.h       priors               what is believed of parameters before the data
 *   equant/noise.h        noise                correlated from one observation to the next
 *   equant/sample.h       sampling             the posterior: how well the planets are known
 *   equant/stars.h        many stars           files of them, fits and samples of many
 *   equant/compare.h      comparison           how many planets, and how probable each of them is
 *   equant/record.h       records              fits in folders: written, read back, described
 *   equant/dynamics.h     dynamics             velocities of planets that attract each other
 *   equant/predict.h      predictions          velocities and conjunctions at other times
 *   equant/plan.h         plans                which times to observe next
 *   equant/schedule.h     schedules            nights filled with many stars
 *   equant/target.h       targets              the posterior as a function, for samplers of others
 *   equant/xla.h          programs of XLA      targets as operations of what JAX compiles
 *   equant/astrometry.h   astrometry           where a star was seen on the sky
 *   equant/sky_fit.h      fits of astrometry   how a source moves there; the orbit of a companion
 *   equant/sky_periodogram.h  periodograms of astrometry   what an orbit of each period explains
 *   equant/sky_sample.h   sampling of astrometry   how well an orbit on the sky is known
 *   equant/sky_predict.h  predictions of astrometry   positions and velocities at other times
 *   equant/sky_catalogue.h  catalogues of astrometry   many sources, one row for each
 *   equant/sky_sources.h  lists of sources    masses, names, numbers of DR3, velocities
 *   equant/sky_orbits.h   published orbits     each against the epochs of its source
 *   equant/sky_injection.h  injections into astrometry   which companions would have been found
 *   equant/sb2.h          double-lined binaries   the orbit of two stars, roles unknown
 *   equant/injection.h    injections into velocities   which planets would have been found
 *   equant/observing.h    observing            nights, sun and moon: when a star can be seen
 *   equant/paper.h        the paper            what only reproduces the tables of Ford (2008)
 *
 * Conventions, everywhere:
 *   times in days, velocities in m/s, angles in radians;
 *   orbital elements are those of the star's motion, velocity positive away
 *   from us:  v(t) = sum_p K_p [cos(nu_p + omega_p) + e_p cos omega_p]
 *                    + offset of the instrument + trend,
 *   mean anomaly  M(t) = 2 pi (t - t_ref) / P + M0,
 *   trend  d1 (t - t_ref) + d2 (t - t_ref)^2,
 *   where t_ref is the reference time that the data set owns.
 *
 * The library never prints, never aborts, never exits and reads no environment variable but
 * OMP_NUM_THREADS. Where the system starts fewer threads than asked for, those do the work. Outputs
 * are written only on success. Objects are immutable after creation unless said otherwise, and may
 * then be shared between threads.
 *
 * Names: equant_OBJECT_ACTION. A list of an object: equant_X_n_ITEMS(x) counts it, equant_X_ITEM(x,
 * index, ...) tells one item; what an object is made of: equant_X_n(x) and equant_X_at(x, index,
 * ...); a list of the library: equant_n_ITEMS() and equant_ITEM_at(index, ...). An index out of
 * range is EQUANT_ERROR_INVALID_ARGUMENT, or NULL where the answer is a text or an array. _free
 * frees an object, and NULL does nothing. Other functions of a NULL object answer
 * EQUANT_ERROR_INVALID_ARGUMENT, a count of 0, the number NaN, or NULL ("" where a text is never
 * NULL).
 *
 * Structs of options and of results begin with struct_size: set it to the sizeof of the struct. All
 * other members of options may be zero, which means the default. Structs only ever grow at their
 * end. Functions marked EQUANT_EXPERIMENTAL may still change (docs/c-api.md lists them).
 *
 *     equant_engine_options engine = {.struct_size = sizeof engine};
 */
#ifndef EQUANT_H
#define EQUANT_H

#include "equant/status.h"
#include "equant/library.h"
#include "equant/data.h"
#include "equant/model.h"
#include "equant/star.h"
#include "equant/quantities.h"
#include "equant/evaluate.h"
#include "equant/random.h"
#include "equant/progress.h"
#include "equant/states.h"
#include "equant/search.h"
#include "equant/star_file.h"
#include "equant/fit.h"
#include "equant/models.h"
#include "equant/dynamics.h"
#include "equant/priors.h"
#include "equant/noise.h"
#include "equant/sample.h"
#include "equant/stars.h"
#include "equant/compare.h"
#include "equant/record.h"
#include "equant/predict.h"
#include "equant/plan.h"
#include "equant/schedule.h"
#include "equant/target.h"
#include "equant/xla.h"
#include "equant/astrometry.h"
#include "equant/sky_fit.h"
#include "equant/sky_periodogram.h"
#include "equant/sky_sample.h"
#include "equant/sky_predict.h"
#include "equant/sky_catalogue.h"
#include "equant/sky_sources.h"
#include "equant/sky_orbits.h"
#include "equant/sky_injection.h"
#include "equant/sb2.h"
#include "equant/injection.h"
#include "equant/observing.h"
#include "equant/paper.h"

#define EQUANT_VERSION_MAJOR 0
#define EQUANT_VERSION_MINOR 1
#define EQUANT_VERSION_PATCH 0
#define EQUANT_VERSION_STRING "0.1.0"

#endif
