/* The number of planets of a star: the public face of populations that run side by side. */
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/placement.h"
#include "core/status_fail.h"
#include "core/wall_clock.h"
#include "inference/compare/chain_file.h"
#include "inference/compare/comparison.h"
#include "parallel/parallel_for.h"

enum { DEFAULT_POPULATIONS = 4, DEFAULT_SWEEPS = 400, DEFAULT_SLOTS = 4 };

#define OPTION(member) OPTION_OR_ZERO(options, equant_compare_options, member)

typedef struct comparison_run {
    const comparison_start *start;
    size_t n_populations, n_sweeps, n_burn, n_slots;
    int n_threads;
    population *populations;
    equant_progress progress;
    void *context;
    const char *checkpoint;   /* NULL: none */
    uint64_t mark;            /* of the run, in its file                   */
    uint64_t mark_of_quarter; /* of a comparison a quarter as long       */
    double began_s, told_s, kept_s;
    size_t sweep, first_sweep;
    atomic_bool is_cancelled;
    atomic_int failed; /* the sweep */
} comparison_run;

/* Callers are told so often, in seconds, and chains are kept so often. */
#define BETWEEN 0.1
#define BETWEEN_FILES 1.0

/* Tells the caller, on the calling thread alone, and says whether to go on. */
static bool tell(void *context)
{
    comparison_run *run = context;
    double now = wall_clock_s();
    if (!run->progress || parallel_thread() != 0 || now - run->told_s < BETWEEN)
        return !atomic_load(&run->is_cancelled);
    run->told_s = now;
    double elapsed = now - run->began_s, done = (double)run->sweep / (double)run->n_sweeps;
    double own = (double)(run->sweep - run->first_sweep);
    bool is_known = own > 0.0;
    equant_progress_report report = {
        .struct_size = sizeof report,
        .stage = run->sweep < run->n_burn ? "burn-in" : "counting planets",
        .done = done,
        .step = run->sweep,
        .steps_per_s = is_known ? own / elapsed : NAN,
        .acceptance = NAN,
        .rhat = NAN,
        .ess_bulk = NAN,
        .ess_tail = NAN,
        .seconds_left = is_known ? elapsed / own * (double)(run->n_sweeps - run->sweep) : NAN,
        .call_done = NAN};
    if (run->progress(&report, run->context) != 0)
        atomic_store(&run->is_cancelled, true);
    return !atomic_load(&run->is_cancelled);
}

static void sweep_some(void *context, size_t first, size_t end, int thread)
{
    comparison_run *run = context;
    (void)thread;
    for (size_t i = first; i < end; i++)
        parallel_keep_larger(&run->failed, (int)population_sweep(&run->populations[i], run->n_slots,
                                                                 run->sweep >= run->n_burn));
}

/* One sweep of all of them. */
static equant_status sweep_all(comparison_run *run)
{
    parallel_for(run->n_threads, run->n_populations, 1, sweep_some, run);
    return (equant_status)atomic_load(&run->failed);
}

/* Between sweeps, so that what is kept is a state: a sweep that is interrupted is lost. */
static equant_status keep(comparison_run *run)
{
    if (!run->checkpoint || run->sweep == run->first_sweep ||
        wall_clock_s() - run->kept_s < BETWEEN_FILES)
        return EQUANT_SUCCESS;
    equant_status status = chain_file_write(run->checkpoint, run->mark, run->sweep,
                                            run->n_populations, run->populations);
    run->kept_s = wall_clock_s();
    return status;
}

/* Chains that were stopped go on, and so do those of a comparison a quarter as long: all of it is
 * the burn-in of this one, so that the numbers are those of chains that were never shorter. */
static equant_status read_chains(comparison_run *run)
{
    equant_status status = chain_file_read(run->checkpoint, run->mark, run->n_populations,
                                           run->populations, &run->sweep);
    if (status != EQUANT_ERROR_INVALID_ARGUMENT ||
        chain_file_read(run->checkpoint, run->mark_of_quarter, run->n_populations, run->populations,
                        &run->sweep) != EQUANT_SUCCESS)
        return status;
    for (size_t i = 0; i < run->n_populations; i++)
        tally_clear(&run->populations[i].tally);
    return EQUANT_SUCCESS;
}

/* Chains that agree are done with; others can go on, if somebody asks for more sweeps. */
static equant_status leave_file(const comparison_run *run, bool is_done)
{
    if (!run->checkpoint || !is_done)
        return EQUANT_SUCCESS;
    return chain_file_remove(run->checkpoint);
}

static equant_status run_all(comparison_run *run, uint64_t seed)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < run->n_populations && status == EQUANT_SUCCESS; i++) {
        status = population_create(&run->start->space, seed, i, &run->populations[i]);
        run->populations[i].is_wanted = tell;
        run->populations[i].wanted_context = run;
        if (status == EQUANT_SUCCESS)
            status = comparison_start_population(run->start, i, &run->populations[i]);
    }
    if (status == EQUANT_SUCCESS && run->checkpoint)
        status = read_chains(run);
    run->first_sweep = run->sweep;
    run->began_s = run->kept_s = wall_clock_s();
    for (; run->sweep < run->n_sweeps && status == EQUANT_SUCCESS; run->sweep++) {
        status = keep(run);
        if (status == EQUANT_SUCCESS && tell(run))
            status = sweep_all(run);
        if (atomic_load(&run->is_cancelled))
            return status_fail(EQUANT_ERROR_CANCELLED, "the comparison was cancelled");
    }
    if (status == EQUANT_SUCCESS && run->checkpoint)
        status = chain_file_write(run->checkpoint, run->mark, run->sweep, run->n_populations,
                                  run->populations);
    return status;
}

static equant_status check_options(const equant_compare_options *options)
{
    if (OPTION(n_populations) < 0 || OPTION(n_populations) > COMPARISON_MOST_POPULATIONS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "1 to %d populations can be run, not %d",
                           COMPARISON_MOST_POPULATIONS, OPTION(n_populations));
    if (OPTION(n_sweeps) < 0 || OPTION(n_slots) < 0 || OPTION(max_planets) < 0 ||
        OPTION(n_threads) < 0)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "numbers of sweeps, slots, planets and threads are not negative");
    return EQUANT_SUCCESS;
}

equant_status equant_compare_check(const equant_dataset *dataset,
                                   const equant_compare_options *options)
{
    equant_status status = OPTIONS_CHECK(options);
    if (status == EQUANT_SUCCESS && !dataset)
        status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "a comparison needs data");
    if (status == EQUANT_SUCCESS)
        status = check_options(options);
    return status == EQUANT_SUCCESS ? comparison_start_check(dataset, options) : status;
}

equant_status equant_compare(const equant_dataset *dataset, const equant_fit *fit,
                             const equant_compare_options *options, equant_comparison **comparison)
{
    equant_status status = OPTIONS_CHECK(options);
    if (status == EQUANT_SUCCESS && !(dataset && fit && comparison))
        status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                             "a comparison needs data, a fit of them and a place for its result");
    if (status == EQUANT_SUCCESS)
        status = check_options(options);
    if (status != EQUANT_SUCCESS)
        return status;
    comparison_start start;
    comparison_run run = {.start = &start,
                          .n_populations = OPTION(n_populations) > 0 ? (size_t)OPTION(n_populations)
                                                                     : DEFAULT_POPULATIONS,
                          .n_sweeps =
                              OPTION(n_sweeps) > 0 ? (size_t)OPTION(n_sweeps) : DEFAULT_SWEEPS,
                          .n_slots = OPTION(n_slots) > 0 ? (size_t)OPTION(n_slots) : DEFAULT_SLOTS,
                          .n_threads = placement_threads(OPTION(n_threads)),
                          .checkpoint = OPTION(checkpoint),
                          .progress = OPTION(progress),
                          .context = OPTION(progress_context)};
    run.n_burn = run.n_sweeps / 4;
    if ((size_t)run.n_threads > run.n_populations)
        run.n_threads = (int)run.n_populations;
    run.populations = calloc(run.n_populations, sizeof *run.populations);
    status = comparison_start_create(dataset, fit, options, &start);
    if (status == EQUANT_SUCCESS && !run.populations)
        status = status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        run.mark =
            chain_file_mark(&start, OPTION(seed), run.n_populations, run.n_sweeps, run.n_slots);
    if (status == EQUANT_SUCCESS)
        run.mark_of_quarter =
            chain_file_mark(&start, OPTION(seed), run.n_populations, run.n_burn, run.n_slots);
    if (status == EQUANT_SUCCESS)
        status = run_all(&run, OPTION(seed));
    if (status == EQUANT_SUCCESS)
        status = comparison_create(&start, run.n_populations, run.populations, comparison);
    if (status == EQUANT_SUCCESS)
        status = leave_file(&run, equant_comparison_agrees(*comparison) != 0);
    for (size_t i = 0; run.populations && i < run.n_populations; i++)
        population_free(&run.populations[i]);
    free(run.populations);
    comparison_start_free(&start);
    return status;
}
