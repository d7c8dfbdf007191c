/* equant search: a periodogram of the data, with eccentric orbits. */
#include <getopt.h>
#include <stdio.h>

#include "options/command_line.h"
#include "commands/commands.h"
#include "options/data_source.h"
#include "terminal/interrupt.h"
#include "options/known_planets.h"
#include "terminal/messages.h"
#include "files/output_folder.h"
#include "pictures/search_picture.h"
#include "options/search_range.h"
#include "results/search_report.h"
#include "terminal/watched_call.h"

static const char help_start[] =
    "Usage: equant search FILE... [OPTIONS]\n"
    "       equant search --demo [OPTIONS]\n\n"
    "Tries orbits of every period, eccentricity and phase on a grid so fine that no\n"
    "signal slips through, with amplitude, offsets and trend fitted exactly for each,\n"
    "and shows the peaks: period, K, e, power (the share of chi-square that the orbit\n"
    "explains), gain in log-likelihood, and the probability that noise alone makes one\n"
    "as high (FAP).\n\n";
static const char help_middle[] =
    "  --circular          circular orbits only: a generalised Lomb-Scargle\n"
    "                      periodogram\n"
    "  --known FILE        planets already known: a table of orbits, or fit.json or\n"
    "                      planets.ecsv of `equant fit`\n"
    "  --peaks N           how many are shown; default 10\n"
    "  --draws N           false-alarm probabilities also from N simulated data sets\n\n"
    "Results:\n"
    "  --json              one JSON object in place of the text\n"
    "  --out DIR           periodogram.ecsv, peaks.ecsv and a picture in this folder\n"
    "  --format F          of the picture: png (default), svg or pdf\n"
    "  --no-pictures       tables only\n\n";
static const char help_end[] = "\n  --help              this text\n\n"
                               "Example:\n"
                               "  equant search --demo --period 2:5000 --peaks 5\n";

struct search_command {
    struct data_source source;
    struct search_range range;
    const char *known, *out;
    uint64_t n_peaks, n_draws;
    enum picture_format format;
    bool is_circular, as_json, has_no_pictures;
};

static int take_option(const char *command, int option, struct search_command *chosen)
{
    switch (option) {
    case 'c':
        chosen->is_circular = true;
        return EXIT_CODE_OK;
    case 'k':
        chosen->known = optarg;
        return EXIT_CODE_OK;
    case 'n':
        return command_line_count(command, "--peaks", optarg, 1, 1000, &chosen->n_peaks);
    case 'd':
        return command_line_count(command, "--draws", optarg, 1, 1000000, &chosen->n_draws);
    case 'j':
        chosen->as_json = true;
        return EXIT_CODE_OK;
    case 'o':
        chosen->out = optarg;
        return EXIT_CODE_OK;
    case 'f':
        return picture_options_take_format(command, optarg, &chosen->format);
    default:
        chosen->has_no_pictures = true;
        return EXIT_CODE_OK;
    }
}

static int parse_options(int argc, char **argv, struct search_command *chosen)
{
    static const struct option options[] = {{"circular", no_argument, NULL, 'c'},
                                            {"known", required_argument, NULL, 'k'},
                                            {"peaks", required_argument, NULL, 'n'},
                                            {"draws", required_argument, NULL, 'd'},
                                            {"json", no_argument, NULL, 'j'},
                                            {"out", required_argument, NULL, 'o'},
                                            {"format", required_argument, NULL, 'f'},
                                            {"no-pictures", no_argument, NULL, 'x'},
                                            DATA_SOURCE_LONG,
                                            SEARCH_RANGE_LONG,
                                            {0}};
    int option, code = EXIT_CODE_OK;
    opterr = 0;
    while (code == EXIT_CODE_OK && (option = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        if (option >= DATA_SOURCE_OPTION_UNIT && option < DATA_SOURCE_OPTION_END)
            code = data_source_take(argv[0], option, optarg, &chosen->source);
        else if (search_range_owns(option))
            code = search_range_take(argv[0], option, optarg, &chosen->range);
        else if (option == '?' || option == ':')
            code = command_line_reject(argv[0], argv, option);
        else
            code = take_option(argv[0], option, chosen);
    }
    return code == EXIT_CODE_OK ? search_range_check(argv[0], &chosen->range) : code;
}

static int search(const struct search_command *chosen, const equant_dataset *dataset,
                  const struct known_planets *known, equant_periodogram **periodogram)
{
    struct watched_call call = watched_call_start("");
    equant_search_options options = {
        .struct_size = sizeof options,
        .engine = &chosen->range.engine,
        .exact_precision = chosen->range.has_precision,
        .period_min_days = chosen->range.period_min_days,
        .period_max_days = chosen->range.period_max_days,
        .eccentricity_max = chosen->range.eccentricity_max,
        .circular_only = chosen->is_circular,
        .trend = chosen->range.trend,
        .n_planets = known->n,
        .planets = known->elements,
        .n_peaks = (size_t)chosen->n_peaks,
        .n_draws = (size_t)chosen->n_draws,
        .seed = chosen->range.seed,
        .progress = watched_call_progress,
        .progress_context = &call,
    };
    return watched_call_end(&call, equant_search(dataset, &options, periodogram));
}

static int write_report(const struct search_command *chosen, const struct search_report *report)
{
    int code = EXIT_CODE_OK;
    if (chosen->out != NULL) {
        code = search_report_tables(report, chosen->out);
        if (code == EXIT_CODE_OK && !chosen->has_no_pictures)
            code = search_picture_draw(report->periodogram, chosen->out, chosen->format);
    }
    if (code != EXIT_CODE_OK)
        return code;
    return chosen->as_json ? search_report_json(report) : search_report_text(report);
}

static int run_search(const struct search_command *chosen, const equant_dataset *dataset)
{
    struct known_planets known = {0};
    equant_periodogram *periodogram = NULL;
    int code = EXIT_CODE_OK;
    if (chosen->known != NULL)
        code = known_planets_read(&known, chosen->known, dataset);
    if (code == EXIT_CODE_OK && chosen->out != NULL)
        code = output_folder_create(chosen->out);
    if (code == EXIT_CODE_OK)
        code = search(chosen, dataset, &known, &periodogram);
    if (code == EXIT_CODE_OK) {
        struct search_report report = {.dataset = dataset,
                                       .periodogram = periodogram,
                                       .n_known = known.n,
                                       .is_circular = chosen->is_circular,
                                       .n_draws = (size_t)chosen->n_draws};
        code = write_report(chosen, &report);
    }
    equant_periodogram_free(periodogram);
    known_planets_free(&known);
    return code;
}

int command_search(int argc, char **argv)
{
    struct search_command chosen = {
        .source = data_source_default(), .range = search_range_default(), .n_peaks = 10};
    if (command_line_wants_help(argc, argv)) {
        printf("%s%s%s%s\n%s%s", help_start, search_range_help, help_middle, data_source_help,
               search_range_engine_help, help_end);
        return EXIT_CODE_OK;
    }
    int code = parse_options(argc, argv, &chosen);
    if (code != EXIT_CODE_OK)
        return code;
    equant_dataset *dataset;
    code = data_source_load(argv[0], &chosen.source, argc - optind, argv + optind, &dataset);
    if (code != EXIT_CODE_OK)
        return code;
    data_source_warn(dataset);
    interrupt_watch();
    code = run_search(&chosen, dataset);
    equant_dataset_free(dataset);
    return code;
}
