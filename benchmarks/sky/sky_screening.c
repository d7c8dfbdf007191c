/* False alarms of catalogues, and what their screening loses: sources of noise on the scans of a
 * file, and the same with companions that are hard to see, which are looked for with screening and
 * by a fit of every source.
 *
 *   cc -O2 -I include benchmarks/sky/sky_screening.c build/libequant.so -lm -o sky_screening
 *   sky_screening SCANS|- N_NOISE N_COMPANIONS [BACKEND [FAP]]
 *
 * "-": scans that are made up, as of 93 transits. Progress goes to standard error. */
#include "sky_scans.h"

enum { BATCH = 8192 };

/* Rows of n sources from `first` on; returns the seconds of the catalogue. */
static double run(struct scans *scans, size_t first, size_t n, bool has_companion,
                  const equant_sky_catalogue_options *options, equant_sky_catalogue_row *rows)
{
    equant_astrometry **sources = allocate(n, sizeof *sources);
    double *value = allocate(scans->n, sizeof *value);
    equant_sky_catalogue *catalogue = NULL;
    for (size_t i = 0; i < n; i++)
        sources[i] = make_source(scans, first + i, has_companion, value);
    rows[0].struct_size = sizeof *rows;
    must(equant_sky_catalogue_create(options, &catalogue));
    double began = seconds();
    must(equant_sky_catalogue_run(catalogue, n, (const equant_astrometry *const *)sources, rows));
    double taken = seconds() - began;
    equant_sky_catalogue_free(catalogue);
    for (size_t i = 0; i < n; i++)
        equant_astrometry_free(sources[i]);
    free(sources);
    free(value);
    return taken;
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
    equant_sky_catalogue_row *rows = allocate(2 * BATCH, sizeof *rows);
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
