#include "archive/catalogue_stars.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/interrupt.h"
#include "terminal/messages.h"

static const struct ecsv_column columns[] = {
    {"star", ECSV_TEXT, NULL, NULL},
    {"verdict", ECSV_TEXT, NULL, "planet, none or failed"},
    {"n_obs", ECSV_INTEGER, NULL, NULL},
    {"n_planets", ECSV_INTEGER, NULL, NULL},
    {"offset_m_s", ECSV_NUMBER, "m / s", "of the first instrument"},
    {"offset_m_s_err", ECSV_NUMBER, "m / s", NULL},
    {"jitter_m_s", ECSV_NUMBER, "m / s", "of the first instrument"},
    {"jitter_m_s_err", ECSV_NUMBER, "m / s", NULL},
    {"period_days", ECSV_NUMBER, "d", "of the planet that gains most"},
    {"period_days_err", ECSV_NUMBER, "d", NULL},
    {"k_m_s", ECSV_NUMBER, "m / s", NULL},
    {"k_m_s_err", ECSV_NUMBER, "m / s", NULL},
    {"eccentricity", ECSV_NUMBER, NULL, NULL},
    {"eccentricity_err", ECSV_NUMBER, NULL, NULL},
    {"omega_rad", ECSV_NUMBER, "rad", NULL},
    {"omega_rad_err", ECSV_NUMBER, "rad", NULL},
    {"t_conj", ECSV_NUMBER, "d", "conjunction next to the middle of the data"},
    {"t_conj_err", ECSV_NUMBER, "d", NULL},
    {"gain", ECSV_NUMBER, NULL, "in ln L of the planet, or of the best that was refused"},
    {"fap", ECSV_NUMBER, NULL, "that noise gains as much"},
    {"probability", ECSV_NUMBER, NULL, "that it is there"},
    {"chi2", ECSV_NUMBER, NULL, NULL},
    {"lnl", ECSV_NUMBER, NULL, NULL},
    {"message", ECSV_TEXT, NULL, "why there is no fit"},
};

enum { MESSAGE_SIZE = 512 };

/* A star that waits: without data where they could not be read. */
struct waiting_star {
    char *name;
    equant_dataset *dataset;
    char message[MESSAGE_SIZE];
};

struct star_sources {
    equant_fit_options options;
    const equant_dataset_options *reading;
    equant_star_stream *stream;
    struct waiting_star *stars; /* [n_batch], of which n_waiting are there */
    /* Of those that have data, [n_batch] each: */
    const equant_dataset **datasets;
    equant_fit **fits;
    equant_status *statuses;
    size_t n_waiting, n_with_planet, n_without, n_failed;
    bool has_warned;
};

static int open_file(void *self, const char *path)
{
    struct star_sources *own = self;
    return messages_status(equant_star_stream_open(path, own->reading, &own->stream));
}

static void close_file(void *self)
{
    struct star_sources *own = self;
    equant_star_stream_free(own->stream);
    own->stream = NULL;
}

/* What was guessed is the same for all: the first star tells of it. */
static void warn(struct star_sources *own, const equant_dataset *dataset)
{
    for (size_t i = 0; !own->has_warned && i < equant_dataset_n_warnings(dataset); i++)
        messages_warning("%s", equant_dataset_warning(dataset, i));
    own->has_warned = true;
}

static int next(void *self, bool is_wanted, const char **name)
{
    struct star_sources *own = self;
    struct waiting_star *star = &own->stars[own->n_waiting];
    equant_dataset *dataset = NULL;
    equant_status status = equant_star_stream_next(own->stream, is_wanted ? &dataset : NULL);
    *name = equant_star_stream_name(own->stream);
    if (*name == NULL || status == EQUANT_ERROR_OUT_OF_MEMORY)
        return messages_status(status);
    if (!is_wanted)
        return EXIT_CODE_OK;
    star->name = strdup(*name);
    star->dataset = dataset;
    star->message[0] = '\0';
    if (dataset == NULL)
        snprintf(star->message, sizeof star->message, "%s", equant_last_error());
    else
        warn(own, dataset);
    own->n_waiting++;
    return star->name != NULL ? EXIT_CODE_OK : messages_out_of_memory();
}

/* ---- rows ------------------------------------------------------------------ */

/* The planet that gains most, or the candidate that was refused; false: there is neither. */
static bool find_planet(const equant_fit *fit, equant_planet *best)
{
    size_t n = equant_fit_n_planets(fit);
    best->log_likelihood_gain = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        equant_planet planet = {.struct_size = sizeof planet};
        if (equant_fit_planet(fit, i, &planet) == EQUANT_SUCCESS &&
            planet.log_likelihood_gain > best->log_likelihood_gain)
            *best = planet;
    }
    return n > 0 || equant_fit_candidate(fit, best) == EQUANT_SUCCESS;
}

/* A quantity of the first instrument, with its error. */
static void write_quantity(struct catalogue_table *table, const equant_fit *fit, const char *name)
{
    equant_fitted_quantity found = {.struct_size = sizeof found, .value = NAN, .err = NAN};
    for (size_t i = 0; i < equant_fit_n_quantities(fit); i++) {
        equant_fitted_quantity quantity = {.struct_size = sizeof quantity};
        if (equant_fit_quantity(fit, i, &quantity) == EQUANT_SUCCESS &&
            strcmp(quantity.name, name) == 0)
            found = quantity;
    }
    catalogue_table_number(table, found.value);
    catalogue_table_number(table, found.err);
}

static void write_planet(struct catalogue_table *table, const equant_fit *fit)
{
    equant_planet planet = {.struct_size = sizeof planet};
    bool is_there = find_planet(fit, &planet), is_planet = equant_fit_n_planets(fit) > 0;
    const double orbit[] = {planet.period_days, planet.period_days_err, planet.k_m_s,
                            planet.k_m_s_err,   planet.eccentricity,    planet.eccentricity_err,
                            planet.omega_rad,   planet.omega_rad_err,   planet.t_conj,
                            planet.t_conj_err};
    const double judged[] = {planet.log_likelihood_gain, planet.false_alarm, planet.probability};
    for (size_t i = 0; i < sizeof orbit / sizeof *orbit; i++)
        catalogue_table_number(table, is_planet ? orbit[i] : NAN);
    for (size_t i = 0; i < sizeof judged / sizeof *judged; i++)
        catalogue_table_number(table, is_there ? judged[i] : NAN);
}

static void write_fit(struct catalogue_table *table, const struct waiting_star *star,
                      const equant_fit *fit)
{
    equant_fit_summary summary = {.struct_size = sizeof summary};
    size_t n_planets = equant_fit_n_planets(fit);
    equant_fit_summarize(fit, &summary);
    catalogue_table_start_row(table, star->name);
    catalogue_table_text(table, n_planets > 0 ? "planet" : "none");
    catalogue_table_count(table, summary.n_obs);
    catalogue_table_count(table, n_planets);
    write_quantity(table, fit, "offset_m_s_1");
    write_quantity(table, fit, "jitter_m_s_1");
    write_planet(table, fit);
    catalogue_table_number(table, summary.chi_square);
    catalogue_table_number(table, summary.log_likelihood);
    catalogue_table_text(table, "");
    catalogue_table_end_row(table);
}

static void write_failure(struct catalogue_table *table, const struct waiting_star *star)
{
    enum { N_BEFORE = 4 };
    catalogue_table_start_row(table, star->name);
    catalogue_table_text(table, "failed");
    catalogue_table_count(table, star->dataset != NULL ? equant_dataset_n_obs(star->dataset) : 0);
    catalogue_table_count(table, 0);
    for (size_t i = N_BEFORE; i < sizeof columns / sizeof *columns - 1; i++)
        catalogue_table_number(table, NAN);
    catalogue_table_text(table, star->message);
    catalogue_table_end_row(table);
}

/* ---- batches --------------------------------------------------------------- */

static int stop_where_interrupted(const equant_progress_report *report, void *context)
{
    (void)report;
    (void)context;
    return interrupt_requested();
}

/* The words about a star that could not be fitted, which its thread has kept for itself. */
static void ask_why(const struct star_sources *own, struct waiting_star *star)
{
    equant_fit *fit = NULL;
    equant_status status = equant_fit_star(star->dataset, &own->options, &fit);
    snprintf(star->message, sizeof star->message, "%s",
             status != EQUANT_SUCCESS ? equant_last_error() : "it failed once, and not again");
    equant_fit_free(fit);
}

static void write_star(struct star_sources *own, struct catalogue_table *table,
                       struct waiting_star *star, equant_fit *fit)
{
    if (fit == NULL && star->dataset != NULL)
        ask_why(own, star);
    if (fit != NULL)
        write_fit(table, star, fit);
    else
        write_failure(table, star);
    if (fit == NULL)
        own->n_failed++;
    else if (equant_fit_n_planets(fit) > 0)
        own->n_with_planet++;
    else
        own->n_without++;
    equant_fit_free(fit);
}

static void forget(struct star_sources *own)
{
    for (size_t i = 0; i < own->n_waiting; i++) {
        free(own->stars[i].name);
        equant_dataset_free(own->stars[i].dataset);
    }
    own->n_waiting = 0;
}

static int write_batch(void *self, struct catalogue_table *table)
{
    struct star_sources *own = self;
    size_t n = 0;
    for (size_t i = 0; i < own->n_waiting; i++)
        if (own->stars[i].dataset != NULL)
            own->datasets[n++] = own->stars[i].dataset;
    equant_status status =
        equant_fit_stars(n, own->datasets, &own->options, own->fits, own->statuses);
    int code = status == EQUANT_ERROR_CANCELLED ? EXIT_CODE_INTERRUPTED : messages_status(status);
    n = 0;
    for (size_t i = 0; code == EXIT_CODE_OK && i < own->n_waiting; i++)
        write_star(own, table, &own->stars[i],
                   own->stars[i].dataset != NULL ? own->fits[n++] : NULL);
    forget(own);
    return code;
}

static void say(const void *self)
{
    const struct star_sources *own = self;
    printf("%zu with a planet, %zu without, %zu failed\n", own->n_with_planet, own->n_without,
           own->n_failed);
}

static void release(struct star_sources *own)
{
    if (own->stars != NULL)
        forget(own);
    free(own->stars);
    free((void *)own->datasets);
    free((void *)own->fits);
    free(own->statuses);
}

int catalogue_stars_run(const equant_fit_options *options, const equant_dataset_options *reading,
                        const struct catalogue_work *work, const struct file_list *files)
{
    size_t n = work->n_batch;
    struct star_sources own = {.options = *options,
                               .reading = reading,
                               .stars = calloc(n, sizeof *own.stars),
                               .datasets = calloc(n, sizeof(equant_dataset *)),
                               .fits = calloc(n, sizeof(equant_fit *)),
                               .statuses = calloc(n, sizeof *own.statuses)};
    const struct catalogue_kind kind = {.noun = "stars",
                                        .n_columns = sizeof columns / sizeof *columns,
                                        .columns = columns,
                                        .self = &own,
                                        .open = open_file,
                                        .next = next,
                                        .close = close_file,
                                        .write_batch = write_batch,
                                        .say = say};
    own.options.progress = stop_where_interrupted;
    int code = own.stars == NULL || own.datasets == NULL || own.fits == NULL || own.statuses == NULL
                   ? messages_out_of_memory()
                   : catalogue_run(&kind, work, files);
    if (code == EXIT_CODE_OK && own.n_failed > 0)
        code = messages_failure("%zu of the stars could not be fitted; the column message of %s "
                                "says why",
                                own.n_failed, work->out);
    release(&own);
    return code;
}
