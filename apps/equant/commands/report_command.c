/* equant report: one page about a star, from what fit and sample left in a folder. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "drawing/plot.h"
#include "files/input_file.h"
#include "files/output_check.h"
#include "files/output_file.h"
#include "files/output_folder.h"
#include "options/option_table.h"
#include "options/star_request.h"
#include "page/report_page.h"
#include "page/sky_page.h"
#include "planning/future_times.h"
#include "platform/system_clock.h"
#include "platform/system_file.h"
#include "posteriors/planet_pairs.h"
#include "results/fit_archive.h"
#include "results/fit_folder.h"
#include "results/sample_folder.h"
#include "sky/sky_folder.h"
#include "stars/conditional_noise.h"
#include "stars/posterior_result.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "terminal/plain_text.h"
#include "terminal/watched_call.h"

struct report_request {
    const char *source; /* a folder, or the file of a run */
    bool is_folder;
    const char *out, *star, *next_start;
    char *target; /* where the page goes */
    struct text_list references;
    bool is_eccentric, has_no_periodograms;
};

#define OPTIONS_OF struct report_request
static const struct option_row option_rows[] = {
    {"out", "FILE", OPTION_TEXT(out), "output file; default: DIR/report.html"},
    {"star", "NAME", OPTION_TEXT(star), "name of the star; default: from the names of its files"},
    {"next-start", "T", OPTION_TEXT(next_start),
     "start of the section 'What comes next', in the days of the\n"
     "data, or a UTC date such as 2026-11-16; default: today, or\n"
     "the last observation if that is later"},
    {"reference", "TEXT", OPTION_LIST(references),
     "a paper that published the data; may be repeated"},
    {"eccentric", NULL, OPTION_FLAG(is_eccentric),
     "periodograms with eccentric orbits, which take longer"},
    {"no-periodograms", NULL, OPTION_FLAG(has_no_periodograms), "omits the periodograms"},
    OPTION_HELP_ROW,
    {0}};

static const struct option_table command_options = {
    .usage = {"DIR [OPTIONS]", "RUN.nc [OPTIONS]"},
    .about =
        "Writes one HTML page about a star: planets, velocities, phase curves, periodograms,\n"
        "residuals, the posterior with its diagnostics, the commands that reproduce the page,\n"
        "and references; for astrometry, orbits and the path on the sky. The page is one file\n"
        "and needs no network. DIR is the --out folder of `equant fit`, of `equant sample` or\n"
        "of both.",
    .sections = {{"Options", option_rows, 0}},
    .example = "equant fit --demo --star-mass 0.87 --planets 2 --out hd164922\n"
               "equant sample --demo --star-mass 0.87 --planets 2 --out hd164922\n"
               "equant report hd164922",
};

/* What a page is made from; all of it is freed at the end. */
struct material {
    struct fit_archive fit;
    bool has_fit;
    equant_posterior *posterior;
    struct star_result sampled; /* the best draw, where there is no fit */
    double *whitened;           /* residuals with correlated noise; NULL: it is white */
    size_t *run_planets;        /* as report_contents has them */
    bool quotes_run;
    double next_start_days;
    equant_periodogram *data_periodogram, *residual_periodogram;
};

static int parse(int argc, char **argv, struct report_request *request)
{
    struct file_list files;
    int code = option_table_parse(&command_options, argc, argv, request, &files);
    if (code != EXIT_CODE_OK)
        return code;
    if (files.n != 1)
        return messages_usage(argv[0], files.n == 0 ? "a report of what? Name the folder of a fit "
                                                      "or a run, or the file of a run"
                                                    : "a report is of one folder or one file");
    request->source = files.paths[0];
    return EXIT_CODE_OK;
}

/* ---- where the page goes ------------------------------------------------------------------------
 */

/* In the folder, or beside the file of the run. */
static char *default_target(const struct report_request *request)
{
    static const char name[] = "report.html";
    const char *source = request->source, *slash = strrchr(source, '/');
    size_t n = strlen(source);
    if (!request->is_folder)
        n = slash != NULL ? (size_t)(slash - source) + 1 : 0;
    bool wants_slash = request->is_folder && source[n - 1] != '/';
    char *target = malloc(n + 1 + sizeof name);
    if (target != NULL)
        sprintf(target, "%.*s%s%s", (int)n, source, wants_slash ? "/" : "", name);
    return target;
}

static const struct output_kind page_kind = OUTPUT_KIND(
    "a page of `equant report`",
    "<!doctypehtml><htmllang=\"en\"><head><metacharset=\"utf-8\"><metaname=\"viewport\""
    "content=\"width=device-width,initial-scale=1\"><metaname=\"generator\"content=\"equant");

/* None of the files that are read, and no other than a page. */
static int check_target(const char *command, struct report_request *request)
{
    static const char *const read[] = {FIT_FOLDER_MARK, FIT_FOLDER_ORIGIN, "residuals.ecsv",
                                       SAMPLE_FOLDER_RUN, NULL};
    request->target = request->out != NULL ? strdup(request->out) : default_target(request);
    if (request->target == NULL)
        return messages_out_of_memory();
    int code = EXIT_CODE_OK;
    for (size_t i = 0; request->is_folder && read[i] != NULL && code == EXIT_CODE_OK; i++) {
        char *path = output_folder_join(request->source, read[i]);
        code = path == NULL ? EXIT_CODE_FAILED : EXIT_CODE_OK;
        input_file_note(path);
        free(path);
    }
    return code == EXIT_CODE_OK ? output_check_file(command, request->target, &page_kind) : code;
}

/* ---- what there is ------------------------------------------------------------------------------
 */

static int open_run(const char *path, struct material *material)
{
    input_file_note(path);
    equant_status status = equant_posterior_open(path, &material->posterior);
    return messages_status(status);
}

/* A fit, a run, or both. */
static int open_folder(const char *folder, struct material *material)
{
    int code = EXIT_CODE_OK;
    char *path = output_folder_join(folder, SAMPLE_FOLDER_RUN);
    if (path == NULL)
        return EXIT_CODE_FAILED;
    material->has_fit = fit_archive_is_there(folder);
    bool has_run = system_file_exists(path);
    if (!material->has_fit && !has_run)
        code = messages_failure("%s: here is neither fit.json nor run.nc; make one with --out of "
                                "`equant fit` or `equant sample`",
                                folder);
    if (material->has_fit)
        code = fit_archive_read(folder, &material->fit);
    if (code == EXIT_CODE_OK && has_run)
        code = open_run(path, material);
    free(path);
    return code;
}

static bool has_same_data(const equant_dataset *a, const equant_dataset *b)
{
    size_t n = equant_dataset_n_obs(a), n_bytes = n * sizeof(double);
    return n == equant_dataset_n_obs(b) &&
           memcmp(equant_dataset_times_days(a), equant_dataset_times_days(b), n_bytes) == 0 &&
           memcmp(equant_dataset_velocities_m_s(a), equant_dataset_velocities_m_s(b), n_bytes) == 0;
}

static int check_pair(const char *source, const struct material *material)
{
    if (!material->has_fit || material->posterior == NULL ||
        has_same_data(material->fit.star.dataset, equant_posterior_dataset(material->posterior)))
        return EXIT_CODE_OK;
    return messages_failure("%s: the fit and the run in it are of different data", source);
}

static int whiten(struct material *material)
{
    const struct star_result *star = material->has_fit ? &material->fit.star : &material->sampled;
    if (star->noise.n_parameters == 0)
        return EXIT_CODE_OK;
    material->whitened = calloc(star->summary.n_obs, sizeof *material->whitened);
    return material->whitened == NULL ? messages_out_of_memory()
                                      : conditional_noise_whiten(star, material->whitened);
}

/* Tables quote the run where it has converged and has all planets of the fit. */
static int pair_planets(struct material *material)
{
    const struct star_result *star = material->has_fit ? &material->fit.star : &material->sampled;
    equant_posterior_summary facts = {.struct_size = sizeof facts};
    material->run_planets = calloc(star->n_planets + 1, sizeof *material->run_planets);
    if (material->run_planets == NULL)
        return messages_out_of_memory();
    if (material->posterior == NULL)
        return EXIT_CODE_OK;
    material->quotes_run = true;
    for (size_t i = 0; i < star->n_planets; i++)
        material->run_planets[i] = i + 1;
    if (!material->has_fit)
        return EXIT_CODE_OK;
    int code = messages_status(equant_posterior_summarize(material->posterior, &facts));
    if (code == EXIT_CODE_OK)
        code = planet_pairs_find(star, material->posterior, material->run_planets);
    material->quotes_run = facts.end == EQUANT_END_CONVERGED;
    for (size_t i = 0; i < star->n_planets; i++)
        material->quotes_run = material->quotes_run && material->run_planets[i] > 0;
    return code;
}

/* A Julian date as the data count days; NaN where their times are no dates. */
static double as_data_count(const equant_dataset *dataset, double jd)
{
    const double shortened_by = 2400000.0, half_a_day = 0.5;
    bool is_modified = strcmp(equant_dataset_time_name(dataset), "MJD") == 0;
    switch (ticks_calendar_of(equant_dataset_times_days(dataset)[0])) {
    case TICKS_JULIAN_DATE:
        return jd;
    case TICKS_SHORTENED_DATE:
        return jd - shortened_by - (is_modified ? half_a_day : 0.0);
    case TICKS_NO_DATE:
        break;
    }
    return NAN;
}

/* Today, unless it was asked for, and not before the data end. */
static int find_next_start(const struct report_request *request, struct material *material)
{
    const double epoch_jd = 2440587.5, seconds_per_day = 86400.0;
    double asked = NAN;
    if (material->posterior == NULL)
        return EXIT_CODE_OK;
    const equant_dataset *dataset = equant_posterior_dataset(material->posterior);
    double last = equant_dataset_times_days(dataset)[equant_dataset_n_obs(dataset) - 1];
    double today = floor(epoch_jd + system_clock_utc_s() / seconds_per_day);
    material->next_start_days = fmax(last, as_data_count(dataset, today));
    if (request->next_start == NULL)
        return EXIT_CODE_OK;
    int code = future_times_read("report", "next-start", request->next_start, &asked);
    if (code != EXIT_CODE_OK)
        return code;
    bool is_date = ticks_calendar_of(asked) == TICKS_JULIAN_DATE;
    material->next_start_days = is_date ? as_data_count(dataset, asked) : asked;
    if (isnan(material->next_start_days))
        return messages_usage("report", "--next-start: the times of this run are no dates; give a "
                                        "number of days as they count them");
    return EXIT_CODE_OK;
}

static int load(struct report_request *request, struct material *material)
{
    system_file_facts facts;
    if (!system_file_find(request->source, &facts))
        return messages_file("open", request->source);
    request->is_folder = facts.is_folder;
    int code = check_target("report", request);
    if (code == EXIT_CODE_OK)
        code = request->is_folder ? open_folder(request->source, material)
                                  : open_run(request->source, material);
    if (code == EXIT_CODE_OK)
        code = check_pair(request->source, material);
    if (code == EXIT_CODE_OK && !material->has_fit)
        code = posterior_result_create(material->posterior, &material->sampled);
    if (code == EXIT_CODE_OK)
        code = pair_planets(material);
    if (code == EXIT_CODE_OK)
        code = find_next_start(request, material);
    return code == EXIT_CODE_OK ? whiten(material) : code;
}

static void release(struct material *material)
{
    fit_archive_free(&material->fit);
    star_result_free(&material->sampled);
    free(material->whitened);
    free(material->run_planets);
    equant_posterior_free(material->posterior);
    equant_periodogram_free(material->data_periodogram);
    equant_periodogram_free(material->residual_periodogram);
}

/* ---- periodograms
 * ---------------------------------------------------------------------------------- */

/* From half a day to twice the span, and around all planets. */
static struct plot_axis choose_periods(const struct star_result *star)
{
    const double usual_days = 0.5, margin = 1.25;
    struct plot_axis axis = {usual_days, 2.0 * star_result_span_days(star), true};
    for (size_t i = 0; i < star->n_planets; i++) {
        axis.low = fmin(axis.low, star->planets[i].values[EQUANT_ELEMENT_PERIOD] / margin);
        axis.high = fmax(axis.high, star->planets[i].values[EQUANT_ELEMENT_PERIOD] * margin);
    }
    return axis;
}

/* Beside the planets of the star, or none of them. Data that are too few for a periodogram are
 * worth a page without one. */
static int search(const struct report_request *request, const struct star_result *star,
                  size_t n_planets, const double *planets, equant_periodogram **made)
{
    struct plot_axis periods = choose_periods(star);
    struct watched_call call = watched_call_start("");
    equant_search_options options = {.struct_size = sizeof options,
                                     .period_min_days = periods.low,
                                     .period_max_days = periods.high,
                                     .circular_only = !request->is_eccentric,
                                     .n_known = n_planets,
                                     .known = planets,
                                     .progress = watched_call_progress,
                                     .progress_context = &call};
    equant_status status = equant_search(star->dataset, &options, made);
    int code =
        watched_call_end(&call, status == EQUANT_ERROR_INVALID_ARGUMENT ? EQUANT_SUCCESS : status);
    if (status == EQUANT_ERROR_INVALID_ARGUMENT)
        messages_warning("there is no periodogram: %s", equant_last_error());
    return code;
}

static int search_both(const struct report_request *request, const struct star_result *star,
                       struct material *material)
{
    double *elements = calloc(star->n_planets + 1, EQUANT_N_ELEMENTS * sizeof *elements);
    if (elements == NULL)
        return messages_out_of_memory();
    for (size_t i = 0; i < star->n_planets; i++)
        memcpy(elements + i * EQUANT_N_ELEMENTS, star->planets[i].values,
               EQUANT_N_ELEMENTS * sizeof *elements);
    int code = search(request, star, 0, NULL, &material->data_periodogram);
    if (code == EXIT_CODE_OK && material->data_periodogram != NULL && star->n_planets > 0)
        code = search(request, star, star->n_planets, elements, &material->residual_periodogram);
    free(elements);
    return code;
}

/* ---- the page
 * --------------------------------------------------------------------------------------- */

/* Of a run, where there is one. */
static const char *provenance_of(const struct material *material, const char *name)
{
    return material->posterior != NULL ? posterior_result_provenance(material->posterior, name)
                                       : NULL;
}

static bool is_demonstration(const equant_dataset *dataset)
{
    equant_dataset *demonstration = NULL;
    bool is_same = equant_dataset_demonstration(&demonstration) == EQUANT_SUCCESS &&
                   has_same_data(dataset, demonstration);
    equant_dataset_free(demonstration);
    return is_same;
}

static const char *star_name(const struct report_request *request, const struct material *material,
                             bool is_demonstration_star)
{
    const char *of_run = provenance_of(material, "star_name");
    if (request->star != NULL)
        return request->star;
    if (is_demonstration_star)
        return "HD 164922";
    if (material->has_fit && material->fit.star_name != NULL)
        return material->fit.star_name;
    return of_run != NULL ? of_run : "";
}

/* The star as the fit or the run knows it. */
static equant_star host_star(const struct material *material)
{
    equant_star star = {.struct_size = sizeof star};
    if (material->has_fit)
        return material->fit.host;
    for (size_t i = 0; star_request_name(i) != NULL; i++) {
        const char *of_run = provenance_of(material, star_request_name(i));
        if (of_run != NULL)
            *star_request_number(&star, i) = strtod(of_run, NULL);
    }
    return star;
}

static void tell_target(const struct report_request *request)
{
    plain_text_write(stdout, request->target);
    putchar('\n');
}

static int write_page(const struct report_request *request, const struct report_contents *contents)
{
    struct output_file file;
    int code = output_file_open_path(&file, request->target, &page_kind);
    if (code == EXIT_CODE_OK)
        code = output_file_close(&file, report_page_write(file.stream, contents));
    if (code == EXIT_CODE_OK)
        tell_target(request);
    return code;
}

/* The first and the last Julian date of rows on the sky. */
static void span_of(size_t n, const double *time_days, double reference_jd, double ends[2])
{
    ends[0] = INFINITY;
    ends[1] = -INFINITY;
    for (size_t k = 0; k < n; k++) {
        ends[0] = fmin(ends[0], reference_jd + time_days[k]);
        ends[1] = fmax(ends[1], reference_jd + time_days[k]);
    }
}

/* Single CCDs and the means of their transits are the same data: they begin and end together. */
static bool is_of_star(const equant_sky_posterior *run, const struct sky_star *star)
{
    const double same_days = 0.1;
    equant_sky_rows rows = {.struct_size = sizeof rows};
    double of_fit[2], of_run[2];
    if (equant_astrometry_rows(equant_sky_posterior_source(run), &rows) != EQUANT_SUCCESS)
        return false;
    span_of(star->scans.n_rows, star->scans.column[SKY_SCAN_TIME], star->summary.reference_jd,
            of_fit);
    span_of(rows.n_rows, rows.time_days,
            equant_astrometry_reference_jd(equant_sky_posterior_source(run)), of_run);
    return fabs(of_fit[0] - of_run[0]) < same_days && fabs(of_fit[1] - of_run[1]) < same_days;
}

/* The run beside a fit of astrometry; NULL where there is none. */
static int open_sky_run(const char *folder, const struct sky_star *star, equant_sky_posterior **run)
{
    int code = EXIT_CODE_OK;
    char *path = output_folder_join(folder, SAMPLE_FOLDER_RUN);
    if (path == NULL)
        return EXIT_CODE_FAILED;
    if (system_file_exists(path)) {
        input_file_note(path);
        code = messages_status(equant_sky_posterior_open(path, run));
        if (code == EXIT_CODE_OK && !is_of_star(*run, star))
            code = messages_failure("%s: the fit and the run in it are of different data", folder);
    }
    free(path);
    return code;
}

/* A page of astrometry, whose folder is another. */
static int run_sky(struct report_request *request, const char *typed)
{
    struct sky_star star = {0};
    equant_sky_posterior *posterior = NULL;
    struct fit_archive origin = {0};
    struct output_file file;
    request->is_folder = true;
    int code = check_target("report", request);
    if (code == EXIT_CODE_OK)
        code = sky_folder_read(request->source, &star);
    if (code == EXIT_CODE_OK)
        code = fit_archive_read_origin(request->source, &origin);
    if (code == EXIT_CODE_OK)
        code = open_sky_run(request->source, &star, &posterior);
    if (code == EXIT_CODE_OK)
        code = output_file_open_path(&file, request->target, &page_kind);
    if (code == EXIT_CODE_OK) {
        const char *name = request->star != NULL ? request->star : origin.star_name;
        const struct sky_page contents = {.star = &star,
                                          .star_name = name != NULL ? name : "",
                                          .star_mass = origin.host.mass,
                                          .command = origin.command,
                                          .version = origin.version,
                                          .run = posterior,
                                          .typed = typed,
                                          .references = &request->references};
        code = output_file_close(&file, sky_page_write(file.stream, &contents));
    }
    if (code == EXIT_CODE_OK)
        tell_target(request);
    fit_archive_free(&origin);
    equant_sky_posterior_free(posterior);
    sky_star_free(&star);
    return code;
}

static int run(struct report_request *request, const char *typed)
{
    struct material material = {0};
    if (sky_folder_is_there(request->source))
        return run_sky(request, typed);
    int code = load(request, &material);
    const struct star_result *star = material.has_fit ? &material.fit.star : &material.sampled;
    if (code == EXIT_CODE_OK && !request->has_no_periodograms)
        code = search_both(request, star, &material);
    if (code == EXIT_CODE_OK) {
        bool is_known = is_demonstration(star->dataset);
        struct report_contents contents = {.star_name = star_name(request, &material, is_known),
                                           .host = host_star(&material),
                                           .star = star,
                                           .fit = material.has_fit ? &material.fit : NULL,
                                           .posterior = material.posterior,
                                           .run_planets = material.run_planets,
                                           .quotes_run = material.quotes_run,
                                           .next_start_days = material.next_start_days,
                                           .whitened = material.whitened,
                                           .data_periodogram = material.data_periodogram,
                                           .residual_periodogram = material.residual_periodogram,
                                           .is_eccentric = request->is_eccentric,
                                           .is_demonstration = is_known,
                                           .references = &request->references,
                                           .typed = typed};
        code = write_page(request, &contents);
    }
    release(&material);
    return code;
}

int command_report(int argc, char **argv)
{
    struct report_request request = {0};
    if (option_table_helps(&command_options, argc, argv))
        return EXIT_CODE_OK;
    char *typed = command_line_typed(argc, argv);
    int code = typed == NULL ? messages_out_of_memory() : parse(argc, argv, &request);
    if (code == EXIT_CODE_OK) {
        interrupt_watch();
        code = run(&request, typed);
    }
    text_list_free(&request.references);
    free(request.target);
    free(typed);
    return code;
}
