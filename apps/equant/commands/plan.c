/* equant plan: when an observation would teach most, by the draws of one or several runs. */
#include <math.h>
#include <stdlib.h>

#include "commands/commands.h"
#include "files/output_folder.h"
#include "options/engine_options.h"
#include "options/picture_options.h"
#include "planning/night_times.h"
#include "planning/plan_report.h"
#include "planning/run_source.h"
#include "planning/time_picture.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "terminal/watched_call.h"

enum { MOST_RUNS = 16 };

struct plan_command {
    const char *target, *out, *instrument;
    struct future_request times;
    struct night_request nights;
    struct picture_options pictures;
    equant_engine_options engine;
    double uncertainty_m_s, gap_days, horizon_days;
    size_t n_observations, max_draws;
    bool as_json;
    int n_runs;
    equant_posterior *runs[MOST_RUNS];
};

#define OPTIONS_OF struct plan_command
static const struct option_row what_rows[] = {
    {"target", "WORD", OPTION_TEXT(target),
     "what is to be learnt: everything (default); modes, which of\n"
     "the periods that draws have; models, which of several runs;\n"
     "or a quantity of the run, such as k_m_s_2"},
    {"n", "N", OPTION_COUNT(n_observations, 1, 1000),
     "how many observations, each given those before; default 5"},
    {"gap", "D", OPTION_POSITIVE(gap_days), "days between two of them, at least"},
    {"horizon", "D", OPTION_POSITIVE(horizon_days),
     "an answer is worth less the later it comes: by e in D days"},
    {"instrument", "NAME", OPTION_TEXT(instrument),
     "whose, by its name or number; default: that of the last\n"
     "observation"},
    {"error", "S", OPTION_POSITIVE(uncertainty_m_s),
     "of an observation in m/s; default: the median of the instrument"},
    {"draws", "N", OPTION_COUNT(max_draws, 2, 1000000), "of each run; default 1000"},
    {0}};
static const struct option_row result_rows[] = {
    {"json", NULL, OPTION_FLAG(as_json), "one JSON object in place of the text"},
    {"out", "DIR", OPTION_TEXT(out),
     "plan.json, plan.ecsv, gain.ecsv of all times, a calendar\n"
     "plan.ics and a picture in this folder"},
    {0}};
static const struct option_row engine_rows[] = {
    {"threads", "N", OPTION_COUNT(engine.n_threads, 1, ENGINE_OPTIONS_MOST_THREADS),
     "default: all that the machine offers"},
    {0}};

static const struct option_table command_options = {
    .usage = {"DIR... [OPTIONS]", "RUN.nc... [OPTIONS]"},
    .about = "The times at which observations are expected to teach most, one after the other,\n"
             "by the draws of a run of `equant sample`: about all parameters, one of them, the\n"
             "right one of several periods, or of several runs, which are rival models. Noise\n"
             "that is correlated makes neighbours worth less. DIR is what --out of\n"
             "`equant sample` has filled.",
    .sections = {{"What", what_rows, 0},
                 {"When", future_request_rows, offsetof(struct plan_command, times)},
                 {"From where", night_request_rows, offsetof(struct plan_command, nights)},
                 {"Results", result_rows, 0},
                 {NULL, picture_options_rows, offsetof(struct plan_command, pictures)},
                 {"How to compute", engine_rows, 0},
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
    if (code == EXIT_CODE_OK)
        code = night_request_check(argv[0], &command->nights);
    if (code == EXIT_CODE_OK)
        code = picture_options_check(&command->pictures);
    if (code == EXIT_CODE_OK)
        code =
            output_check_folder(argv[0], command->out, plan_report_members, files->n, files->paths);
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
            written = time_picture_gain(report->posterior, report->plan, report->sky, command->out,
                                        command->pictures.format);
    }
    int printed = command->as_json ? plan_report_json(report) : plan_report_text(report);
    return written != EXIT_CODE_OK ? written : printed;
}

/* Instruments, errors and weights of all candidates. */
struct candidate_columns {
    int *instruments;
    double *uncertainties, *weights;
};

static int fill_columns(const struct plan_command *command, size_t instrument,
                        const struct future_times *times, struct candidate_columns *columns)
{
    columns->instruments = malloc(times->n * sizeof *columns->instruments);
    columns->uncertainties = malloc(times->n * sizeof *columns->uncertainties);
    columns->weights = malloc(times->n * sizeof *columns->weights);
    if (!columns->instruments || !columns->uncertainties || !columns->weights)
        return messages_out_of_memory();
    for (size_t i = 0; i < times->n; i++) {
        double later = times->days[i] - times->days[0];
        columns->instruments[i] = (int)instrument - 1;
        columns->uncertainties[i] = command->uncertainty_m_s;
        columns->weights[i] = times->weights != NULL ? times->weights[i] : 1.0;
        if (command->horizon_days > 0.0)
            columns->weights[i] *= exp(-later / command->horizon_days);
    }
    return EXIT_CODE_OK;
}

static int plan(const struct plan_command *command, const char *name,
                const struct future_times *times)
{
    equant_plan *made = NULL;
    struct candidate_columns columns = {NULL, NULL, NULL};
    size_t instrument = 0;
    int code = run_source_instrument(name, command->runs[0], command->instrument, &instrument);
    if (code == EXIT_CODE_OK)
        code = fill_columns(command, instrument, times, &columns);
    if (code == EXIT_CODE_OK) {
        const equant_candidates candidates = {
            .struct_size = sizeof candidates,
            .n = times->n,
            .time_days = times->days,
            .instruments = instrument > 0 ? columns.instruments : NULL,
            .uncertainties_m_s = command->uncertainty_m_s > 0.0 ? columns.uncertainties : NULL,
            .costs = times->costs,
            .weights = columns.weights};
        struct watched_call call = watched_call_start("");
        const equant_plan_options options = {.struct_size = sizeof options,
                                             .engine = &command->engine,
                                             .target = command->target,
                                             .n_observations = command->n_observations,
                                             .min_gap_days = command->gap_days,
                                             .max_draws = command->max_draws,
                                             .progress = watched_call_progress,
                                             .progress_context = &call};
        code = watched_call_end(&call,
                                equant_plan_create((size_t)command->n_runs,
                                                   (const equant_posterior *const *)command->runs,
                                                   &candidates, &options, &made));
    }
    const struct plan_report report = {command->runs[0], made, command->target, times->sky};
    if (code == EXIT_CODE_OK)
        code = write(command, &report);
    equant_plan_free(made);
    free(columns.instruments);
    free(columns.uncertainties);
    free(columns.weights);
    return code;
}

static int find_times(const struct plan_command *command, const char *name,
                      struct future_times *times)
{
    const struct future_usual usual = {run_source_end_days(command->runs[0]), 100.0, 0.25};
    return command->nights.sites.n > 0
               ? night_times_find(name, &command->nights, &command->times, &usual,
                                  equant_posterior_dataset(command->runs[0]), times)
               : future_times_find(name, &command->times, &usual, times);
}

int command_plan(int argc, char **argv)
{
    struct plan_command command = {
        .engine = engine_options_default(), .target = "everything", .n_observations = 5};
    struct future_times times = {0};
    struct file_list files;
    if (option_table_helps(&command_options, argc, argv))
        return EXIT_CODE_OK;
    int code = parse(argc, argv, &command, &files);
    for (int i = 0; code == EXIT_CODE_OK && i < files.n; i++) {
        code = run_source_open(files.paths[i], &command.runs[i]);
        command.n_runs = i + 1;
    }
    if (code == EXIT_CODE_OK) {
        interrupt_watch();
        code = find_times(&command, argv[0], &times);
    }
    if (code == EXIT_CODE_OK)
        code = plan(&command, argv[0], &times);
    future_times_free(&times);
    text_list_free(&command.nights.sites);
    for (int i = 0; i < command.n_runs; i++)
        equant_posterior_free(command.runs[i]);
    return code;
}
