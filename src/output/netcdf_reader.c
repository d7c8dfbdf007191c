#include "output/netcdf_reader.h"

#include <math.h>
#include <netcdf.h>
#include <stdlib.h>
#include <string.h>

#include "core/numbers/memory_size.h"
#include "core/status_fail.h"
#include "output/column_file.h"
#include "output/netcdf_group.h"
#include "output/netcdf_observations.h"
#include "output/netcdf_writer.h"

/* Counts in a file beyond these are damage, and no memory is asked for them. */
#define MOST_PLANETS 100000
#define MOST_INSTRUMENTS 1000000
#define MOST_WALKERS 1000000000
#define MOST_DRAWS 1000000000000

static void check_that(netcdf_group group, bool holds)
{
    if (!holds && *group.error == NC_NOERR)
        *group.error = NC_EEDGE;
}

/* Terms of noise whose amplitude is there, in the order of the catalogue and of instruments, in
 * which runs have them. */
static noise_kinds read_noise(netcdf_group posterior, size_t n_instruments)
{
    noise_kinds found = {.n = 0};
    for (size_t i = 0; i < quantity_catalogue_n(); i++) {
        quantity entry = {.kind = quantity_catalogue_at(i)};
        bool is_amplitude = entry.kind->term == TERM_NOISE && entry.kind->place == 0;
        for (; is_amplitude && entry.owner <= n_instruments; entry.owner++) {
            char name[QUANTITIES_NAME_SIZE];
            quantity_write_variable(&entry, name);
            if (found.n == NOISE_KIND_MOST_TERMS || !netcdf_group_has_variable(posterior, name))
                continue;
            found.owner[found.n] = (int)entry.owner;
            found.kind[found.n++] = entry.kind->noise;
        }
    }
    return found;
}

/* A star of which files say less is known less; all of them say its mass. */
static host_star read_star(netcdf_group posterior)
{
    host_star star = {.value = {netcdf_group_get_number(posterior, host_star_names[STAR_MASS][0])}};
    for (size_t i = 0; i < N_STAR_PROPERTIES; i++) {
        if (i != STAR_MASS && netcdf_group_has_attribute(posterior, host_star_names[i][0]))
            star.value[i] = netcdf_group_get_number(posterior, host_star_names[i][0]);
        if (netcdf_group_has_attribute(posterior, host_star_names[i][1]))
            star.error[i] = netcdf_group_get_number(posterior, host_star_names[i][1]);
    }
    return star;
}

/* A term is part of a model where a variable of it is there. */
static quantities_shape read_shape(netcdf_group posterior)
{
    size_t n_of_term[N_TERMS + 1] = {0};
    for (size_t i = 0; i < quantity_catalogue_n(); i++) {
        const quantity_kind *kind = quantity_catalogue_at(i);
        n_of_term[kind->term] += netcdf_group_has_variable(posterior, kind->info.name);
    }
    parameter_shape columns = {
        .n_planets = n_of_term[TERM_ORBITS] > 0 ? netcdf_group_length(posterior, "planet") : 0,
        .n_instruments = netcdf_group_length(posterior, "instrument"),
        .offsets_given = n_of_term[TERM_OFFSETS] > 0,
        .trend_order = (int)n_of_term[TERM_TREND],
        .trend_given = true,
        .n_jitters = (size_t)netcdf_group_get_integer(posterior, "n_jitters"),
    };
    if (columns.n_instruments <= MOST_INSTRUMENTS)
        columns.noise = read_noise(posterior, columns.n_instruments);
    check_that(posterior, columns.n_planets <= MOST_PLANETS &&
                              columns.n_instruments <= MOST_INSTRUMENTS &&
                              columns.n_jitters <= columns.n_instruments);
    return (quantities_shape){parameter_layout_of(columns), read_star(posterior), false};
}

/* Draws of the right size with nothing in them but the numbers of their steps. */
static draws *make_draws(netcdf_group posterior, const quantities_shape *shape)
{
    size_t n_populations = netcdf_group_length(posterior, "chain");
    size_t n_draws = netcdf_group_length(posterior, "draw");
    int64_t n_walkers = netcdf_group_get_integer(posterior, "n_walkers");
    bool in_order = netcdf_group_get_integer(posterior, "planets_in_order") != 0;
    check_that(posterior, n_walkers > 0 && n_walkers <= MOST_WALKERS && n_populations > 0 &&
                              n_populations <= MOST_WALKERS && n_draws <= MOST_DRAWS &&
                              n_draws % (size_t)n_walkers == 0);
    if (*posterior.error != NC_NOERR)
        return NULL;
    draws_shape kept_shape = {n_populations, (size_t)n_walkers, shape->layout.n_parameters,
                              in_order ? shape->layout.n_planets : 0};
    draws *kept = NULL;
    size_t n_steps = n_draws / (size_t)n_walkers;
    int64_t *steps = malloc((n_draws + 1) * sizeof *steps);
    if (steps == NULL || draws_create(&kept_shape, &kept) != EQUANT_SUCCESS ||
        draws_reserve(kept, n_steps + 1) != EQUANT_SUCCESS)
        *posterior.error = NC_ENOMEM;
    if (n_steps > 0 && *posterior.error == NC_NOERR)
        netcdf_group_get_integers(posterior, "step", n_draws, steps);
    if (*posterior.error == NC_NOERR) {
        kept->n_steps = n_steps;
        for (size_t s = 0; s < n_steps; s++)
            kept->step[s] = (uint64_t)steps[s * (size_t)n_walkers];
    }
    free(steps);
    return kept;
}

/* The columns of one quantity of all draws. */
static void read_columns(netcdf_group posterior, const quantity *entry, draws *kept)
{
    size_t n_draws = kept->n_steps * kept->shape.n_walkers;
    size_t n_parameters = kept->shape.n_parameters;
    double *values = malloc(memory_size_times(
        memory_size_plus(memory_size_times(n_draws, entry->n), 1), sizeof *values));
    char name[QUANTITIES_NAME_SIZE];
    quantity_write_variable(entry, name);
    if (values == NULL) {
        *posterior.error = NC_ENOMEM;
        return;
    }
    for (size_t p = 0; p < kept->shape.n_populations && *posterior.error == NC_NOERR; p++) {
        netcdf_group_get_row(posterior, name, p, n_draws * entry->n, values);
        double *parameters = kept->population[p].parameters;
        for (size_t i = 0; *posterior.error == NC_NOERR && i < n_draws * entry->n; i++)
            parameters[i / entry->n * n_parameters + entry->column + i % entry->n * entry->stride] =
                values[i];
    }
    free(values);
}

static void read_draws(netcdf_group root, run_file *run)
{
    netcdf_group posterior = netcdf_group_open(root, "posterior");
    run->shape = read_shape(posterior);
    run->reference_time_days = netcdf_group_get_number(posterior, "reference_time_days");
    run->draws = make_draws(posterior, &run->shape);
    if (*root.error != NC_NOERR || run->draws->n_steps == 0)
        return;
    quantity list[QUANTITIES_MOST];
    size_t n_quantities = quantities_list(&run->shape, list);
    for (size_t q = 0; q < n_quantities; q++)
        if (list[q].kind->formula == NULL)
            read_columns(posterior, &list[q], run->draws);
    netcdf_group statistics = netcdf_group_open(root, "sample_stats");
    size_t n_draws = run->draws->n_steps * run->draws->shape.n_walkers;
    for (size_t p = 0; p < run->draws->shape.n_populations; p++) {
        draws_population *population = &run->draws->population[p];
        netcdf_group_get_row(statistics, "log_likelihood", p, n_draws, population->log_likelihood);
        netcdf_group_get_row(statistics, "log_prior", p, n_draws, population->log_prior);
    }
}

static void read_provenance(netcdf_group root, run_file *run)
{
    netcdf_group group = netcdf_group_open(root, "provenance");
    size_t n = netcdf_group_n_attributes(group);
    run->provenance = calloc(n + 1, sizeof *run->provenance);
    if (run->provenance == NULL) {
        *root.error = NC_ENOMEM;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        char *name = NULL, *value = NULL;
        netcdf_group_get_text(group, i, &name, &value);
        run->provenance[run->n_provenance++] = (run_file_text){name, value};
    }
}

static void read_state(netcdf_group root, run_file *run)
{
    netcdf_group group = netcdf_group_open(root, "sampler");
    if (!netcdf_group_has_variable(group, "state"))
        return;
    size_t n = netcdf_group_length(group, "byte");
    run->state = malloc(memory_size_plus(n, 1));
    if (run->state == NULL) {
        *root.error = NC_ENOMEM;
        return;
    }
    netcdf_group_get_bytes(group, "state", n, run->state);
    run->n_state_bytes = n;
}

/* Files of before weights had a k-hat lack it. */
static void read_evidence(netcdf_group root, run_file *run)
{
    if (!netcdf_group_has_group(root, "evidence"))
        return;
    netcdf_group group = netcdf_group_open(root, "evidence");
    bool has_runs = netcdf_group_has_variable(group, "lnZ_run");
    size_t n = has_runs ? netcdf_group_length(group, "run") : 0;
    check_that(group, n <= MOST_WALKERS);
    double *of_run = *group.error == NC_NOERR ? calloc(n + 1, sizeof *of_run) : NULL;
    run_file_evidence *found = &run->evidence;
    if (of_run == NULL) {
        *group.error = *group.error == NC_NOERR ? NC_ENOMEM : *group.error;
        return;
    }
    found->n_runs = n;
    found->log_z_of_run = of_run;
    found->method = netcdf_group_find_text(group, "method");
    found->k_hat = NAN;
    netcdf_group_get_numbers(group, "lnZ", 1, &found->log_z);
    netcdf_group_get_numbers(group, "lnZ_err", 1, &found->log_z_err);
    if (n > 0)
        netcdf_group_get_numbers(group, "lnZ_run", n, of_run);
    if (netcdf_group_has_variable(group, "k_hat"))
        netcdf_group_get_numbers(group, "k_hat", 1, &found->k_hat);
}

/* Whether a variable holds these numbers, to the bit. */
static bool same_numbers(netcdf_group group, const char *name, size_t n, const double *numbers)
{
    double *found = malloc(n * sizeof *found);
    if (found == NULL) {
        *group.error = NC_ENOMEM;
        return false;
    }
    netcdf_group_get_numbers(group, name, n, found);
    bool same = *group.error == NC_NOERR && memcmp(found, numbers, n * sizeof *found) == 0;
    free(found);
    return same;
}

static bool same_instruments(netcdf_group constant, const equant_dataset *dataset)
{
    size_t n_obs = equant_dataset_n_obs(dataset);
    const char **names = malloc(n_obs * sizeof *names);
    if (names == NULL) {
        *constant.error = NC_ENOMEM;
        return false;
    }
    for (size_t k = 0; k < n_obs; k++)
        names[k] =
            equant_dataset_instrument_name(dataset, (size_t)equant_dataset_instruments(dataset)[k]);
    bool same = netcdf_group_same_names(constant, "instrument", n_obs, names);
    free(names);
    return same;
}

/* Whether the run was made from these observations. */
static bool same_observations(netcdf_group root, const equant_dataset *dataset)
{
    size_t n_obs = equant_dataset_n_obs(dataset);
    netcdf_group observed = netcdf_group_open(root, "observed_data");
    netcdf_group constant = netcdf_group_open(root, "constant_data");
    return netcdf_group_length(observed, "obs") == n_obs &&
           same_numbers(constant, "t", n_obs, equant_dataset_times_days(dataset)) &&
           same_numbers(observed, "rv", n_obs, equant_dataset_velocities_m_s(dataset)) &&
           same_numbers(constant, "sigma", n_obs, equant_dataset_uncertainties_m_s(dataset)) &&
           same_instruments(constant, dataset);
}

/* Whether it is the file of a run that this equant understands. */
static equant_status check_layout(netcdf_group root, const char *path)
{
    if (netcdf_group_has_attribute(root, COLUMN_FILE_NAME))
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: these are draws of astrometry, as columns: a run of them cannot go "
                           "on, there is no plan of them, and a page shows them beside their fit",
                           path);
    if (!netcdf_group_has_attribute(root, NETCDF_LAYOUT_NAME))
        return status_fail(EQUANT_ERROR_FORMAT, "%s: this is not the file of a run", path);
    int64_t layout = netcdf_group_get_integer(root, NETCDF_LAYOUT_NAME);
    if (layout > NETCDF_LAYOUT)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: this file was written by a newer equant; this one is %s", path,
                           equant_version());
    return EQUANT_SUCCESS;
}

/* What the library has met on the way. */
static equant_status check_error(netcdf_group root, const char *path)
{
    if (*root.error == NC_ENOMEM)
        return status_out_of_memory();
    if (*root.error != NC_NOERR)
        return status_fail(EQUANT_ERROR_FORMAT, "%s: this file of a run makes no sense: %s", path,
                           nc_strerror(*root.error));
    return EQUANT_SUCCESS;
}

static equant_status read_all(netcdf_group root, const char *path, const equant_dataset *dataset,
                              run_file *run)
{
    read_draws(root, run);
    read_provenance(root, run);
    read_state(root, run);
    read_evidence(root, run);
    run->dataset = netcdf_observations_read(root, run->reference_time_days);
    bool is_same = dataset == NULL || same_observations(root, dataset);
    equant_status status = check_error(root, path);
    if (status == EQUANT_SUCCESS && !is_same)
        status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                             "%s: this run was made from other observations; a run goes on only "
                             "with its own",
                             path);
    return status;
}

/* A file that is a run's; the caller closes it after success. */
static equant_status open_run(const char *path, netcdf_group *root)
{
    *root->error = nc_open(path, NC_NOWRITE, &root->id);
    if (*root->error != NC_NOERR)
        return status_fail(EQUANT_ERROR_IO, "%s: cannot be read: %s", path,
                           nc_strerror(*root->error));
    equant_status status = check_layout(*root, path);
    if (status != EQUANT_SUCCESS)
        nc_close(root->id);
    return status;
}

equant_status netcdf_reader_read(const char *path, const equant_dataset *dataset, run_file **made)
{
    int error = NC_NOERR;
    netcdf_group root = {.error = &error};
    run_file *run = calloc(1, sizeof *run);
    if (run == NULL)
        return status_out_of_memory();
    equant_status status = open_run(path, &root);
    if (status == EQUANT_SUCCESS) {
        status = read_all(root, path, dataset, run);
        nc_close(root.id);
    }
    if (status != EQUANT_SUCCESS) {
        run_file_free(run);
        return status;
    }
    *made = run;
    return EQUANT_SUCCESS;
}

equant_status netcdf_reader_read_dataset(const char *path, equant_dataset **made)
{
    int error = NC_NOERR;
    netcdf_group root = {.error = &error};
    equant_status status = open_run(path, &root);
    if (status != EQUANT_SUCCESS)
        return status;
    netcdf_group posterior = netcdf_group_open(root, "posterior");
    equant_dataset *read =
        netcdf_observations_read(root, netcdf_group_get_number(posterior, "reference_time_days"));
    status = check_error(root, path);
    nc_close(root.id);
    if (status == EQUANT_SUCCESS)
        *made = read;
    else
        equant_dataset_free(read);
    return status;
}
