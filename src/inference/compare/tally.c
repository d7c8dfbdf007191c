#include "inference/compare/tally.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"

/* Places that hold less of a move are left out. */
#define LEAST_WEIGHT 1e-12

equant_status tally_create(const slot_grid *grid, tally *made)
{
    memset(made, 0, sizeof *made);
    made->n_bins = grid->n_bins;
    made->absent = calloc(grid->n_bins, sizeof *made->absent);
    made->after = malloc(grid->n_bins * sizeof *made->after);
    made->taken = calloc(grid->n_bins, sizeof *made->taken);
    if (made->absent && made->after && made->taken)
        return EQUANT_SUCCESS;
    tally_free(made);
    return status_out_of_memory();
}

void tally_clear(tally *kept)
{
    kept->n_moves = kept->n_places = kept->n_others = 0;
    memset(kept->of_n, 0, sizeof kept->of_n);
    memset(kept->absent, 0, kept->n_bins * sizeof *kept->absent);
}

void tally_free(tally *kept)
{
    free(kept->moves);
    free(kept->places);
    free(kept->others);
    free(kept->absent);
    free(kept->after);
    free(kept->taken);
    memset(kept, 0, sizeof *kept);
}

/* Room for more elements at the end of an array. */
static bool make_room(void **array, size_t size, size_t needed, size_t *room)
{
    if (needed <= *room)
        return true;
    size_t wanted = needed + needed / 2 + 64;
    void *larger = realloc(*array, wanted * size);
    if (!larger)
        return false;
    *array = larger;
    *room = wanted;
    return true;
}

/* Bins next to which there is a planet for certain. */
static void mark(tally *kept, const slot_grid *grid, size_t n_others, const double *others,
                 bool is_taken)
{
    for (size_t i = 0; i < n_others; i++) {
        size_t bin = slot_grid_bin(grid, others[i]);
        size_t low = bin > TALLY_REACH ? bin - TALLY_REACH : 0;
        size_t high = bin + TALLY_REACH < kept->n_bins ? bin + TALLY_REACH : kept->n_bins - 1;
        for (size_t b = low; b <= high; b++)
            kept->taken[b] = is_taken;
    }
}

/* Absence at every bin: what lies before and what lies behind are summed from their own ends, so
 * that small probabilities keep their digits. */
static void add_absence(tally *kept, const slot_proposal *proposal, double off, double on,
                        size_t n_others, const double *others)
{
    const slot_grid *grid = &proposal->space->grid;
    size_t n = kept->n_bins;
    double behind = 0.0, total = proposal->below[n - 1] + proposal->mass[n - 1];
    for (size_t b = n; b-- > 0;) {
        kept->after[b] = behind;
        behind += proposal->mass[b];
    }
    mark(kept, grid, n_others, others, true);
    for (size_t b = 0; b < n; b++)
        if (!kept->taken[b]) {
            double before = proposal->below[b > TALLY_REACH ? b - TALLY_REACH : 0];
            double later = kept->after[b + TALLY_REACH < n ? b + TALLY_REACH : n - 1];
            kept->absent[b] += off + on * (before + later) / total;
        }
    mark(kept, grid, n_others, others, false);
}

equant_status tally_add(tally *kept, const slot_proposal *proposal, double off, double on,
                        size_t n_others, const double *others, size_t n_places,
                        const tally_place *places)
{
    if (!make_room((void **)&kept->moves, sizeof *kept->moves, kept->n_moves + 1,
                   &kept->move_room) ||
        !make_room((void **)&kept->places, sizeof *kept->places, kept->n_places + n_places,
                   &kept->place_room) ||
        !make_room((void **)&kept->others, sizeof *kept->others, kept->n_others + n_others,
                   &kept->other_room))
        return status_out_of_memory();
    tally_move *move = &kept->moves[kept->n_moves++];
    *move = (tally_move){.first_place = kept->n_places,
                         .first_other = kept->n_others,
                         .n_others = n_others,
                         .off = off};
    for (size_t i = 0; i < n_places; i++)
        if (places[i].weight > LEAST_WEIGHT)
            kept->places[kept->n_places++] = places[i];
    move->n_places = kept->n_places - move->first_place;
    for (size_t i = 0; i < n_others; i++)
        kept->others[kept->n_others++] = others[i];
    kept->of_n[n_others] += off;
    kept->of_n[n_others + 1] += on;
    add_absence(kept, proposal, off, on, n_others, others);
    return EQUANT_SUCCESS;
}

static bool is_within(double frequency, size_t n, const tally_range *ranges)
{
    for (size_t i = 0; i < n; i++)
        if (frequency >= ranges[i].low && frequency <= ranges[i].high)
            return true;
    return false;
}

static bool others_are_within(const tally *kept, const tally_move *move, size_t n,
                              const tally_range *ranges)
{
    for (size_t i = 0; i < move->n_others; i++)
        if (is_within(kept->others[move->first_other + i], n, ranges))
            return true;
    return false;
}

double tally_absent(const tally *kept, size_t n_ranges, const tally_range *ranges)
{
    double sum = 0.0;
    for (size_t m = 0; m < kept->n_moves; m++) {
        const tally_move *move = &kept->moves[m];
        if (others_are_within(kept, move, n_ranges, ranges))
            continue;
        sum += move->off;
        for (size_t i = 0; i < move->n_places; i++) {
            const tally_place *place = &kept->places[move->first_place + i];
            if (!is_within(place->frequency, n_ranges, ranges))
                sum += place->weight;
        }
    }
    return sum;
}

double tally_both(const tally *kept, tally_range one, tally_range other)
{
    double sum = 0.0;
    for (size_t m = 0; m < kept->n_moves; m++) {
        const tally_move *move = &kept->moves[m];
        bool first = others_are_within(kept, move, 1, &one),
             second = others_are_within(kept, move, 1, &other);
        if (first && second)
            sum += 1.0;
        for (size_t i = 0; i < move->n_places && first != second; i++) {
            const tally_place *place = &kept->places[move->first_place + i];
            if (is_within(place->frequency, 1, first ? &other : &one))
                sum += place->weight;
        }
    }
    return sum;
}
