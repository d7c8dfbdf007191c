/* The file of a run of astrometry: equant_sky_posterior_save and _open. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "astrometry/posterior/sky_posterior.h"
#include "core/numbers/memory_size.h"
#include "core/status_fail.h"
#include "output/column_file.h"

/* Tables of what was seen, and of where walkers began. */
#define SKY_TABLE "sky_row"
#define VELOCITY_TABLE "velocity_row"
#define STARTS_TABLE "start"

/* Figures of a run: the name in the file, and where the summary has it. */
static const struct {
    const char *name;
    size_t offset;
    enum { IS_NUMBER, IS_COUNT, IS_STEPS } kind; /* double, size_t, uint64_t */
} figures_of_facts[] = {
    {"n_parameters", offsetof(equant_posterior_summary, n_parameters), IS_COUNT},
    {"n_fitted", offsetof(equant_posterior_summary, n_fitted), IS_COUNT},
    {"n_planets", offsetof(equant_posterior_summary, n_planets), IS_COUNT},
    {"n_temperatures", offsetof(equant_posterior_summary, n_temperatures), IS_COUNT},
    {"n_steps", offsetof(equant_posterior_summary, n_steps), IS_STEPS},
    {"n_burn_in", offsetof(equant_posterior_summary, n_burn_in), IS_STEPS},
    {"rhat", offsetof(equant_posterior_summary, rhat), IS_NUMBER},
    {"ess_bulk", offsetof(equant_posterior_summary, ess_bulk), IS_NUMBER},
    {"ess_tail", offsetof(equant_posterior_summary, ess_tail), IS_NUMBER},
    {"turnover", offsetof(equant_posterior_summary, turnover), IS_NUMBER},
    {"acceptance", offsetof(equant_posterior_summary, acceptance), IS_NUMBER},
    {"drift", offsetof(equant_posterior_summary, drift), IS_NUMBER},
    {"discord", offsetof(equant_posterior_summary, discord), IS_NUMBER},
    {"start_width", offsetof(equant_posterior_summary, start_width), IS_NUMBER},
    {"lacks_found", offsetof(equant_posterior_summary, lacks_found), IS_NUMBER},
    {"lacks_wanted", offsetof(equant_posterior_summary, lacks_wanted), IS_NUMBER},
    {"reference_jd", offsetof(equant_posterior_summary, reference_time_days), IS_NUMBER},
};
enum { N_OF_FACTS = sizeof figures_of_facts / sizeof figures_of_facts[0], N_OTHER_FIGURES = 5 };

/* ---- saving ---------------------------------------------------------------------------------- */

static double figure_at(const equant_posterior_summary *facts, size_t i)
{
    const char *at = (const char *)facts + figures_of_facts[i].offset;
    switch (figures_of_facts[i].kind) {
    case IS_COUNT:
        return (double)*(const size_t *)at;
    case IS_STEPS:
        return (double)*(const uint64_t *)at;
    default:
        return *(const double *)at;
    }
}

static size_t list_figures(const equant_sky_posterior *posterior, column_file_figure *figures)
{
    size_t n = 0;
    for (; n < N_OF_FACTS; n++)
        figures[n] =
            (column_file_figure){figures_of_facts[n].name, figure_at(&posterior->facts, n)};
    size_t lacks_quantity = posterior->facts.lacks_quantity;
    figures[n++] = (column_file_figure){"end", (double)posterior->facts.end};
    figures[n++] = (column_file_figure){"lacks", (double)posterior->facts.lacks};
    figures[n++] = (column_file_figure){
        "lacks_quantity", lacks_quantity < posterior->n_columns ? (double)lacks_quantity : -1.0};
    figures[n++] = (column_file_figure){"best_draw", (double)posterior->best_draw};
    figures[n++] = (column_file_figure){"recession_per_year", posterior->recession_per_year};
    return n;
}

/* Kind, frame and passage of rows as numbers, [3][n_rows]. Passages are counted: their own numbers
 * may have more digits than a double. */
static double *numbers_of_rows(const equant_sky_rows *rows)
{
    size_t n = rows->n_rows, n_passages = 0;
    double *made = malloc(3 * n * sizeof *made);
    for (size_t k = 0; k < n && made != NULL; k++) {
        n_passages += k > 0 && rows->transit[k] != rows->transit[k - 1];
        made[k] = (double)rows->kind[k];
        made[n + k] = (double)rows->frame[k];
        made[2 * n + k] = (double)n_passages;
    }
    return made;
}

static double *numbers_of_instruments(const equant_dataset *velocities)
{
    size_t n = velocities != NULL ? equant_dataset_n_obs(velocities) : 0;
    double *made = malloc((n + 1) * sizeof *made);
    for (size_t k = 0; k < n && made != NULL; k++)
        made[k] = (double)equant_dataset_instruments(velocities)[k];
    return made;
}

static equant_status save(const equant_sky_posterior *posterior, const char *path,
                          const double *kinds, const double *instruments)
{
    equant_sky_rows rows = {.struct_size = sizeof rows};
    column_file_column columns[SKY_QUANTITIES_MOST], starts[SKY_QUANTITIES_MOST];
    column_file_figure figures[N_OF_FACTS + N_OTHER_FIGURES];
    const equant_dataset *seen = posterior->velocities;
    equant_status status = equant_astrometry_rows(posterior->source, &rows);
    if (status != EQUANT_SUCCESS)
        return status;
    const column_file_column of_sky[] = {{"sky_time_days", "d", rows.time_days},
                                         {"abscissa_mas", "mas", rows.abscissa_mas},
                                         {"abscissa_err_mas", "mas", rows.uncertainty_mas},
                                         {"angle_rad", "rad", rows.angle_rad},
                                         {"parallax_factor", "", rows.parallax_factor},
                                         {"kind", "", kinds},
                                         {"frame", "", kinds + rows.n_rows},
                                         {"transit", "", kinds + 2 * rows.n_rows},
                                         {"colour_factor", "", rows.colour_factor}};
    const column_file_column of_velocities[] = {
        {"velocity_time_days", "d", seen ? equant_dataset_times_days(seen) : NULL},
        {"velocity_m_s", "m/s", seen ? equant_dataset_velocities_m_s(seen) : NULL},
        {"velocity_err_m_s", "m/s", seen ? equant_dataset_uncertainties_m_s(seen) : NULL},
        {"instrument", "", instruments}};
    const column_file_table tables[] = {
        {SKY_TABLE, rows.n_rows, rows.colour_factor != NULL ? 9 : 8, of_sky},
        {VELOCITY_TABLE, seen ? equant_dataset_n_obs(seen) : 0, 4, of_velocities}};
    size_t n_starts = posterior->starts != NULL ? posterior->n_starts : 0;
    for (size_t j = 0; j < posterior->n_columns; j++) {
        columns[j] = (column_file_column){posterior->columns[j].name, posterior->columns[j].unit,
                                          posterior->values + j * posterior->n_draws};
        starts[j] = columns[j];
        starts[j].values = n_starts > 0 ? posterior->starts + j * n_starts : NULL;
    }
    const column_file_contents contents = {
        .n_chains = posterior->facts.n_populations,
        .n_draws = posterior->facts.n_kept * posterior->facts.n_walkers,
        .n_walkers = posterior->facts.n_walkers,
        .n_columns = posterior->n_columns,
        .columns = columns,
        .log_likelihood = posterior->log_likelihood,
        .n_tables = 2,
        .tables = tables,
        .starts = {STARTS_TABLE, n_starts, posterior->n_columns, starts},
        .n_figures = list_figures(posterior, figures),
        .figures = figures,
        .made_with = &posterior->made_with};
    return column_file_write(path, &contents);
}

equant_status equant_sky_posterior_save(const equant_sky_posterior *posterior, const char *path)
{
    equant_sky_rows rows = {.struct_size = sizeof rows};
    if (posterior == NULL || path == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "saving draws takes a posterior and the path of a file");
    equant_status status = equant_astrometry_rows(posterior->source, &rows);
    if (status != EQUANT_SUCCESS)
        return status;
    double *kinds = numbers_of_rows(&rows);
    double *instruments = numbers_of_instruments(posterior->velocities);
    status = kinds != NULL && instruments != NULL ? save(posterior, path, kinds, instruments)
                                                  : status_out_of_memory();
    free(kinds);
    free(instruments);
    return status;
}

/* ---- opening --------------------------------------------------------------------------------- */

static equant_status fail_damaged(const char *path)
{
    return status_fail(EQUANT_ERROR_FORMAT, "%s: this file of a run makes no sense", path);
}

/* Whether all values are whole numbers from 0 to `most`. */
static bool are_counts(size_t n, const double *values, double most)
{
    for (size_t k = 0; k < n; k++)
        if (!(values[k] >= 0.0 && values[k] <= most && values[k] == floor(values[k])))
            return false;
    return true;
}

static void read_figures(const column_file *file, equant_sky_posterior *made)
{
    equant_posterior_summary *facts = &made->facts;
    *facts = (equant_posterior_summary){.struct_size = sizeof *facts,
                                        .n_populations = file->contents.n_chains,
                                        .n_walkers = file->contents.n_walkers,
                                        .seconds = NAN,
                                        .log_evidence = NAN,
                                        .log_evidence_err = NAN,
                                        .evidence_k_hat = NAN,
                                        .evidence_spread = NAN,
                                        .backend = "processor"};
    facts->n_kept = file->contents.n_draws / facts->n_walkers;
    for (size_t i = 0; i < N_OF_FACTS; i++) {
        char *at = (char *)facts + figures_of_facts[i].offset;
        double value = column_file_find_figure(file, figures_of_facts[i].name, NAN);
        uint64_t count = value >= 0.0 && value < 1e18 ? (uint64_t)value : 0;
        if (figures_of_facts[i].kind == IS_NUMBER)
            *(double *)at = value;
        else if (figures_of_facts[i].kind == IS_COUNT)
            *(size_t *)at = (size_t)count;
        else
            *(uint64_t *)at = count;
    }
    double end = column_file_find_figure(file, "end", EQUANT_END_NONE),
           best = column_file_find_figure(file, "best_draw", 0.0);
    double lacks = column_file_find_figure(file, "lacks", EQUANT_CRITERION_NONE),
           which = column_file_find_figure(file, "lacks_quantity", -1.0);
    facts->end = end >= 0.0 && end <= EQUANT_END_NONE ? (equant_sample_end)end : EQUANT_END_NONE;
    facts->lacks = lacks >= 0.0 && lacks <= EQUANT_CRITERION_ROUND_TRIPS
                       ? (equant_sample_criterion)lacks
                       : EQUANT_CRITERION_NONE;
    facts->lacks_quantity =
        which >= 0.0 && which < (double)made->n_columns ? (size_t)which : SIZE_MAX;
    made->best_draw = best >= 0.0 && best < (double)made->n_draws ? (size_t)best : 0;
    made->recession_per_year = column_file_find_figure(file, "recession_per_year", 0.0);
}

static equant_status read_draws(const column_file *file, const char *path,
                                equant_sky_posterior *made)
{
    const column_file_contents *from = &file->contents;
    made->n_columns = from->n_columns;
    made->n_draws = from->n_chains * from->n_draws;
    if (made->n_columns > SKY_QUANTITIES_MOST)
        return fail_damaged(path);
    made->values = malloc(memory_size_times(memory_size_times(made->n_columns + 1, made->n_draws),
                                            sizeof *made->values));
    if (made->values == NULL)
        return status_out_of_memory();
    made->log_likelihood = made->values + made->n_columns * made->n_draws;
    memcpy(made->log_likelihood, from->log_likelihood, made->n_draws * sizeof *made->values);
    for (size_t j = 0; j < made->n_columns; j++) {
        memcpy(made->values + j * made->n_draws, from->columns[j].values,
               made->n_draws * sizeof *made->values);
        if (!sky_quantities_recognise(from->columns[j].name, from->columns[j].unit,
                                      made->columns + j))
            return fail_damaged(path);
    }
    return EQUANT_SUCCESS;
}

/* Files of before have no starts. */
static equant_status read_starts(const column_file *file, const char *path,
                                 equant_sky_posterior *made)
{
    const column_file_table *table = &file->contents.starts;
    if (table->n_rows == 0)
        return EQUANT_SUCCESS;
    made->n_starts = table->n_rows;
    made->starts = malloc(memory_size_times(memory_size_times(made->n_columns + 1, made->n_starts),
                                            sizeof *made->starts));
    if (made->starts == NULL)
        return status_out_of_memory();
    for (size_t j = 0; j < made->n_columns; j++) {
        const double *values = column_file_find_column(table, made->columns[j].name);
        if (values == NULL)
            return fail_damaged(path);
        memcpy(made->starts + j * made->n_starts, values, made->n_starts * sizeof *values);
    }
    return EQUANT_SUCCESS;
}

static equant_status read_source(const column_file *file, const char *path,
                                 equant_sky_posterior *made)
{
    const column_file_table *table = column_file_find_table(file, SKY_TABLE);
    static const char *const names[] = {"sky_time_days", "abscissa_mas",    "abscissa_err_mas",
                                        "angle_rad",     "parallax_factor", "kind",
                                        "frame",         "transit"};
    enum { N_NAMES = sizeof names / sizeof names[0] };
    const double *found[N_NAMES];
    for (size_t i = 0; i < N_NAMES; i++) {
        found[i] = table != NULL ? column_file_find_column(table, names[i]) : NULL;
        if (found[i] == NULL)
            return fail_damaged(path);
    }
    size_t n = table->n_rows;
    if (!are_counts(n, found[5], EQUANT_SKY_COMPANION) || !are_counts(n, found[6], 1.0))
        return fail_damaged(path);
    equant_sky_kind *kinds = calloc(n + 1, sizeof *kinds);
    int64_t *transits = calloc(n + 1, sizeof *transits);
    int *frames = calloc(n + 1, sizeof *frames);
    equant_status status = EQUANT_SUCCESS;
    if (kinds == NULL || frames == NULL || transits == NULL)
        status = status_out_of_memory();
    for (size_t k = 0; k < n && status == EQUANT_SUCCESS; k++) {
        kinds[k] = (equant_sky_kind)found[5][k];
        frames[k] = (int)found[6][k];
        transits[k] = fabs(found[7][k]) < 9e18 ? (int64_t)found[7][k] : 0;
    }
    const equant_sky_rows rows = {.struct_size = sizeof rows,
                                  .n_rows = n,
                                  .time_days = found[0],
                                  .abscissa_mas = found[1],
                                  .uncertainty_mas = found[2],
                                  .angle_rad = found[3],
                                  .parallax_factor = found[4],
                                  .colour_factor = column_file_find_column(table, "colour_factor"),
                                  .kind = kinds,
                                  .transit = transits,
                                  .frame = frames};
    const char *name = column_file_find_text(file, "name");
    if (status == EQUANT_SUCCESS)
        status =
            equant_astrometry_create(&rows, made->facts.reference_time_days, name, &made->source);
    free(kinds);
    free(transits);
    free(frames);
    return status == EQUANT_ERROR_INVALID_ARGUMENT ? fail_damaged(path) : status;
}

/* Instruments are "instrument_1" and so on of the provenance. */
static size_t list_instruments(const column_file *file, const char **names)
{
    size_t n = 0;
    for (; n < SKY_DATA_MAX_INSTRUMENTS; n++) {
        char name[32];
        snprintf(name, sizeof name, "instrument_%zu", n + 1);
        names[n] = column_file_find_text(file, name);
        if (names[n] == NULL)
            break;
    }
    return n;
}

static equant_status read_velocities(const column_file *file, const char *path,
                                     equant_sky_posterior *made)
{
    const column_file_table *table = column_file_find_table(file, VELOCITY_TABLE);
    const char *names[SKY_DATA_MAX_INSTRUMENTS];
    sky_velocities rows = {.n_instruments = list_instruments(file, names),
                           .time_name = column_file_find_text(file, "time_name")};
    for (size_t j = 0; j < made->n_columns; j++)
        if (made->columns[j].instrument > rows.n_instruments)
            return fail_damaged(path);
    if (table == NULL)
        return rows.n_instruments == 0 ? EQUANT_SUCCESS : fail_damaged(path);
    rows.n = table->n_rows;
    rows.time_days = column_file_find_column(table, "velocity_time_days");
    rows.velocity_m_s = column_file_find_column(table, "velocity_m_s");
    rows.uncertainty_m_s = column_file_find_column(table, "velocity_err_m_s");
    const double *numbers = column_file_find_column(table, "instrument");
    if (rows.time_days == NULL || rows.velocity_m_s == NULL || rows.uncertainty_m_s == NULL ||
        numbers == NULL || !are_counts(rows.n, numbers, (double)rows.n_instruments - 1.0))
        return fail_damaged(path);
    int *instruments = calloc(rows.n + 1, sizeof *instruments);
    if (instruments == NULL)
        return status_out_of_memory();
    for (size_t k = 0; k < rows.n; k++)
        instruments[k] = (int)numbers[k];
    rows.instrument = instruments;
    equant_status status = sky_posterior_keep_velocities(made, &rows, names);
    free(instruments);
    return status == EQUANT_ERROR_INVALID_ARGUMENT ? fail_damaged(path) : status;
}

equant_status equant_sky_posterior_open(const char *path, equant_sky_posterior **posterior)
{
    if (path == NULL || posterior == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "opening draws takes the path of a file and a place for them");
    column_file *file = NULL;
    equant_status status = column_file_read(path, &file);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_sky_posterior *made = calloc(1, sizeof *made);
    status = made != NULL ? read_draws(file, path, made) : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = read_starts(file, path, made);
    if (status == EQUANT_SUCCESS)
        read_figures(file, made);
    if (status == EQUANT_SUCCESS)
        status = read_source(file, path, made);
    if (status == EQUANT_SUCCESS)
        status = read_velocities(file, path, made);
    if (status == EQUANT_SUCCESS)
        status = provenance_add_all(&made->made_with, file->made_with.n, file->made_with.texts);
    if (status == EQUANT_SUCCESS)
        status = sky_posterior_summarise(made);
    column_file_free(file);
    if (status == EQUANT_SUCCESS)
        *posterior = made;
    else
        equant_sky_posterior_free(made);
    return status;
}

int equant_sky_posterior_recognises(const char *path)
{
    return path != NULL && column_file_recognises(path);
}
