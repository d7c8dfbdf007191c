/* Fits of one orbit to the sky and to velocities together: whether any is worse than the true
 * orbit, and whether parallaxes and sizes are as uncertain as they are said to be.
 *
 *   cc -O2 -I include -I tests benchmarks/sky/sky_ties.c build/libequant.so -lm -o sky_ties
 *   sky_ties [N_STARS [STAR...]]
 *
 * A line for each star that is worse, disagrees or is not tied; then the sums. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tied_star.h"

#define DEGREES 57.29577951308232

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv)
{
    uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
    uint64_t n_worse = 0, n_untied = 0, n_disagree = 0, n_within[2] = {0}, n_told = 0;
    double squares[2] = {0.0}, began = seconds();
    for (uint64_t i = 0; i < (argc > 2 ? (uint64_t)argc - 2 : n); i++) {
        uint64_t star = argc > 2 ? strtoull(argv[2 + i], NULL, 10) : i;
        tied_star own;
        equant_sky_summary summary;
        equant_sky_companion c;
        equant_status status = tied_star_make(star, n, &own);
        if (status == EQUANT_SUCCESS)
            status = tied_star_fit(&own, &summary, &c);
        if (status != EQUANT_SUCCESS) {
            printf("star %llu: %s\n", (unsigned long long)star, equant_last_error());
            return EXIT_FAILURE;
        }
        double a1 = own.a0_mas / own.parallax_mas;
        double pulls[2] = {(summary.parallax_mas - own.parallax_mas) / summary.parallax_mas_err,
                           (log(c.a1_au) - log(a1)) / (c.a1_au_err / c.a1_au)};
        bool is_worse = summary.chi_square > own.chi_square;
        bool disagrees = summary.is_tied && summary.tie_chance < 1e-3;
        if (is_worse || !summary.is_tied || disagrees)
            printf("star %llu: i %.2f P %.0f e %.2f a0 %.2f plx %.2f; chi2 %.1f (true orbit %.1f), "
                   "P %.0f e %.2f i %.1f%s%s\n",
                   (unsigned long long)star, own.inclination * DEGREES, own.period_days, own.e,
                   own.a0_mas, own.parallax_mas, summary.chi_square, own.chi_square, c.period_days,
                   c.eccentricity, c.inclination_rad * DEGREES, summary.is_tied ? "" : ", not tied",
                   disagrees ? ", disagrees" : "");
        n_worse += is_worse;
        n_untied += !summary.is_tied;
        n_disagree += disagrees;
        for (int i = 0; i < 2 && summary.is_tied; i++) {
            n_within[i] += fabs(pulls[i]) < 1.0;
            squares[i] += fmin(pulls[i] * pulls[i], 25.0);
        }
        n_told += summary.is_tied != 0;
        tied_star_free(&own);
    }
    double taken = seconds() - began;
    printf("%llu stars in %.1f s: %llu worse than the true orbit, %llu not tied, %llu called a "
           "disagreement\n",
           (unsigned long long)n_told, taken, (unsigned long long)n_worse,
           (unsigned long long)n_untied, (unsigned long long)n_disagree);
    static const char *const names[2] = {"parallax", "ln a1"};
    for (int i = 0; i < 2; i++)
        printf("%s: %.1f per cent within one error (68.3), root mean square of pulls %.3f\n",
               names[i], 100.0 * (double)n_within[i] / (double)n_told,
               sqrt(squares[i] / (double)n_told));
    return EXIT_SUCCESS;
}
