#include "output/netcdf_writer.h"

#include <netcdf.h>
#include <netcdf_mem.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/status_fail.h"
#include "inference/sample/draws/star_draw.h"
#include "output/netcdf_group.h"
#include "platform/system_clock.h"

enum { FIRST_SIZE = 1 << 16 }; /* of the memory, which grows */

/* What ArviZ wants to know of every group. */
static void put_origin(netcdf_group group)
{
    char created_at[32] = "";
    system_clock_text(created_at, sizeof created_at, "%Y-%m-%dT%H:%M:%S+00:00");
    netcdf_group_put_text(group, "created_at", created_at);
    netcdf_group_put_text(group, "creation_library", "equant");
    netcdf_group_put_text(group, "creation_library_version", equant_version());
    netcdf_group_put_text(group, "creation_library_language", "C");
    netcdf_group_put_text(group, "inference_library", "equant");
    netcdf_group_put_text(group, "inference_library_version", equant_version());
}

/* How a coordinate counts: from `first` on, and anew every `cycle`; 0: never. */
typedef struct counting {
    int64_t first;
    size_t cycle;
} counting;

static void put_counts(netcdf_group group, const char *name, netcdf_shape shape, counting rule)
{
    size_t n = shape.length[0];
    int64_t *counts = malloc((n + 1) * sizeof *counts);
    if (counts == NULL) {
        *group.error = NC_ENOMEM;
        return;
    }
    for (size_t i = 0; i < n; i++)
        counts[i] = rule.first + (int64_t)(rule.cycle > 0 ? i % rule.cycle : i);
    netcdf_group_put_integers(group, name, shape, counts);
    free(counts);
}

/* The step of the sampler that each draw is from. */
static void put_steps(netcdf_group group, netcdf_shape shape, const draws *kept)
{
    size_t n = shape.length[0];
    int64_t *steps = malloc((n + 1) * sizeof *steps);
    if (steps == NULL) {
        *group.error = NC_ENOMEM;
        return;
    }
    for (size_t i = 0; i < n; i++)
        steps[i] = (int64_t)kept->step[i / kept->shape.n_walkers];
    netcdf_group_put_integers(group, "step", shape, steps);
    free(steps);
}

/* Dimensions chain and draw with their coordinates, in a group of draws. */
static netcdf_shape put_draw_axes(netcdf_group group, const draws *kept)
{
    static const char *sample_dimensions[] = {"chain", "draw"};
    const netcdf_shape none = {0};
    size_t n_walkers = kept->shape.n_walkers;
    netcdf_shape chain = netcdf_group_extend(group, none, "chain", kept->shape.n_populations);
    netcdf_shape both = netcdf_group_extend(group, chain, "draw", kept->n_steps * n_walkers);
    netcdf_shape draw = {1, {both.dimension[1]}, {both.length[1]}};
    put_counts(group, "chain", chain, (counting){0});
    put_counts(group, "draw", draw, (counting){0});
    put_counts(group, "walker", draw, (counting){.cycle = n_walkers});
    put_steps(group, draw, kept);
    netcdf_group_put_texts(group, "sample_dims", 2, sample_dimensions);
    put_origin(group);
    return both;
}

static int define_draws(netcdf_group group, const char *name, netcdf_shape shape)
{
    int variable = netcdf_group_define(group, name, shape);
    netcdf_group_describe(group, variable, "coordinates", "step walker");
    return variable;
}

static void put_quantity(netcdf_group group, const quantity *entry, netcdf_shape shape,
                         const run_file_contents *contents, quantities_frame frame)
{
    const equant_quantity_info *info = &entry->kind->info;
    const draws *kept = contents->draws;
    size_t n_draws = shape.length[1], n_parameters = kept->shape.n_parameters;
    char name[QUANTITIES_NAME_SIZE];
    quantity_write_variable(entry, name);
    int variable = define_draws(group, name, shape);
    netcdf_group_describe(group, variable, "long_name", info->meaning);
    if (info->unit[0] != '\0')
        netcdf_group_describe(group, variable, "units", info->unit);
    double *values = malloc((n_draws * entry->n + 1) * sizeof *values);
    if (values == NULL)
        *group.error = NC_ENOMEM;
    for (size_t p = 0; p < kept->shape.n_populations && values != NULL && n_draws > 0; p++) {
        for (size_t i = 0; i < n_draws * entry->n; i++) {
            size_t draw = i / entry->n;
            frame.star = star_draw_at(&contents->shape.star, p * n_draws + draw);
            values[i] = quantity_value(
                entry, i % entry->n, kept->population[p].parameters + draw * n_parameters, &frame);
        }
        netcdf_group_put_row(group, variable, shape, p, values);
    }
    free(values);
}

/* What is known of the star beside its mass. */
static void put_star(netcdf_group group, const host_star *star)
{
    for (size_t i = 0; i < N_STAR_PROPERTIES; i++) {
        if (i != STAR_MASS && star->value[i] > 0.0)
            netcdf_group_put_number(group, host_star_names[i][0], star->value[i]);
        if (star->error[i] > 0.0)
            netcdf_group_put_number(group, host_star_names[i][1], star->error[i]);
    }
}

static void put_posterior(netcdf_group root, const run_file_contents *contents,
                          const char **instruments)
{
    const draws *kept = contents->draws;
    const quantities_shape *shape = &contents->shape;
    const parameter_layout *layout = &shape->layout;
    netcdf_group group = netcdf_group_add(root, "posterior");
    netcdf_shape alone = put_draw_axes(group, kept), per_planet = {0}, per_instrument;
    if (layout->n_planets > 0) {
        per_planet = netcdf_group_extend(group, alone, "planet", layout->n_planets);
        netcdf_shape planet = {1, {per_planet.dimension[2]}, {layout->n_planets}};
        put_counts(group, "planet", planet, (counting){.first = 1});
    }
    per_instrument = netcdf_group_extend(group, alone, "instrument", layout->n_instruments);
    netcdf_shape instrument = {1, {per_instrument.dimension[2]}, {layout->n_instruments}};
    netcdf_group_put_names(group, "instrument", instrument, instruments);
    netcdf_group_put_number(group, "reference_time_days",
                            equant_dataset_reference_time_days(contents->dataset));
    netcdf_group_put_number(group, host_star_names[STAR_MASS][0], shape->star.value[STAR_MASS]);
    put_star(group, &shape->star);
    netcdf_group_put_integer(group, "n_walkers", (int64_t)kept->shape.n_walkers);
    netcdf_group_put_integer(group, "n_jitters", (int64_t)layout->columns[TERM_JITTERS].n);
    netcdf_group_put_integer(group, "planets_in_order", kept->shape.n_planets > 0);

    quantity list[QUANTITIES_MOST];
    size_t n_quantities = quantities_list(shape, list);
    quantities_frame frame = {.reference_time_days =
                                  equant_dataset_reference_time_days(contents->dataset)};
    if (draws_n(kept) > 0)
        frame.reference = draws_at(kept, draws_best(kept)).parameters;
    for (size_t q = 0; q < n_quantities; q++)
        put_quantity(group, &list[q],
                     list[q].axis == EQUANT_QUANTITY_PER_PLANET       ? per_planet
                     : list[q].axis == EQUANT_QUANTITY_PER_INSTRUMENT ? per_instrument
                                                                      : alone,
                     contents, frame);
}

static void put_sample_stats(netcdf_group root, const draws *kept)
{
    netcdf_group group = netcdf_group_add(root, "sample_stats");
    netcdf_shape shape = put_draw_axes(group, kept);
    size_t n_draws = shape.length[1];
    int log_likelihood = define_draws(group, "log_likelihood", shape);
    int log_prior = define_draws(group, "log_prior", shape);
    int both = define_draws(group, "lp", shape);
    double *sums = malloc((n_draws + 1) * sizeof *sums);
    if (sums == NULL)
        *group.error = NC_ENOMEM;
    for (size_t p = 0; p < kept->shape.n_populations && sums != NULL && n_draws > 0; p++) {
        const draws_population *population = &kept->population[p];
        for (size_t i = 0; i < n_draws; i++)
            sums[i] = population->log_likelihood[i] + population->log_prior[i];
        netcdf_group_put_row(group, log_likelihood, shape, p, population->log_likelihood);
        netcdf_group_put_row(group, log_prior, shape, p, population->log_prior);
        netcdf_group_put_row(group, both, shape, p, sums);
    }
    free(sums);
}

static netcdf_shape put_observation_axis(netcdf_group group, size_t n_obs)
{
    netcdf_shape shape = netcdf_group_extend(group, (netcdf_shape){0}, "obs", n_obs);
    put_counts(group, "obs", shape, (counting){0});
    put_origin(group);
    return shape;
}

static void put_indicators(netcdf_group constant, netcdf_shape observations,
                           const equant_dataset *dataset)
{
    size_t n = equant_dataset_n_indicators(dataset);
    const char **texts = malloc(3 * n * sizeof *texts);
    if (n > 0 && texts == NULL)
        *constant.error = NC_ENOMEM;
    if (n == 0 || *constant.error != NC_NOERR) {
        free(texts);
        return;
    }
    netcdf_shape axis = netcdf_group_extend(constant, (netcdf_shape){0}, "indicator", n);
    netcdf_shape shape = {.n = 2,
                          .dimension = {axis.dimension[0], observations.dimension[0]},
                          .length = {n, observations.length[0]}};
    int values = netcdf_group_define(constant, "indicator_value", shape);
    int uncertainties = netcdf_group_define(constant, "indicator_uncertainty", shape);
    for (size_t i = 0; i < n; i++) {
        const equant_indicator *indicator = equant_dataset_indicator(dataset, i);
        texts[i] = indicator->name;
        texts[n + i] = indicator->label;
        texts[2 * n + i] = indicator->unit;
        netcdf_group_put_row(constant, values, shape, i, indicator->values);
        netcdf_group_put_row(constant, uncertainties, shape, i, indicator->uncertainties);
    }
    netcdf_group_put_names(constant, "indicator", axis, texts);
    netcdf_group_put_names(constant, "indicator_label", axis, texts + n);
    netcdf_group_put_names(constant, "indicator_unit", axis, texts + 2 * n);
    free(texts);
}

static void put_observations(netcdf_group root, const equant_dataset *dataset,
                             const char **instruments)
{
    size_t n_obs = equant_dataset_n_obs(dataset);
    netcdf_group observed = netcdf_group_add(root, "observed_data");
    netcdf_group_put_numbers(observed, "rv", put_observation_axis(observed, n_obs),
                             equant_dataset_velocities_m_s(dataset));
    netcdf_group constant = netcdf_group_add(root, "constant_data");
    netcdf_shape shape = put_observation_axis(constant, n_obs);
    netcdf_group_put_numbers(constant, "t", shape, equant_dataset_times_days(dataset));
    netcdf_group_put_numbers(constant, "sigma", shape, equant_dataset_uncertainties_m_s(dataset));
    const char **names = malloc(n_obs * sizeof *names);
    int64_t *numbers = malloc(n_obs * sizeof *numbers);
    if (names == NULL || numbers == NULL)
        *root.error = NC_ENOMEM;
    for (size_t k = 0; *root.error == NC_NOERR && k < n_obs; k++) {
        numbers[k] = equant_dataset_instruments(dataset)[k];
        names[k] = instruments[numbers[k]];
    }
    if (*root.error == NC_NOERR) {
        netcdf_group_put_names(constant, "instrument", shape, names);
        netcdf_group_put_integers(constant, "instrument_number", shape, numbers);
    }
    netcdf_group_put_text(constant, "time_name", equant_dataset_time_name(dataset));
    put_indicators(constant, shape, dataset);
    free(names);
    free(numbers);
}

static void put_evidence(netcdf_group root, const run_file_evidence *evidence)
{
    const netcdf_shape none = {0};
    netcdf_group group = netcdf_group_add(root, "evidence");
    put_origin(group);
    netcdf_group_put_text(group, "method", evidence->method);
    netcdf_group_put_numbers(group, "lnZ", none, &evidence->log_z);
    netcdf_group_put_numbers(group, "lnZ_err", none, &evidence->log_z_err);
    netcdf_group_put_numbers(group, "k_hat", none, &evidence->k_hat);
    if (evidence->n_runs > 0)
        netcdf_group_put_numbers(group, "lnZ_run",
                                 netcdf_group_extend(group, none, "run", evidence->n_runs),
                                 evidence->log_z_of_run);
}

/* Each figure has an axis of its own: rungs, gaps between rungs, kinds of moves. */
static void put_sampler(netcdf_group root, const run_file_contents *contents)
{
    const netcdf_shape none = {0};
    netcdf_group group = netcdf_group_add(root, "sampler");
    put_origin(group);
    for (size_t i = 0; i < contents->n_figures; i++) {
        const run_file_figure *figure = &contents->figures[i];
        char axis[NC_MAX_NAME + 1];
        snprintf(axis, sizeof axis, "%s_index", figure->name);
        if (figure->n > 0)
            netcdf_group_put_numbers(group, figure->name,
                                     netcdf_group_extend(group, none, axis, figure->n),
                                     figure->values);
    }
    if (contents->n_state_bytes > 0)
        netcdf_group_put_bytes(group, "state",
                               netcdf_group_extend(group, none, "byte", contents->n_state_bytes),
                               contents->state);
}

static void put_all(netcdf_group root, const run_file_contents *contents)
{
    size_t n_instruments = equant_dataset_n_instruments(contents->dataset);
    const char **instruments = malloc(n_instruments * sizeof *instruments);
    if (instruments == NULL) {
        *root.error = NC_ENOMEM;
        return;
    }
    for (size_t i = 0; i < n_instruments; i++)
        instruments[i] = equant_dataset_instrument_name(contents->dataset, i);
    put_origin(root);
    netcdf_group_put_integer(root, NETCDF_LAYOUT_NAME, NETCDF_LAYOUT);
    put_posterior(root, contents, instruments);
    put_sample_stats(root, contents->draws);
    put_observations(root, contents->dataset, instruments);
    if (contents->evidence != NULL)
        put_evidence(root, contents->evidence);
    put_sampler(root, contents);
    netcdf_group provenance = netcdf_group_add(root, "provenance");
    for (size_t i = 0; i < contents->n_provenance; i++)
        netcdf_group_put_text(provenance, contents->provenance[i].name,
                              contents->provenance[i].value);
    free(instruments);
}

equant_status netcdf_writer_make(const run_file_contents *contents, void **bytes, size_t *n_bytes)
{
    int error = NC_NOERR, old_mode;
    netcdf_group root = {.error = &error};
    NC_memio image = {0};
    error = nc_create_mem("run", NC_NETCDF4, FIRST_SIZE, &root.id);
    if (error == NC_NOERR) {
        error = nc_set_fill(root.id, NC_NOFILL, &old_mode);
        put_all(root, contents);
        int closing = nc_close_memio(root.id, &image);
        error = error != NC_NOERR ? error : closing;
    }
    if (error != NC_NOERR) {
        free(image.memory);
        return error == NC_ENOMEM
                   ? status_out_of_memory()
                   : status_fail(EQUANT_ERROR_INTERNAL, "the file of the run cannot be made: %s",
                                 nc_strerror(error));
    }
    *bytes = image.memory;
    *n_bytes = image.size;
    return EQUANT_SUCCESS;
}
