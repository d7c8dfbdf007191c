#include "results/sample_json.h"

#include <math.h>

#include "text/json_writer.h"
#include "posteriors/convergence_words.h"
#include "terminal/messages.h"
#include "stars/posterior_result.h"

static void write_quantity(json_writer *json, const equant_sampled_quantity *quantity)
{
    json_object_begin(json);
    json_key_string(json, "name", quantity->name);
    json_key_string(json, "unit", quantity->unit);
    json_key(json, "instrument");
    if (quantity->instrument_name != NULL)
        json_string(json, quantity->instrument_name);
    else
        json_null(json);
    json_key_boolean(json, "is_derived", quantity->is_derived != 0);
    json_key_number(json, "median", quantity->median);
    json_key_number(json, "low", quantity->low);
    json_key_number(json, "high", quantity->high);
    json_key_number(json, "mode", quantity->mode);
    json_key_number(json, "best", quantity->best);
    json_key_number(json, "rhat", quantity->rhat);
    json_key_number(json, "ess_bulk", quantity->ess_bulk);
    json_key_number(json, "ess_tail", quantity->ess_tail);
    json_key_number(json, "drift", quantity->drift);
    json_key_number(json, "discord", quantity->discord);
    json_key_number(json, "start_width", quantity->start_width);
    json_object_end(json);
}

static equant_status write_quantities(json_writer *json, const struct posterior_view *posterior)
{
    equant_status status = EQUANT_SUCCESS;
    json_key(json, "quantities");
    json_array_begin(json);
    for (size_t i = 0; i < posterior_view_n(posterior) && status == EQUANT_SUCCESS; i++) {
        equant_sampled_quantity quantity = {.struct_size = sizeof quantity};
        status = posterior_view_quantity(posterior, i, &quantity);
        if (status == EQUANT_SUCCESS)
            write_quantity(json, &quantity);
    }
    json_array_end(json);
    return status;
}

static equant_status write_modes(json_writer *json, const struct posterior_view *posterior,
                                 size_t n_planets)
{
    equant_status status = EQUANT_SUCCESS;
    json_key(json, "modes");
    json_array_begin(json);
    size_t n = posterior->star != NULL ? equant_posterior_n_modes(posterior->star) : 0;
    for (size_t i = 0; i < n && status == EQUANT_SUCCESS; i++) {
        equant_posterior_mode_info mode = {.struct_size = sizeof mode};
        status = equant_posterior_mode(posterior->star, i, &mode);
        if (status != EQUANT_SUCCESS)
            break;
        json_object_begin(json);
        json_key_number(json, "weight", mode.weight);
        json_key_number(json, "weight_err", mode.weight_err);
        json_key(json, "period_days");
        json_array_begin(json);
        for (size_t p = 0; p < n_planets; p++)
            json_number(json, mode.period_days[p]);
        json_array_end(json);
        json_object_end(json);
    }
    json_array_end(json);
    return status;
}

static void write_word(json_writer *json, const char *key, const char *word)
{
    json_key(json, key);
    if (word != NULL)
        json_string(json, word);
    else
        json_null(json);
}

/* What the run misses by most; nothing where it has converged. */
static void write_lack(json_writer *json, const struct posterior_view *posterior,
                       const equant_posterior_summary *facts)
{
    write_word(json, "lacks", convergence_words_criterion(facts));
    write_word(json, "lacks_quantity", convergence_words_quantity(posterior, facts));
    json_key_number(json, "lacks_found", facts->lacks ? facts->lacks_found : NAN);
    json_key_number(json, "lacks_wanted", facts->lacks ? facts->lacks_wanted : NAN);
}

static void write_facts(json_writer *json, const equant_posterior_summary *facts)
{
    static const char *const ends[] = {[EQUANT_END_CONVERGED] = "converged",
                                       [EQUANT_END_STEPS] = "steps",
                                       [EQUANT_END_SECONDS] = "seconds",
                                       [EQUANT_END_NONE] = "none"};
    json_key_string(json, "end", ends[facts->end]);
    json_key_boolean(json, "converged", facts->end == EQUANT_END_CONVERGED);
    json_key_integer(json, "n_planets", (long long)facts->n_planets);
    json_key_integer(json, "n_parameters", (long long)facts->n_parameters);
    json_key_integer(json, "n_fitted", (long long)facts->n_fitted);
    json_key_integer(json, "n_fixed", (long long)(facts->n_parameters - facts->n_fitted));
    json_key_integer(json, "n_populations", (long long)facts->n_populations);
    json_key_integer(json, "n_walkers", (long long)facts->n_walkers);
    json_key_integer(json, "n_kept", (long long)facts->n_kept);
    json_key_integer(json, "n_temperatures", (long long)facts->n_temperatures);
    json_key_integer(json, "n_steps", (long long)facts->n_steps);
    json_key_integer(json, "n_burn_in", (long long)facts->n_burn_in);
    json_key_number(json, "rhat", facts->rhat);
    json_key_number(json, "ess_bulk", facts->ess_bulk);
    json_key_number(json, "ess_tail", facts->ess_tail);
    json_key_number(json, "turnover", facts->turnover);
    json_key_number(json, "drift", facts->drift);
    json_key_number(json, "discord", facts->discord);
    json_key_number(json, "start_width", facts->start_width);
    json_key_number(json, "acceptance", facts->acceptance);
    json_key_number(json, "seconds", facts->seconds);
    json_key_string(json, "backend", facts->backend);
    json_key_number(json, "t_ref", facts->reference_time_days);
    json_key_number(json, "ln_z",
                    posterior_result_trusts_evidence(facts) ? facts->log_evidence : NAN);
    json_key_number(json, "ln_z_err", facts->log_evidence_err);
    json_key_number(json, "ln_z_spread", facts->evidence_spread);
    json_key_number(json, "k_hat", facts->evidence_k_hat);
    json_key_number(json, "round_trips", facts->round_trips);
}

int sample_json_write(FILE *stream, const struct posterior_view *posterior)
{
    equant_posterior_summary facts = {.struct_size = sizeof facts};
    equant_status status = posterior_view_summarize(posterior, &facts);
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    json_writer json = json_start(stream);
    json_object_begin(&json);
    write_facts(&json, &facts);
    write_lack(&json, posterior, &facts);
    status = write_modes(&json, posterior, facts.n_planets);
    if (status == EQUANT_SUCCESS)
        status = write_quantities(&json, posterior);
    json_object_end(&json);
    json_finish(&json);
    return messages_status(status);
}
