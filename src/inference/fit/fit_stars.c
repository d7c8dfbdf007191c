/* Fits of many stars at a time: a thread for each that is under way, the fit of one star in it. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/engine.h"
#include "core/placement.h"
#include "core/progress_report.h"
#include "core/scan.h"
#include "core/status_fail.h"
#include "parallel/parallel_for.h"

/* What all stars have in common, and how far they are. */
typedef struct star_crowd {
    equant_engine_options engine; /* of one thread */
    equant_fit_options options;
    int n_threads;
    equant_progress progress; /* of the caller */
    void *progress_context;
    size_t n; /* stars */
    atomic_size_t n_done;
    atomic_bool is_cancelled;
    const equant_dataset *const *datasets;
    equant_fit **fits;
    equant_status *statuses;
} star_crowd;

/* Stars whose scan a GPU does, and whose threads sleep meanwhile. */
static int n_asleep(const equant_engine_options *engine)
{
    placement place;
    const equant_work work = {.struct_size = sizeof work, .kind = EQUANT_WORK_SCAN};
    bool is_gpu = placement_find(NULL, engine, &work, &place) == EQUANT_SUCCESS &&
                  place.chosen->device != NULL;
    return is_gpu ? SCAN_MOST_ON_GPU : 0;
}

static equant_status read_options(const equant_fit_options *options, star_crowd *crowd)
{
    const equant_engine_options *engine = OPTION_OR_ZERO(options, equant_fit_options, engine);
    equant_status status = OPTIONS_CHECK(options);
    if (status == EQUANT_SUCCESS)
        status = OPTIONS_CHECK(engine);
    if (status != EQUANT_SUCCESS)
        return status;
    OPTIONS_TAKE(crowd->options, options);
    OPTIONS_TAKE(crowd->engine, engine);
    crowd->progress = crowd->options.progress;
    crowd->progress_context = crowd->options.progress_context;
    crowd->n_threads = placement_threads(crowd->engine.n_threads) + n_asleep(&crowd->engine);
    crowd->engine.struct_size = sizeof crowd->engine;
    crowd->engine.n_threads = 1;
    crowd->options.struct_size = sizeof crowd->options;
    crowd->options.engine = &crowd->engine;
    crowd->options.progress = NULL;
    return EQUANT_SUCCESS;
}

/* On the thread of the caller, as progress is told. */
static void tell(star_crowd *crowd)
{
    size_t n_done = atomic_load(&crowd->n_done);
    if (progress_report_tell(crowd->progress, crowd->progress_context, "stars",
                             (double)n_done / (double)crowd->n) != EQUANT_SUCCESS)
        atomic_store(&crowd->is_cancelled, true);
}

static void fit_some(void *context, size_t first, size_t end, int thread)
{
    star_crowd *crowd = context;
    for (size_t i = first; i < end && !atomic_load(&crowd->is_cancelled); i++) {
        crowd->statuses[i] = equant_fit_star(crowd->datasets[i], &crowd->options, &crowd->fits[i]);
        atomic_fetch_add(&crowd->n_done, 1);
        if (thread == 0)
            tell(crowd);
    }
}

equant_status equant_fit_stars(size_t n_stars, const equant_dataset *const *datasets,
                               const equant_fit_options *options, equant_fit **fits,
                               equant_status *statuses)
{
    if (n_stars > 0 && (!datasets || !fits || !statuses))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "data sets, and places for fits and statuses are needed");
    star_crowd crowd = {.n = n_stars};
    equant_status status = read_options(options, &crowd);
    if ((size_t)crowd.n_threads > n_stars)
        crowd.n_threads = n_stars > 0 ? (int)n_stars : 1;
    if (status != EQUANT_SUCCESS)
        return status;
    equant_fit **made = calloc(n_stars + 1, sizeof(equant_fit *));
    equant_status *found = calloc(n_stars + 1, sizeof *found);
    crowd.datasets = datasets;
    crowd.fits = made;
    crowd.statuses = found;
    if (made && found)
        parallel_for(crowd.n_threads, n_stars, 1, fit_some, &crowd);
    status = !made || !found      ? status_out_of_memory()
             : crowd.is_cancelled ? status_fail(EQUANT_ERROR_CANCELLED, "the fits were cancelled")
                                  : EQUANT_SUCCESS;
    if (status == EQUANT_SUCCESS && n_stars > 0) {
        memcpy(fits, made, n_stars * sizeof(equant_fit *));
        memcpy(statuses, found, n_stars * sizeof *found);
    }
    for (size_t i = 0; made && status != EQUANT_SUCCESS && i < n_stars; i++)
        equant_fit_free(made[i]);
    free(made);
    free(found);
    return status;
}
