/* equant inject: which companions of a source of astrometry would have been found. */
#include <stdlib.h>

#include "commands/commands.h"
#include "files/output_check.h"
#include "files/output_folder.h"
#include "options/engine_options.h"
#include "options/picture_options.h"
#include "options/sky_request.h"
#include "sky/injection_map.h"
#include "sky/sky_source_file.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "terminal/progress_display.h"
#include "terminal/watched_call.h"

struct inject_request {
    equant_sky_injection_options options;
    equant_engine_options engine;
    struct picture_options pictures;
    int64_t source_id;
    double star_mass;
    const char *out;
    bool as_json;
};

static int take_source(const char *command, char *argument, void *into)
{
    return sky_request_source(command, argument, &((struct inject_request *)into)->source_id);
}

#define OPTIONS_OF struct inject_request
static const struct option_row companion_rows[] = {
    {"source", "ID", OPTION_CALL(take_source), "selects a source of a file with several"},
    {"period-min", "P", OPTION_POSITIVE(options.period_min_days),
     "shortest period in days; default: 30"},
    {"period-max", "P", OPTION_POSITIVE(options.period_max_days),
     "longest period in days; default: two time spans"},
    {"a0-min", "MAS", OPTION_POSITIVE(options.a0_min_mas),
     "smallest semi-major axis of the star's orbit; default: a\n"
     "tenth of the error of a transit"},
    {"a0-max", "MAS", OPTION_POSITIVE(options.a0_max_mas),
     "largest semi-major axis; default: ten times the error of a transit"},
    {"max-eccentricity", "E", OPTION_POSITIVE(options.eccentricity_max),
     "highest eccentricity, uniform from 0; default: 0.5"},
    {"cells", "N", OPTION_COUNT(options.n_periods, 1, 200), "number of period cells; default: 12"},
    {"sizes", "N", OPTION_COUNT(options.n_sizes, 1, 200), "number of a0 cells; default: 10"},
    {"draws", "N", OPTION_COUNT(options.n_draws, 1, 1000000),
     "injections per cell; default: 84, ten thousand in all"},
    {"fap", "P", OPTION_POSITIVE(options.false_alarm_max),
     "highest false-alarm probability of a recovery; default:\n"
     "0.001"},
    {"star-mass", "M", OPTION_POSITIVE(star_mass),
     "solar masses; gives limits in Jupiter masses, too"},
    {"seed", "S", OPTION_COUNT(options.seed, 0, UINT64_MAX),
     "seed of the random numbers; default: 1"},
    {0}};

static const struct option_row result_rows[] = {
    {"json", NULL, OPTION_FLAG(as_json), "one JSON object instead of the text"},
    {"out", "DIR", OPTION_TEXT(out), "writes injections.ecsv and a picture to this folder"},
    {0}};

static const struct option_table command_options = {
    .usage = {"FILE [OPTIONS]"},
    .about = "Measures the completeness of the orbit search for a source of astrometry: injects\n"
             "companions of all periods and sizes into its scans, with the noise of its fit, and\n"
             "searches for each of them as `equant catalogue` does. Ten thousand take a minute or\n"
             "two on two CPU cores and a second on a GPU.",
    .sections = {{"The companions", companion_rows, 0},
                 {"Results", result_rows, 0},
                 {NULL, picture_options_rows, offsetof(struct inject_request, pictures)},
                 {"Computation", engine_options_scan_rows, offsetof(struct inject_request, engine)},
                 {"", option_table_help_rows, 0}},
    .example = "equant inject epochs.csv --star-mass 0.8 --out completeness",
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

static int run(const char *command, struct inject_request *request, const char *path)
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
    request->options.engine = &request->engine;
    request->options.progress = watched_call_progress;
    request->options.progress_context = &call;
    equant_status status = equant_sky_injection_create(source, &request->options, &injection);
    if (status == EQUANT_ERROR_INVALID_ARGUMENT) {
        watched_call_end(&call, EQUANT_SUCCESS);
        code = messages_failure("%s: %s", path, equant_last_error());
    } else {
        code = watched_call_end(&call, status);
    }
    if (code == EXIT_CODE_OK) {
        double fap = request->options.false_alarm_max;
        const struct injection_map map = {.injection = injection,
                                          .name = equant_astrometry_name(source),
                                          .star_mass = request->star_mass,
                                          .false_alarm_max = fap > 0.0 ? fap : 1e-3,
                                          .seconds = progress_clock_s() - began_s};
        code = report(request, &map);
    }
    equant_sky_injection_free(injection);
    equant_astrometry_free(source);
    return code;
}

static int check(const char *command, const struct inject_request *request,
                 const struct file_list *files)
{
    if (files->n != 1)
        return messages_usage(command, files->n == 0
                                           ? "companions of what? Name a file of astrometry"
                                           : "companions are put on one source; name one file");
    int code = engine_options_check(command, &request->engine);
    if (code == EXIT_CODE_OK)
        code = picture_options_check(&request->pictures);
    return code == EXIT_CODE_OK ? output_check_folder(command, request->out, injection_map_members)
                                : code;
}

int command_inject(int argc, char **argv)
{
    struct inject_request request = {.options = {.struct_size = sizeof request.options, .seed = 1},
                                     .engine = engine_options_default()};
    struct file_list files;
    request.engine.precision = EQUANT_PRECISION_MIXED;
    if (option_table_helps(&command_options, argc, argv))
        return EXIT_CODE_OK;
    int code = option_table_parse(&command_options, argc, argv, &request, &files);
    if (code == EXIT_CODE_OK)
        code = check(argv[0], &request, &files);
    if (code != EXIT_CODE_OK)
        return code;
    interrupt_watch();
    return run(argv[0], &request, files.paths[0]);
}
