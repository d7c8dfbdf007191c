/* equant search: a periodogram of the data, with eccentric orbits. */
#include <stdio.h>

#include "commands/commands.h"
#include "options/data_source.h"
#include "terminal/interrupt.h"
#include "inputs/known_planets.h"
#include "terminal/messages.h"
#include "files/output_folder.h"
#include "pictures/search_picture.h"
#include "options/noise_request.h"
#include "options/search_range.h"
#include "options/star_options.h"
#include "options/star_request.h"
#include "options/states_request.h"
#include "results/search_report.h"
#include "sky/sky_periods.h"
#include "terminal/watched_call.h"

struct search_request {
    struct data_source source;
    struct search_range range;
    struct noise_request noise;
    struct states_request states;
    equant_star star;
    struct sky_request sky;
    const char *known, *out;
    size_t n_peaks, n_draws;
    struct picture_options pictures;
    bool is_circular, as_json;
    const char *velocity_only; /* an option that means nothing for astrometry; NULL: none */
};

#define OPTIONS_OF struct search_request
static const struct option_row option_rows[] = {
    {"circular", NULL, OPTION_FLAG(is_circular),
     "circular orbits only: a generalised Lomb-Scargle periodogram"},
    {"known", "FILE", OPTION_FILE(known),
     "known planets: a table of orbits, or fit.json or\n"
     "planets.ecsv of `equant fit`"},
    {"peaks", "N", OPTION_COUNT(n_peaks, 1, 1000), "number of peaks that are printed; default: 10"},
    {"draws", "N", OPTION_COUNT(n_draws, 1, 1000000),
     "also estimates false-alarm probabilities from N simulated\n"
     "data sets"},
    {0}};

static const struct option_row result_rows[] = {
    {"json", NULL, OPTION_FLAG(as_json), "one JSON object instead of the text"},
    {"out", "DIR", OPTION_TEXT(out),
     "writes periodogram.ecsv, peaks.ecsv and a picture to this\n"
     "folder"},
    {0}};

static void notice(const char *option, void *into)
{
    struct search_request *request = into;
    if (sky_request_is_of_velocities(option))
        request->velocity_only = option;
}

static const struct option_table command_options = {
    .usage = {"FILE... [OPTIONS]", "STAR.yaml [OPTIONS]", "--demo [OPTIONS]"},
    .about = "Computes a Keplerian periodogram: orbits of every period, eccentricity and phase on\n"
             "a grid fine enough to miss no signal, with amplitude, offsets and trend fitted\n"
             "exactly for each. It prints the peaks: period, K, e, power (the fraction of\n"
             "chi-square that the orbit explains), gain in log-likelihood, and false-alarm\n"
             "probability (FAP). Planets whose periods are given by --set are part of the model;\n"
             "one more is searched for.",
    .sections = {{"Search range", search_range_rows, offsetof(struct search_request, range)},
                 {NULL, option_rows, 0},
                 {"Known parameters", states_request_rows, offsetof(struct search_request, states)},
                 {NULL, star_request_rows, offsetof(struct search_request, star)},
                 {"Noise", noise_request_rows, offsetof(struct search_request, noise)},
                 {"Astrometry", sky_request_rows, offsetof(struct search_request, sky)},
                 {"Results", result_rows, 0},
                 {NULL, picture_options_rows, offsetof(struct search_request, pictures)},
                 {"The data", data_source_rows, offsetof(struct search_request, source)},
                 {"Computation", search_range_engine_rows, offsetof(struct search_request, range)},
                 {"", option_table_help_rows, 0}},
    .example = "equant search --demo --period 2:5000 --peaks 5",
    .notice = notice,
};

static int search(const struct search_request *request, const equant_dataset *dataset,
                  const struct known_planets *known, equant_periodogram **periodogram)
{
    struct watched_call call = watched_call_start("");
    equant_search_options options = {
        .struct_size = sizeof options,
        .engine = &request->range.engine,
        .exact_precision = request->range.has_precision,
        .period_min_days = request->range.period_min_days,
        .period_max_days = request->range.period_max_days,
        .eccentricity_max = request->range.eccentricity_max,
        .circular_only = request->is_circular,
        .trend = request->range.trend,
        .n_known = known->n,
        .known = known->elements,
        .n_peaks = request->n_peaks,
        .n_draws = request->n_draws,
        .seed = request->range.seed,
        .noise = request->noise.terms,
        .indicators = noise_request_indicators(&request->noise),
        .outliers = request->noise.outliers,
        .states = request->states.made,
        .star = &request->star,
        .progress = watched_call_progress,
        .progress_context = &call,
    };
    return watched_call_end(&call, equant_search(dataset, &options, periodogram));
}

static int draw_picture(const struct search_request *request, const struct search_report *report)
{
    const struct search_picture picture = {.periodogram = report->periodogram,
                                           .n_known = report->n_known,
                                           .is_circular = report->is_circular};
    return search_picture_draw(&picture, request->out, request->pictures.format);
}

static int write_report(const struct search_request *request, const struct search_report *report)
{
    int written = EXIT_CODE_OK;
    if (request->out != NULL) {
        written = search_report_tables(report, request->out);
        if (written == EXIT_CODE_OK && !request->pictures.has_none)
            written = draw_picture(request, report);
    }
    /* A result that could not be kept is shown all the same. */
    int printed = request->as_json ? search_report_json(report) : search_report_text(report);
    return written != EXIT_CODE_OK ? written : printed;
}

static int run_search(const struct search_request *request, const equant_dataset *dataset)
{
    struct known_planets known = {0};
    equant_periodogram *periodogram = NULL;
    int code = EXIT_CODE_OK;
    if (request->known != NULL)
        code = known_planets_read(&known, request->known, dataset);
    if (code == EXIT_CODE_OK && request->out != NULL)
        code = output_folder_create(request->out);
    if (code == EXIT_CODE_OK)
        code = search(request, dataset, &known, &periodogram);
    if (code == EXIT_CODE_OK) {
        struct search_report report = {.dataset = dataset,
                                       .periodogram = periodogram,
                                       .n_known = equant_periodogram_n_known(periodogram),
                                       .is_circular =
                                           equant_periodogram_is_circular(periodogram) != 0,
                                       .n_draws = request->n_draws};
        code = write_report(request, &report);
    }
    equant_periodogram_free(periodogram);
    known_planets_free(&known);
    return code;
}

static int run_sky(const char *command, const struct search_request *request,
                   const struct file_list *files)
{
    const struct sky_search_request asked = {.sky = &request->sky,
                                             .range = &request->range,
                                             .source = &request->source,
                                             .n_peaks = request->n_peaks,
                                             .as_json = request->as_json,
                                             .out = request->out,
                                             .pictures = &request->pictures};
    int code = sky_request_refuse(command, request->velocity_only);
    return code == EXIT_CODE_OK ? sky_search_run(command, &asked, files) : code;
}

static struct search_request search_request_default(void)
{
    return (struct search_request){.source = data_source_default(),
                                   .range = search_range_default(),
                                   .star = {.struct_size = sizeof(equant_star)},
                                   .n_peaks = 10};
}

static int parse_star_file(int argc, char **argv, struct search_request *request,
                           struct file_list *files)
{
    const struct star_options into = {&command_options, "search", request, &request->states,
                                      &request->source};
    states_request_free(&request->states);
    data_source_free(&request->source);
    *request = search_request_default();
    return star_options_parse(&into, argc, argv, files);
}

static int parse(int argc, char **argv, struct search_request *request, struct file_list *files)
{
    int code = option_table_parse(&command_options, argc, argv, request, files);
    if (code == EXIT_CODE_OK && star_options_is_meant(files))
        code = parse_star_file(argc, argv, request, files);
    if (code == EXIT_CODE_OK)
        code = states_request_take(&request->states, files);
    request->source.states = request->states.made;
    if (code == EXIT_CODE_OK)
        code = sky_request_settle(argv[0], &request->sky, files, &request->star);
    if (code == EXIT_CODE_OK)
        code = search_range_check(argv[0], &request->range);
    if (code == EXIT_CODE_OK)
        code = noise_request_check(argv[0], &request->noise);
    if (code == EXIT_CODE_OK)
        code = picture_options_check(&request->pictures);
    if (code == EXIT_CODE_OK)
        code = output_check_folder(argv[0], request->out, search_report_members);
    return code;
}

static int run_velocities(const char *command, struct search_request *request,
                          const struct file_list *files)
{
    equant_dataset *dataset = NULL;
    int code = data_source_load_and_warn(command, &request->source, files, &dataset);
    if (code != EXIT_CODE_OK)
        return code;
    interrupt_watch();
    char learnt[NOISE_REQUEST_TEXT_SIZE];
    code = noise_request_learn(&request->noise, &dataset, learnt);
    if (code == EXIT_CODE_OK && learnt[0] != '\0')
        messages_note("%s", learnt);
    if (code == EXIT_CODE_OK)
        code = run_search(request, dataset);
    equant_dataset_free(dataset);
    return code;
}

int command_search(int argc, char **argv)
{
    struct search_request request = search_request_default();
    struct file_list files;
    if (option_table_helps(&command_options, argc, argv))
        return EXIT_CODE_OK;
    int code = parse(argc, argv, &request, &files);
    if (code == EXIT_CODE_OK)
        code = sky_request_is_meant(&files) ? run_sky(argv[0], &request, &files)
                                            : run_velocities(argv[0], &request, &files);
    states_request_free(&request.states);
    data_source_free(&request.source);
    return code;
}
