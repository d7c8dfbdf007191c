/* equant fit: the planets of a star, from its files to a table and a picture. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "options/command_line.h"
#include "commands/commands.h"
#include "commands/fit_batch.h"
#include "results/fit_folder.h"
#include "results/fit_json.h"
#include "options/fit_request.h"
#include "results/fit_text.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "files/output_folder.h"
#include "stars/star_result.h"
#include "options/star_name.h"

static const char help_start[] =
    "Usage: equant fit FILE... [OPTIONS]\n"
    "       equant fit --demo [OPTIONS]\n"
    "       equant fit --batch LIST --out DIR [OPTIONS]\n\n"
    "Finds the planets of a star without a starting guess: scans all periods and\n"
    "eccentricities, adds one planet more as long as noise alone would hardly make it,\n"
    "refits all of them together with offsets, trend and jitter, and shows them with\n"
    "their uncertainties.\n\n";
static const char help_results[] =
    "Results:\n"
    "  --json              one JSON object in place of the text\n"
    "  --out DIR           fit.json, planets.ecsv, parameters.ecsv, covariance.ecsv,\n"
    "                      residuals.ecsv, curve.ecsv, origin.json and a picture in\n"
    "                      this folder; `equant report DIR` makes a page of them\n"
    "  --format F          of the picture: png (default), svg or pdf\n"
    "  --no-pictures       tables only\n\n"
    "Many stars:\n"
    "  --batch LIST        a line for each star: NAME FILE [FILE...], or FILE alone;\n"
    "                      results go to DIR/NAME, a row for each to DIR/summary.ecsv;\n"
    "                      started again it goes on where it stopped\n"
    "  --pictures          pictures also in a batch\n\n";
static const char help_end[] = "\n  --help              this text\n\n"
                               "Example:\n"
                               "  equant fit --demo --star-mass 0.87 --out hd164922\n";

struct fit_command {
    struct fit_request request;
    const char *out, *batch;
    char *typed; /* the command line */
    enum picture_format format;
    bool as_json, has_no_pictures, has_pictures;
};

static int take_option(const char *command, int option, struct fit_command *chosen)
{
    switch (option) {
    case 'o':
        chosen->out = optarg;
        return EXIT_CODE_OK;
    case 'b':
        chosen->batch = optarg;
        return EXIT_CODE_OK;
    case 'f':
        return picture_options_take_format(command, optarg, &chosen->format);
    case 'j':
        chosen->as_json = true;
        return EXIT_CODE_OK;
    case 'x':
        chosen->has_no_pictures = true;
        return EXIT_CODE_OK;
    default:
        chosen->has_pictures = true;
        return EXIT_CODE_OK;
    }
}

static int check_batch(const char *command, const struct fit_command *chosen, int n_files)
{
    if (chosen->batch == NULL)
        return EXIT_CODE_OK;
    if (chosen->out == NULL)
        return messages_usage(command, "--batch wants a folder for its results; name it with "
                                       "--out");
    if (n_files > 0 || chosen->request.source.is_demonstration)
        return messages_usage(command, "--batch takes the files from its list; leave the others "
                                       "out");
    if (chosen->as_json)
        return messages_usage(command, "--batch writes fit.json for every star; leave --json out");
    return EXIT_CODE_OK;
}

static int parse_options(int argc, char **argv, struct fit_command *chosen)
{
    static const struct option options[] = {{"out", required_argument, NULL, 'o'},
                                            {"batch", required_argument, NULL, 'b'},
                                            {"format", required_argument, NULL, 'f'},
                                            {"json", no_argument, NULL, 'j'},
                                            {"no-pictures", no_argument, NULL, 'x'},
                                            {"pictures", no_argument, NULL, 'p'},
                                            FIT_REQUEST_LONG,
                                            {0}};
    int option, code = EXIT_CODE_OK;
    opterr = 0;
    while (code == EXIT_CODE_OK && (option = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        if (fit_request_owns(option))
            code = fit_request_take(argv[0], option, optarg, &chosen->request);
        else if (option == '?' || option == ':')
            code = command_line_reject(argv[0], argv, option);
        else
            code = take_option(argv[0], option, chosen);
    }
    if (code == EXIT_CODE_OK)
        code = check_batch(argv[0], chosen, argc - optind);
    return code == EXIT_CODE_OK ? fit_request_check(argv[0], &chosen->request) : code;
}

static int report(const struct fit_command *chosen, const struct star_result *star,
                  const char *star_name)
{
    struct fit_folder_options folder = {.has_pictures = !chosen->has_no_pictures,
                                        .format = chosen->format,
                                        .star_name = star_name,
                                        .command = chosen->typed,
                                        .star_mass = chosen->request.star_mass};
    int code = EXIT_CODE_OK;
    if (chosen->out != NULL)
        code = fit_folder_write(star, chosen->out, &folder);
    if (code != EXIT_CODE_OK)
        return code;
    if (!chosen->as_json)
        return fit_text_print(star);
    fit_json_write(stdout, star);
    return EXIT_CODE_OK;
}

static int run_one(const struct fit_command *chosen, const char *command, int n_files,
                   char *const *paths)
{
    struct star_result star;
    struct star_name name = star_name_guess(&chosen->request.source, n_files, paths);
    int code = star_result_load(&chosen->request, command, n_files, paths, &star);
    for (size_t i = 0; i < star.warnings.n; i++)
        messages_warning("%s", star.warnings.texts[i]);
    /* A folder that cannot be made is better known before the fit than after it. */
    if (code == EXIT_CODE_OK && chosen->out != NULL)
        code = output_folder_create(chosen->out);
    if (code == EXIT_CODE_OK)
        code = star_result_run(&chosen->request, "", &star);
    if (code == EXIT_CODE_OK)
        code = report(chosen, &star, name.text);
    star_result_free(&star);
    return code;
}

static int run_batch(struct fit_command *chosen, const char *command)
{
    struct fit_folder_options folder = {.has_pictures =
                                            chosen->has_pictures && !chosen->has_no_pictures,
                                        .format = chosen->format,
                                        .command = chosen->typed,
                                        .star_mass = chosen->request.star_mass};
    /* Not every star was observed with the instrument to be left out. */
    chosen->request.leave_out.ignores_strangers = true;
    return fit_batch_run(&chosen->request, command, chosen->batch, chosen->out, &folder);
}

int command_fit(int argc, char **argv)
{
    struct fit_command chosen = {.request = fit_request_default()};
    if (command_line_wants_help(argc, argv)) {
        printf("%s%s%s\n%s%s\n%s%s", help_start, fit_request_help, search_range_help, help_results,
               data_source_help, search_range_engine_help, help_end);
        return EXIT_CODE_OK;
    }
    chosen.typed = command_line_typed(argc, argv);
    int code = chosen.typed == NULL ? messages_out_of_memory() : parse_options(argc, argv, &chosen);
    if (code == EXIT_CODE_OK) {
        interrupt_watch();
        code = chosen.batch != NULL ? run_batch(&chosen, argv[0])
                                    : run_one(&chosen, argv[0], argc - optind, argv + optind);
    }
    fit_request_free(&chosen.request);
    free(chosen.typed);
    return code;
}
