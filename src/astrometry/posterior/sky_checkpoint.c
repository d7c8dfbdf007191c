#include "astrometry/posterior/sky_checkpoint.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/files/replacement.h"
#include "core/numbers/memory_size.h"
#include "core/status_fail.h"
#include "output/sealed_file.h"

/* The file: this head, the state of the run, the numbers of the kept steps, and of each population
 * parameters, log-likelihoods and log-priors; behind it the seal of a file. */
typedef struct head {
    char mark[16];
    uint64_t origin, data_origin, seed, n_state_bytes;
    uint64_t n_populations, n_walkers, n_parameters, n_steps;
    uint64_t n_burn_in, thinning, max_draws;
    double settings[SKY_CHECKPOINT_N_SETTINGS];
} head;

static const char mark[16] = "equant sky run 3";

uint64_t sky_checkpoint_origin(uint64_t origin, size_t n_bytes, const void *bytes)
{
    const unsigned char *byte = bytes;
    uint64_t sum = origin != 0 ? origin : 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t i = 0; i < n_bytes; i++)
        sum = (sum ^ byte[i]) * 0x100000001b3u;
    return sum;
}

/* Saturates: counts of a file may be anything. */
static size_t n_bytes_of(const head *own)
{
    size_t columns = memory_size_times(memory_size_plus(own->n_parameters, 2), sizeof(double));
    size_t rows =
        memory_size_times(memory_size_times(own->n_steps, own->n_walkers), own->n_populations);
    size_t all = memory_size_plus(memory_size_times(own->n_steps, sizeof(uint64_t)),
                                  memory_size_times(rows, columns));
    return memory_size_plus(memory_size_plus(sizeof *own, own->n_state_bytes), all);
}

static void put(char **place, const void *bytes, size_t n)
{
    if (n > 0)
        memcpy(*place, bytes, n);
    *place += n;
}

static void take(const char **place, void *bytes, size_t n)
{
    if (n > 0)
        memcpy(bytes, *place, n);
    *place += n;
}

static equant_status pack(const head *own, const sampler_run *run, char *bytes)
{
    const draws *kept = run->kept;
    size_t rows = kept->n_steps * kept->shape.n_walkers;
    char *place = bytes;
    put(&place, own, sizeof *own);
    equant_status status = sampler_run_save(run, place);
    place += own->n_state_bytes;
    put(&place, kept->step, kept->n_steps * sizeof *kept->step);
    for (size_t p = 0; p < kept->shape.n_populations; p++) {
        put(&place, kept->population[p].parameters,
            rows * kept->shape.n_parameters * sizeof(double));
        put(&place, kept->population[p].log_likelihood, rows * sizeof(double));
        put(&place, kept->population[p].log_prior, rows * sizeof(double));
    }
    return status;
}

equant_status sky_checkpoint_write(const char *path, const sky_checkpoint_source *from,
                                   const sampler_run *run)
{
    const draws *kept = run->kept;
    head own = {.origin = from->origin,
                .data_origin = from->data_origin,
                .seed = from->seed,
                .n_state_bytes = sampler_run_state_bytes(run),
                .n_populations = kept->shape.n_populations,
                .n_walkers = kept->shape.n_walkers,
                .n_parameters = kept->shape.n_parameters,
                .n_steps = kept->n_steps,
                .n_burn_in = from->n_burn_in,
                .thinning = from->thinning,
                .max_draws = from->max_draws};
    memcpy(own.mark, mark, sizeof mark);
    for (size_t i = 0; i < SKY_CHECKPOINT_N_SETTINGS; i++)
        own.settings[i] = from->settings[i].value;
    size_t n = n_bytes_of(&own);
    char *bytes = malloc(n);
    equant_status status = bytes ? pack(&own, run, bytes) : status_out_of_memory();
    if (status == EQUANT_SUCCESS) {
        replacement made;
        status = replacement_begin(path, sealed_file_is_ours, &made);
        if (status == EQUANT_SUCCESS)
            status =
                replacement_end(path, &made, sealed_file_write(made.descriptor, path, n, bytes));
    }
    free(bytes);
    return status;
}

/* A file that is whole, for the caller to close. */
static equant_status open_whole(const char *path, FILE **file)
{
    bool is_intact = false;
    equant_status status = sealed_file_check(path, &is_intact);
    if (status == EQUANT_SUCCESS && !is_intact)
        status = status_fail(EQUANT_ERROR_FORMAT,
                             "%s: this is no run of astrometry, or the file is damaged", path);
    *file = status == EQUANT_SUCCESS ? fopen(path, "rb") : NULL;
    if (status == EQUANT_SUCCESS && *file == NULL)
        status = status_fail(EQUANT_ERROR_IO, "%s: cannot be read: %s", path, strerror(errno));
    return status;
}

/* Its bytes, for the caller to free. */
static equant_status read_bytes(const char *path, char **bytes, size_t *n)
{
    FILE *file = NULL;
    equant_status status = open_whole(path, &file);
    if (status != EQUANT_SUCCESS)
        return status;
    long length = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    *bytes = length >= 0 ? malloc((size_t)length + 1) : NULL;
    *n = length >= 0 ? (size_t)length : 0;
    if (*bytes == NULL)
        status = status_out_of_memory();
    else if (fseek(file, 0, SEEK_SET) != 0 || fread(*bytes, 1, *n, file) != *n)
        status = status_fail(EQUANT_ERROR_IO, "%s: cannot be read", path);
    fclose(file);
    return status;
}

static equant_status check_mark(const char *path, const head *own)
{
    const size_t n_constant = sizeof mark - 1; /* its last byte is the version */
    if (memcmp(own->mark, mark, n_constant) != 0)
        return status_fail(EQUANT_ERROR_FORMAT, "%s: this is no run of astrometry", path);
    if (own->mark[n_constant] != mark[n_constant])
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: this run was begun by another version of equant, which alone can "
                           "go on with it",
                           path);
    return EQUANT_SUCCESS;
}

static equant_status check(const char *path, const head *own, size_t n, uint64_t origin,
                           const sampler_run *run)
{
    const draws_shape *shape = &run->kept->shape;
    equant_status status = check_mark(path, own);
    if (status == EQUANT_SUCCESS && n < n_bytes_of(own))
        status = status_fail(EQUANT_ERROR_FORMAT, "%s: this is no run of astrometry", path);
    if (status == EQUANT_SUCCESS &&
        (own->origin != origin || own->n_populations != shape->n_populations ||
         own->n_walkers != shape->n_walkers || own->n_parameters != shape->n_parameters))
        status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                             "%s: this run had other options; it goes on with those that it began "
                             "with",
                             path);
    return status;
}

/* The head of a file that is a run of astrometry. */
static equant_status read_head(const char *path, head *own)
{
    FILE *file = NULL;
    equant_status status = open_whole(path, &file);
    if (status != EQUANT_SUCCESS)
        return status;
    size_t n = fread(own, 1, sizeof *own, file);
    fclose(file);
    status = check_mark(path, own);
    if (status == EQUANT_SUCCESS && n < sizeof *own)
        status = status_fail(EQUANT_ERROR_FORMAT, "%s: this is no run of astrometry", path);
    return status;
}

static equant_status check_settings(const char *path, const head *own,
                                    const sky_checkpoint_setting *asked)
{
    for (size_t i = 0; i < SKY_CHECKPOINT_N_SETTINGS; i++) {
        if (own->settings[i] == asked[i].value)
            continue;
        if (asked[i].is_flag)
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "%s: this run goes on as it began, %s %s", path,
                               own->settings[i] != 0.0 ? "with" : "without", asked[i].what);
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "%s: this run goes on as it began, with the %s %g, not %g", path,
                           asked[i].what, own->settings[i], asked[i].value);
    }
    return EQUANT_SUCCESS;
}

equant_status sky_checkpoint_check(const char *path, sky_checkpoint_source *from)
{
    head own = {0};
    equant_status status = read_head(path, &own);
    if (status != EQUANT_SUCCESS)
        return status;
    const struct {
        const char *what;
        uint64_t began, *asked;
    } numbers[] = {{"seed", own.seed, &from->seed},
                   {"number of populations", own.n_populations, &from->n_populations},
                   {"number of walkers", own.n_walkers, &from->n_walkers},
                   {"burn-in", own.n_burn_in, &from->n_burn_in},
                   {"thinning", own.thinning, &from->thinning},
                   {"largest number of draws", own.max_draws, &from->max_draws}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        bool is_open = i > 0 && *numbers[i].asked == 0;
        if (!is_open && *numbers[i].asked != numbers[i].began)
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "%s: this run goes on as it began, with the %s %llu, not %llu", path,
                               numbers[i].what, (unsigned long long)numbers[i].began,
                               (unsigned long long)*numbers[i].asked);
        *numbers[i].asked = numbers[i].began;
    }
    status = check_settings(path, &own, from->settings);
    if (status == EQUANT_SUCCESS && own.data_origin != from->data_origin)
        status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                             "%s: this run is of other data; it goes on with those that it began "
                             "with",
                             path);
    return status;
}

static equant_status unpack(const head *own, const char *place, sampler_run *run)
{
    draws *kept = NULL;
    size_t rows = own->n_steps * own->n_walkers;
    equant_status status = draws_create(&run->kept->shape, &kept);
    if (status == EQUANT_SUCCESS)
        status = draws_reserve(kept, own->n_steps);
    if (status == EQUANT_SUCCESS) {
        const char *state = place;
        place += own->n_state_bytes;
        take(&place, kept->step, own->n_steps * sizeof *kept->step);
        for (size_t p = 0; p < own->n_populations; p++) {
            take(&place, kept->population[p].parameters, rows * own->n_parameters * sizeof(double));
            take(&place, kept->population[p].log_likelihood, rows * sizeof(double));
            take(&place, kept->population[p].log_prior, rows * sizeof(double));
        }
        kept->n_steps = own->n_steps;
        status = sampler_run_restore(run, state, own->n_state_bytes, kept);
    }
    if (status != EQUANT_SUCCESS)
        draws_free(kept);
    return status;
}

equant_status sky_checkpoint_read(const char *path, uint64_t origin, sampler_run *run)
{
    char *bytes = NULL;
    size_t n = 0;
    head own = {0};
    equant_status status = read_bytes(path, &bytes, &n);
    if (status == EQUANT_SUCCESS) {
        memcpy(&own, bytes, n < sizeof own ? n : sizeof own);
        status = check(path, &own, n, origin, run);
    }
    if (status == EQUANT_SUCCESS)
        status = unpack(&own, bytes + sizeof own, run);
    free(bytes);
    return status;
}
