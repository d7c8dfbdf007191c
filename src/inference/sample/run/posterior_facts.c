#include "inference/sample/run/posterior_facts.h"

#include <math.h>
#include <stdint.h>

#include "core/status_fail.h"

equant_posterior_summary posterior_facts_of(const posterior_course *course)
{
    const draws *kept = course->kept;
    return (equant_posterior_summary){.struct_size = sizeof(equant_posterior_summary),
                                      .end = course->end,
                                      .n_parameters = kept->shape.n_parameters,
                                      .n_populations = kept->shape.n_populations,
                                      .n_walkers = kept->shape.n_walkers,
                                      .n_kept = kept->n_steps,
                                      .n_temperatures = course->figures->n_temperatures,
                                      .n_steps = course->figures->n_steps,
                                      .n_burn_in = course->n_burn_in,
                                      .acceptance = course->figures->acceptance,
                                      .seconds = course->seconds,
                                      .log_evidence = NAN,
                                      .log_evidence_err = NAN,
                                      .evidence_k_hat = NAN,
                                      .evidence_spread = NAN,
                                      .n_fitted = kept->shape.n_parameters};
}

void posterior_facts_judge(const sampler_run_goals *goals, const sampler_figures *figures,
                           size_t n_rows, const summary_row *rows, equant_posterior_summary *facts)
{
    const convergence_goals wanted =
        sampler_run_convergence(goals, facts->n_burn_in, facts->n_steps);
    convergence_verdict verdict = {.lacks = EQUANT_CRITERION_NONE, .row = SIZE_MAX};
    diagnostics worst = diagnostics_unknown();
    worst.is_constant = true;
    for (size_t i = 0; i < n_rows; i++) {
        const diagnostics both[] = {worst, rows[i].quality};
        if (!rows[i].quality.has_gaps)
            worst = diagnostics_worst(2, both);
        convergence_add(&wanted, i, &rows[i].quality, &verdict);
    }
    sampler_run_add_journeys(figures, &verdict);
    facts->rhat = worst.rhat;
    facts->ess_bulk = worst.ess_bulk;
    facts->ess_tail = worst.ess_tail;
    facts->turnover = worst.turnover;
    facts->drift = worst.drift;
    facts->discord = worst.discord;
    facts->start_width = worst.start_width;
    facts->lacks = verdict.lacks;
    facts->lacks_quantity = verdict.row;
    facts->lacks_found = verdict.found;
    facts->lacks_wanted = verdict.wanted;
    if (verdict.lacks == EQUANT_CRITERION_NONE)
        facts->end = EQUANT_END_CONVERGED;
    else if (facts->end == EQUANT_END_CONVERGED)
        facts->end = EQUANT_END_NONE;
}

equant_sampled_quantity posterior_facts_quantity(const summary_row *row)
{
    return (equant_sampled_quantity){.struct_size = sizeof(equant_sampled_quantity),
                                     .median = row->median,
                                     .low = row->low,
                                     .high = row->high,
                                     .mode = row->mode,
                                     .best = row->best,
                                     .rhat = row->quality.rhat,
                                     .ess_bulk = row->quality.ess_bulk,
                                     .ess_tail = row->quality.ess_tail,
                                     .turnover = row->quality.turnover,
                                     .drift = row->quality.drift,
                                     .discord = row->quality.discord,
                                     .start_width = row->quality.start_width};
}

equant_status posterior_facts_fail_empty(uint64_t n_steps)
{
    return status_fail(EQUANT_ERROR_CANCELLED,
                       "the run ended at step %llu, before the first draw was kept",
                       (unsigned long long)n_steps);
}
