/* The best of many: keeps the n_max orbits of lowest chi-square out of any
 * number offered, in any order. Equal chi-squares are ranked by index, so that
 * neither batches nor threads change the list. */
#ifndef EQUANT_APP_RESULTS_BEST_LIST_H
#define EQUANT_APP_RESULTS_BEST_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct best_entry {
    double chi_square;
    uint64_t index; /* of the draw */
};

struct best_list {
    size_t n, n_max;
    struct best_entry *entries; /* a heap, the worst on top, until sorted */
};

/* False when there is no memory for it. */
bool best_list_create(struct best_list *list, size_t n_max);
void best_list_free(struct best_list *list);

/* Values that are not finite are no candidates. */
void best_list_offer(struct best_list *list, double chi_square, uint64_t index);

/* Best first. Nothing can be offered afterwards. */
void best_list_sort(struct best_list *list);

#endif
