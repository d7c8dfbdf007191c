#include "results/best_list.h"

#include <math.h>
#include <stdlib.h>

bool best_list_create(struct best_list *list, size_t n_max)
{
    *list = (struct best_list){.n_max = n_max, .entries = calloc(n_max, sizeof *list->entries)};
    return list->entries != NULL;
}

void best_list_free(struct best_list *list)
{
    free(list->entries);
    *list = (struct best_list){0};
}

static bool is_worse(struct best_entry a, struct best_entry b)
{
    if (a.chi_square != b.chi_square)
        return a.chi_square > b.chi_square;
    return a.index > b.index;
}

/* Moves the entry at the end up until its parent is worse. */
static void sift_up(struct best_list *list)
{
    struct best_entry *heap = list->entries;
    size_t child = list->n - 1;
    struct best_entry entry = heap[child];
    while (child > 0 && is_worse(entry, heap[(child - 1) / 2])) {
        heap[child] = heap[(child - 1) / 2];
        child = (child - 1) / 2;
    }
    heap[child] = entry;
}

/* Puts an entry in place of the top and moves it down under the worse ones. */
static void replace_top(struct best_list *list, struct best_entry entry)
{
    struct best_entry *heap = list->entries;
    size_t parent = 0;
    for (;;) {
        size_t child = 2 * parent + 1;
        if (child >= list->n)
            break;
        if (child + 1 < list->n && is_worse(heap[child + 1], heap[child]))
            child++;
        if (!is_worse(heap[child], entry))
            break;
        heap[parent] = heap[child];
        parent = child;
    }
    heap[parent] = entry;
}

void best_list_offer(struct best_list *list, double chi_square, uint64_t index)
{
    struct best_entry entry = {chi_square, index};
    if (!isfinite(chi_square))
        return;
    if (list->n < list->n_max) {
        list->entries[list->n++] = entry;
        sift_up(list);
    } else if (list->n > 0 && is_worse(list->entries[0], entry)) {
        replace_top(list, entry);
    }
}

static int compare_entries(const void *a, const void *b)
{
    const struct best_entry *left = a, *right = b;
    return is_worse(*left, *right) - is_worse(*right, *left);
}

void best_list_sort(struct best_list *list)
{
    qsort(list->entries, list->n, sizeof *list->entries, compare_entries);
}
