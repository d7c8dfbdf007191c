/* equant fit: the planets of a star, from its files to a table and a picture. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "archive/fit_worker.h"
#include "files/input_file.h"
#include "options/star_request.h"
#include "results/repeat_file.h"
#include "results/fit_basis.h"
#include "results/fit_events.h"
#include "results/fit_folder.h"
#include "results/fit_interacting.h"
#include "options/fit_request.h"
#include "stars/transit_request.h"
#include "results/fit_text.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "files/folder_lock.h"
#include "files/output_folder.h"
#include "results/compare_report.h"
#include "results/sb2_report.h"
#include "sky/sky_run.h"
#include "stars/star_comparison.h"
#include "tables/rival_table.h"
#include "terminal/progress_display.h"
#include "options/star_name.h"
#include "options/star_options.h"

struct fit_command {
    struct fit_request request;
    const char *out;
    struct batch_request batch;
    bool is_forced;
    char *typed; /* the command line */
    struct picture_options pictures;
    bool as_json;
    int n_events;    /* that are predicted */
    int interacting; /* of enum interacting */
    bool says_why;
    struct transit_request transits;
    int probabilities; /* of enum fit_probabilities */
    struct compare_request compare;
    struct sky_request sky;
    struct text_list lists;  /* of sources */
    const char *single_only; /* an option that was given and says nothing of two velocities */
    bool is_double;
    const char *velocity_only; /* an option that was given and says nothing of astrometry */
};

/* From models that are compared, in seconds; sampled, too; or none. */
enum fit_probabilities { PROBABILITIES_QUICK, PROBABILITIES_FULL, PROBABILITIES_NONE };

static const struct option_choice probabilities_choices[] = {{"quick", PROBABILITIES_QUICK},
                                                             {"full", PROBABILITIES_FULL},
                                                             {"none", PROBABILITIES_NONE},
                                                             {0}};

enum interacting { INTERACTING_NO, INTERACTING_YES };

static const struct option_choice interacting_choices[] = {
    {"no", INTERACTING_NO}, {"yes", INTERACTING_YES}, {0}};

#define OPTIONS_OF struct fit_command
static const struct option_row probability_rows[] = {
    {"probabilities", "WORD", OPTION_CHOICE(probabilities, probabilities_choices),
     "probabilities of planets, periods and their number: `quick`\n"
     "(default): from the models that the fit compares; `full`:\n"
     "sampled as in `equant compare`, in minutes; `none`: planets\n"
     "are accepted by false-alarm probability alone"},
    {"sweeps", "N", OPTION_COUNT(compare.n_sweeps, 8, 100000000),
     "length of the chains of `full`; default: 400"},
    {0}};

static const struct option_row result_rows[] = {
    {"json", NULL, OPTION_FLAG(as_json), "one JSON object instead of the text"},
    {"why", NULL, OPTION_FLAG(says_why),
     "prints for each planet, and for the candidate, the best model\n"
     "that says otherwise, with the difference of its evidence and\n"
     "prior; fit.json has it as `trace`"},
    {"events", "N", OPTION_COUNT(n_events, 0, 1000),
     "prints the next N transits and occultations of each planet\n"
     "with errors; default: 0"},
    {"interacting", "WORD", OPTION_CHOICE(interacting, interacting_choices),
     "yes: fits the planets again as planets that attract each\n"
     "other, by integration of their orbits, and prints them:\n"
     "begins with the two of the largest amplitudes and adds\n"
     "planets that the residuals show; default: no, with a file\n"
     "of transit times yes"},
    {"out", "DIR", OPTION_TEXT(out),
     "writes fit.json, planets.ecsv, parameters.ecsv,\n"
     "covariance.ecsv, residuals.ecsv, curve.ecsv, origin.json and\n"
     "a picture to this folder; for astrometry fit.json,\n"
     "scans.ecsv, velocities.ecsv, periodogram.ecsv and pictures\n"
     "of orbit, path, residuals, velocities and periodogram.\n"
     "`equant report DIR` makes a page of them"},
    {0}};

static const struct option_row list_rows[] = {
    {"sources", "TABLE", OPTION_LIST(lists),
     "what is known of the source, by source_id: star_mass or m1,\n"
     "tentative_parallax_bias; may be repeated"},
    {0}};

static const struct option_row force_rows[] = {
    {"force", NULL, OPTION_FLAG(is_forced),
     "ignores the lock that keeps a second program out of the\n"
     "folder of --out, for file systems without locks"},
    {0}};

/* Runs of astrometry end with a budget, too; fits do not. */
static void notice(const char *option, void *into)
{
    struct fit_command *fit = into;
    if (sky_request_is_of_velocities(option) || strcmp(option, "budget") == 0)
        fit->velocity_only = option;
    if (!sb2_report_has_option(option))
        fit->single_only = option;
}

static const struct option_table command_options = {
    .usage = {"FILE... [OPTIONS]", "--demo [OPTIONS]", "--batch LIST --out DIR [OPTIONS]"},
    .about = "Finds the planets of a star without a starting guess: scans all periods and\n"
             "eccentricities, adds one planet at a time while its false-alarm probability is low,\n"
             "refits all of them together with offsets, trend and jitter, and prints them with\n"
             "their uncertainties. Files of astrometry are recognised and fitted with 5, 7 and 9\n"
             "parameters, harmonics of the scan angle and an orbit, together with the velocities\n"
             "of other files. A file with two velocities at each epoch, rv1 and rv2, is a\n"
             "double-lined binary: its orbit is found and printed, whichever star is which.",
    .sections = {{"The planets", fit_request_rows, offsetof(struct fit_command, request)},
                 {NULL, states_request_rows, offsetof(struct fit_command, request.states)},
                 {NULL, probability_rows, 0},
                 {NULL, noise_request_rows, offsetof(struct fit_command, request.noise)},
                 {"The star", star_request_rows, offsetof(struct fit_command, request.star)},
                 {"Search range", search_range_rows, offsetof(struct fit_command, request.range)},
                 {"Astrometry", sky_request_rows, offsetof(struct fit_command, sky)},
                 {NULL, sky_request_verdict_rows, offsetof(struct fit_command, sky)},
                 {NULL, list_rows, 0},
                 {"Results", result_rows, 0},
                 {NULL, picture_options_rows, offsetof(struct fit_command, pictures)},
                 {"Many stars", batch_request_rows, offsetof(struct fit_command, batch)},
                 {NULL, force_rows, 0},
                 {"The data", data_source_rows, offsetof(struct fit_command, request.source)},
                 {"Computation", search_range_engine_rows,
                  offsetof(struct fit_command, request.range)},
                 {"", option_table_help_rows, 0}},
    .notice = notice,
    .example = "equant fit --demo --noise night --star-mass 0.87 --out hd164922\n"
               "equant fit active.csv --noise auto",
};

static struct fit_command fit_command_default(void)
{
    return (struct fit_command){.request = fit_request_default(),
                                .batch = batch_request_default(),
                                .compare = compare_request_default()};
}

static bool is_interacting(const struct fit_command *fit)
{
    return fit->interacting == INTERACTING_YES || fit->transits.path != NULL;
}

static int check_batch(const char *command, const struct fit_command *fit, int n_files)
{
    if (fit->batch.list != NULL && fit->probabilities == PROBABILITIES_FULL)
        return messages_usage(command, "--probabilities full takes minutes: it is for one star");
    if (fit->says_why && fit->batch.list != NULL)
        return messages_usage(command,
                              "--why prints a table for one star; fit.json of each star of "
                              "a batch has `trace`");
    if (is_interacting(fit) && (fit->as_json || fit->batch.list != NULL))
        return messages_usage(command, "--interacting and transit times print a table for one "
                                       "star; they are neither for --json nor for --batch");
    return batch_request_check(command, &fit->batch, fit->out,
                               n_files + fit->request.source.is_demonstration, fit->as_json);
}

static int parse_star_file(int argc, char **argv, struct fit_command *fit, struct file_list *files)
{
    const struct star_options into = {&command_options, "fit", fit, &fit->request.states,
                                      &fit->request.source};
    char *typed = fit->typed;
    fit_request_free(&fit->request);
    transit_request_free(&fit->transits);
    *fit = fit_command_default();
    fit->typed = typed;
    return star_options_parse(&into, argc, argv, files);
}

static int parse(int argc, char **argv, struct fit_command *fit, struct file_list *files)
{
    int code = option_table_parse(&command_options, argc, argv, fit, files);
    if (code == EXIT_CODE_OK && star_options_is_meant(files))
        code = parse_star_file(argc, argv, fit, files);
    if (code == EXIT_CODE_OK)
        code = states_request_take(&fit->request.states, files);
    fit->request.source.states = fit->request.states.made;
    if (code == EXIT_CODE_OK)
        code = transit_request_take(&fit->transits, argv[0], files);
    fit->is_double = code == EXIT_CODE_OK && fit->batch.list == NULL && sb2_report_is_meant(files);
    if (code == EXIT_CODE_OK && !fit->is_double)
        code = sky_request_settle(argv[0], &fit->sky, files, &fit->request.star);
    if (code == EXIT_CODE_OK)
        code = check_batch(argv[0], fit, files->n);
    fit->request.keeps_partial = fit->batch.list == NULL;
    fit->request.has_no_probabilities = fit->probabilities == PROBABILITIES_NONE;
    if (code == EXIT_CODE_OK)
        code = fit_request_check(argv[0], &fit->request);
    if (code == EXIT_CODE_OK && fit->batch.list != NULL)
        fit->pictures.has_none |= !fit->batch.has_pictures;
    if (code == EXIT_CODE_OK)
        code = picture_options_check(&fit->pictures);
    if (code == EXIT_CODE_OK && fit->batch.list == NULL)
        code = output_check_folder(argv[0], fit->out, fit_folder_members);
    return code;
}

/* The probabilities behind the text of a fit. */
static int print_comparison(const struct star_result *star, double seconds)
{
    const struct compare_report report = {.star = star,
                                          .comparison = star->comparison,
                                          .threshold = compare_request_default().threshold,
                                          .seconds = seconds};
    if (star->comparison == NULL)
        return EXIT_CODE_OK;
    putchar('\n');
    return compare_report_text(&report);
}

/* Integrated orbits of the star's planets, or of those that transit alone. */
static int print_interacting(const struct fit_command *fit, const struct star_result *star)
{
    const struct fit_interacting what = {.star = star,
                                         .transits = fit->transits.times,
                                         .star_mass = fit->request.star.mass,
                                         .engine = &fit->request.range.engine};
    return fit_interacting_print(&what);
}

static int report(const struct fit_command *fit, const struct star_result *star,
                  const char *star_name, double seconds)
{
    struct fit_folder_options folder = {.pictures = fit->pictures,
                                        .star_name = star_name,
                                        .command = fit->typed,
                                        .star = fit->request.star};
    int printed = EXIT_CODE_OK, written = EXIT_CODE_OK;
    if (fit->out != NULL)
        written = fit_folder_write(star, fit->out, &folder);
    /* A result that could not be kept is shown all the same. */
    if (fit->as_json)
        printed = fit_folder_print_json(star);
    else
        printed = fit_text_print(star);
    if (!fit->as_json && printed == EXIT_CODE_OK && fit->request.basis != NULL)
        printed = fit_basis_print(star, fit->request.basis);
    if (!fit->as_json && printed == EXIT_CODE_OK && fit->says_why)
        printed = rival_table_print(star->fit);
    if (!fit->as_json && printed == EXIT_CODE_OK && fit->n_events > 0)
        printed = fit_events_print(star, fit->n_events);
    if (!fit->as_json && printed == EXIT_CODE_OK)
        printed = print_comparison(star, seconds);
    if (is_interacting(fit) && printed == EXIT_CODE_OK)
        printed = print_interacting(fit, star);
    return written != EXIT_CODE_OK ? written : printed;
}

/* One program at a time writes into a folder: files of two fits would be mixed. */
static int take_folder(const struct fit_command *fit, equant_folder_lock **lock)
{
    int code = output_folder_create(fit->out);
    return code == EXIT_CODE_OK ? folder_lock_take(lock, fit->out, fit->is_forced) : code;
}

/* As long as the budget of the fit lasts. */
static int sample_probabilities(const struct fit_command *fit, double began_s,
                                struct star_result *star)
{
    double budget_s = fit->request.budget_s;
    return star_comparison_run(&fit->request, &fit->compare,
                               budget_s > 0.0 ? began_s + budget_s : INFINITY, star);
}

/* Until it is done, or somebody has had enough: what was found until then stays. */
static int find_planets(const struct fit_command *fit, double began_s, struct star_result *star,
                        bool *is_cut)
{
    int code = star_result_run(&fit->request, "", star);
    if (code == EXIT_CODE_INTERRUPTED)
        messages_note("there was no solution yet, so that there is nothing to show");
    *is_cut = code == EXIT_CODE_OK && star->summary.end == EQUANT_FIT_CANCELLED;
    if (code == EXIT_CODE_OK && !*is_cut && fit->probabilities == PROBABILITIES_FULL) {
        code = sample_probabilities(fit, began_s, star);
        *is_cut = code == EXIT_CODE_INTERRUPTED;
    }
    return *is_cut ? EXIT_CODE_OK : code;
}

static int run_one(const struct fit_command *fit, int argc, char **argv,
                   const struct file_list *files)
{
    const char *command = argv[0];
    struct star_result star;
    equant_folder_lock *lock = NULL;
    struct star_name name = star_name_guess(&fit->request.source, files);
    double began_s = progress_clock_s();
    bool is_cut = false;
    int code = star_result_load(&fit->request, command, files, &star);
    for (size_t i = 0; i < star.warnings.n; i++)
        messages_warning("%s", star.warnings.texts[i]);
    /* What cannot be done afterwards is better known before the fit. */
    if (code == EXIT_CODE_OK && fit->probabilities == PROBABILITIES_FULL)
        code = star_comparison_check(&fit->request, &fit->compare, &star);
    if (code == EXIT_CODE_OK && fit->out != NULL)
        code = take_folder(fit, &lock);
    if (code == EXIT_CODE_OK)
        code = find_planets(fit, began_s, &star, &is_cut);
    if (code == EXIT_CODE_OK)
        code = report(fit, &star, name.text, progress_clock_s() - began_s);
    const struct repeat_file again = {.table = &command_options,
                                      .command = "fit",
                                      .argc = argc,
                                      .argv = argv,
                                      .files = files,
                                      .states = &fit->request.states,
                                      .star_name = name.text};
    if (code == EXIT_CODE_OK && fit->out != NULL && repeat_file_is_meant(&again))
        code = repeat_file_write(&again, fit->out);
    if (code == EXIT_CODE_OK && is_cut) {
        messages_note("interrupted: what was found until then is shown%s",
                      fit->out != NULL ? " and written" : "");
        code = EXIT_CODE_INTERRUPTED;
    }
    equant_folder_lock_release(lock);
    star_result_free(&star);
    return code;
}

/* How many companions there are on the sky is found, and cannot be given. */
static int check_sky(const char *command, const struct fit_command *fit)
{
    int code = sky_request_refuse(command, fit->velocity_only);
    if (code == EXIT_CODE_OK && fit->request.n_planets != 0)
        code = messages_usage(command,
                              "--planets is for velocities alone; with astrometry --max-planets "
                              "says how many companions are looked for, and --orbit shows one in "
                              "any case");
    if (code == EXIT_CODE_OK && fit->request.max_planets != 0)
        code = sky_request_check_companions(command, (size_t)fit->request.max_planets);
    return code;
}

static int run_sky(const struct fit_command *fit, const char *command,
                   const struct file_list *files)
{
    struct star_name name = star_name_guess(&fit->request.source, files);
    int code = check_sky(command, fit);
    if (code != EXIT_CODE_OK)
        return code;
    const struct sky_output output = {.as_json = fit->as_json,
                                      .lists = &fit->lists,
                                      .folder = fit->out,
                                      .is_forced = fit->is_forced,
                                      .how = {.pictures = fit->pictures,
                                              .star_name = name.text,
                                              .command = fit->typed,
                                              .star = fit->request.star}};
    return sky_run(command, &fit->sky, &fit->request, files, &output);
}

static int run_double(const struct fit_command *fit, const char *command,
                      const struct file_list *files)
{
    if (fit->single_only != NULL)
        return messages_usage(command, "--%s has no meaning for two velocities at each epoch",
                              fit->single_only);
    return sb2_report_run(&fit->request, fit->sky.source_id, files, fit->as_json);
}

static int run_batch(struct fit_command *fit, int argc, char **argv)
{
    struct fit_folder_options folder = {
        .pictures = fit->pictures, .command = fit->typed, .star = fit->request.star};
    struct fit_worker worker = {.request = &fit->request, .options = &folder, .command = argv[0]};
    struct star_batch_work work = {.folder = fit->out,
                                   .verb = "fitted",
                                   .mark = FIT_FOLDER_MARK,
                                   .members = fit_folder_members,
                                   .n_threads = fit->request.range.engine.n_threads,
                                   .is_forced = fit->is_forced,
                                   .context = &worker,
                                   .work = fit_worker_fit};
    fit_request_describe(&fit->request, work.options, sizeof work.options);
    /* Not every star was observed with the instrument to be left out. */
    fit->request.source.leave_out.ignores_strangers = true;
    return fit->batch.is_worker ? star_worker_run(&work)
                                : star_batch_run(&fit->batch, &work, argc, argv);
}

/* Transit times alone. */
static int run_transits(const char *command, const struct fit_command *fit)
{
    if (fit->out != NULL)
        return messages_usage(command,
                              "--out is for velocities; transit times alone print a table");
    return print_interacting(fit, NULL);
}

int command_fit(int argc, char **argv)
{
    struct fit_command fit = fit_command_default();
    struct file_list files;
    if (option_table_helps(&command_options, argc, argv))
        return EXIT_CODE_OK;
    fit.typed = command_line_typed(argc, argv);
    int code = fit.typed == NULL ? messages_out_of_memory() : parse(argc, argv, &fit, &files);
    if (code == EXIT_CODE_OK) {
        interrupt_watch();
        for (size_t i = 0; i < fit.lists.n; i++)
            input_file_note(fit.lists.texts[i]);
        code = transit_request_load(&fit.transits);
    }
    if (code == EXIT_CODE_OK) {
        bool is_sky = fit.batch.list == NULL && !fit.is_double && sky_request_is_meant(&files);
        if (fit.transits.times != NULL && (is_sky || fit.is_double))
            code = messages_usage(argv[0], "transit times are fitted with velocities of one star, "
                                           "not with astrometry or two stars");
        else if (fit.transits.times != NULL && files.n == 0 && !fit.request.source.is_demonstration)
            code = run_transits(argv[0], &fit);
        else if (fit.batch.list != NULL)
            code = run_batch(&fit, argc, argv);
        else if (fit.is_double)
            code = run_double(&fit, argv[0], &files);
        else if (is_sky)
            code = run_sky(&fit, argv[0], &files);
        else if (fit.lists.n > 0)
            code = messages_usage(argv[0],
                                  "--sources is for astrometry; leave it out with velocities");
        else
            code = run_one(&fit, argc, argv, &files);
    }
    text_list_free(&fit.lists);
    transit_request_free(&fit.transits);
    fit_request_free(&fit.request);
    free(fit.typed);
    return code;
}
