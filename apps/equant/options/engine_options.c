#include "options/engine_options.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "options/command_line.h"
#include "terminal/messages.h"

const char engine_options_help[] =
    "How to compute:\n"
    "  --precision P       double (default), mixed, single or pair\n"
    "  --solver S          fast (default) or danby, the iteration of Ford (2008)\n"
    "  --summation S       plain (default) or compensated\n"
    "  --backend B         a name that `equant info` lists; default: the fastest\n"
    "  --threads N         default: all that the machine offers\n"
    "  --tolerance X       of the danby solver; default 1e-6\n"
    "  --max-iterations N  of the danby solver; default 10\n";

/* Indexed by the values of the public enums. */
static const char *const precision_names[] = {"double", "mixed", "single", "pair"};
static const char *const solver_names[] = {"fast", "danby"};
static const char *const summation_names[] = {"plain", "compensated"};

#define COUNT(names) ((int)(sizeof(names) / sizeof((names)[0])))

/* Index of `text` among the names; -1, with a sentence, when it is none. */
static int choose(const char *command, const char *option, const char *text,
                  const char *const *names, int n)
{
    char list[128] = "";
    for (int i = 0; i < n; i++) {
        if (strcmp(text, names[i]) == 0)
            return i;
        size_t used = strlen(list);
        const char *separator = i == 0 ? "" : i == n - 1 ? " or " : ", ";
        snprintf(list + used, sizeof list - used, "%s%s", separator, names[i]);
    }
    messages_usage(command, "%s is %s, not '%s'", option, list, text);
    return -1;
}

equant_engine_options engine_options_default(void)
{
    return (equant_engine_options){.struct_size = sizeof(equant_engine_options)};
}

static int take_choice(const char *command, int option, const char *argument,
                       equant_engine_options *options)
{
    int choice;
    if (option == ENGINE_OPTION_PRECISION) {
        choice = choose(command, "--precision", argument, precision_names, COUNT(precision_names));
        options->precision = (equant_precision)choice;
    } else if (option == ENGINE_OPTION_SOLVER) {
        choice = choose(command, "--solver", argument, solver_names, COUNT(solver_names));
        options->solver = (equant_solver)choice;
    } else {
        choice = choose(command, "--summation", argument, summation_names, COUNT(summation_names));
        options->summation = (equant_summation)choice;
    }
    return choice >= 0 ? EXIT_CODE_OK : EXIT_CODE_USAGE;
}

int engine_options_take(const char *command, int option, const char *argument,
                        equant_engine_options *options)
{
    uint64_t count = 0;
    int code = EXIT_CODE_OK;
    switch (option) {
    case ENGINE_OPTION_BACKEND:
        options->backend = argument;
        return EXIT_CODE_OK;
    case ENGINE_OPTION_THREADS:
        code = command_line_count(command, "--threads", argument, 1, 4096, &count);
        options->n_threads = (int)count;
        return code;
    case ENGINE_OPTION_TOLERANCE:
        return command_line_positive(command, "--tolerance", argument, &options->danby_tolerance);
    case ENGINE_OPTION_MAX_ITERATIONS:
        code = command_line_count(command, "--max-iterations", argument, 1, 1000, &count);
        options->danby_max_iterations = (int)count;
        return code;
    default:
        return take_choice(command, option, argument, options);
    }
}

int engine_options_check(const char *command, const equant_engine_options *options)
{
    double mean_anomaly_rad = 1.0, eccentricity = 0.5, eccentric_anomaly_rad;
    equant_status status = equant_kepler_solve(1, &mean_anomaly_rad, &eccentricity, options,
                                               &eccentric_anomaly_rad, NULL, NULL);
    if (status == EQUANT_SUCCESS)
        return EXIT_CODE_OK;
    if (status == EQUANT_ERROR_INVALID_ARGUMENT)
        return messages_usage(command, "%s", equant_last_error());
    return messages_status(status);
}

const char *engine_options_gpu(void)
{
    for (size_t i = 0; i < equant_backend_count(); i++) {
        equant_backend_info info = {.struct_size = sizeof info};
        if (equant_backend_describe(i, &info) == EQUANT_SUCCESS && info.available &&
            strncmp(info.name, "cpu/", 4) != 0)
            return info.name;
    }
    return NULL;
}

void engine_options_settle(equant_engine_options *options, double n_evaluations)
{
    const double worth_a_start = 1e9; /* that of a GPU takes some tenths of a second */
    if (options->backend != NULL && strcmp(options->backend, "auto") != 0)
        return;
    const char *gpu = n_evaluations >= worth_a_start ? engine_options_gpu() : NULL;
    options->backend = gpu != NULL ? gpu : "cpu";
}

const char *engine_options_precision_name(equant_precision precision)
{
    return precision_names[precision];
}

const char *engine_options_solver_name(equant_solver solver)
{
    return solver_names[solver];
}
