#include "bench/bench_dataset.h"

#include <math.h>
#include <stdlib.h>

#include "bench/reference_libm.h"

const uint64_t bench_dataset_seed = 2008;
enum { PURPOSE_NIGHT = 1, PURPOSE_HOUR, PURPOSE_SIGMA, PURPOSE_NOISE };

/* The star's own planets are drawn from another seed than the orbits under trial. */
static const uint64_t star_seed = 1995;
enum { STAR_N_PLANETS = 4 };

/* Ten years of a star that can be seen for seven months of each, at night. */
static const double first_night_jd = 2454000.5, years = 10.0, year_days = 365.25;
static const double season_share = 7.0 / 12.0, night_share = 0.35;

/* Turns two uniform draws into the time of an observation. */
static double time_of(double night_draw, double hour_draw)
{
    double observable_years = night_draw * years;
    double year = floor(observable_years);
    double day = floor((year + season_share * (observable_years - year)) * year_days);
    return first_night_jd + day + night_share * hour_draw;
}

/* Columns of the observations, and two of working memory. */
enum { COLUMN_TIME, COLUMN_VELOCITY, COLUMN_SIGMA, COLUMN_HOUR, COLUMN_NOISE, N_COLUMNS };

/* Predicted velocities of the star's own orbit, and noise of one sigma. */
static void observe(size_t n_obs, double *const column[N_COLUMNS])
{
    double star[STAR_N_PLANETS * REFERENCE_ELEMENTS + 1] = {0.0};
    reference_observations times = {
        .n_obs = n_obs, .time_days = column[COLUMN_TIME], .reference_time_days = first_night_jd};
    reference_libm_limits converged = {.tolerance = 1e-14, .max_iterations = 20};
    equant_orbits_draw(NULL, star_seed, 0, 1, STAR_N_PLANETS, star);
    equant_random_normal(bench_dataset_seed, PURPOSE_NOISE, 0, n_obs, column[COLUMN_NOISE]);
    reference_libm_velocities(&times, STAR_N_PLANETS, star, converged, column[COLUMN_VELOCITY]);
    for (size_t k = 0; k < n_obs; k++)
        column[COLUMN_VELOCITY][k] += column[COLUMN_SIGMA][k] * column[COLUMN_NOISE][k];
}

equant_status bench_dataset_create(size_t n_obs, equant_dataset **dataset)
{
    double *memory = calloc(n_obs, N_COLUMNS * sizeof *memory), *column[N_COLUMNS];
    if (memory == NULL)
        return EQUANT_ERROR_OUT_OF_MEMORY;
    for (int i = 0; i < N_COLUMNS; i++)
        column[i] = memory + (size_t)i * n_obs;
    equant_random_uniform(bench_dataset_seed, PURPOSE_NIGHT, 0, n_obs, column[COLUMN_TIME]);
    equant_random_uniform(bench_dataset_seed, PURPOSE_HOUR, 0, n_obs, column[COLUMN_HOUR]);
    equant_random_uniform(bench_dataset_seed, PURPOSE_SIGMA, 0, n_obs, column[COLUMN_SIGMA]);
    for (size_t k = 0; k < n_obs; k++) {
        column[COLUMN_TIME][k] = time_of(column[COLUMN_TIME][k], column[COLUMN_HOUR][k]);
        column[COLUMN_SIGMA][k] = 1.0 + 4.0 * column[COLUMN_SIGMA][k];
    }
    observe(n_obs, column);
    equant_status status =
        equant_dataset_from_arrays(n_obs, column[COLUMN_TIME], column[COLUMN_VELOCITY],
                                   column[COLUMN_SIGMA], NULL, 1, NULL, NULL, dataset);
    free(memory);
    return status;
}
