#include "inference/orbits/phase_wave.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "model/circle.h"
#include "model/machine_clones.h"

size_t phase_wave_round(size_t n)
{
    size_t power = 1;
    while (power < n)
        power *= 2;
    return power;
}

/* ---- turns ----------------------------------------------------------------------------------- */

/* The turns of each stage one after the other, so that none is picked out of a longer list. */
static void fill_turns(size_t n, double *re, double *im)
{
    for (size_t m = 0; m < n / 2; m++) {
        double angle = TWO_PI * (double)m / (double)n;
        re[n / 2 + m] = cos(angle);
        im[n / 2 + m] = sin(angle);
    }
    for (size_t half = n / 4; half > 0; half /= 2)
        for (size_t m = 0; m < half; m++) {
            re[half + m] = re[2 * (half + m)];
            im[half + m] = im[2 * (half + m)];
        }
}

/* They do not depend on n: a table of those that orbits need, up to an eccentricity of 0.95, is
 * made once. */
enum { N_SHARED = 8192 };
static double shared_re[N_SHARED], shared_im[N_SHARED];
static pthread_once_t shared_made = PTHREAD_ONCE_INIT;

static void make_shared(void)
{
    fill_turns(N_SHARED, shared_re, shared_im);
}

bool phase_turns_find(size_t n, phase_turns *found)
{
    pthread_once(&shared_made, make_shared);
    *found = (phase_turns){shared_re, shared_im, NULL};
    if (n <= N_SHARED)
        return true;
    double *own = malloc(2 * n * sizeof *own);
    *found = (phase_turns){own, own ? own + n : NULL, own};
    if (own)
        fill_turns(n, own, own + n);
    return own != NULL;
}

void phase_turns_free(phase_turns *turns)
{
    free(turns->own);
    *turns = (phase_turns){0};
}

/* ---- the transform --------------------------------------------------------------------------- */

static void reverse_bits(const phase_wave *of)
{
    for (size_t i = 1, j = 0; i < of->n; i++) {
        size_t bit = of->n / 2;
        for (; j & bit; bit /= 2)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            double re = of->re[i], im = of->im[i];
            of->re[i] = of->re[j];
            of->im[i] = of->im[j];
            of->re[j] = re;
            of->im[j] = im;
        }
    }
}

/* Two halves of a stage become one. */
static inline __attribute__((always_inline)) void
join(size_t half, const double *restrict c, const double *restrict s, double *restrict low_re,
     double *restrict low_im, double *restrict high_re, double *restrict high_im)
{
    for (size_t m = 0; m < half; m++) {
        double re = high_re[m] * c[m] - high_im[m] * s[m],
               im = high_re[m] * s[m] + high_im[m] * c[m];
        high_re[m] = low_re[m] - re;
        high_im[m] = low_im[m] - im;
        low_re[m] += re;
        low_im[m] += im;
    }
}

/* Stage by stage, from reversed places. */
MACHINE_CLONES static void join_all(const phase_wave *wave)
{
    for (size_t half = 1; half < wave->n; half *= 2)
        for (size_t first = 0; first < wave->n; first += 2 * half) {
            double *re = wave->re + first, *im = wave->im + first;
            join(half, wave->turns.re + half, wave->turns.im + half, re, im, re + half, im + half);
        }
}

void phase_wave_transform(const phase_wave *wave)
{
    reverse_bits(wave);
    join_all(wave);
}
