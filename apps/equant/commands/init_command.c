/* equant init: a star file from data, with comments that say what can be written there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "files/output_file.h"
#include "options/data_source.h"
#include "options/star_name.h"
#include "options/star_request.h"
#include "platform/system_file.h"
#include "platform/system_folder.h"
#include "terminal/messages.h"

struct init_command {
    struct data_source source;
    const char *out;
    int n_planets;
    equant_star star;
    bool is_forced;
};

#define OPTIONS_OF struct init_command
static const struct option_row file_rows[] = {
    {"out", "FILE", OPTION_TEXT(out), "output file; default: standard output"},
    {"planets", "N", OPTION_COUNT(n_planets, 0, 20),
     "number of planets in the file, with all parameters free;\n"
     "default: 0: a fit finds as many as the data support"},
    {"force", NULL, OPTION_FLAG(is_forced), "replaces an existing file"},
    {0}};

static const struct option_table command_options = {
    .usage = {"FILE... [--out star.yaml] [OPTIONS]"},
    .about = "Reads data and writes a star file for them: a YAML file for what is known about the\n"
             "star, to be edited and used with `equant fit star.yaml` and `equant sample\n"
             "star.yaml`.",
    .sections = {{"The star file", file_rows, 0},
                 {"The star", star_request_rows, offsetof(struct init_command, star)},
                 {"The data", data_source_rows, offsetof(struct init_command, source)},
                 {"", option_table_help_rows, 0}},
    .example = "equant init velocities.csv --planets 1 --out star.yaml\n"
               "equant fit star.yaml --out fit",
};

/* A text in quotes, where YAML would take it for something else. */
static void write_text(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text != '\0'; text++)
        fprintf(out, *text == '\'' ? "''" : "%c", *text);
    fputc('\'', out);
}

/* A number with its error, where it has one. */
static void write_property(FILE *out, const char *name, double value, double error)
{
    if (value > 0.0)
        fprintf(out, "  %s: %.10g", name, value);
    if (value > 0.0 && error > 0.0)
        fprintf(out, " +- %.10g", error);
    if (value > 0.0)
        fputc('\n', out);
}

/* What is typed goes before what a file says. */
static void write_star(FILE *out, const equant_star *star, double mass_of_file)
{
    if (star->mass > 0.0)
        write_property(out, "mass", star->mass, star->mass_err);
    else if (mass_of_file > 0.0)
        fprintf(out, "  mass: %.10g  # of the file of the data; add its error: %.10g +- 0.05\n",
                mass_of_file, mass_of_file);
    else
        fprintf(out, "  # mass: 1.07 +- 0.06  # solar masses: gives m sin i and a\n");
    write_property(out, "radius", star->radius, star->radius_err);
    write_property(out, "luminosity", star->luminosity, star->luminosity_err);
    write_property(out, "temperature", star->temperature_k, star->temperature_err_k);
}

/* Paths are those from the folder of the star file; where that is another one, whole. */
static int write_path(FILE *out, const char *path, bool is_elsewhere)
{
    char *whole = is_elsewhere ? system_folder_resolve(path) : NULL;
    if (is_elsewhere && whole == NULL)
        return messages_file("read", path);
    fprintf(out, "    - ");
    write_text(out, whole != NULL ? whole : path);
    fputc('\n', out);
    free(whole);
    return EXIT_CODE_OK;
}

/* Nothing where the list is empty. */
static void write_list(FILE *out, const char *name, const struct text_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        if (i == 0)
            fprintf(out, "  %s:\n", name);
        fputs("    - ", out);
        write_text(out, list->texts[i]);
        fputc('\n', out);
    }
}

static void write_planets(FILE *out, int n)
{
    fprintf(out,
            "\n# Planets by letter. A parameter that is not given is free:\n"
            "#   period_days: normal(20.8851, 0.0003)   a prior\n"
            "#   t_conj: 2406.9628                      a value: time of conjunction or transit\n"
            "#   transits: [2406.9628 +- 0.0012]        observed transits\n"
            "#   eccentricity: 0                        a circular orbit\n"
            "#   k_m_s: 0:10                            a range\n"
            "planets:\n");
    for (int i = 0; i < n; i++)
        fprintf(out, "  %c: {}\n", 'b' + i);
}

static void write_instruments(FILE *out, const equant_dataset *dataset)
{
    const int *instrument = equant_dataset_instruments(dataset);
    fprintf(out, "\n# Offsets and jitters are free unless a value is given, such as jitter: 1.5\n"
                 "instruments:\n");
    for (size_t i = 0; i < equant_dataset_n_instruments(dataset); i++) {
        size_t n = 0;
        for (size_t k = 0; k < equant_dataset_n_obs(dataset); k++)
            n += (size_t)instrument[k] == i;
        fprintf(out, "  ");
        write_text(out, equant_dataset_instrument_name(dataset, i));
        fprintf(out, ":  # %zu observations\n    jitter: free\n    offset: free\n", n);
    }
}

static int write_file(FILE *out, const struct init_command *own, const struct file_list *files,
                      const equant_dataset *dataset)
{
    struct star_name guessed = star_name_guess(&own->source, files);
    const char *of_file = equant_dataset_star_name(dataset);
    const double *times = equant_dataset_times_days(dataset);
    size_t n = equant_dataset_n_obs(dataset);
    bool is_elsewhere = own->out != NULL && strchr(own->out, '/') != NULL;
    int code = EXIT_CODE_OK;
    fprintf(out,
            "# A star file of equant: equant fit FILE, equant sample FILE.\n\nstar:\n  name: ");
    write_text(out, of_file[0] != '\0' ? of_file : guessed.text);
    fputc('\n', out);
    write_star(out, &own->star, equant_dataset_star_mass(dataset));
    fprintf(out, "\n# %zu observations over %.1f days.\ndata:\n  files:\n", n,
            times[n - 1] - times[0]);
    for (int i = 0; i < files->n && code == EXIT_CODE_OK; i++)
        code = write_path(out, files->paths[i], is_elsewhere);
    if (own->source.columns != NULL) {
        fprintf(out, "  columns: ");
        write_text(out, own->source.columns);
        fputc('\n', out);
    }
    if (own->source.unit != EQUANT_UNIT_FROM_FILE)
        fprintf(out, "  unit: %s\n", data_source_unit_name(own->source.unit));
    write_list(out, "leave-out", &own->source.leave_out.names);
    write_list(out, "leave-out-times", &own->source.left_out.spans);
    write_list(out, "leave-out-transits", &own->source.left_out.transits);
    fprintf(out, "  t-ref: %.10g  # reference time of the parameters\n",
            equant_dataset_reference_time_days(dataset));
    write_planets(out, own->n_planets);
    write_instruments(out, dataset);
    fprintf(out,
            "\n# none, linear or quadratic; default without planets here: as the data support\n"
            "%strend: none\n"
            "\n# Noise besides jitters: white, auto, or terms such as rotation(period=20:30)\n"
            "# noise: white\n"
            "\n# Options of the commands, by name.\nfit:\n  seed: 1\nsample:\n  seed: 1\n",
            own->n_planets > 0 ? "" : "# ");
    return code;
}

int command_init(int argc, char **argv)
{
    struct init_command own = {.source = data_source_default(),
                               .star = {.struct_size = sizeof own.star}};
    struct file_list files;
    struct output_file target;
    equant_dataset *dataset = NULL;
    if (option_table_helps(&command_options, argc, argv))
        return EXIT_CODE_OK;
    int code = option_table_parse(&command_options, argc, argv, &own, &files);
    if (code == EXIT_CODE_OK && own.source.is_demonstration)
        code = messages_usage(argv[0], "a star file names files of data, and --demo has none");
    if (code == EXIT_CODE_OK && own.out != NULL && !own.is_forced && system_file_exists(own.out))
        code = messages_usage(argv[0], "%s is there already; --force replaces it", own.out);
    if (code == EXIT_CODE_OK)
        code = output_check_file(argv[0], own.out, &output_kind_any);
    if (code == EXIT_CODE_OK)
        code = data_source_load_and_warn(argv[0], &own.source, &files, &dataset);
    if (code == EXIT_CODE_OK && own.out == NULL) {
        code = write_file(stdout, &own, &files, dataset);
    } else if (code == EXIT_CODE_OK) {
        code = output_file_open_path(&target, own.out, &output_kind_any);
        if (code == EXIT_CODE_OK)
            code = output_file_close(&target, write_file(target.stream, &own, &files, dataset));
    }
    equant_dataset_free(dataset);
    data_source_free(&own.source);
    return code;
}
