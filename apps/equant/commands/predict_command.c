/* equant predict: what will be seen, by the draws of a run. */
#include <stdlib.h>

#include "commands/commands.h"
#include "files/output_folder.h"
#include "options/picture_options.h"
#include "planning/effort_request.h"
#include "planning/future_times.h"
#include "planning/prediction_report.h"
#include "planning/run_source.h"
#include "planning/setup_request.h"
#include "planning/sky_channels.h"
#include "planning/time_picture.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "terminal/watched_call.h"

struct predict_command {
    const char *source, *out, *scans;
    struct future_request times;
    struct setup_request setups;
    struct picture_options pictures;
    struct effort_request effort;
    bool as_json, is_velocity;
};

#define OPTIONS_OF struct predict_command
static const struct option_row what_rows[] = {
    {"velocity", NULL, OPTION_FLAG(is_velocity),
     "predicts the velocity itself, without measurement error,\n"
     "jitter and other white noise; default: a future observation"},
    {"scans", "FILE", OPTION_FILE(scans),
     "of astrometry: predicts abscissae along these scans, a table\n"
     "of GOST or any file of epochs"},
    {0}};
static const struct option_row result_rows[] = {
    {"json", NULL, OPTION_FLAG(as_json), "one JSON object instead of the text"},
    {"out", "DIR", OPTION_TEXT(out),
     "writes prediction.json, prediction.ecsv, conjunctions.ecsv\n"
     "and a picture to this folder"},
    {0}};
static const struct option_table command_options = {
    .usage = {"DIR [OPTIONS]", "RUN.nc [OPTIONS]"},
    .about =
        "Posterior prediction of velocities at other times, from the draws of a run of\n"
        "`equant sample`, with correlated noise: median, intervals, modes and the information\n"
        "gain of an observation; and of the conjunctions of all planets, with errors. DIR is\n"
        "the --out folder of `equant sample`. From a run of astrometry it predicts the\n"
        "photocentre orbit around the barycentre, the positions of companions relative to the\n"
        "star, scan abscissae and, if the run has them, velocities; times are then Julian\n"
        "dates.",
    .sections = {{"Times", future_request_rows, offsetof(struct predict_command, times)},
                 {"Prediction", what_rows, 0},
                 {NULL, setup_request_rows, offsetof(struct predict_command, setups)},
                 {"Results", result_rows, 0},
                 {NULL, picture_options_rows, offsetof(struct predict_command, pictures)},
                 {"Computation", effort_request_rows, offsetof(struct predict_command, effort)},
                 {"", option_table_help_rows, 0}},
    .example = "equant predict hd164922 --days 60\n"
               "equant predict hd164922 --start 2026-11-16 --end 2026-12-24 --out coming\n"
               "equant predict bh3 --days 3650 --scans gost.csv",
};

static int parse(int argc, char **argv, struct predict_command *command)
{
    struct file_list files;
    int code = option_table_parse(&command_options, argc, argv, command, &files);
    if (code == EXIT_CODE_OK && files.n != 1)
        code = messages_usage(argv[0], files.n == 0 ? "of which run? Name its folder, or its file"
                                                    : "a prediction is of one run");
    if (code != EXIT_CODE_OK)
        return code;
    command->source = files.paths[0];
    code = picture_options_check(&command->pictures);
    return code == EXIT_CODE_OK
               ? output_check_folder(argv[0], command->out, prediction_report_members)
               : code;
}

/* More than there are in the time that anybody asks for: where there are, they are found twice. */
enum { USUAL_CONJUNCTIONS = 4096 };

/* Those of a time so long that there are too many are left out, with a warning. */
static int find_conjunctions(const equant_posterior *posterior, const struct future_times *times,
                             equant_conjunction **found, size_t *n)
{
    double start = times->days[0], end = times->days[times->n - 1];
    equant_status status = EQUANT_SUCCESS;
    for (size_t room = USUAL_CONJUNCTIONS; room > 0; room = *n > room ? *n : 0) {
        free(*found);
        *found = calloc(room, sizeof **found);
        if (*found == NULL)
            return messages_out_of_memory();
        for (size_t i = 0; i < room; i++)
            (*found)[i].struct_size = sizeof **found;
        status = equant_predict_conjunctions(posterior, start, end, room, *found, n);
        if (status != EQUANT_SUCCESS)
            *n = 0;
    }
    if (status != EQUANT_ERROR_INVALID_ARGUMENT)
        return messages_status(status);
    messages_warning("conjunctions are left out: %s", equant_last_error());
    return EXIT_CODE_OK;
}

static int write(const struct predict_command *command, const struct prediction_report *report)
{
    int written = EXIT_CODE_OK;
    if (command->out != NULL) {
        written = output_folder_create(command->out);
        if (written == EXIT_CODE_OK)
            written = prediction_report_tables(report, command->out);
        if (written == EXIT_CODE_OK && !command->pictures.has_none)
            written = time_picture_band(report->posterior, report->prediction, command->out,
                                        command->pictures.format);
    }
    int printed =
        command->as_json ? prediction_report_json(report) : prediction_report_text(report);
    return written != EXIT_CODE_OK ? written : printed;
}

static int predict(const struct predict_command *command, const char *name,
                   const equant_posterior *posterior, const struct future_times *times)
{
    equant_prediction *prediction = NULL;
    equant_conjunction *conjunctions = NULL;
    struct watched_call call = watched_call_start("");
    struct setups setups;
    int code =
        setup_request_find(name, &command->setups, equant_posterior_dataset(posterior), 0, &setups);
    if (code == EXIT_CODE_OK && setups.n > 1)
        code = messages_usage(name, "a prediction is of one instrument");
    equant_predict_options options = {.struct_size = sizeof options,
                                      .engine = &command->effort.engine,
                                      .what = command->is_velocity ? EQUANT_PREDICTED_VELOCITY
                                                                   : EQUANT_PREDICTED_OBSERVATION,
                                      .max_draws = command->effort.max_draws,
                                      .instrument = setups.of[0].instrument,
                                      .uncertainty_m_s = setups.of[0].uncertainty_m_s,
                                      .progress = watched_call_progress,
                                      .progress_context = &call};
    if (code == EXIT_CODE_OK)
        code = watched_call_end(
            &call, equant_predict(posterior, times->n, times->days, &options, &prediction));
    struct prediction_report report = {
        .posterior = posterior, .prediction = prediction, .is_velocity = command->is_velocity};
    if (code == EXIT_CODE_OK)
        code = find_conjunctions(posterior, times, &conjunctions, &report.n_conjunctions);
    report.conjunctions = conjunctions;
    if (code == EXIT_CODE_OK)
        code = write(command, &report);
    free(conjunctions);
    equant_prediction_free(prediction);
    return code;
}

/* ---- runs of astrometry --------------------------------------------------------------------- */

/* The one text that a list may have here. */
static int only_text(const char *name, const char *option, const struct text_list *list,
                     const char **text)
{
    *text = list->n > 0 ? list->texts[0] : NULL;
    return list->n > 1 ? messages_usage(name, "--%s: a prediction is of one instrument", option)
                       : EXIT_CODE_OK;
}

static int write_sky(const struct predict_command *command, const struct sky_channels *found)
{
    int written = EXIT_CODE_OK;
    if (command->out != NULL) {
        written = output_folder_create(command->out);
        if (written == EXIT_CODE_OK)
            written = sky_channels_tables(found, command->out);
        if (written == EXIT_CODE_OK && !command->pictures.has_none)
            written = sky_channel_picture(found, command->out, command->pictures.format);
    }
    int printed = command->as_json ? sky_channels_json(found) : sky_channels_text(found);
    return written != EXIT_CODE_OK ? written : printed;
}

static int predict_sky(const struct predict_command *command, const char *name,
                       const equant_sky_posterior *run, const struct future_times *times)
{
    struct sky_channels found = {0};
    struct sky_channels_request request = {
        .scans = command->scans, .is_bare = command->is_velocity, .effort = command->effort};
    int code = only_text(name, "instrument", &command->setups.instruments, &request.instrument);
    if (code == EXIT_CODE_OK)
        code = only_text(name, "error", &command->setups.errors, &request.error);
    if (code == EXIT_CODE_OK)
        code = sky_channels_find(name, run, &request, times, &found);
    if (code == EXIT_CODE_OK)
        code = write_sky(command, &found);
    sky_channels_free(&found);
    return code;
}

int command_predict(int argc, char **argv)
{
    struct predict_command command = {.effort = effort_request_default()};
    struct future_times times = {0};
    equant_posterior *posterior = NULL;
    equant_sky_posterior *sky = NULL;
    if (option_table_helps(&command_options, argc, argv))
        return EXIT_CODE_OK;
    int code = parse(argc, argv, &command);
    if (code == EXIT_CODE_OK)
        code = setup_request_check(argv[0], &command.setups, command.source, 0);
    if (code == EXIT_CODE_OK)
        code = run_source_open_any(command.source, &posterior, &sky);
    if (code == EXIT_CODE_OK && sky == NULL && command.scans != NULL)
        code = messages_usage(argv[0], "--scans is of runs of astrometry, and %s is of velocities",
                              command.source);
    if (code == EXIT_CODE_OK) {
        const struct future_usual usual = {sky != NULL ? equant_sky_posterior_end_jd(sky)
                                                       : run_source_end_days(posterior),
                                           100.0, 0.0};
        interrupt_watch();
        code = future_times_find(argv[0], &command.times, &usual, &times);
    }
    if (code == EXIT_CODE_OK)
        code = sky != NULL ? predict_sky(&command, argv[0], sky, &times)
                           : predict(&command, argv[0], posterior, &times);
    future_times_free(&times);
    setup_request_free(&command.setups);
    equant_posterior_free(posterior);
    equant_sky_posterior_free(sky);
    return code;
}
