#include "planning/simulation_command.h"

#include <math.h>
#include <string.h>

#include "files/output_folder.h"
#include "options/engine_options.h"
#include "planning/simulation_nights.h"
#include "planning/simulation_report.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "terminal/watched_call.h"

/* Stars begin in different seasons of a year. */
#define YEAR_DAYS 367.0

struct simulation_command {
    equant_strategies_options study;
    struct simulation_nights nights;
    struct picture_options pictures;
    equant_engine_options engine;
    const char *out;
    bool is_asked, as_json;
};

static const struct option_choice questions[] = {
    {"period", EQUANT_QUESTION_PERIOD}, {"alias", EQUANT_QUESTION_ALIAS}, {0}};

#define OPTIONS_OF struct simulation_command
static const struct option_row star_rows[] = {
    {"simulate", NULL, OPTION_FLAG(is_asked), "compares strategies instead of planning for a run"},
    {"question", "WORD", OPTION_CHOICE(study.question, questions),
     "what is to be decided: period (default): which of all\n"
     "periods is right, or none; alias: a period or its one-day\n"
     "alias"},
    {"stars", "N", OPTION_COUNT(study.n_stars, 1, 1000000),
     "number of simulated stars; default: 200"},
    {"k", "X", OPTION_POSITIVE(study.amplitude),
     "amplitude of the planets in units of the error of an\n"
     "observation; default: 1"},
    {"rotation", "X", OPTION_NUMBER(study.rotation),
     "amplitude of the rotational noise in the same units;\n"
     "default: 0.5; 0: none"},
    {"period-min", "D", OPTION_POSITIVE(study.period_min_days),
     "shortest period of the planets; default: 5"},
    {"period-max", "D", OPTION_POSITIVE(study.period_max_days), "longest period; default: 300"},
    {"seed", "N", OPTION_COUNT(study.seed, 0, UINT64_MAX), "seed of the stars; default: 1"},
    {0}};
static const struct option_row strategy_rows[] = {
    {"first", "N", OPTION_COUNT(study.n_first, 3, 10000),
     "number of initial observations, common to all; default: 20"},
    {"most", "N", OPTION_COUNT(study.n_most, 1, 100000),
     "upper limit of further observations; default: 150"},
    {"cadence", "D", OPTION_POSITIVE(study.cadence_days),
     "days between uniform nights, mean for random ones; default:\n"
     "5"},
    {"ahead", "D", OPTION_POSITIVE(study.ahead_days),
     "days among which the other strategies choose; default: 15"},
    {"span", "D", OPTION_POSITIVE(study.span_days),
     "days after which a star is abandoned; default: 1500"},
    {"probability", "P", OPTION_POSITIVE(study.probability),
     "posterior probability at which a question counts as\n"
     "answered; default: 0.95"},
    {0}};
static const struct option_row result_rows[] = {
    {"json", NULL, OPTION_FLAG(as_json), "one JSON object instead of the text"},
    {"out", "DIR", OPTION_TEXT(out),
     "writes strategies.json, trials.ecsv of all stars and a\n"
     "picture to this folder"},
    {0}};
static const struct option_row engine_rows[] = {
    {"threads", "N", OPTION_COUNT(engine.n_threads, 1, ENGINE_OPTIONS_MOST_THREADS),
     "number of CPU threads; default: all of the machine"},
    {0}};

static const struct option_table command_options = {
    .usage = {"--simulate [OPTIONS]"},
    .about = "Counts the observations that each strategy needs until the period of a planet is\n"
             "known, on simulated stars: random nights, uniform nights, and nights with the\n"
             "highest expected information on all parameters, on the modes of the period, or on\n"
             "the best candidate. Every star has one planet on a circular orbit and rotational\n"
             "noise; the nights are those of a site, and the same for all strategies.",
    .sections = {{"Stars", star_rows, 0},
                 {"Strategies", strategy_rows, 0},
                 {"Nights", simulation_nights_rows, offsetof(struct simulation_command, nights)},
                 {"Results", result_rows, 0},
                 {NULL, picture_options_rows, offsetof(struct simulation_command, pictures)},
                 {"Computation", engine_rows, 0},
                 {"", option_table_help_rows, 0}},
    .example = "equant plan --simulate --stars 50\n"
               "equant plan --simulate --question alias --k 0.7 --site Paranal --dec -20 "
               "--out strategies",
};

bool simulation_command_is_asked(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--simulate") == 0)
            return true;
    return false;
}

static int parse(int argc, char **argv, struct simulation_command *command)
{
    struct file_list files;
    int code = option_table_parse(&command_options, argc, argv, command, &files);
    if (code == EXIT_CODE_OK && files.n > 0)
        code = messages_usage(argv[0],
                              "stars are made up where --simulate is given: '%s' is of no use",
                              files.paths[0]);
    if (code == EXIT_CODE_OK && command->study.rotation == 0.0)
        command->study.rotation = -1.0; /* zero is the default of the library */
    if (code == EXIT_CODE_OK)
        code = picture_options_check(&command->pictures);
    if (code == EXIT_CODE_OK)
        code = output_check_folder(argv[0], command->out, simulation_report_members);
    return code;
}

static int write(const struct simulation_command *command, const struct simulation_report *report)
{
    int written = EXIT_CODE_OK;
    if (command->out != NULL) {
        written = output_folder_create(command->out);
        if (written == EXIT_CODE_OK)
            written = simulation_report_tables(report, command->out);
        if (written == EXIT_CODE_OK && !command->pictures.has_none)
            written = simulation_report_picture(report, command->out, command->pictures.format);
    }
    int printed =
        command->as_json ? simulation_report_json(report) : simulation_report_text(report);
    return written != EXIT_CODE_OK ? written : printed;
}

static int compare(struct simulation_command *command, const char *name)
{
    struct simulation_times times;
    equant_strategies *study = NULL;
    int code = simulation_nights_find(name, &command->nights, command->study.span_days + YEAR_DAYS,
                                      &times);
    if (code == EXIT_CODE_OK) {
        struct watched_call call = watched_call_start("");
        command->study.engine = &command->engine;
        command->study.n_times = times.n;
        command->study.time_days = times.days;
        command->study.progress = watched_call_progress;
        command->study.progress_context = &call;
        code = watched_call_end(&call, equant_strategies_compare(&command->study, &study));
    }
    const struct simulation_report report = {study, &command->study, times.site};
    if (code == EXIT_CODE_OK)
        code = write(command, &report);
    equant_strategies_free(study);
    simulation_times_free(&times);
    return code;
}

int simulation_command_run(int argc, char **argv)
{
    struct simulation_command command = {.engine = engine_options_default(),
                                         .nights = simulation_nights_default(),
                                         .study = {.struct_size = sizeof command.study,
                                                   .n_stars = 200,
                                                   .n_first = 20,
                                                   .n_most = 150,
                                                   .amplitude = 1.0,
                                                   .rotation = 0.5,
                                                   .period_min_days = 5.0,
                                                   .period_max_days = 300.0,
                                                   .probability = 0.95,
                                                   .cadence_days = 5.0,
                                                   .ahead_days = 15.0,
                                                   .span_days = 1500.0,
                                                   .seed = 1}};
    if (option_table_helps(&command_options, argc, argv))
        return EXIT_CODE_OK;
    int code = parse(argc, argv, &command);
    if (code == EXIT_CODE_OK) {
        interrupt_watch();
        code = compare(&command, argv[0]);
    }
    return code;
}
