/* equant inject: which planets of a star, or companions of a source of astrometry, would have been
 * detected. */
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "files/output_check.h"
#include "files/output_folder.h"
#include "options/data_source.h"
#include "options/engine_options.h"
#include "options/noise_request.h"
#include "options/picture_options.h"
#include "options/sky_request.h"
#include "results/injection_map.h"
#include "sky/sky_source_file.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "terminal/progress_display.h"
#include "terminal/watched_call.h"

struct inject_request {
    equant_sky_injection_options sky;
    equant_injection_options planets;
    double period_min_days, period_max_days, eccentricity_max;
    double probability_min;
    size_t n_cells, n_sizes, n_draws;
    uint64_t seed;
    struct data_source source;
    struct noise_request noise;
    equant_engine_options engine;
    struct picture_options pictures;
    int64_t source_id;
    double star_mass;
    bool has_drawn_noise, all_circular;
    const char *out;
    bool as_json;
    const char *sky_only,
        *velocity_only; /* options given that mean nothing for the other; NULL: none */
};

static int take_source(const char *command, char *argument, void *into)
{
    return sky_request_source(command, argument, &((struct inject_request *)into)->source_id);
}

static int take_probability(const char *command, char *argument, void *into)
{
    struct inject_request *request = into;
    int code = command_line_positive(command, "probability", argument, &request->probability_min);
    if (code == EXIT_CODE_OK && request->probability_min >= 1.0)
        code = messages_usage(command, "--probability wants a number between 0 and 1, not '%s'",
                              argument);
    return code;
}

#define OPTIONS_OF struct inject_request
static const struct option_row injection_rows[] = {
    {"period-min", "P", OPTION_POSITIVE(period_min_days),
     "shortest period in days; default: 1, of astrometry 30"},
    {"period-max", "P", OPTION_POSITIVE(period_max_days),
     "longest period in days; default: two time spans"},
    {"max-eccentricity", "E", OPTION_POSITIVE(eccentricity_max),
     "highest eccentricity; of planets the distribution of Kipping\n"
     "(2013) up to 0.95, of astrometry uniform up to 0.5"},
    {"cells", "N", OPTION_COUNT(n_cells, 1, 200), "number of period cells; default: 12"},
    {"sizes", "N", OPTION_COUNT(n_sizes, 1, 200), "number of K or a0 cells; default: 10"},
    {"draws", "N", OPTION_COUNT(n_draws, 1, 1000000),
     "injections per cell; default: 84, ten thousand in all"},
    {"star-mass", "M", OPTION_POSITIVE(star_mass),
     "solar masses; gives limits in Jupiter masses, too"},
    {"seed", "S", OPTION_COUNT(seed, 0, UINT64_MAX), "seed of the random numbers; default: 1"},
    {0}};

static const struct option_row velocity_rows[] = {
    {"k-min", "K", OPTION_POSITIVE(planets.k_min_m_s),
     "smallest semi-amplitude in m/s; default: the error of K\n"
     "under white noise"},
    {"k-max", "K", OPTION_POSITIVE(planets.k_max_m_s),
     "largest one; default: forty times that error"},
    {"circular", NULL, OPTION_FLAG(all_circular), "circular orbits only"},
    {"probability", "P", OPTION_CALL(take_probability),
     "posterior probability from which a planet is detected;\n"
     "default: 0.95"},
    {"drawn-noise", NULL, OPTION_FLAG(has_drawn_noise),
     "adds each planet to a new draw of the noise of the fit\n"
     "instead of the residuals of the star"},
    {0}};

static const struct option_row sky_rows[] = {
    {"source", "ID", OPTION_CALL(take_source), "selects a source of a file with several"},
    {"a0-min", "MAS", OPTION_POSITIVE(sky.a0_min_mas),
     "smallest semi-major axis of the star's orbit; default: a\n"
     "tenth of the error of a transit"},
    {"a0-max", "MAS", OPTION_POSITIVE(sky.a0_max_mas),
     "largest semi-major axis; default: ten times the error of\n"
     "a transit"},
    {"fap", "P", OPTION_POSITIVE(sky.false_alarm_max),
     "highest false-alarm probability of a detection; default:\n"
     "0.001"},
    {0}};

static const struct option_row result_rows[] = {
    {"json", NULL, OPTION_FLAG(as_json), "one JSON object instead of the text"},
    {"out", "DIR", OPTION_TEXT(out), "writes injections.ecsv and a picture to this folder"},
    {0}};

/* The first option of each kind that was given. */
static bool is_row_of(const struct option_row *rows, const char *option)
{
    for (; rows->name != NULL; rows++)
        if (strcmp(rows->name, option) == 0)
            return true;
    return false;
}

static void notice(const char *option, void *into)
{
    struct inject_request *request = into;
    if (is_row_of(sky_rows, option))
        request->sky_only = option;
    else if (is_row_of(velocity_rows, option) || is_row_of(data_source_rows, option) ||
             is_row_of(noise_request_rows, option))
        request->velocity_only = option;
}

static const struct option_table command_options = {
    .usage = {"FILE... [OPTIONS]", "--demo [OPTIONS]"},
    .about =
        "Measures completeness: injects signals of all periods and sizes into the data of a star\n"
        "and reports the percentage that is detected in each cell, with the limits at 50, 90\n"
        "and 99 %. In velocities: planets beside those of the fit, detected when a fit would\n"
        "give them a probability of at least 0.95. In astrometry: companions on the scans of\n"
        "one source, detected as `equant catalogue` does. Ten thousand injections take some\n"
        "minutes on two CPU cores; those in astrometry a second on a GPU.",
    .sections = {{"Injections", injection_rows, 0},
                 {"Velocities", velocity_rows, 0},
                 {"Noise of the fit", noise_request_rows, offsetof(struct inject_request, noise)},
                 {"The data", data_source_rows, offsetof(struct inject_request, source)},
                 {"Astrometry", sky_rows, 0},
                 {"Results", result_rows, 0},
                 {NULL, picture_options_rows, offsetof(struct inject_request, pictures)},
                 {"Computation", engine_options_scan_rows, offsetof(struct inject_request, engine)},
                 {"", option_table_help_rows, 0}},
    .example = "equant inject star.csv --star-mass 0.8 --out completeness",
    .notice = notice,
};

static int report(const struct inject_request *request, const struct injection_map *map)
{
    int code = EXIT_CODE_OK;
    if (request->out != NULL) {
        code = output_folder_create(request->out);
        if (code == EXIT_CODE_OK)
            code = injection_map_table(map, request->out);
        if (code == EXIT_CODE_OK && !request->pictures.has_none)
            code = injection_map_draw(map, request->out, request->pictures.format);
    }
    if (request->as_json)
        injection_map_json(stdout, map);
    int printed = request->as_json ? EXIT_CODE_OK : injection_map_print(map);
    return code != EXIT_CODE_OK ? code : printed;
}

/* How a call of the library ended; what it refuses is said of the file. */
static int end_call(struct watched_call *call, equant_status status, const char *path)
{
    if (status != EQUANT_ERROR_INVALID_ARGUMENT)
        return watched_call_end(call, status);
    watched_call_end(call, EQUANT_SUCCESS);
    return messages_failure("%s: %s", path, equant_last_error());
}

static int run_sky(const char *command, struct inject_request *request, const char *path)
{
    equant_astrometry *source = NULL;
    equant_sky_injection *injection = NULL;
    const equant_sky_reading reading = {.struct_size = sizeof reading,
                                        .source_id = request->source_id};
    int code = sky_source_file_read(command, path, &reading, &source);
    if (code != EXIT_CODE_OK)
        return code;
    struct watched_call call = watched_call_start("");
    double began_s = progress_clock_s();
    equant_sky_injection_options *options = &request->sky;
    options->engine = &request->engine;
    options->period_min_days = request->period_min_days;
    options->period_max_days = request->period_max_days;
    options->eccentricity_max = request->eccentricity_max;
    options->n_periods = request->n_cells;
    options->n_sizes = request->n_sizes;
    options->n_draws = request->n_draws;
    options->seed = request->seed;
    options->progress = watched_call_progress;
    options->progress_context = &call;
    code = end_call(&call, equant_sky_injection_create(source, options, &injection), path);
    if (code == EXIT_CODE_OK) {
        struct injection_map map = injection_map_of_sky(injection);
        map.name = equant_astrometry_name(source);
        map.star_mass = request->star_mass;
        map.threshold = options->false_alarm_max > 0.0 ? options->false_alarm_max : 1e-3;
        map.seconds = progress_clock_s() - began_s;
        code = report(request, &map);
    }
    equant_sky_injection_free(injection);
    equant_astrometry_free(source);
    return code;
}

static int inject_planets(struct inject_request *request, const equant_dataset *dataset,
                          const struct file_list *files, equant_injection **injection)
{
    struct watched_call call = watched_call_start("");
    const equant_fit_options fit = {
        .struct_size = sizeof fit,
        .engine = &request->engine,
        .noise = request->noise.terms,
        .indicators = noise_request_indicators(&request->noise),
        .outliers = request->noise.outliers,
        .probability_min = request->probability_min,
    };
    equant_injection_options *options = &request->planets;
    options->fit = &fit;
    options->period_min_days = request->period_min_days;
    options->period_max_days = request->period_max_days;
    options->eccentricity_max = request->eccentricity_max;
    options->all_circular = request->all_circular;
    options->n_periods = request->n_cells;
    options->n_amplitudes = request->n_sizes;
    options->n_draws = request->n_draws;
    options->drawn_noise = request->has_drawn_noise;
    options->seed = request->seed;
    options->progress = watched_call_progress;
    options->progress_context = &call;
    return end_call(&call, equant_injection_create(dataset, options, injection),
                    files->n > 0 ? files->paths[0] : "the demonstration");
}

static int run_velocities(const char *command, struct inject_request *request,
                          const struct file_list *files)
{
    equant_dataset *dataset = NULL;
    equant_injection *injection = NULL;
    double began_s = progress_clock_s();
    int code = data_source_load_and_warn(command, &request->source, files, &dataset);
    if (code != EXIT_CODE_OK)
        return code;
    char learnt[NOISE_REQUEST_TEXT_SIZE];
    code = noise_request_learn(&request->noise, &dataset, learnt);
    if (code == EXIT_CODE_OK && learnt[0] != '\0')
        messages_note("%s", learnt);
    if (code == EXIT_CODE_OK)
        code = inject_planets(request, dataset, files, &injection);
    if (code == EXIT_CODE_OK) {
        struct injection_map map = injection_map_of_velocities(injection);
        map.star_mass = request->star_mass;
        map.seconds = progress_clock_s() - began_s;
        code = report(request, &map);
    }
    equant_injection_free(injection);
    equant_dataset_free(dataset);
    return code;
}

static int check(const char *command, struct inject_request *request, const struct file_list *files,
                 bool is_sky)
{
    int code = EXIT_CODE_OK;
    if (is_sky && files->n != 1)
        return messages_usage(command, "the scans of one source are needed; name one file");
    if (is_sky && request->velocity_only != NULL)
        return messages_usage(command, "--%s is for velocities; leave it out with astrometry",
                              request->velocity_only);
    if (!is_sky && request->sky_only != NULL)
        return messages_usage(command, "--%s is for astrometry; leave it out with velocities",
                              request->sky_only);
    code = engine_options_check(command, &request->engine);
    if (code == EXIT_CODE_OK)
        code = noise_request_check(command, &request->noise);
    if (code == EXIT_CODE_OK)
        code = picture_options_check(&request->pictures);
    return code == EXIT_CODE_OK ? output_check_folder(command, request->out, injection_map_members)
                                : code;
}

int command_inject(int argc, char **argv)
{
    struct inject_request request = {.sky = {.struct_size = sizeof request.sky},
                                     .planets = {.struct_size = sizeof request.planets},
                                     .source = data_source_default(),
                                     .engine = engine_options_default(),
                                     .seed = 1};
    struct file_list files;
    request.engine.precision = EQUANT_PRECISION_MIXED;
    if (option_table_helps(&command_options, argc, argv))
        return EXIT_CODE_OK;
    int code = option_table_parse(&command_options, argc, argv, &request, &files);
    bool is_sky = code == EXIT_CODE_OK && sky_request_is_meant(&files);
    if (code == EXIT_CODE_OK)
        code = check(argv[0], &request, &files, is_sky);
    if (code == EXIT_CODE_OK) {
        interrupt_watch();
        code = is_sky ? run_sky(argv[0], &request, files.paths[0])
                      : run_velocities(argv[0], &request, &files);
    }
    data_source_free(&request.source);
    return code;
}
