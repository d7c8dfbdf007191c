#include "inference/run/posterior_facts.h"

#include <math.h>

#include "core/status.h"

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
                                      .rhat = course->worst->rhat,
                                      .ess_bulk = course->worst->ess_bulk,
                                      .ess_tail = course->worst->ess_tail,
                                      .turnover = course->worst->turnover,
                                      .acceptance = course->figures->acceptance,
                                      .seconds = course->seconds,
                                      .log_evidence = NAN,
                                      .log_evidence_err = NAN,
                                      .n_fitted = kept->shape.n_parameters};
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
                                     .ess_tail = row->quality.ess_tail};
}

equant_status posterior_facts_fail_empty(uint64_t n_steps)
{
    return status_fail(EQUANT_ERROR_CANCELLED,
                       "the run ended at step %llu, before the first draw was kept",
                       (unsigned long long)n_steps);
}
