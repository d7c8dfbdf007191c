/* False alarms of catalogues, and what their screening loses: sources of noise on the scans of a
 * file, and the same with companions that are hard to see, which are looked for with screening and
 * by a fit of every source.
 *
 *   cc -O2 -I include benchmarks/sky/sky_screening.c build/libequant.so -lm -o sky_screening
 *   sky_screening SCANS|- N_NOISE N_COMPANIONS [BACKEND [FAP]]
 *
 * "-": scans that are made up, as of 93 transits. Progress goes to standard error. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "equant.h"

enum { BATCH = 8192, MADE_UP = 93, ORBIT_PURPOSE = 31, NOISE_PURPOSE = 32, SCAN_PURPOSE = 33 };
#define TWO_PI 6.283185307179586

struct scans {
    size_t n;
    double *time, *angle, *factor, *error, *value;
};

struct companion {
    double period, e, m0, a, b, f, g;
};

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void must(equant_status status, const char *what)
{
    if (status == EQUANT_SUCCESS)
        return;
    fprintf(stderr, "%s: %s\n", what, equant_last_error());
    exit(1);
}

static void make_up(struct scans *scans)
{
    double u[2 * MADE_UP];
    must(equant_random_uniform(1, SCAN_PURPOSE, 0, 2 * MADE_UP, u), "scans");
    for (size_t k = 0; k < scans->n; k++) {
        scans->time[k] = -950.0 + 1900.0 * u[2 * k];
        scans->angle[k] = TWO_PI * u[2 * k + 1];
        scans->factor[k] = 0.7 * sin(scans->angle[k] + TWO_PI * scans->time[k] / 365.25);
    }
}

/* Times, angles and factors of the first source of a file; errors are one. */
static struct scans read_scans(const char *path)
{
    equant_astrometry **sources = NULL, *means = NULL;
    equant_sky_rows rows = {.n_rows = MADE_UP};
    size_t n_sources = 0;
    bool is_file = path[0] != '-' || path[1] != '\0';
    if (is_file) {
        must(equant_astrometry_read(path, NULL, &sources, &n_sources), path);
        must(equant_astrometry_transits(sources[0], &means), path);
        must(equant_astrometry_rows(means, &rows), path);
    }
    struct scans scans = {.n = rows.n_rows};
    double *memory = calloc(5 * scans.n, sizeof *memory);
    if (memory == NULL)
        exit(1);
    scans.time = memory;
    scans.angle = memory + scans.n;
    scans.factor = memory + 2 * scans.n;
    scans.error = memory + 3 * scans.n;
    scans.value = memory + 4 * scans.n;
    for (size_t k = 0; k < scans.n && is_file; k++) {
        scans.time[k] = rows.time_days[k];
        scans.angle[k] = rows.angle_rad[k];
        scans.factor[k] = rows.parallax_factor[k];
    }
    if (!is_file)
        make_up(&scans);
    for (size_t k = 0; k < scans.n; k++)
        scans.error[k] = 1.0;
    equant_astrometry_free(means);
    equant_astrometry_free_all(sources, n_sources);
    return scans;
}

/* Periods of 30 to 1500 days, and sizes about what is found half of the time. */
static struct companion draw_companion(size_t number, size_t n_rows)
{
    double u[7];
    must(equant_random_uniform(1, ORBIT_PURPOSE, 8 * number, 7, u), "companion");
    double usual = 9.0 / sqrt((double)n_rows), w = TWO_PI * u[2], o = TWO_PI * u[3];
    double a0 = usual * pow(4.0, u[1] - 0.5), tilt = 1.0 - 2.0 * u[4];
    return (struct companion){.period = 30.0 * pow(50.0, u[0]),
                              .e = 0.6 * u[5],
                              .m0 = TWO_PI * u[6],
                              .a = a0 * (cos(w) * cos(o) - sin(w) * sin(o) * tilt),
                              .b = a0 * (cos(w) * sin(o) + sin(w) * cos(o) * tilt),
                              .f = -a0 * (sin(w) * cos(o) + cos(w) * sin(o) * tilt),
                              .g = -a0 * (sin(w) * sin(o) - cos(w) * cos(o) * tilt)};
}

static equant_astrometry *make_source(struct scans *scans, size_t number, bool has_companion)
{
    size_t n = scans->n;
    must(equant_random_normal(has_companion ? 3 : 2, NOISE_PURPOSE, number * n, n, scans->value),
         "noise");
    struct companion own = draw_companion(number, n);
    for (size_t k = 0; k < n && has_companion; k++) {
        double mean = remainder(TWO_PI * scans->time[k] / own.period + own.m0, TWO_PI), sine,
               cosine;
        must(equant_kepler_solve(1, &mean, &own.e, NULL, NULL, &sine, &cosine), "orbit");
        double x = cosine - own.e, y = sqrt(1.0 - own.e * own.e) * sine;
        scans->value[k] += (own.b * x + own.g * y) * sin(scans->angle[k]) +
                           (own.a * x + own.f * y) * cos(scans->angle[k]);
    }
    const equant_sky_rows rows = {.n_rows = n,
                                  .time_days = scans->time,
                                  .abscissa_mas = scans->value,
                                  .uncertainty_mas = scans->error,
                                  .angle_rad = scans->angle,
                                  .parallax_factor = scans->factor};
    equant_astrometry *source = NULL;
    must(equant_astrometry_create(&rows, EQUANT_SKY_GAIA_JD, NULL, &source), "source");
    return source;
}

/* Rows of n sources from `first` on; returns the seconds of the catalogue. */
static double run(struct scans *scans, size_t first, size_t n, bool has_companion,
                  const equant_sky_catalogue_options *options, equant_sky_catalogue_row *rows)
{
    equant_astrometry **sources = calloc(n, sizeof *sources);
    equant_sky_catalogue *catalogue = NULL;
    if (sources == NULL)
        exit(1);
    for (size_t i = 0; i < n; i++)
        sources[i] = make_source(scans, first + i, has_companion);
    rows[0].struct_size = sizeof *rows;
    must(equant_sky_catalogue_create(options, &catalogue), "catalogue");
    double began = now_s();
    must(equant_sky_catalogue_run(catalogue, n, (const equant_astrometry *const *)sources, rows),
         "catalogue");
    double seconds = now_s() - began;
    equant_sky_catalogue_free(catalogue);
    for (size_t i = 0; i < n; i++)
        equant_astrometry_free(sources[i]);
    free(sources);
    return seconds;
}

/* How far a batch has come: a run takes minutes on a processor. */
static void tell_progress(const char *what, size_t done, size_t n, size_t n_orbits, double seconds)
{
    fprintf(stderr, "  %zu of %zu %s: %zu orbits, %.1f s\n", done, n, what, n_orbits, seconds);
}

static void count_noise(struct scans *scans, size_t n_noise,
                        const equant_sky_catalogue_options *options, equant_sky_catalogue_row *rows)
{
    size_t verdicts[5] = {0}, n_fitted = 0, n_nodes = 0;
    double seconds = 0.0;
    for (size_t first = 0; first < n_noise; first += BATCH) {
        size_t n = n_noise - first < BATCH ? n_noise - first : BATCH;
        seconds += run(scans, first, n, false, options, rows);
        for (size_t i = 0; i < n; i++) {
            verdicts[rows[i].verdict]++;
            n_fitted += rows[i].is_fitted != 0;
            n_nodes += rows[i].false_alarm < options->false_alarm_max;
        }
        tell_progress("sources of noise", first + n, n_noise, verdicts[EQUANT_SKY_ORBIT], seconds);
    }
    double expected = options->false_alarm_max * (double)n_noise;
    printf("%zu sources of noise, fap %g: %zu orbits (%.2e), at most %.0f +- %.0f allowed;",
           n_noise, options->false_alarm_max, verdicts[EQUANT_SKY_ORBIT],
           (double)verdicts[EQUANT_SKY_ORBIT] / (double)n_noise, expected,
           sqrt(expected * (1.0 - options->false_alarm_max)));
    printf(" %zu nodes or orbits below it;", n_nodes);
    printf(" %zu 7p, %zu 9p, %zu scan_angle\n", verdicts[EQUANT_SKY_7P], verdicts[EQUANT_SKY_9P],
           verdicts[EQUANT_SKY_SCAN_ANGLE]);
    printf("  %zu of them fitted (%.2f %%); %.2f s, %.0f sources/s\n", n_fitted,
           100.0 * (double)n_fitted / (double)n_noise, seconds, (double)n_noise / seconds);
}

static void count_companions(struct scans *scans, size_t n,
                             const equant_sky_catalogue_options *options,
                             equant_sky_catalogue_row *rows, equant_sky_catalogue_row *all)
{
    equant_sky_catalogue_options every = *options;
    size_t n_screened = 0, n_every = 0, n_lost = 0, n_fitted = 0;
    double quick = 0.0, slow = 0.0;
    every.fit_all = 1;
    for (size_t first = 0; first < n; first += BATCH) {
        size_t own = n - first < BATCH ? n - first : BATCH;
        quick += run(scans, first, own, true, options, rows);
        slow += run(scans, first, own, true, &every, all);
        for (size_t i = 0; i < own; i++) {
            bool is_found = rows[i].verdict == EQUANT_SKY_ORBIT;
            bool is_there = all[i].verdict == EQUANT_SKY_ORBIT;
            n_screened += is_found;
            n_every += is_there;
            n_lost += is_there && !rows[i].is_fitted;
            n_fitted += rows[i].is_fitted != 0;
        }
        tell_progress("companions", first + own, n, n_every, quick + slow);
    }
    printf(
        "%zu companions: %zu orbits with screening (%zu fitted, %.2f s), %zu when all are fitted "
        "(%.2f s); %zu lost by screening (%.2f %%)\n",
        n, n_screened, n_fitted, quick, n_every, slow, n_lost,
        n_every > 0 ? 100.0 * (double)n_lost / (double)n_every : 0.0);
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: %s SCANS|- N_NOISE N_COMPANIONS [BACKEND [FAP]]\n", argv[0]);
        return 2;
    }
    struct scans scans = read_scans(argv[1]);
    size_t n_noise = strtoul(argv[2], NULL, 10), n_companions = strtoul(argv[3], NULL, 10);
    const equant_engine_options engine = {.struct_size = sizeof engine,
                                          .precision = EQUANT_PRECISION_MIXED,
                                          .backend = argc > 4 ? argv[4] : NULL};
    const equant_sky_catalogue_options options = {.struct_size = sizeof options,
                                                  .engine = &engine,
                                                  .false_alarm_max =
                                                      argc > 5 ? strtod(argv[5], NULL) : 1e-3};
    equant_sky_catalogue_row *rows = calloc(2 * BATCH, sizeof *rows);
    if (rows == NULL)
        return 1;
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("%zu transits\n", scans.n);
    if (n_noise > 0)
        count_noise(&scans, n_noise, &options, rows);
    if (n_companions > 0)
        count_companions(&scans, n_companions, &options, rows, rows + BATCH);
    free(rows);
    free(scans.time);
    return 0;
}
