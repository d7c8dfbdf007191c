#include "inference/sample/run/run_record.h"

#include <math.h>
#include <stdlib.h>

#include "core/status_fail.h"
#include "statistics/ensemble_moves.h"

/* Figures of the sampler, one after the other in `values`. */
enum { N_FIGURES = 4 };

static void list_figures(const sampler *walkers, double *values, run_file_figure figures[N_FIGURES])
{
    size_t n_rungs = sampler_n_temperatures(walkers);
    double *acceptance = values, *rejection = acceptance + ENSEMBLE_N_MOVES;
    double *trips = rejection + n_rungs;
    for (size_t move = 0; move < ENSEMBLE_N_MOVES; move++)
        acceptance[move] = sampler_acceptance(walkers, 0, (ensemble_move)move);
    for (size_t gap = 0; gap + 1 < n_rungs; gap++)
        rejection[gap] = sampler_swap_rejection(walkers, gap);
    trips[0] = (double)sampler_round_trips(walkers);
    figures[0] = (run_file_figure){"beta", n_rungs, sampler_beta(walkers)};
    figures[1] = (run_file_figure){"acceptance", ENSEMBLE_N_MOVES, acceptance};
    figures[2] = (run_file_figure){"swap_rejection", n_rungs - 1, rejection};
    figures[3] = (run_file_figure){"round_trips", 1, trips};
}

/* With room for the figures, and for the evidence of each population. */
static equant_status write_with(const run_record *record, const char *path, double *values,
                                double *log_z_of_run)
{
    const sampler *walkers = record->walkers;
    run_file_figure figures[N_FIGURES];
    stepping_stone_evidence stones = sampler_log_evidence(walkers, log_z_of_run);
    run_file_evidence so_far = {.log_z = stones.log_evidence,
                                .log_z_err = stones.error,
                                .n_runs = sampler_n_populations(walkers),
                                .log_z_of_run = log_z_of_run,
                                .method = "stepping stone",
                                .k_hat = NAN};
    const run_file_evidence *evidence = record->evidence ? record->evidence : &so_far;
    list_figures(walkers, values, figures);
    run_file_contents contents = {.dataset = record->dataset,
                                  .shape = record->shape,
                                  .draws = record->kept,
                                  .evidence = sampler_n_temperatures(walkers) > 1 ? evidence : NULL,
                                  .n_figures = N_FIGURES,
                                  .figures = figures,
                                  .n_provenance = record->made_with->n,
                                  .provenance = record->made_with->texts,
                                  .n_state_bytes = record->n_state_bytes,
                                  .state = record->state};
    return run_file_write(path, &contents);
}

equant_status run_record_write(const run_record *record, const char *path)
{
    const sampler *walkers = record->walkers;
    double *values = calloc(ENSEMBLE_N_MOVES + 1 + sampler_n_temperatures(walkers), sizeof *values);
    double *log_z_of_run = calloc(sampler_n_populations(walkers), sizeof *log_z_of_run);
    equant_status status = values && log_z_of_run ? write_with(record, path, values, log_z_of_run)
                                                  : status_out_of_memory();
    free(values);
    free(log_z_of_run);
    return status;
}
