#include "options/data_source.h"

#include <string.h>

#include "options/command_line.h"
#include "terminal/messages.h"

const char data_source_help[] =
    "The data:\n"
    "  --unit U            unit of the velocities in the files, m/s or km/s;\n"
    "                      default: what the file says\n"
    "  --t-ref T           reference time, on the time scale of the files;\n"
    "                      default: near the middle of the data\n"
    "  --demo              in place of files: HD 164922 (Fulton et al. 2016)\n";

struct data_source data_source_default(void)
{
    return (struct data_source){.options = {.struct_size = sizeof(equant_dataset_options)}};
}

static int take_unit(const char *command, const char *argument, equant_unit *unit)
{
    if (strcmp(argument, "m/s") == 0)
        *unit = EQUANT_UNIT_M_S;
    else if (strcmp(argument, "km/s") == 0)
        *unit = EQUANT_UNIT_KM_S;
    else
        return messages_usage(command, "--unit is m/s or km/s, not '%s'", argument);
    return EXIT_CODE_OK;
}

int data_source_take(const char *command, int option, const char *argument,
                     struct data_source *source)
{
    switch (option) {
    case DATA_SOURCE_OPTION_UNIT:
        return take_unit(command, argument, &source->options.velocity_unit);
    case DATA_SOURCE_OPTION_REFERENCE_TIME:
        source->options.has_reference_time = 1;
        return command_line_number(command, "--t-ref", argument,
                                   &source->options.reference_time_days);
    default:
        source->is_demonstration = true;
        return EXIT_CODE_OK;
    }
}

int data_source_load(const char *command, const struct data_source *source, int n_files,
                     char *const *paths, equant_dataset **dataset)
{
    equant_status status;
    if (source->is_demonstration) {
        if (n_files > 0)
            return messages_usage(command, "--demo stands in place of files; leave '%s' out",
                                  paths[0]);
        if (source->options.has_reference_time || source->options.velocity_unit != 0)
            return messages_usage(command, "--demo has its own unit and reference time; leave "
                                           "--unit and --t-ref out");
        status = equant_dataset_demonstration(dataset);
    } else {
        if (n_files == 0)
            return messages_usage(command, "no data: name a file, or use --demo");
        for (int i = 0; i < n_files; i++)
            if (strcmp(paths[i], "-") == 0)
                return messages_usage(command, "data are read from files; for standard input "
                                               "write /dev/stdin in place of -");
        status = equant_dataset_from_files((size_t)n_files, (const char *const *)paths,
                                           &source->options, dataset);
    }
    return status == EQUANT_SUCCESS ? EXIT_CODE_OK : messages_status(status);
}

void data_source_warn(const equant_dataset *dataset)
{
    for (size_t i = 0; i < equant_dataset_n_warnings(dataset); i++)
        messages_warning("%s", equant_dataset_warning(dataset, i));
}
