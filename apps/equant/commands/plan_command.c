/* equant plan: when an observation would teach most, by the draws of one or several runs. */
#include "commands/commands.h"
#include "files/output_folder.h"
#include "options/picture_options.h"
#include "planning/candidate_list.h"
#include "planning/effort_request.h"
#include "planning/observable_times.h"
#include "planning/plan_report.h"
#include "planning/run_source.h"
#include "planning/schedule_command.h"
#include "planning/time_picture.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "terminal/watched_call.h"

enum { MOST_RUNS = 16 };

struct plan_command {
    const char *target, *out;
    struct future_request times;
    struct site_request from;
    struct setup_request setups;
    struct horizon_request horizon;
    struct picture_options pictures;
    struct effort_request effort;
    double gap_days;
    size_t n_observations;
    bool as_json;
    int n_runs;
    equant_posterior *runs[MOST_RUNS];
};

#define OPTIONS_OF struct plan_command
static const struct option_row what_rows[] = {
    {"target", "WORD", OPTION_TEXT(target),
     "what the observations are to determine: everything\n"
     "(default); modes: which of the periods in the posterior is\n"
     "right; models: which of several runs; or a quantity of the\n"
     "run, such as k_m_s_2"},
    {"n", "N", OPTION_COUNT(n_observations, 1, 1000),
     "number of observations, each chosen given the previous ones;\n"
     "default: 5"},
    {"gap", "D", OPTION_POSITIVE(gap_days), "least number of days between two observations"},
    {0}};
static const struct option_row result_rows[] = {
    {"json", NULL, OPTION_FLAG(as_json), "one JSON object instead of the text"},
    {"out", "DIR", OPTION_TEXT(out),
     "writes plan.json, plan.ecsv, gain.ecsv of all times, a\n"
     "calendar plan.ics and a picture to this folder"},
    {0}};
static const struct option_table command_options = {
    .usage = {"DIR... [OPTIONS]", "RUN.nc... [OPTIONS]", "--schedule FILE [OPTIONS]"},
    .about = "Chooses the times of the next observations by their expected information gain, one\n"
             "after the other, from the posterior of a run of `equant sample`: on all parameters,\n"
             "on one of them, on which of several periods is right, or on which of several runs,\n"
             "as rival models. Correlated noise lowers the gain of neighbouring times. DIR is the\n"
             "--out folder of `equant sample`. --schedule plans nights for many stars and has its\n"
             "own --help.",
    .sections = {{"Target", what_rows, 0},
                 {NULL, horizon_request_rows, offsetof(struct plan_command, horizon)},
                 {"Observations", setup_request_rows, offsetof(struct plan_command, setups)},
                 {NULL, setup_request_cost_rows, offsetof(struct plan_command, setups)},
                 {"Times", future_request_rows, offsetof(struct plan_command, times)},
                 {"Site", site_request_rows, offsetof(struct plan_command, from)},
                 {NULL, site_request_limit_rows, offsetof(struct plan_command, from)},
                 {"Results", result_rows, 0},
                 {NULL, picture_options_rows, offsetof(struct plan_command, pictures)},
                 {"Computation", effort_request_rows, offsetof(struct plan_command, effort)},
                 {"", option_table_help_rows, 0}},
    .example = "equant plan hd164922 --n 10 --gap 1\n"
               "equant plan hd164922 --target modes --site \"La Palma\" --ra 18:02:30.9 "
               "--dec 26:18:47",
};

static int parse(int argc, char **argv, struct plan_command *command, struct file_list *files)
{
    int code = option_table_parse(&command_options, argc, argv, command, files);
    if (code == EXIT_CODE_OK && (files->n == 0 || files->n > MOST_RUNS))
        code = messages_usage(argv[0],
                              files->n == 0 ? "of which run? Name its folder, or its file"
                                            : "a plan takes up to %d runs",
                              MOST_RUNS);
    if (code == EXIT_CODE_OK && command->from.sites.n == 0 && site_request_is_given(&command->from))
        code = messages_usage(argv[0], "from where is the star observed? Add --site");
    if (code == EXIT_CODE_OK)
        code = picture_options_check(&command->pictures);
    if (code == EXIT_CODE_OK)
        code = output_check_folder(argv[0], command->out, plan_report_members);
    return code;
}

static int write(const struct plan_command *command, const struct plan_report *report)
{
    int written = EXIT_CODE_OK;
    if (command->out != NULL) {
        written = output_folder_create(command->out);
        if (written == EXIT_CODE_OK)
            written = plan_report_tables(report, command->out);
        if (written == EXIT_CODE_OK && !command->pictures.has_none)
            written = time_picture_gain(report->posterior, report->plan, report->candidates->sky,
                                        command->out, command->pictures.format);
    }
    int printed = command->as_json ? plan_report_json(report) : plan_report_text(report);
    return written != EXIT_CODE_OK ? written : printed;
}

static int plan(const struct plan_command *command, const struct candidate_list *candidates)
{
    equant_plan *made = NULL;
    struct watched_call call = watched_call_start("");
    const equant_plan_options options = {.struct_size = sizeof options,
                                         .engine = &command->effort.engine,
                                         .target = command->target,
                                         .n_observations = command->n_observations,
                                         .min_gap_days = command->gap_days,
                                         .max_draws = command->effort.max_draws,
                                         .progress = watched_call_progress,
                                         .progress_context = &call};
    int code =
        watched_call_end(&call, equant_plan_create((size_t)command->n_runs,
                                                   (const equant_posterior *const *)command->runs,
                                                   &candidates->given, &options, &made));
    const struct plan_report report = {command->runs[0], made, command->target, candidates};
    if (code == EXIT_CODE_OK)
        code = write(command, &report);
    equant_plan_free(made);
    return code;
}

static int find_candidates(const struct plan_command *command, const char *name,
                           struct candidate_list *candidates)
{
    const struct future_usual usual = {run_source_end_days(command->runs[0]), 100.0, 0.25};
    struct future_times times = {0};
    struct setups setups;
    const equant_dataset *velocities = equant_posterior_dataset(command->runs[0]);
    int code =
        setup_request_find(name, &command->setups, velocities, command->from.sites.n, &setups);
    if (code == EXIT_CODE_OK)
        code = command->from.sites.n > 0 ? night_times_find(name, &command->from, &command->times,
                                                            &usual, velocities, &setups, &times)
                                         : future_times_find(name, &command->times, &usual, &times);
    if (code == EXIT_CODE_OK)
        code = candidate_list_make(&times, &setups, &command->horizon, candidates);
    future_times_free(&times);
    return code;
}

int command_plan(int argc, char **argv)
{
    struct plan_command command = {.effort = effort_request_default(),
                                   .from = site_request_default(),
                                   .target = "everything",
                                   .n_observations = 5};
    struct candidate_list candidates = {.sky = NULL};
    struct file_list files;
    if (schedule_command_is_asked(argc, argv))
        return schedule_command_run(argc, argv);
    if (option_table_helps(&command_options, argc, argv))
        return EXIT_CODE_OK;
    int code = parse(argc, argv, &command, &files);
    if (code == EXIT_CODE_OK)
        code = setup_request_check(argv[0], &command.setups, files.paths[0], command.from.sites.n);
    for (int i = 0; code == EXIT_CODE_OK && i < files.n; i++) {
        code = run_source_open(files.paths[i], &command.runs[i]);
        command.n_runs = i + 1;
    }
    if (code == EXIT_CODE_OK) {
        interrupt_watch();
        code = find_candidates(&command, argv[0], &candidates);
    }
    if (code == EXIT_CODE_OK)
        code = plan(&command, &candidates);
    candidate_list_free(&candidates);
    site_request_free(&command.from);
    setup_request_free(&command.setups);
    for (int i = 0; i < command.n_runs; i++)
        equant_posterior_free(command.runs[i]);
    return code;
}
