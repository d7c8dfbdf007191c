/* The scalar product of two arrays, in eight parts by index, which compilers turn into vector code:
 * the same bits on every machine. */
#ifndef EQUANT_MODEL_DOT_PRODUCT_H
#define EQUANT_MODEL_DOT_PRODUCT_H

#include <stddef.h>

static inline double dot_product(size_t n, const double *a, const double *b)
{
    enum { N_PARTS = 8 };
    double part[N_PARTS] = {0.0};
    size_t k = 0;
    for (; k + N_PARTS <= n; k += N_PARTS)
        for (size_t i = 0; i < N_PARTS; i++)
            part[i] += a[k + i] * b[k + i];
    for (size_t i = 0; k < n; k++, i++)
        part[i] += a[k] * b[k];
    return ((part[0] + part[1]) + (part[2] + part[3])) +
           ((part[4] + part[5]) + (part[6] + part[7]));
}

#endif
