#include "core/placement.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/engine.h"
#include "core/status_fail.h"
#include "parallel/parallel_for.h"

/* ---- the policy --------------------------------------------------------------------------- */

/* Evaluations (sets x planets x observations) from which on work gains on a GPU. In a second
 * sixteen threads of a processor with AVX-512 do 3.7e9 of them in double, an H200 does 1.1e11 in
 * mixed precision, the way there and back included. */
static const double least_evaluations[] = {
    /* 270 microseconds of these threads; the way to a GPU and back takes tens. */
    [EQUANT_WORK_BATCH] = 1e6,
    /* Each of them is far below that. Text takes longer to read and write than to evaluate, and
     * pairs for Kepler's equation longer to travel than to solve. */
    [EQUANT_WORK_SMALL_BATCHES] = INFINITY,
    /* A scan is never small: whether a GPU does it depends on the machine alone. */
    [EQUANT_WORK_SCAN] = 0.0,
    /* Walkers stay on the GPU, proposals and all: with 8.7e5 evaluations a step an H200 is done
     * in half the time of sixteen threads, its start included. */
    [EQUANT_WORK_WALKERS] = 4e5,
    /* 270 milliseconds of these threads, in the whole run; to start a GPU takes some tenths of a
     * second, once. */
    [EQUANT_WORK_MONTE_CARLO] = 1e9,
    /* Mixtures take most of it: half a second of these threads. */
    [EQUANT_WORK_FORECAST] = 1e8,
    /* They take a thread 11 to 14 nanoseconds each, products of columns included, and an H200 100
     * microseconds in all, for several threads at once. */
    [EQUANT_WORK_DERIVATIVES] = 1e4,
};
enum { N_KINDS = sizeof least_evaluations / sizeof *least_evaluations };

/* Fewer observations are not worth several blocks of a GPU, and one takes as long as a thread. */
#define LEAST_OBS_OF_DERIVATIVES 1024
/* Multiply-adds in double a second. An H200 has 1.7e13, and clusters of blocks for one set; GPUs
 * with fewer than this have no clusters, or their double precision is slow. */
#define LEAST_DOUBLES_PER_S 1e13

/* To wake threads and to wait for them takes some ten microseconds; work that is shared should
 * take several times as long. */
#define LEAST_SHARED_NANOSECONDS 50e3

/* More than one of them gains nothing, and hundreds take the address space that the work needs.
 * Some more let tests and comparisons be made on small machines; no result depends on the number.
 */
#define MOST_THREADS_A_PROCESSOR 4

const equant_work placement_small_batches = {.struct_size = sizeof placement_small_batches,
                                             .kind = EQUANT_WORK_SMALL_BATCHES};

/* A model without planets takes as long as one with a planet, or nearly so. */
bool placement_gains(const equant_work *work)
{
    if (work->kind == EQUANT_WORK_DERIVATIVES && work->n_obs < LEAST_OBS_OF_DERIVATIVES)
        return false;
    double n_planets = work->n_planets > 0 ? (double)work->n_planets : 1.0;
    return (double)work->n_sets * n_planets * (double)work->n_obs >= least_evaluations[work->kind];
}

static bool can_do(const backend *candidate, const equant_work *work)
{
    return work->kind != EQUANT_WORK_SCAN || candidate->scans;
}

/* OMP_NUM_THREADS is what the queues of clusters and other libraries go by; it may be a list, whose
 * first number counts. */
static int usual_threads(void)
{
    const char *said = getenv("OMP_NUM_THREADS");
    long n = said ? strtol(said, NULL, 10) : 0;
    return n > 0 && n <= INT_MAX ? (int)n : parallel_processors();
}

int placement_threads(int asked)
{
    int n = asked > 0 ? asked : usual_threads();
    int most = MOST_THREADS_A_PROCESSOR * parallel_processors();
    return n < 1 ? 1 : n > most ? most : n;
}

int placement_threads_worth(int n_threads, double nanoseconds)
{
    return nanoseconds < LEAST_SHARED_NANOSECONDS ? 1 : n_threads;
}

/* ---- backends ----------------------------------------------------------------------------- */

static placement_list list_or_built_in(const placement_list *among)
{
    return among ? *among : (placement_list){backend_list, backend_list_length};
}

const backend *placement_processor(const placement_list *among)
{
    placement_list list = list_or_built_in(among);
    for (size_t i = 0; i < list.n; i++)
        if (strncmp(list.backends[i]->name, "cpu/", 4) == 0 && list.backends[i]->available())
            return list.backends[i];
    return NULL;
}

bool placement_is_fast_in_double(const backend *gpu, int device)
{
    equant_device_info info = {.struct_size = sizeof info};
    return gpu->device->describe(device, &info) == EQUANT_SUCCESS &&
           info.double_per_s >= LEAST_DOUBLES_PER_S;
}

const backend *placement_accelerator(const placement_list *among)
{
    placement_list list = list_or_built_in(among);
    for (size_t i = 0; i < list.n; i++)
        if (list.backends[i]->device && list.backends[i]->available())
            return list.backends[i];
    return NULL;
}

const backend *placement_for_fits(const placement *found)
{
    return found->chosen->device ? placement_processor(NULL) : found->chosen;
}

/* True for "NAME", and for "NAME:N" where the backend has several devices. */
static bool is_named(const backend *candidate, const char *name, int *device)
{
    size_t length = strlen(candidate->name);
    if (strncmp(name, candidate->name, length) != 0)
        return false;
    *device = 0;
    if (name[length] == '\0')
        return true;
    char *end;
    if (!candidate->n_devices || name[length] != ':' || !isdigit((unsigned char)name[length + 1]))
        return false;
    long number = strtol(name + length + 1, &end, 10);
    *device = number > INT_MAX ? INT_MAX : (int)number;
    return *end == '\0';
}

static equant_status check_named(const backend *named, const char *name, int device)
{
    if (!named->available())
        return status_fail(EQUANT_ERROR_UNAVAILABLE, "backend '%s' cannot run here: %s", name,
                           named->explain ? named->explain()
                                          : "this processor lacks its instructions");
    if (named->n_devices && device >= named->n_devices())
        return status_fail(EQUANT_ERROR_UNAVAILABLE,
                           "backend '%s': this machine has only %d of these devices", name,
                           named->n_devices());
    return EQUANT_SUCCESS;
}

static equant_status find_named(const placement_list *among, const char *name, placement *found)
{
    placement_list list = list_or_built_in(among);
    if (strcmp(name, "cpu") == 0) {
        found->chosen = placement_processor(among);
        return EQUANT_SUCCESS;
    }
    for (size_t i = 0; i < list.n; i++)
        if (is_named(list.backends[i], name, &found->engine.device)) {
            found->chosen = list.backends[i];
            return check_named(found->chosen, name, found->engine.device);
        }
    return status_fail(EQUANT_ERROR_UNAVAILABLE,
                       "this build has no backend '%s' (equant info lists those it has)", name);
}

static void choose(const placement_list *among, const equant_work *work, placement *found)
{
    const backend *accelerator = placement_gains(work) ? placement_accelerator(among) : NULL;
    found->chosen = placement_processor(among);
    if (accelerator && can_do(accelerator, work)) {
        found->fallback = found->chosen;
        found->chosen = accelerator;
    }
}

equant_status placement_find(const placement_list *among, const equant_engine_options *options,
                             const equant_work *work, placement *found)
{
    placement made = {.chosen = NULL};
    equant_status status = engine_complete(options, &made.engine);
    if (status != EQUANT_SUCCESS)
        return status;
    made.engine.n_threads = placement_threads(made.engine.n_threads);
    if (engine_is_automatic(options))
        choose(among, work, &made);
    else
        status = find_named(among, options->backend, &made);
    if (status == EQUANT_SUCCESS)
        status = engine_check_device_options(&made.engine, made.chosen);
    if (status != EQUANT_SUCCESS)
        return status;
    if (!can_do(made.chosen, work))
        made.chosen = placement_processor(among);
    *found = made;
    return EQUANT_SUCCESS;
}

/* ---- for callers --------------------------------------------------------------------------- */

equant_status equant_placement(const equant_engine_options *options, const equant_work *work,
                               equant_placement_info *info)
{
    if (!work || !info)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a placement needs work and a place to put it");
    equant_status status = OPTIONS_CHECK(work);
    if (status == EQUANT_SUCCESS)
        status = OPTIONS_CHECK(info);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_work known = {.struct_size = sizeof known,
                         .kind = OPTION_OR_ZERO(work, equant_work, kind),
                         .n_sets = OPTION_OR_ZERO(work, equant_work, n_sets),
                         .n_planets = OPTION_OR_ZERO(work, equant_work, n_planets),
                         .n_obs = OPTION_OR_ZERO(work, equant_work, n_obs)};
    if ((int)known.kind < 0 || (int)known.kind >= N_KINDS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no kind of work number %d",
                           (int)known.kind);
    placement found;
    status = placement_find(NULL, options, &known, &found);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_placement_info told = {.struct_size = sizeof told,
                                  .backend = found.chosen->name,
                                  .device = found.engine.device,
                                  .has_device_memory = found.chosen->device != NULL,
                                  .n_threads = found.engine.n_threads};
    OPTIONS_FILL(told, info);
    return EQUANT_SUCCESS;
}
