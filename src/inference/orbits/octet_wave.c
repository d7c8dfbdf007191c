#include "inference/orbits/octet_wave.h"

#include <stdbool.h>
#include <stdlib.h>

#include "core/status.h"
#include "model/machine_clones.h"

equant_status octet_wave_create(size_t n, octet_wave *made)
{
    *made = (octet_wave){.n = n};
    made->re = octets_create(2 * n);
    made->place = malloc(n * sizeof *made->place);
    if (!made->re || !made->place || !phase_turns_find(n, &made->turns))
        return status_out_of_memory();
    made->im = made->re + n;
    made->place[0] = 0;
    for (size_t j = 1; j < n; j++) /* bits in the reverse order */
        made->place[j] = made->place[j / 2] / 2 + (uint32_t)(j % 2 * (n / 2));
    return EQUANT_SUCCESS;
}

void octet_wave_free(octet_wave *wave)
{
    free(wave->re);
    free(wave->place);
    phase_turns_free(&wave->turns);
    *wave = (octet_wave){0};
}

/* The first of an odd number of stages: neighbours, which need no turn. */
static inline __attribute__((always_inline)) void join_neighbours(const octet_wave *wave)
{
    for (size_t j = 0; j < wave->n; j += 2) {
        octet *re = wave->re + j, *im = wave->im + j, high_re = re[1], high_im = im[1];
        re[1] = re[0] - high_re;
        im[1] = im[0] - high_im;
        re[0] += high_re;
        im[0] += high_im;
    }
}

/* Four parts of `part` numbers become one: two stages, in one way through the memory. */
static inline __attribute__((always_inline)) void join_parts(const octet_wave *wave, size_t part,
                                                             size_t first)
{
    const double *turn_re = wave->turns.re, *turn_im = wave->turns.im;
    octet *re = wave->re + first, *im = wave->im + first;
    for (size_t m = 0; m < part; m++) {
        double c1 = turn_re[part + m], s1 = turn_im[part + m];
        double c2 = turn_re[2 * part + m], s2 = turn_im[2 * part + m];
        size_t i0 = m, i1 = m + part, i2 = i1 + part, i3 = i2 + part;
        octet x1 = re[i1] * c1 - im[i1] * s1, y1 = re[i1] * s1 + im[i1] * c1;
        octet x3 = re[i3] * c1 - im[i3] * s1, y3 = re[i3] * s1 + im[i3] * c1;
        octet even_x = re[i0] + x1, even_y = im[i0] + y1, odd_x = re[i0] - x1, odd_y = im[i0] - y1;
        octet sum_x = re[i2] + x3, sum_y = im[i2] + y3, less_x = re[i2] - x3, less_y = im[i2] - y3;
        octet turned_x = sum_x * c2 - sum_y * s2, turned_y = sum_x * s2 + sum_y * c2;
        octet quarter_x = -(less_x * s2 + less_y * c2), quarter_y = less_x * c2 - less_y * s2;
        re[i0] = even_x + turned_x;
        im[i0] = even_y + turned_y;
        re[i2] = even_x - turned_x;
        im[i2] = even_y - turned_y;
        re[i1] = odd_x + quarter_x;
        im[i1] = odd_y + quarter_y;
        re[i3] = odd_x - quarter_x;
        im[i3] = odd_y - quarter_y;
    }
}

/* Stage by stage, two at a time. */
MACHINE_CLONES static void join_all(const octet_wave *wave, bool is_odd)
{
    if (is_odd)
        join_neighbours(wave);
    for (size_t part = is_odd ? 2 : 1; part < wave->n; part *= 4)
        for (size_t first = 0; first < wave->n; first += 4 * part)
            join_parts(wave, part, first);
}

void octet_wave_transform(const octet_wave *wave)
{
    bool is_odd = false;
    for (size_t n = wave->n; n > 1; n /= 2)
        is_odd = !is_odd;
    join_all(wave, is_odd);
}
