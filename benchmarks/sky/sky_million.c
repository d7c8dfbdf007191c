/* Speed of the search of many sources from the memory of the host, by the library as it is:
 * transits as they were measured in, the best orbit of each source with its false-alarm probability
 * out, periods of 10 days to two spans. Every second source has a companion. Beside it the same
 * search by processors in double for some of them: how far gains are apart, and whether the best
 * orbits have the same period.
 *
 *   cc -O2 -fopenmp -I include benchmarks/sky/sky_million.c build/libequant.so -lm -o sky_million
 *   sky_million SCANS|- N_SOURCES [BACKEND [N_COMPARED]]
 *
 * "-": scans that are made up, as of 93 transits. A million sources of them take 6 GiB. */
#include <sys/resource.h>

#include "sky_scans.h"

enum { N_COMPARED = 2000 };

static equant_astrometry **make_sources(const struct scans *scans, size_t n)
{
    equant_astrometry **sources = allocate(n, sizeof *sources);
#pragma omp parallel
    {
        double *value = allocate(scans->n, sizeof *value);
#pragma omp for
        for (size_t i = 0; i < n; i++)
            sources[i] = make_source(scans, i, i % 2 == 1, value);
        free(value);
    }
    return sources;
}

static double span_of(const struct scans *scans)
{
    double first = INFINITY, last = -INFINITY;
    for (size_t k = 0; k < scans->n; k++) {
        first = fmin(first, scans->time[k]);
        last = fmax(last, scans->time[k]);
    }
    return last - first;
}

/* Returns the seconds of the search, the layout of the grid among them. */
static double search(const char *backend, equant_precision precision, double span, size_t n,
                     equant_astrometry *const *sources, equant_sky_signal *signals)
{
    const equant_engine_options engine = {
        .struct_size = sizeof engine, .backend = backend, .precision = precision};
    const equant_sky_catalogue_options options = {.struct_size = sizeof options,
                                                  .engine = &engine,
                                                  .period_min_days = 10.0,
                                                  .period_max_days = 2.0 * span};
    equant_sky_catalogue *catalogue = NULL;
    signals[0].struct_size = sizeof *signals;
    double began = seconds();
    must(equant_sky_catalogue_create(&options, &catalogue));
    must(equant_sky_catalogue_search(catalogue, n, (const equant_astrometry *const *)sources,
                                     signals));
    double taken = seconds() - began;
    equant_sky_catalogue_free(catalogue);
    return taken;
}

static void compare(double span, size_t n, equant_astrometry *const *sources,
                    const equant_sky_signal *found)
{
    equant_sky_signal *exact = allocate(n + 1, sizeof *exact);
    double taken = search("cpu", EQUANT_PRECISION_DOUBLE, span, n, sources, exact), worst = 0.0;
    size_t n_other = 0, n_sure = 0, n_other_sure = 0;
    for (size_t i = 0; i < n; i++) {
        bool is_other = found[i].period_days != exact[i].period_days, is_sure = exact[i].gain > 25;
        worst = fmax(worst, fabs(found[i].gain - exact[i].gain) / fmax(exact[i].gain, 1.0));
        n_other += is_other;
        n_sure += is_sure;
        n_other_sure += is_other && is_sure;
    }
    printf(
        "beside processors in double, %zu sources (%.4g sources/s there): gains apart by %.2g of "
        "themselves at most; another period in %zu, and in %zu of %zu that gain more than 25\n",
        n, (double)n / taken, worst, n_other, n_other_sure, n_sure);
    free(exact);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: %s SCANS|- N_SOURCES [BACKEND [N_COMPARED]]\n", argv[0]);
        return 2;
    }
    struct scans scans = read_scans(argv[1]);
    size_t n = strtoul(argv[2], NULL, 10), n_signals = 0, n_companions = 0;
    size_t n_compared = argc > 4 ? strtoul(argv[4], NULL, 10) : N_COMPARED;
    const char *backend = argc > 3 ? argv[3] : NULL;
    double span = span_of(&scans), began = seconds();
    equant_astrometry **sources = make_sources(&scans, n);
    equant_sky_signal *signals = allocate(n + 1, sizeof *signals);
    printf("%zu sources of %zu transits over %.0f days, made in %.1f s\n", n, scans.n, span,
           seconds() - began);
    double taken = search(backend, EQUANT_PRECISION_MIXED, span, n, sources, signals);
    for (size_t i = 0; i < n; i++)
        *(i % 2 ? &n_companions : &n_signals) += signals[i].false_alarm < 1e-3;
    printf("10 days to two spans, %s: %.2f s, %.4g sources/s\n", backend ? backend : "usual", taken,
           (double)n / taken);
    printf("false alarm below 0.001: %zu of the sources of noise (%.1e), %zu of the companions\n",
           n_signals, (double)n_signals / (double)((n + 1) / 2), n_companions);
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        printf("memory at most %.2f GiB, sources among it\n", (double)usage.ru_maxrss / 1048576.0);
    compare(span, n < n_compared ? n : n_compared, sources, signals);
    for (size_t i = 0; i < n; i++)
        equant_astrometry_free(sources[i]);
    free(sources);
    free(signals);
    free(scans.time);
    return 0;
}
