#include "planning/schedule_command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/output_folder.h"
#include "planning/effort_request.h"
#include "planning/observable_times.h"
#include "planning/run_source.h"
#include "planning/schedule_report.h"
#include "planning/star_list.h"
#include "terminal/bounded_number.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "terminal/watched_call.h"

struct schedule_command {
    const char *list, *target, *out;
    struct future_request times;
    struct site_request from;
    struct setup_request setups;
    struct horizon_request horizon;
    struct effort_request effort;
    double gap_days, least_value;
    size_t n_observations, n_most;
    bool as_json;
};

#define OPTIONS_OF struct schedule_command
static const struct option_row what_rows[] = {
    {"schedule", "FILE", OPTION_FILE(list),
     "table of stars with columns run, ra and dec, and optionally\n"
     "name, target, instrument, error, exposure, overhead, weight,\n"
     "gap, most, pm_ra and pm_dec, which override the options;\n"
     "other columns are an error"},
    {"target", "WORD", OPTION_TEXT(target),
     "what the observations are to determine: everything\n"
     "(default), modes, or a quantity of the runs, such as k_m_s_1"},
    {"n", "N", OPTION_COUNT(n_observations, 1, 100000),
     "number of observations of all stars; default: until the time\n"
     "is used up"},
    {"most", "N", OPTION_COUNT(n_most, 1, 100000),
     "upper limit of observations of one star; default: none"},
    {"gap", "D", OPTION_POSITIVE(gap_days),
     "least number of days between two observations of a star"},
    {"least", "X", OPTION_POSITIVE(least_value),
     "lowest information gain of an observation, in nats per hour"},
    {0}};
static const struct option_row result_rows[] = {
    {"json", NULL, OPTION_FLAG(as_json), "one JSON object instead of the text"},
    {"out", "DIR", OPTION_TEXT(out),
     "writes schedule.json, schedule.ecsv and a calendar\n"
     "schedule.ics to this folder"},
    {0}};

static const struct option_table command_options = {
    .usage = {"--schedule FILE [OPTIONS]"},
    .about = "Schedules observations of many stars: each is placed where its expected information\n"
             "gain per hour is highest, given the observations chosen before. Observations at one\n"
             "telescope do not overlap. Stars that cannot be observed are left out.",
    .sections = {{"Target", what_rows, 0},
                 {NULL, horizon_request_rows, offsetof(struct schedule_command, horizon)},
                 {"Observations", setup_request_rows, offsetof(struct schedule_command, setups)},
                 {NULL, setup_request_cost_rows, offsetof(struct schedule_command, setups)},
                 {"Times", future_request_rows, offsetof(struct schedule_command, times)},
                 {"Site", site_request_rows, offsetof(struct schedule_command, from)},
                 {NULL, site_request_limit_rows, offsetof(struct schedule_command, from)},
                 {"Results", result_rows, 0},
                 {"Computation", effort_request_rows, offsetof(struct schedule_command, effort)},
                 {"", option_table_help_rows, 0}},
    .example = "equant plan --schedule stars.csv --site 'La Silla' --start 2026-11-16 \\\n"
               "  --end 2026-11-20 --exposure 15 --overhead 5 --out week",
};

bool schedule_command_is_asked(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--schedule") == 0 || strncmp(argv[i], "--schedule=", 11) == 0)
            return true;
    return false;
}

static int parse(int argc, char **argv, struct schedule_command *command)
{
    struct file_list files;
    int code = option_table_parse(&command_options, argc, argv, command, &files);
    if (code == EXIT_CODE_OK && files.n > 0)
        code = messages_usage(argv[0],
                              "'%s' is not understood: runs are named in the table of "
                              "--schedule",
                              files.paths[0]);
    if (code == EXIT_CODE_OK && (command->from.ra != NULL || command->from.dec != NULL))
        code = messages_usage(argv[0], "where stars are is said in the table of --schedule");
    if (code == EXIT_CODE_OK && command->from.sites.n == 0 && site_request_is_given(&command->from))
        code = messages_usage(argv[0], "from where are the stars observed? Add --site");
    return code == EXIT_CODE_OK
               ? output_check_folder(argv[0], command->out, schedule_report_members)
               : code;
}

/* How long an observation takes is said for all stars by the option, or for each by the table. */
static int check_exposures(const char *name, const struct schedule_command *command,
                           const struct star_list *list)
{
    bool is_said = command->setups.exposures.n > 0 || command->times.file != NULL;
    for (size_t i = 0; i < list->n && !is_said; i++)
        if (isnan(list->rows[i].numbers[STAR_EXPOSURE]))
            return messages_usage(name,
                                  "%s:%zu: how long does an observation of %s take? Add --exposure "
                                  "MINUTES, or a number in the column 'exposure'",
                                  command->list, list->rows[i].line,
                                  list->rows[i].texts[STAR_NAME]);
    return EXIT_CODE_OK;
}

static double number_or(const struct star_row *row, enum star_number which, double usual)
{
    return isnan(row->numbers[which]) ? usual : row->numbers[which];
}

/* What the table says of a star goes before the options. */
static int find_setups(const char *name, const struct schedule_command *command,
                       const struct star_row *row, const equant_dataset *velocities,
                       struct setups *setups)
{
    const double day_per_minute = 1.0 / 1440.0;
    int code =
        setup_request_find(name, &command->setups, velocities, command->from.sites.n, setups);
    for (size_t k = 0; k < setups->n && code == EXIT_CODE_OK; k++) {
        struct setup *own = &setups->of[k];
        own->uncertainty_m_s = number_or(row, STAR_ERROR, own->uncertainty_m_s);
        own->exposure_days =
            day_per_minute * number_or(row, STAR_EXPOSURE, own->exposure_days / day_per_minute);
        own->overhead_days =
            day_per_minute * number_or(row, STAR_OVERHEAD, own->overhead_days / day_per_minute);
        if (row->texts[STAR_INSTRUMENT][0] != '\0')
            code = run_source_instrument(name, velocities, row->texts[STAR_INSTRUMENT],
                                         &own->instrument);
    }
    return code;
}

/* Refuses an instrument that a run has not, before the draws of all runs are read. */
static int check_instruments(const char *name, const struct schedule_command *command,
                             const struct star_list *list)
{
    int code = EXIT_CODE_OK;
    for (size_t i = 0; i < list->n && code == EXIT_CODE_OK; i++) {
        const struct star_row *row = &list->rows[i];
        equant_dataset *velocities = NULL;
        struct setups unused;
        if (command->setups.instruments.n == 0 && row->texts[STAR_INSTRUMENT][0] == '\0')
            continue;
        code = run_source_dataset(row->texts[STAR_RUN], &velocities);
        if (code == EXIT_CODE_OK && velocities != NULL)
            code = find_setups(name, command, row, velocities, &unused);
        equant_dataset_free(velocities);
    }
    return code;
}

static int find_candidates(const char *name, const struct schedule_command *command,
                           const struct star_row *row, struct scheduled_star *star)
{
    const equant_dataset *velocities = equant_posterior_dataset(star->posterior);
    const struct future_usual usual = {run_source_end_days(star->posterior), 30.0, 0.01};
    struct site_request from = command->from;
    struct future_times times = {0};
    struct setups setups;
    from.ra = row->texts[STAR_RA][0] != '\0' ? row->texts[STAR_RA] : NULL;
    from.dec = row->texts[STAR_DEC][0] != '\0' ? row->texts[STAR_DEC] : NULL;
    from.pm_ra_mas_per_yr = number_or(row, STAR_PM_RA, 0.0);
    from.pm_dec_mas_per_yr = number_or(row, STAR_PM_DEC, 0.0);
    int code = find_setups(name, command, row, velocities, &setups);
    if (code == EXIT_CODE_OK)
        code = from.sites.n > 0 ? night_times_find(name, &from, &command->times, &usual, velocities,
                                                   &setups, &times)
                                : future_times_find(name, &command->times, &usual, &times);
    if (code == EXIT_CODE_OK)
        code = candidate_list_make(&times, &setups, &command->horizon, &star->candidates);
    for (size_t i = 0; code == EXIT_CODE_OK && i < star->candidates.given.n; i++)
        ((double *)star->candidates.given.weights)[i] *= number_or(row, STAR_WEIGHT, 1.0);
    future_times_free(&times);
    return code;
}

static void free_star(struct scheduled_star *star)
{
    candidate_list_free(&star->candidates);
    equant_posterior_free(star->posterior);
    *star = (struct scheduled_star){.posterior = NULL};
}

/* Opens the stars that can be observed; others are told, and left out. */
static int open_stars(const char *name, const struct schedule_command *command,
                      const struct star_list *list, struct scheduled_star *stars,
                      equant_schedule_star *given, size_t *n)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct star_row *row = &list->rows[i];
        struct scheduled_star *star = &stars[*n];
        char sentence[512] = "";
        snprintf(star->name, sizeof star->name, "%s", row->texts[STAR_NAME]);
        int code = run_source_open(row->texts[STAR_RUN], &star->posterior);
        if (code != EXIT_CODE_OK)
            return code;
        messages_hold(sentence, sizeof sentence);
        code = find_candidates(name, command, row, star);
        messages_hold(NULL, 0);
        if (code == EXIT_CODE_UNAVAILABLE || code == EXIT_CODE_USAGE) {
            free_star(star);
            messages_failure("%s", sentence);
            return code;
        }
        if (code != EXIT_CODE_OK) {
            messages_warning("%s is left out: %s", star->name, sentence);
            free_star(star);
            continue;
        }
        given[*n] = (equant_schedule_star){
            .struct_size = sizeof *given,
            .n_posteriors = 1,
            .posteriors = (const equant_posterior *const *)&star->posterior,
            .candidates = &star->candidates.given,
            .target =
                row->texts[STAR_TARGET][0] != '\0' ? row->texts[STAR_TARGET] : command->target,
            .min_gap_days = number_or(row, STAR_GAP, command->gap_days),
            .n_most = (size_t)bounded_count(number_or(row, STAR_MOST, (double)command->n_most))};
        (*n)++;
    }
    return *n > 0 ? EXIT_CODE_OK : messages_failure("none of the stars can be observed");
}

static int report_all(const struct schedule_command *command, const struct schedule_report *report)
{
    int written = EXIT_CODE_OK;
    if (command->out != NULL) {
        written = output_folder_create(command->out);
        if (written == EXIT_CODE_OK)
            written = schedule_report_files(report, command->out);
    }
    int printed = command->as_json ? schedule_report_json(report) : schedule_report_text(report);
    return written != EXIT_CODE_OK ? written : printed;
}

static int fill(const char *name, const struct schedule_command *command,
                const struct star_list *list)
{
    struct scheduled_star *stars = calloc(list->n, sizeof *stars);
    equant_schedule_star *given = calloc(list->n, sizeof *given);
    equant_schedule *made = NULL;
    size_t n = 0;
    int code = stars && given ? check_instruments(name, command, list) : messages_out_of_memory();
    if (code == EXIT_CODE_OK)
        code = open_stars(name, command, list, stars, given, &n);
    if (code == EXIT_CODE_OK) {
        struct watched_call call = watched_call_start("");
        const equant_schedule_options options = {.struct_size = sizeof options,
                                                 .engine = &command->effort.engine,
                                                 .n_observations = command->n_observations,
                                                 .max_draws = command->effort.max_draws,
                                                 .least_value = command->least_value,
                                                 .progress = watched_call_progress,
                                                 .progress_context = &call};
        code = watched_call_end(&call, equant_schedule_create(n, given, &options, &made));
    }
    const struct schedule_report report = {made, n, stars};
    if (code == EXIT_CODE_OK)
        code = report_all(command, &report);
    equant_schedule_free(made);
    for (size_t i = 0; stars && i < n; i++)
        free_star(&stars[i]);
    free(stars);
    free(given);
    return code;
}

int schedule_command_run(int argc, char **argv)
{
    struct schedule_command command = {
        .effort = effort_request_default(), .from = site_request_default(), .target = "everything"};
    struct star_list list = {.n = 0};
    if (option_table_helps(&command_options, argc, argv))
        return EXIT_CODE_OK;
    int code = parse(argc, argv, &command);
    if (code == EXIT_CODE_OK)
        code = star_list_read(command.list, &list);
    if (code == EXIT_CODE_OK)
        code = check_exposures(argv[0], &command, &list);
    if (code == EXIT_CODE_OK) {
        interrupt_watch();
        code = fill(argv[0], &command, &list);
    }
    star_list_free(&list);
    site_request_free(&command.from);
    setup_request_free(&command.setups);
    return code;
}
