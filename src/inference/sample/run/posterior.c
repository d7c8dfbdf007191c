/* The posterior of a star: the public face of draws, their summary and their modes. */
#include "inference/sample/run/posterior.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/dataset.h"
#include "core/status_fail.h"
#include "inference/sample/draws/star_draw.h"
#include "inference/sample/evidence/guided_evidence.h"
#include "inference/sample/run/posterior_facts.h"
#include "inference/sample/run/run_record.h"

/* Groups of draws with less than this share are no modes. */
#define LEAST_WEIGHT 0.005

struct equant_posterior {
    draws *kept;
    equant_dataset *dataset; /* its own copy */
    provenance made_with;
    size_t n_state_bytes;
    void *state; /* of the run */
    quantities_shape shape;
    double reference_time_days;
    summary *table;
    modes *found;
    char backend[SAMPLE_BACKEND_SIZE];
    run_file_evidence evidence; /* method NULL: none */
    equant_posterior_summary facts;
};

/* ---- from a run -------------------------------------------------------------------------- */

/* Priors that leave nothing open, as the words of a run have them. */
static size_t n_fixed_by(const provenance *made_with)
{
    static const char name[] = "prior_", fixed[] = "fixed(";
    size_t n = 0;
    for (size_t i = 0; i < made_with->n; i++)
        n += strncmp(made_with->texts[i].name, name, sizeof name - 1) == 0 &&
             strncmp(made_with->texts[i].value, fixed, sizeof fixed - 1) == 0;
    return n;
}

/* What is said of the evidence. */
typedef struct evidence_facts {
    double log_z, err, spread, k_hat;
    int is_sound;
} evidence_facts;

static evidence_facts evidence_of(const posterior_origin *origin)
{
    const run_file_evidence *bridge = origin->evidence;
    double low = INFINITY, high = -INFINITY;
    if (!bridge)
        return (evidence_facts){NAN, NAN, NAN, NAN, 0};
    for (size_t i = 0; i < bridge->n_runs; i++) {
        low = fmin(low, bridge->log_z_of_run[i]);
        high = fmax(high, bridge->log_z_of_run[i]);
    }
    return (evidence_facts){
        bridge->log_z, bridge->log_z_err, high - low, bridge->k_hat,
        isfinite(bridge->log_z) &&
            guided_evidence_is_sound(bridge->log_z_err, high - low, bridge->k_hat)};
}

static equant_posterior_summary facts_of(const draws *kept, const posterior_origin *origin)
{
    const posterior_course course = {.end = origin->end,
                                     .kept = kept,
                                     .figures = &origin->figures,
                                     .n_burn_in = origin->n_burn_in,
                                     .seconds = origin->seconds};
    equant_posterior_summary facts = posterior_facts_of(&course);
    evidence_facts evidence = evidence_of(origin);
    facts.n_planets = origin->shape.layout.n_planets;
    facts.reference_time_days = equant_dataset_reference_time_days(origin->dataset);
    facts.log_evidence = evidence.log_z;
    facts.log_evidence_err = evidence.err;
    facts.round_trips = (double)origin->figures.round_trips;
    facts.n_fitted = kept->shape.n_parameters - n_fixed_by(origin->made_with);
    facts.evidence_k_hat = evidence.k_hat;
    facts.evidence_spread = evidence.spread;
    facts.evidence_is_sound = evidence.is_sound;
    return facts;
}

static equant_status describe_draws(equant_posterior *made, const posterior_origin *origin)
{
    const double *times = equant_dataset_times_days(origin->dataset);
    double span = times[equant_dataset_n_obs(origin->dataset) - 1] - times[0];
    summary_request request = {.draws = made->kept,
                               .begin = origin->begin,
                               .shape = made->shape,
                               .reference_time_days = made->reference_time_days,
                               .n_threads = origin->n_threads};
    equant_status status = summary_create(&request, &made->table);
    if (status == EQUANT_SUCCESS) {
        const sampler_run_goals goals = run_settings_goals(origin->settings);
        posterior_facts_judge(&goals, &origin->figures, made->table->n_rows, made->table->rows,
                              &made->facts);
        status =
            modes_find(made->kept, made->shape.layout.n_planets, span, LEAST_WEIGHT, &made->found);
    }
    return status;
}

static equant_status copy_data(const equant_dataset *from, equant_dataset **made)
{
    size_t n_instruments = equant_dataset_n_instruments(from);
    equant_dataset_options options = {.struct_size = sizeof options,
                                      .velocity_unit = EQUANT_UNIT_M_S,
                                      .has_reference_time = 1,
                                      .reference_time_days =
                                          equant_dataset_reference_time_days(from),
                                      .n_indicators = from->indicators.n,
                                      .indicators = from->indicator_views,
                                      .time_name = equant_dataset_time_name(from)};
    const char **names = calloc(n_instruments, sizeof *names);
    if (!names)
        return status_out_of_memory();
    for (size_t i = 0; i < n_instruments; i++)
        names[i] = equant_dataset_instrument_name(from, i);
    equant_status status = equant_dataset_from_arrays(
        equant_dataset_n_obs(from), equant_dataset_times_days(from),
        equant_dataset_velocities_m_s(from), equant_dataset_uncertainties_m_s(from),
        equant_dataset_instruments(from), n_instruments, names, &options, made);
    free(names);
    return status;
}

static equant_status copy_evidence(equant_posterior *made, const run_file_evidence *from)
{
    if (!from)
        return EQUANT_SUCCESS;
    double *of_run = malloc((from->n_runs + 1) * sizeof *of_run);
    if (!of_run)
        return status_out_of_memory();
    memcpy(of_run, from->log_z_of_run, from->n_runs * sizeof *of_run);
    made->evidence = *from;
    made->evidence.log_z_of_run = of_run;
    made->evidence.method = POSTERIOR_BY_BRIDGE;
    return EQUANT_SUCCESS;
}

static equant_status copy_origin(equant_posterior *made, const posterior_origin *origin)
{
    equant_status status = copy_data(origin->dataset, &made->dataset);
    made->n_state_bytes = origin->n_state_bytes;
    made->state = malloc(origin->n_state_bytes);
    if (!made->state)
        return status_out_of_memory();
    memcpy(made->state, origin->state, origin->n_state_bytes);
    if (status == EQUANT_SUCCESS)
        status =
            provenance_add_all(&made->made_with, origin->made_with->n, origin->made_with->texts);
    return status == EQUANT_SUCCESS ? copy_evidence(made, origin->evidence) : status;
}

equant_status posterior_create(draws **kept, const posterior_origin *origin, equant_posterior **out)
{
    if ((*kept)->n_steps == 0)
        return posterior_facts_fail_empty(origin->figures.n_steps);
    equant_posterior *made = calloc(1, sizeof *made);
    if (!made)
        return status_out_of_memory();
    made->shape = origin->shape;
    made->reference_time_days = equant_dataset_reference_time_days(origin->dataset);
    memcpy(made->backend, origin->settings->backend, sizeof made->backend);
    made->facts = facts_of(*kept, origin);
    made->facts.backend = made->backend;
    made->kept = *kept;
    *kept = NULL;
    equant_status status = copy_origin(made, origin);
    if (status == EQUANT_SUCCESS)
        status = describe_draws(made, origin);
    if (status != EQUANT_SUCCESS) {
        equant_posterior_free(made);
        return status;
    }
    *out = made;
    return EQUANT_SUCCESS;
}

void equant_posterior_free(equant_posterior *posterior)
{
    if (!posterior)
        return;
    draws_free(posterior->kept);
    summary_free(posterior->table);
    modes_free(posterior->found);
    equant_dataset_free(posterior->dataset);
    provenance_free(&posterior->made_with);
    free(posterior->state);
    free((double *)posterior->evidence.log_z_of_run);
    free(posterior);
}

equant_status equant_posterior_save(const equant_posterior *posterior, const char *path)
{
    sampler *told = NULL;
    sampler_run_state state;
    if (!posterior || !path)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "saving a run takes its posterior and the path of its file");
    equant_status status =
        sampler_run_read(posterior->state, posterior->n_state_bytes, &state, &told);
    run_record record = {.dataset = posterior->dataset,
                         .shape = posterior->shape,
                         .kept = posterior->kept,
                         .walkers = told,
                         .made_with = &posterior->made_with,
                         .evidence = posterior->evidence.method ? &posterior->evidence : NULL,
                         .n_state_bytes = posterior->n_state_bytes,
                         .state = posterior->state};
    if (status == EQUANT_SUCCESS)
        status = run_record_write(&record, path);
    sampler_free(told);
    return status;
}

/* ---- inside ------------------------------------------------------------------------------- */

const draws *posterior_draws(const equant_posterior *posterior)
{
    return posterior->kept;
}

const modes *posterior_modes(const equant_posterior *posterior)
{
    return posterior->found;
}

const quantities_shape *posterior_shape(const equant_posterior *posterior)
{
    return &posterior->shape;
}

const provenance *posterior_provenance(const equant_posterior *posterior)
{
    return &posterior->made_with;
}

/* ---- what it says ------------------------------------------------------------------------- */

equant_status equant_posterior_summarize(const equant_posterior *posterior,
                                         equant_posterior_summary *out)
{
    if (!posterior)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no posterior");
    equant_status status = OPTIONS_CHECK(out);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_posterior_summary facts = posterior->facts;
    OPTIONS_FILL(facts, out);
    return EQUANT_SUCCESS;
}

const equant_dataset *equant_posterior_dataset(const equant_posterior *posterior)
{
    return posterior ? posterior->dataset : NULL;
}

size_t equant_posterior_n_provenance(const equant_posterior *posterior)
{
    return posterior ? posterior->made_with.n : 0;
}

const char *equant_posterior_provenance_name(const equant_posterior *posterior, size_t index)
{
    if (!posterior)
        return NULL;
    return index < posterior->made_with.n ? posterior->made_with.texts[index].name : NULL;
}

const char *equant_posterior_provenance_text(const equant_posterior *posterior, size_t index)
{
    if (!posterior)
        return NULL;
    return index < posterior->made_with.n ? posterior->made_with.texts[index].value : NULL;
}

size_t equant_posterior_n_quantities(const equant_posterior *posterior)
{
    return posterior ? posterior->table->n_rows : 0;
}

equant_status equant_posterior_quantity(const equant_posterior *posterior, size_t index,
                                        equant_sampled_quantity *out)
{
    if (!posterior)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no posterior");
    equant_status status = OPTIONS_CHECK(out);
    if (status != EQUANT_SUCCESS)
        return status;
    if (index >= posterior->table->n_rows)
        return status_fail_range("quantities", posterior->table->n_rows, index);
    const summary_row *row = &posterior->table->rows[index];
    const quantity_kind *kind = row->what.entry.kind;
    size_t instrument = row->what.instrument;
    equant_sampled_quantity known = posterior_facts_quantity(row);
    known.name = row->what.name;
    known.unit = kind->info.unit;
    known.is_angle = kind->info.is_angle;
    known.is_derived = kind->info.role == EQUANT_QUANTITY_DERIVED;
    known.planet = row->what.planet;
    known.instrument = instrument;
    known.instrument_name =
        instrument > 0 ? equant_dataset_instrument_name(posterior->dataset, instrument - 1) : NULL;
    known.kind = quantity_catalogue_index(kind);
    OPTIONS_FILL(known, out);
    return EQUANT_SUCCESS;
}

equant_status equant_posterior_values(const equant_posterior *posterior, size_t index,
                                      double *values)
{
    if (!posterior)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no posterior");
    if (index >= posterior->table->n_rows)
        return status_fail_range("quantities", posterior->table->n_rows, index);
    const summary_row *row = &posterior->table->rows[index];
    quantities_frame frame = {
        .reference_time_days = posterior->reference_time_days,
        .reference = draws_at(posterior->kept, draws_best(posterior->kept)).parameters};
    for (size_t i = 0; i < draws_n(posterior->kept); i++) {
        frame.star = star_draw_at(&posterior->shape.star, i);
        values[i] = quantity_value(&row->what.entry, row->what.index,
                                   draws_at(posterior->kept, i).parameters, &frame);
    }
    return EQUANT_SUCCESS;
}

equant_status equant_posterior_log_likelihoods(const equant_posterior *posterior, double *values)
{
    if (!posterior)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no posterior");
    for (size_t i = 0; i < draws_n(posterior->kept); i++)
        values[i] = draws_at(posterior->kept, i).log_likelihood;
    return EQUANT_SUCCESS;
}

size_t equant_posterior_n_modes(const equant_posterior *posterior)
{
    return posterior ? posterior->found->n : 0;
}

equant_status equant_posterior_mode(const equant_posterior *posterior, size_t index,
                                    equant_posterior_mode_info *out)
{
    if (!posterior)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no posterior");
    equant_status status = OPTIONS_CHECK(out);
    if (status != EQUANT_SUCCESS)
        return status;
    if (index >= posterior->found->n)
        return status_fail_range("modes", posterior->found->n, index);
    const mode *own = &posterior->found->mode[index];
    equant_posterior_mode_info known = {.struct_size = sizeof known,
                                        .weight = own->weight,
                                        .weight_err = own->weight_err,
                                        .period_days = own->period_days};
    OPTIONS_FILL(known, out);
    return EQUANT_SUCCESS;
}
