/* The state of a sampler as bytes: a header that says what it fits, then its arrays. */
#include "inference/sample/walkers/sampler_state.h"

#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/sample/walkers/sampler_device.h"

/* ---- counts ------------------------------------------------------------------------------ */

equant_status sampler_state_create_counts(sampler *s)
{
    const ensemble_shape *shape = &s->walkers.shape;
    const size_t n_moves = shape->n_temperatures * ENSEMBLE_N_MOVES;
    const size_t n_swaps = shape->n_temperatures * shape->n_populations;
    sampler_counts *counts = &s->counts;
    counts->n_tried = calloc(n_moves, sizeof *counts->n_tried);
    counts->n_accepted = calloc(n_moves, sizeof *counts->n_accepted);
    counts->rejection = calloc(n_swaps, sizeof *counts->rejection);
    counts->round_trips = calloc(shape->n_populations, sizeof *counts->round_trips);
    return counts->n_tried && counts->n_accepted && counts->rejection && counts->round_trips
               ? EQUANT_SUCCESS
               : status_out_of_memory();
}

void sampler_state_free_counts(sampler *s)
{
    free(s->counts.n_tried);
    free(s->counts.n_accepted);
    free(s->counts.rejection);
    free(s->counts.round_trips);
}

/* ---- bytes -------------------------------------------------------------------------------- */

static const char magic[16] = "equant walkers";

typedef struct state_header {
    char magic[16];
    uint64_t seed;
    uint64_t n_temperatures, n_populations, n_walkers, n_coordinates;
    double shares[ENSEMBLE_N_MOVES];
} state_header;

/* An array or number that belongs to the state. */
typedef struct state_part {
    void *at;
    size_t n_bytes;
} state_part;

enum { N_PARTS = 12 };

static void list_parts(const sampler *s, state_part *parts)
{
    const ensemble *walkers = &s->walkers;
    const ensemble_shape *shape = &walkers->shape;
    const sampler_counts *counts = &s->counts;
    const size_t n_rows = ensemble_n_rows(shape);
    const size_t n_moves = shape->n_temperatures * ENSEMBLE_N_MOVES;
    const size_t n_swaps = (shape->n_temperatures - 1) * shape->n_populations;
    const state_part all[N_PARTS] = {
        {(void *)&s->n_steps, sizeof s->n_steps},
        {(void *)&s->is_frozen, sizeof s->is_frozen},
        {walkers->beta, shape->n_temperatures * sizeof *walkers->beta},
        {walkers->coordinates, n_rows * shape->n_coordinates * sizeof *walkers->coordinates},
        {walkers->log_prior, n_rows * sizeof *walkers->log_prior},
        {walkers->log_likelihood, n_rows * sizeof *walkers->log_likelihood},
        {walkers->leg, n_rows * sizeof *walkers->leg},
        {counts->n_tried, n_moves * sizeof *counts->n_tried},
        {counts->n_accepted, n_moves * sizeof *counts->n_accepted},
        {(void *)counts->n_sweeps, sizeof counts->n_sweeps},
        {counts->rejection, n_swaps * sizeof *counts->rejection},
        {counts->round_trips, shape->n_populations * sizeof *counts->round_trips},
    };
    memcpy(parts, all, sizeof all);
}

static void fill_header(const sampler *s, state_header *header)
{
    const ensemble_shape *shape = &s->walkers.shape;
    memset(header, 0, sizeof *header);
    memcpy(header->magic, magic, sizeof magic);
    header->seed = s->walkers.seed;
    header->n_temperatures = shape->n_temperatures;
    header->n_populations = shape->n_populations;
    header->n_walkers = shape->n_walkers;
    header->n_coordinates = shape->n_coordinates;
    memcpy(header->shares, s->shares, sizeof header->shares);
}

size_t sampler_state_bytes(const sampler *s)
{
    state_part parts[N_PARTS];
    size_t n_bytes = sizeof(state_header);
    list_parts(s, parts);
    for (size_t i = 0; i < N_PARTS; i++)
        n_bytes += parts[i].n_bytes;
    return n_bytes;
}

equant_status sampler_save(const sampler *s, void *blob)
{
    equant_status status = sampler_device_fetch(s, BACKEND_WALKERS_ALL | BACKEND_WALKERS_SUMS);
    if (status != EQUANT_SUCCESS)
        return status;
    state_part parts[N_PARTS];
    state_header header;
    char *to = blob;
    list_parts(s, parts);
    fill_header(s, &header);
    memcpy(to, &header, sizeof header);
    to += sizeof header;
    for (size_t i = 0; i < N_PARTS; to += parts[i++].n_bytes)
        memcpy(to, parts[i].at, parts[i].n_bytes);
    return EQUANT_SUCCESS;
}

/* Takes from the bytes whatever the sampler has an array for. */
static void copy_parts(sampler *s, const void *blob)
{
    state_part parts[N_PARTS];
    list_parts(s, parts);
    const char *from = (const char *)blob + sizeof(state_header);
    for (size_t i = 0; i < N_PARTS; from += parts[i++].n_bytes)
        if (parts[i].at)
            memcpy(parts[i].at, from, parts[i].n_bytes);
}

bool sampler_is_state(const void *blob, size_t n_bytes)
{
    return n_bytes >= sizeof(state_header) && memcmp(blob, magic, sizeof magic) == 0;
}

static equant_status check_header(const sampler *s, const void *blob, size_t n_bytes)
{
    state_header expected, found;
    fill_header(s, &expected);
    if (!sampler_is_state(blob, n_bytes))
        return status_fail(EQUANT_ERROR_FORMAT, "this is not the state of a sampler");
    memcpy(&found, blob, sizeof found);
    if (found.seed != expected.seed)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "the saved state belongs to a run with the seed %llu, not %llu",
                           (unsigned long long)found.seed, (unsigned long long)expected.seed);
    if (memcmp(&found, &expected, sizeof found) != 0)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "the saved state belongs to a run with other walkers, temperatures, "
                           "coordinates or moves");
    if (n_bytes != sampler_state_bytes(s))
        return status_fail(EQUANT_ERROR_FORMAT,
                           "the saved state has %zu bytes where there should be %zu", n_bytes,
                           sampler_state_bytes(s));
    return EQUANT_SUCCESS;
}

equant_status sampler_restore(sampler *s, const void *blob, size_t n_bytes)
{
    equant_status status = check_header(s, blob, n_bytes);
    if (status != EQUANT_SUCCESS)
        return status;
    copy_parts(s, blob);
    sampler_device_changed(s, BACKEND_WALKERS_ALL | BACKEND_WALKERS_SUMS);
    return EQUANT_SUCCESS;
}

/* Whether bytes of that number can be those of such a shape: none of its numbers, and no product
 * of them, is larger than all bytes. */
static bool is_possible(const state_header *header, size_t n_bytes)
{
    double n_rows =
        (double)header->n_temperatures * (double)header->n_populations * (double)header->n_walkers;
    return header->n_temperatures > 0 && header->n_populations > 0 && header->n_walkers > 0 &&
           n_rows * ((double)header->n_coordinates + 1.0) < (double)n_bytes;
}

equant_status sampler_state_read_counts(const void *blob, size_t n_bytes, sampler *s)
{
    state_header header;
    if (!sampler_is_state(blob, n_bytes))
        return status_fail(EQUANT_ERROR_FORMAT, "this is not the state of a sampler");
    memcpy(&header, blob, sizeof header);
    if (is_possible(&header, n_bytes))
        s->walkers.shape = (ensemble_shape){.n_temperatures = header.n_temperatures,
                                            .n_populations = header.n_populations,
                                            .n_walkers = header.n_walkers,
                                            .n_coordinates = header.n_coordinates};
    if (!is_possible(&header, n_bytes) || n_bytes != sampler_state_bytes(s))
        return status_fail(EQUANT_ERROR_FORMAT, "the saved state of the sampler is incomplete");
    s->walkers.beta = calloc(header.n_temperatures, sizeof *s->walkers.beta);
    if (!s->walkers.beta)
        return status_out_of_memory();
    equant_status status = sampler_state_create_counts(s);
    if (status == EQUANT_SUCCESS)
        copy_parts(s, blob);
    return status;
}
