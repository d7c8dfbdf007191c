#include "inference/select/orbits/fft.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/status_fail.h"
#include "model/circle.h"
#include "model/machine_clones.h"
#include "platform/system_threads.h"

size_t fft_length(size_t n)
{
    size_t power = 1;
    while (power < n)
        power *= 2;
    return power;
}

/* ---- twiddle factors ------------------------------------------------------------------------- */

/* Those of each stage stand one after the other, so that none is picked out of a longer list. */
static void fill_twiddles(size_t n, double *re, double *im)
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
    fill_twiddles(N_SHARED, shared_re, shared_im);
}

/* False where there is no memory. */
static bool find_twiddles(size_t n, fft_twiddles *found)
{
    pthread_once(&shared_made, make_shared);
    *found = (fft_twiddles){shared_re, shared_im, NULL};
    if (n <= N_SHARED)
        return true;
    double *own = malloc(2 * n * sizeof *own);
    *found = (fft_twiddles){own, own ? own + n : NULL, own};
    if (own)
        fill_twiddles(n, own, own + n);
    return own != NULL;
}

/* ---- transforms ------------------------------------------------------------------------------ */

equant_status fft_create(size_t n, fft *made)
{
    *made = (fft){.n = n};
    made->re = double8_create(2 * n);
    made->place = malloc(n * sizeof *made->place);
    if (!made->re || !made->place || !find_twiddles(n, &made->twiddles))
        return status_out_of_memory();
    made->im = made->re + n;
    made->place[0] = 0;
    for (size_t j = 1; j < n; j++) /* bits in the reverse order */
        made->place[j] = made->place[j / 2] / 2 + (uint32_t)(j % 2 * (n / 2));
    return EQUANT_SUCCESS;
}

void fft_free(fft *transform)
{
    free(transform->re);
    free(transform->place);
    free(transform->twiddles.own);
    *transform = (fft){0};
}

/* The first of an odd number of stages: neighbours, whose twiddle factor is one. */
static inline __attribute__((always_inline)) void combine_neighbours(const fft *transform)
{
    for (size_t j = 0; j < transform->n; j += 2) {
        double8 *re = transform->re + j, *im = transform->im + j, high_re = re[1], high_im = im[1];
        re[1] = re[0] - high_re;
        im[1] = im[0] - high_im;
        re[0] += high_re;
        im[0] += high_im;
    }
}

/* Two stages in one pass through memory: four transforms of `part` numbers become one. */
static inline __attribute__((always_inline)) void combine_four(const fft *transform, size_t part,
                                                               size_t first)
{
    const double *twiddle_re = transform->twiddles.re, *twiddle_im = transform->twiddles.im;
    double8 *re = transform->re + first, *im = transform->im + first;
    for (size_t m = 0; m < part; m++) {
        double c1 = twiddle_re[part + m], s1 = twiddle_im[part + m];
        double c2 = twiddle_re[2 * part + m], s2 = twiddle_im[2 * part + m];
        size_t i0 = m, i1 = m + part, i2 = i1 + part, i3 = i2 + part;
        double8 x1 = re[i1] * c1 - im[i1] * s1, y1 = re[i1] * s1 + im[i1] * c1;
        double8 x3 = re[i3] * c1 - im[i3] * s1, y3 = re[i3] * s1 + im[i3] * c1;
        double8 even_x = re[i0] + x1, even_y = im[i0] + y1, odd_x = re[i0] - x1,
                odd_y = im[i0] - y1;
        double8 sum_x = re[i2] + x3, sum_y = im[i2] + y3, less_x = re[i2] - x3,
                less_y = im[i2] - y3;
        double8 high_x = sum_x * c2 - sum_y * s2, high_y = sum_x * s2 + sum_y * c2;
        double8 quarter_x = -(less_x * s2 + less_y * c2), quarter_y = less_x * c2 - less_y * s2;
        re[i0] = even_x + high_x;
        im[i0] = even_y + high_y;
        re[i2] = even_x - high_x;
        im[i2] = even_y - high_y;
        re[i1] = odd_x + quarter_x;
        im[i1] = odd_y + quarter_y;
        re[i3] = odd_x - quarter_x;
        im[i3] = odd_y - quarter_y;
    }
}

/* Stage by stage, two at a time. */
MACHINE_CLONES static void run_stages(const fft *transform, bool is_odd)
{
    if (is_odd)
        combine_neighbours(transform);
    for (size_t part = is_odd ? 2 : 1; part < transform->n; part *= 4)
        for (size_t first = 0; first < transform->n; first += 4 * part)
            combine_four(transform, part, first);
}

void fft_run(const fft *transform)
{
    bool is_odd = false;
    for (size_t n = transform->n; n > 1; n /= 2)
        is_odd = !is_odd;
    run_stages(transform, is_odd);
}
