#include "inference/compare/chain_file.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/files/replacement.h"
#include "core/numbers/memory_size.h"
#include "core/status_fail.h"
#include "platform/system_file.h"
#include "platform/system_stream.h"

static const char magic[16] = "equant chains 1";

/* ---- what a run hangs on ---------------------------------------------------------- */

/* FNV-1a over bytes. */
static uint64_t mix(uint64_t mark, const void *bytes, size_t n)
{
    const unsigned char *from = bytes;
    for (size_t i = 0; i < n; i++)
        mark = (mark ^ from[i]) * 1099511628211u;
    return mark;
}

static uint64_t mix_numbers(uint64_t mark, size_t n, const double *numbers)
{
    return mix(mark, numbers, n * sizeof *numbers);
}

static uint64_t mix_density(uint64_t mark, prior_density density)
{
    const double numbers[] = {(double)density.kind, density.first, density.second, density.lower,
                              density.upper};
    return mix_numbers(mark, sizeof numbers / sizeof *numbers, numbers);
}

static uint64_t mix_star(uint64_t mark, const count_star *star)
{
    mark = mix_numbers(mark, star->n_obs, star->time_days);
    mark = mix_numbers(mark, star->n_obs, star->velocity);
    mark = mix_numbers(mark, star->n_obs, star->variance);
    mark = mix(mark, star->instrument, star->n_obs * sizeof *star->instrument);
    mark = mix_numbers(mark, star->n_base * star->n_obs, star->base);
    for (size_t i = 0; i < star->n_noise; i++)
        mark = mix_density(mark, count_star_noise_prior(star, i));
    return mix(mark, &star->with_jitter, sizeof star->with_jitter);
}

static uint64_t mix_priors(uint64_t mark, const count_priors *priors)
{
    const double numbers[] = {(double)priors->n_max, priors->ratio, priors->frequency_min,
                              priors->frequency_max, priors->eccentricity_max};
    mark = mix_numbers(mark, sizeof numbers / sizeof *numbers, numbers);
    mark = mix_density(mark, priors->eccentricity);
    return mix_numbers(mark, priors->n_scales, priors->scales);
}

uint64_t chain_file_mark(const comparison_start *start, uint64_t seed, size_t n_populations,
                         size_t n_sweeps, size_t n_slots)
{
    const uint64_t lengths[] = {seed, n_populations, n_sweeps, n_slots, start->n_planets};
    uint64_t mark = mix(14695981039346656037u, lengths, sizeof lengths);
    mark = mix_star(mark, &start->star);
    mark = mix_priors(mark, &start->priors);
    for (size_t i = 0; i < start->n_planets; i++) {
        const count_orbit *orbit = &start->planets[i];
        const double elements[] = {orbit->frequency, orbit->eccentricity, orbit->m0};
        mark = mix_numbers(mark, 3, elements);
    }
    mark = mix_numbers(mark, start->star.n_noise, start->place);
    return mix(mark, start->words, strlen(start->words));
}

/* ---- one population --------------------------------------------------------------- */

static bool put(int file, const void *bytes, size_t size, size_t n)
{
    const char *from = bytes;
    size_t left = size * n;
    while (left > 0) {
        ptrdiff_t written = system_file_write(file, from, left);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        from += written;
        left -= (size_t)written;
    }
    return true;
}

static bool get(FILE *file, void *bytes, size_t size, size_t n)
{
    return n == 0 || fread(bytes, size, n, file) == n;
}

/* Bytes of the file that are still to come. */
static size_t n_left(FILE *file)
{
    system_file_facts about;
    long place = ftell(file);
    bool is_known = place >= 0 && system_file_find_open(system_stream_descriptor(file), &about) &&
                    about.n_bytes >= (uint64_t)place;
    return is_known ? (size_t)about.n_bytes - (size_t)place : 0;
}

static bool put_population(int file, const population *chain)
{
    const count_star *star = chain->space->star;
    const tally *kept = &chain->tally;
    size_t n_max = chain->space->priors->n_max;
    return put(file, &chain->sweep, sizeof chain->sweep, 1) &&
           put(file, chain->slots, sizeof *chain->slots, n_max) &&
           put(file, chain->columns, sizeof(double), 2 * n_max * star->n_obs) &&
           put(file, chain->noise[chain->current].place, sizeof(double), star->n_noise) &&
           put(file, &kept->n_moves, sizeof kept->n_moves, 1) &&
           put(file, &kept->n_places, sizeof kept->n_places, 1) &&
           put(file, &kept->n_others, sizeof kept->n_others, 1) &&
           put(file, kept->moves, sizeof *kept->moves, kept->n_moves) &&
           put(file, kept->places, sizeof *kept->places, kept->n_places) &&
           put(file, kept->others, sizeof *kept->others, kept->n_others) &&
           put(file, kept->of_n, sizeof *kept->of_n, COUNT_MOST_PLANETS + 1) &&
           put(file, kept->absent, sizeof *kept->absent, kept->n_bins);
}

/* An array of n elements that are read; n is from the file, and no more than it can hold. */
static bool get_array(FILE *file, size_t size, size_t n, void **array, size_t *room)
{
    size_t n_bytes = memory_size_times(n, size);
    void *made = n_bytes <= n_left(file) ? malloc(n_bytes + 1) : NULL;
    if (!made || !get(file, made, size, n)) {
        free(made);
        return false;
    }
    free(*array);
    *array = made;
    *room = n;
    return true;
}

/* Whether a range of n elements from the first on lies within an array. */
static bool is_within(size_t first, size_t n, size_t n_all)
{
    return first <= n_all && n <= n_all - first;
}

static bool is_possible_tally(const tally *kept)
{
    for (size_t i = 0; i < kept->n_moves; i++) {
        const tally_move *move = &kept->moves[i];
        if (!is_within(move->first_place, move->n_places, kept->n_places) ||
            !is_within(move->first_other, move->n_others, kept->n_others))
            return false;
    }
    for (size_t i = 0; i < kept->n_places; i++)
        if (!isfinite(kept->places[i].frequency))
            return false;
    for (size_t i = 0; i < kept->n_others; i++)
        if (!isfinite(kept->others[i]))
            return false;
    return true;
}

/* A byte that is neither 0 nor 1 is no bool, and may not be read as one. */
static bool get_slots(FILE *file, population *chain)
{
    const count_priors *priors = chain->space->priors;
    const size_t place = offsetof(population_planet, is_there);
    for (size_t i = 0; i < priors->n_max; i++) {
        unsigned char bytes[sizeof(population_planet)];
        if (!get(file, bytes, sizeof bytes, 1) || bytes[place] > 1)
            return false;
        memcpy(&chain->slots[i], bytes, sizeof bytes);
        const count_orbit *orbit = &chain->slots[i].orbit;
        bool is_possible = isfinite(orbit->frequency) && isfinite(orbit->m0) &&
                           orbit->eccentricity >= 0.0 && orbit->eccentricity < 1.0 &&
                           chain->slots[i].scale < priors->n_scales;
        if (chain->slots[i].is_there && !is_possible)
            return false;
    }
    return true;
}

static bool get_tally(FILE *file, tally *kept)
{
    size_t n_moves, n_places, n_others;
    bool is_read =
        get(file, &n_moves, sizeof n_moves, 1) && get(file, &n_places, sizeof n_places, 1) &&
        get(file, &n_others, sizeof n_others, 1) &&
        get_array(file, sizeof *kept->moves, n_moves, (void **)&kept->moves, &kept->move_room) &&
        get_array(file, sizeof *kept->places, n_places, (void **)&kept->places,
                  &kept->place_room) &&
        get_array(file, sizeof *kept->others, n_others, (void **)&kept->others,
                  &kept->other_room) &&
        get(file, kept->of_n, sizeof *kept->of_n, COUNT_MOST_PLANETS + 1) &&
        get(file, kept->absent, sizeof *kept->absent, kept->n_bins);
    kept->n_moves = is_read ? n_moves : 0;
    kept->n_places = is_read ? n_places : 0;
    kept->n_others = is_read ? n_others : 0;
    return is_read && is_possible_tally(kept);
}

static bool get_population(FILE *file, population *chain)
{
    const count_star *star = chain->space->star;
    size_t n_max = chain->space->priors->n_max;
    bool is_read = get(file, &chain->sweep, sizeof chain->sweep, 1) && get_slots(file, chain) &&
                   get(file, chain->columns, sizeof(double), 2 * n_max * star->n_obs) &&
                   get(file, chain->place, sizeof(double), star->n_noise) &&
                   get_tally(file, &chain->tally) &&
                   count_noise_move(&chain->noise[chain->current], chain->place);
    chain->draws[0].knows_noise = chain->draws[1].knows_noise = false;
    return is_read;
}

/* ---- the file --------------------------------------------------------------------- */

static bool ends_here(FILE *file)
{
    return fgetc(file) == EOF;
}

static bool is_of_chains(int descriptor)
{
    char found[sizeof magic];
    return system_file_read(descriptor, found, sizeof found) == (ptrdiff_t)sizeof found &&
           memcmp(found, magic, sizeof magic) == 0;
}

static equant_status write_all(int file, const char *path, uint64_t mark, size_t sweep,
                               size_t n_populations, const population *populations)
{
    bool is_written = put(file, magic, sizeof magic, 1) && put(file, &mark, sizeof mark, 1) &&
                      put(file, &sweep, sizeof sweep, 1);
    for (size_t i = 0; i < n_populations && is_written; i++)
        is_written = put_population(file, &populations[i]);
    return is_written
               ? EQUANT_SUCCESS
               : status_fail(EQUANT_ERROR_IO, "%s cannot be written: %s", path, strerror(errno));
}

equant_status chain_file_write(const char *path, uint64_t mark, size_t sweep, size_t n_populations,
                               const population *populations)
{
    replacement made;
    equant_status status = replacement_begin(path, is_of_chains, &made);
    if (status != EQUANT_SUCCESS)
        return status;
    status = write_all(made.descriptor, path, mark, sweep, n_populations, populations);
    return replacement_end(path, &made, status);
}

equant_status chain_file_remove(const char *path)
{
    return replacement_remove(path, is_of_chains);
}

equant_status chain_file_read(const char *path, uint64_t mark, size_t n_populations,
                              population *populations, size_t *sweep)
{
    char found[sizeof magic];
    uint64_t its_mark = 0;
    size_t done = 0;
    FILE *file = system_stream_open(path, "rb");
    if (!file)
        return errno == ENOENT
                   ? EQUANT_SUCCESS
                   : status_fail(EQUANT_ERROR_IO, "%s cannot be read: %s", path, strerror(errno));
    bool is_ours = get(file, found, sizeof found, 1) && memcmp(found, magic, sizeof magic) == 0 &&
                   get(file, &its_mark, sizeof its_mark, 1) && its_mark == mark &&
                   get(file, &done, sizeof done, 1);
    bool is_whole = is_ours;
    for (size_t i = 0; i < n_populations && is_whole; i++)
        is_whole = get_population(file, &populations[i]);
    is_whole = is_whole && ends_here(file);
    fclose(file);
    if (!is_ours)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "%s has the chains of another comparison: remove it, or go on with the "
                           "same data and options",
                           path);
    if (!is_whole)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "%s is damaged: remove it to begin anew",
                           path);
    *sweep = done;
    return EQUANT_SUCCESS;
}
