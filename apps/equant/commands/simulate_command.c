/* equant simulate: a data file from an orbit, for tests and experiments. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "files/output_check.h"
#include "files/output_file.h"
#include "terminal/messages.h"
#include "inputs/observation_times.h"
#include "options/option_table.h"
#include "inputs/orbit_table.h"
#include "inputs/simulated_noise.h"
#include "sky/sky_simulation.h"

struct simulate_request {
    const char *orbits, *times, *out, *instrument;
    const char *noise_terms; /* NULL: white noise alone */
    uint64_t row, seed;
    size_t n_obs;
    double start_days, cadence_days, reference_time_days; /* NaN, 0, NaN: not given */
    bool jitters_times;
    double noise_m_s; /* white */
    double uncertainty_m_s, offset_m_s;
    bool has_instrument;
    struct sky_simulation sky;
};

static int take_instrument(const char *command, char *argument, void *into)
{
    struct simulate_request *request = into;
    request->instrument = argument;
    request->has_instrument = true;
    if (argument[0] == '\0' || argument[strcspn(argument, " \t,;#\"")] != '\0')
        return messages_usage(command,
                              "--instrument wants a name without blanks, commas, "
                              "quotes or #, not '%s'",
                              argument);
    return EXIT_CODE_OK;
}

static int take_white(const char *command, char *argument, void *into)
{
    struct simulate_request *request = into;
    int code = command_line_number(command, "white", argument, &request->noise_m_s);
    if (code == EXIT_CODE_OK && request->noise_m_s < 0.0)
        code = messages_usage(command, "--white cannot be negative, as %s is", argument);
    return code;
}

static int take_terms(const char *command, const char *text, struct simulate_request *request)
{
    equant_noise *noise;
    request->noise_terms = text;
    if (strchr(text, '@') != NULL) /* who that is, is not known yet */
        return EXIT_CODE_OK;
    if (equant_noise_create(text, &noise) != EQUANT_SUCCESS)
        return messages_usage(command, "--noise: %s", equant_last_error());
    equant_noise_free(noise);
    return EXIT_CODE_OK;
}

/* A number is white noise; words are terms. */
static int take_noise(const char *command, char *argument, void *into)
{
    struct simulate_request *request = into;
    if (isalpha((unsigned char)argument[strspn(argument, " ")]))
        return take_terms(command, argument, request);
    int code = command_line_number(command, "noise", argument, &request->noise_m_s);
    if (code == EXIT_CODE_OK && request->noise_m_s < 0.0)
        code = messages_usage(command, "--noise cannot be negative, as %s is", argument);
    return code;
}

#define OPTIONS_OF struct simulate_request
static const struct option_row orbit_rows[] = {
    {"orbits", "FILE", OPTION_FILE(orbits), "the table of orbits; - for standard input"},
    {"row", "N", OPTION_COUNT(row, 1, UINT64_MAX), "row of the table; default: 1"},
    {"t-ref", "T", OPTION_NUMBER(reference_time_days),
     "reference time; default: near the middle of the times"},
    {0}};

static const struct option_row time_rows[] = {
    {"times", "FILE", OPTION_FILE(times),
     "file with times in its first column; a heading is skipped"},
    {"start", "T --n-obs N --cadence DAYS", OPTION_NUMBER(start_days),
     "N evenly spaced times, starting at T"},
    {"n-obs", "N", OPTION_COUNT(n_obs, 1, 100000000), NULL},
    {"cadence", "DAYS", OPTION_POSITIVE(cadence_days), NULL},
    {"jitter-times", NULL, OPTION_FLAG(jitters_times), "moves each time by up to half a cadence"},
    {0}};

static const struct option_row velocity_rows[] = {
    {"noise", "SIGMA|TERMS", OPTION_CALL(take_noise),
     "Gaussian noise in m/s, to which a column jitter_m_s_1 is\n"
     "added in quadrature; or correlated noise:\n"
     "'night(amplitude=1.5),matern32(amplitude=2,decay=5)'.\n"
     "Default: 0"},
    {"white", "SIGMA", OPTION_CALL(take_white), "white noise besides such terms, m/s; default: 0"},
    {"uncertainty", "S", OPTION_POSITIVE(uncertainty_m_s),
     "stated uncertainty; default: the white noise, or 1 m/s\n"
     "without it"},
    {"offset", "V", OPTION_NUMBER(offset_m_s), "added to all velocities, m/s; default: 0"},
    {"instrument", "NAME", OPTION_CALL(take_instrument),
     "name of the instrument; default: simulated"},
    {0}};

static const struct option_row result_rows[] = {
    {"seed", "S", OPTION_COUNT(seed, 0, UINT64_MAX),
     "seed of the random numbers; the same seed gives the same\n"
     "file. Default: 1"},
    {"out", "FILE", OPTION_TEXT(out), "output file; default: standard output"},
    {0}};

static const struct option_table command_options = {
    .usage = {"--orbits ORBITS.csv --times FILE [OPTIONS]",
              "--orbits ORBITS.csv --start T --n-obs N --cadence DAYS [OPTIONS]",
              "--gaia FILE [OPTIONS]"},
    .about = "Simulates velocities of a star with these planets and noise, as a table\n"
             "time,mnvel,errvel,tel that `equant data` and RadVel read. The table of orbits is\n"
             "that of `equant evaluate`. M0 is the mean anomaly at the reference time; without\n"
             "--t-ref this is the one that `equant data` chooses for the output file, so that\n"
             "`equant evaluate` with the same table fits it. With --gaia it simulates Gaia\n"
             "astrometry along given scans, as a table that `equant fit` and `equant catalogue`\n"
             "read; M0 is then that of J2017.5.",
    .sections = {{"The orbit", orbit_rows, 0},
                 {"The times", time_rows, 0},
                 {"The velocities", velocity_rows, 0},
                 {"Astrometry", sky_simulation_rows, offsetof(struct simulate_request, sky)},
                 {"The file", result_rows, 0},
                 {"", option_table_help_rows, 0}},
    .example = "equant simulate --orbits orbits.csv --start 2460000 --n-obs 50 --cadence 7 \\\n"
               "    --jitter-times --noise 2 --seed 42 --out simulated.csv\n"
               "equant simulate --gaia gost.csv --magnitude 12 --parallax 20 \\\n"
               "    --companion P=900,a0=0.3,e=0.2,i=60 --out epochs.csv",
};

static const struct output_kind epochs_kind =
    OUTPUT_KIND("epochs of `equant simulate`", "source_id,transit_id,jd_tcb,w_mas");
static const struct output_kind data_kind =
    OUTPUT_KIND("data of `equant simulate`", "time,mnvel,errvel,tel");

/* Of astrometry: nothing of velocities beside it. */
static int check_sky(const char *command, const struct simulate_request *request)
{
    bool has_velocities = request->orbits != NULL || request->times != NULL ||
                          !isnan(request->start_days) || request->n_obs > 0 ||
                          request->cadence_days > 0.0 || request->noise_m_s > 0.0 ||
                          request->noise_terms != NULL || request->has_instrument ||
                          request->offset_m_s != 0.0 || request->uncertainty_m_s > 0.0;
    if (has_velocities)
        return messages_usage(command, "--gaia simulates astrometry: options of velocities and "
                                       "their orbits do not go with it");
    return output_check_file(command, request->out, &epochs_kind);
}

/* Without it: none of its options. */
static bool has_sky(const struct sky_simulation *sky)
{
    return sky->source_id != 0 || !isnan(sky->magnitude) || sky->error_mas > 0.0 ||
           sky->excess_mas > 0.0 || sky->parallax_mas != 0.0 || sky->pm_ra_mas_yr != 0.0 ||
           sky->pm_dec_mas_yr != 0.0 || sky->companions.n > 0 || sky->bias != NULL ||
           sky->n_sources > 1;
}

/* Options that are fine one by one and make no sense together. */
static int check(const char *command, const struct simulate_request *request)
{
    bool has_start = !isnan(request->start_days), has_cadence = request->cadence_days > 0.0;
    bool has_all = has_start && has_cadence && request->n_obs > 0;
    bool has_some = has_start || has_cadence || request->n_obs > 0;
    if (request->sky.scans != NULL)
        return check_sky(command, request);
    if (has_sky(&request->sky))
        return messages_usage(command, "companions, parallax, magnitude and the like are of "
                                       "astrometry: name its scans with --gaia");
    if (request->orbits == NULL)
        return messages_usage(command, "no orbits: name their table with --orbits");
    if (request->times != NULL && (has_some || request->jitters_times))
        return messages_usage(command, "--times stands in place of --start, --n-obs, --cadence "
                                       "and --jitter-times");
    if (request->times == NULL && !has_all)
        return messages_usage(command, "no times: give --times, or --start, --n-obs and "
                                       "--cadence together");
    return output_check_file(command, request->out, &data_kind);
}

static int parse(int argc, char **argv, struct simulate_request *request)
{
    struct file_list files;
    int code = option_table_parse(&command_options, argc, argv, request, &files);
    if (code == EXIT_CODE_OK && files.n > 0)
        code = messages_usage(argv[0], "what is '%s'? simulate takes options only", files.paths[0]);
    return code == EXIT_CODE_OK ? check(argv[0], request) : code;
}

/* One parameter set, the chosen row, into a new array. */
static int read_orbit(struct orbit_table *table, uint64_t row, double **parameters)
{
    size_t n_rows = 0;
    int code = orbit_table_skip(table, row - 1);
    if (code != EXIT_CODE_OK)
        return code;
    *parameters = calloc(table->n_parameters, sizeof **parameters);
    if (*parameters == NULL)
        return messages_out_of_memory();
    code = orbit_table_read(table, 1, *parameters, &n_rows);
    if (code == EXIT_CODE_OK && n_rows == 0)
        code = table->interrupted ? EXIT_CODE_INTERRUPTED
                                  : messages_failure("%s: the table ends after row %" PRIu64,
                                                     table->reader.name, row - 1);
    return code;
}

/* A data set with the times and no velocities yet: what the model is asked at. */
static int make_dataset(const struct simulate_request *request, equant_dataset **dataset)
{
    struct observation_times times = {0};
    double *velocities = NULL, *uncertainties = NULL;
    int code =
        request->times != NULL
            ? observation_times_read(&times, request->times)
            : observation_times_make(&times, request->n_obs, request->start_days,
                                     request->cadence_days, request->jitters_times, request->seed);
    if (code == EXIT_CODE_OK) {
        velocities = calloc(times.n, sizeof *velocities);
        uncertainties = calloc(times.n, sizeof *uncertainties);
        if (velocities == NULL || uncertainties == NULL)
            code = messages_out_of_memory();
    }
    if (code == EXIT_CODE_OK) {
        for (size_t k = 0; k < times.n; k++)
            uncertainties[k] = request->uncertainty_m_s;
        equant_dataset_options options = {
            .struct_size = sizeof options,
            .has_reference_time = !isnan(request->reference_time_days),
            .reference_time_days = request->reference_time_days,
        };
        equant_status status =
            equant_dataset_from_arrays(times.n, times.days, velocities, uncertainties, NULL, 1,
                                       &request->instrument, &options, dataset);
        code = messages_status(status);
    }
    observation_times_free(&times);
    free(velocities);
    free(uncertainties);
    return code;
}

static int predict(const equant_dataset *dataset, const struct orbit_table *table,
                   const double *parameters, double *velocities)
{
    equant_evaluator *evaluator;
    double chi_square;
    equant_results results = {
        .struct_size = sizeof results, .chi_square = &chi_square, .velocities = velocities};
    equant_status status = equant_evaluator_create(dataset, table->model, NULL, &evaluator);
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    status = equant_evaluator_evaluate(evaluator, 1, parameters, &results);
    equant_evaluator_free(evaluator);
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    if (!isfinite(velocities[0]))
        return messages_failure("%s:%zu: this is no orbit: 0 <= e < 1, period > 0, jitter >= 0 "
                                "and finite numbers are wanted",
                                table->reader.name, table->reader.number);
    return EXIT_CODE_OK;
}

/* Scatter beyond the stated noise: the jitter column, the last there is. */
static double total_noise_m_s(double noise_m_s, const struct orbit_table *table,
                              const double *parameters)
{
    size_t last = table->n_parameters - 1;
    const char *name = equant_model_parameter_name(table->model, last);
    return strcmp(name, "jitter_m_s_1") == 0 ? hypot(noise_m_s, parameters[last]) : noise_m_s;
}

/* As few digits as bring the same number back. */
static void write_number(FILE *out, double value)
{
    char text[32];
    int digits = 15;
    do {
        snprintf(text, sizeof text, "%.*g", digits, value);
    } while (strtod(text, NULL) != value && ++digits <= 17);
    fputs(text, out);
}

static int write_data(const struct simulate_request *request, const equant_dataset *dataset,
                      const double *velocities)
{
    const double *times = equant_dataset_times_days(dataset);
    struct output_file file;
    int code = EXIT_CODE_OK;
    if (request->out != NULL)
        code = output_file_open_path(&file, request->out, &data_kind);
    if (code != EXIT_CODE_OK)
        return code;
    FILE *out = request->out != NULL ? file.stream : stdout;
    fputs("time,mnvel,errvel,tel\n", out);
    for (size_t k = 0; k < equant_dataset_n_obs(dataset); k++) {
        write_number(out, times[k]);
        fputc(',', out);
        write_number(out, velocities[k]);
        fputc(',', out);
        write_number(out, request->uncertainty_m_s);
        fprintf(out, ",%s\n", request->instrument);
    }
    if (request->out != NULL)
        return output_file_close(&file, EXIT_CODE_OK);
    return fflush(out) != 0 ? messages_file("write", "standard output") : EXIT_CODE_OK;
}

static int simulate(const struct simulate_request *request, const struct orbit_table *table,
                    const double *parameters, const equant_dataset *dataset)
{
    size_t n_obs = equant_dataset_n_obs(dataset);
    double sigma_m_s = total_noise_m_s(request->noise_m_s, table, parameters);
    double *velocities = calloc(n_obs, sizeof *velocities);
    double *noise = calloc(n_obs, sizeof *noise);
    int code = velocities == NULL || noise == NULL
                   ? messages_out_of_memory()
                   : predict(dataset, table, parameters, velocities);
    if (code == EXIT_CODE_OK)
        code = simulated_noise_draw(request->noise_terms, sigma_m_s, request->seed, dataset, noise);
    if (code == EXIT_CODE_OK) {
        for (size_t k = 0; k < n_obs; k++)
            velocities[k] += request->offset_m_s + noise[k];
        code = write_data(request, dataset, velocities);
    }
    free(velocities);
    free(noise);
    return code;
}

static int run_velocities(struct simulate_request *request)
{
    if (request->uncertainty_m_s == 0.0)
        request->uncertainty_m_s = request->noise_m_s > 0.0 ? request->noise_m_s : 1.0;

    struct orbit_table table;
    struct orbit_table_options table_options = {.n_instruments = 1};
    int code = orbit_table_open(&table, request->orbits, &table_options);
    if (code != EXIT_CODE_OK)
        return code;
    double *parameters = NULL;
    equant_dataset *dataset = NULL;
    code = read_orbit(&table, request->row, &parameters);
    if (code == EXIT_CODE_OK)
        code = make_dataset(request, &dataset);
    if (code == EXIT_CODE_OK)
        code = simulate(request, &table, parameters, dataset);
    equant_dataset_free(dataset);
    free(parameters);
    orbit_table_close(&table);
    return code;
}

static int run_sky(const char *command, const struct simulate_request *request)
{
    struct output_file file;
    int code = EXIT_CODE_OK;
    if (request->out == NULL) {
        code = sky_simulation_write(command, &request->sky, request->seed, stdout);
        return code == EXIT_CODE_OK && fflush(stdout) != 0
                   ? messages_file("write", "standard output")
                   : code;
    }
    code = output_file_open_path(&file, request->out, &epochs_kind);
    return code != EXIT_CODE_OK
               ? code
               : output_file_close(&file, sky_simulation_write(command, &request->sky,
                                                               request->seed, file.stream));
}

int command_simulate(int argc, char **argv)
{
    struct simulate_request request = {.row = 1,
                                       .seed = 1,
                                       .instrument = "simulated",
                                       .start_days = NAN,
                                       .reference_time_days = NAN,
                                       .sky = sky_simulation_default()};
    if (option_table_helps(&command_options, argc, argv))
        return EXIT_CODE_OK;
    int code = parse(argc, argv, &request);
    if (code == EXIT_CODE_OK)
        code = request.sky.scans != NULL ? run_sky(argv[0], &request) : run_velocities(&request);
    text_list_free(&request.sky.companions);
    return code;
}
