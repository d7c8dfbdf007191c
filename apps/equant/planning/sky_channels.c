#include "planning/sky_channels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/number_text.h"
#include "planning/run_source.h"
#include "sky/sky_source_file.h"
#include "terminal/messages.h"
#include "terminal/watched_call.h"

/* What one call works with. */
struct predictive_work {
    const char *command;
    const struct sky_channels_request *request;
    struct watched_call call;
    struct sky_channels *found;
};

/* Scans of a file. */
struct scans {
    size_t n;
    double *jd, *angle_rad, *parallax_factor; /* [n] each, one memory */
};

static int read_scans(const char *command, const char *path, struct scans *made)
{
    const equant_sky_reading reading = {.struct_size = sizeof reading};
    equant_astrometry *source = NULL;
    equant_sky_rows rows = {.struct_size = sizeof rows};
    int code = sky_source_file_read(command, path, &reading, &source);
    if (code == EXIT_CODE_OK)
        code = messages_status(equant_astrometry_rows(source, &rows));
    if (code == EXIT_CODE_OK) {
        made->jd = malloc(3 * rows.n_rows * sizeof *made->jd);
        if (made->jd == NULL)
            code = messages_out_of_memory();
    }
    if (code == EXIT_CODE_OK) {
        double reference_jd = equant_astrometry_reference_jd(source);
        made->n = rows.n_rows;
        made->angle_rad = made->jd + made->n;
        made->parallax_factor = made->angle_rad + made->n;
        for (size_t k = 0; k < made->n; k++) {
            made->jd[k] = reference_jd + rows.time_days[k];
            made->angle_rad[k] = rows.angle_rad[k];
            made->parallax_factor[k] = rows.parallax_factor[k];
        }
    }
    equant_astrometry_free(source);
    return code;
}

/* One channel more, whose words are written already. */
static int add(struct predictive_work *work, equant_sky_predict_options *options, size_t n,
               const double *jd)
{
    struct sky_channel *own = &work->found->channels[work->found->n];
    options->struct_size = sizeof *options;
    options->engine = &work->request->effort.engine;
    options->without_noise = work->request->is_bare;
    options->max_draws = work->request->effort.max_draws;
    options->progress = watched_call_progress;
    options->progress_context = &work->call;
    int code = watched_call_end(
        &work->call, equant_sky_predict(work->found->run, n, jd, options, &own->prediction));
    work->found->n += code == EXIT_CODE_OK;
    return code;
}

static struct sky_channel *next_channel(const struct predictive_work *work)
{
    return &work->found->channels[work->found->n];
}

static int add_scans(struct predictive_work *work)
{
    struct scans scans = {0};
    if (work->request->scans == NULL)
        return EXIT_CODE_OK;
    int code = read_scans(work->command, work->request->scans, &scans);
    if (code == EXIT_CODE_OK) {
        struct sky_channel *own = next_channel(work);
        *own = (struct sky_channel){.name = "abscissa",
                                    .words = "along the scans: position, motion, parallax, orbit",
                                    .symbol = "abscissa (mas)",
                                    .unit = "mas",
                                    .is_scans = true};
        equant_sky_predict_options options = {.what = EQUANT_SKY_OBSERVABLE_ABSCISSA,
                                              .scan_angle_rad = scans.angle_rad,
                                              .parallax_factor = scans.parallax_factor};
        code = add(work, &options, scans.n, scans.jd);
    }
    free(scans.jd);
    return code;
}

static int add_light(struct predictive_work *work, const struct future_times *times)
{
    static const struct {
        const char *name, *words, *symbol;
        equant_sky_observable what;
    } known[] = {{"light_ra", "the light east of the barycentre", "light, E (mas)",
                  EQUANT_SKY_OBSERVABLE_LIGHT_RA},
                 {"light_dec", "the light north of the barycentre", "light, N (mas)",
                  EQUANT_SKY_OBSERVABLE_LIGHT_DEC}};
    int code = EXIT_CODE_OK;
    for (size_t i = 0; i < 2 && code == EXIT_CODE_OK; i++) {
        struct sky_channel *own = next_channel(work);
        equant_sky_predict_options options = {.what = known[i].what};
        if (!equant_sky_posterior_knows(work->found->run, known[i].what, 0))
            continue;
        *own = (struct sky_channel){.symbol = known[i].symbol, .unit = "mas"};
        snprintf(own->name, sizeof own->name, "%s", known[i].name);
        snprintf(own->words, sizeof own->words, "%s", known[i].words);
        code = add(work, &options, times->n, times->days);
    }
    return code;
}

static int add_companion(struct predictive_work *work, size_t number,
                         const struct future_times *times)
{
    static const struct {
        const char *end, *direction, *symbol;
        equant_sky_observable what;
    } known[] = {{"ra", "east", "companion, E (mas)", EQUANT_SKY_OBSERVABLE_COMPANION_RA},
                 {"dec", "north", "companion, N (mas)", EQUANT_SKY_OBSERVABLE_COMPANION_DEC}};
    int code = EXIT_CODE_OK;
    for (size_t i = 0; i < 2 && code == EXIT_CODE_OK; i++) {
        struct sky_channel *own = next_channel(work);
        equant_sky_predict_options options = {.what = known[i].what, .number = number};
        *own = (struct sky_channel){.symbol = known[i].symbol, .unit = "mas"};
        snprintf(own->name, sizeof own->name, "companion_%zu_%s", number, known[i].end);
        snprintf(own->words, sizeof own->words, "companion %zu %s of its star", number,
                 known[i].direction);
        code = add(work, &options, times->n, times->days);
    }
    return code;
}

static int add_velocity(struct predictive_work *work, const struct future_times *times)
{
    const equant_dataset *velocities = equant_sky_posterior_velocities(work->found->run);
    equant_sky_predict_options options = {.what = EQUANT_SKY_OBSERVABLE_VELOCITY};
    const char *error = work->request->error;
    if (velocities == NULL)
        return work->request->instrument == NULL && error == NULL
                   ? EXIT_CODE_OK
                   : messages_usage(work->command, "--instrument and --error are of velocities, "
                                                   "and this run has none");
    int code = run_source_instrument(work->command, velocities, work->request->instrument,
                                     &options.number);
    if (code == EXIT_CODE_OK && error != NULL &&
        (!number_text_parse(error, &options.uncertainty) || !isfinite(options.uncertainty) ||
         options.uncertainty < 0.0))
        code = messages_usage(work->command, "--error: '%s' is no number above zero", error);
    if (code != EXIT_CODE_OK)
        return code;
    struct sky_channel *own = next_channel(work);
    *own = (struct sky_channel){.name = "velocity", .symbol = "velocity (m/s)", .unit = "m/s"};
    code = add(work, &options, times->n, times->days);
    if (code == EXIT_CODE_OK)
        snprintf(own->words, sizeof own->words, "velocities of %.60s",
                 equant_dataset_instrument_name(velocities,
                                                equant_sky_prediction_number(own->prediction) - 1));
    return code;
}

int sky_channels_find(const char *command, const equant_sky_posterior *run,
                      const struct sky_channels_request *request, const struct future_times *times,
                      struct sky_channels *found)
{
    struct predictive_work work = {
        .command = command, .request = request, .call = watched_call_start(""), .found = found};
    *found = (struct sky_channels){.run = run, .is_bare = request->is_bare};
    int code = add_scans(&work);
    if (code == EXIT_CODE_OK)
        code = add_light(&work, times);
    for (size_t p = 1; code == EXIT_CODE_OK && found->n + 3 <= SKY_CHANNELS_MOST &&
                       equant_sky_posterior_knows(run, EQUANT_SKY_OBSERVABLE_COMPANION_RA, p);
         p++)
        code = add_companion(&work, p, times);
    if (code == EXIT_CODE_OK)
        code = add_velocity(&work, times);
    return code;
}

void sky_channels_free(struct sky_channels *found)
{
    for (size_t i = 0; i < found->n; i++)
        equant_sky_prediction_free(found->channels[i].prediction);
    found->n = 0;
}
