#include "inference/sample/run/run_record.h"

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

equant_status run_record_write(const run_record *record, const char *path)
{
    const sampler *walkers = record->walkers;
    run_file_figure figures[N_FIGURES];
    double *values = calloc(ENSEMBLE_N_MOVES + 1 + sampler_n_temperatures(walkers), sizeof *values);
    if (!values)
        return status_out_of_memory();
    list_figures(walkers, values, figures);
    run_file_contents contents = {.dataset = record->dataset,
                                  .shape = record->shape,
                                  .draws = record->kept,
                                  .evidence = record->evidence,
                                  .n_figures = N_FIGURES,
                                  .figures = figures,
                                  .n_provenance = record->made_with->n,
                                  .provenance = record->made_with->texts,
                                  .n_state_bytes = record->n_state_bytes,
                                  .state = record->state};
    equant_status status = run_file_write(path, &contents);
    free(values);
    return status;
}
