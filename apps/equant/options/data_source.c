#include "options/data_source.h"

#include <math.h>
#include <string.h>

#include "files/input_file.h"
#include "terminal/messages.h"

const struct option_choice data_source_units[] = {
    {"m/s", EQUANT_UNIT_M_S}, {"km/s", EQUANT_UNIT_KM_S}, {0}};

#define OPTIONS_OF struct data_source
const struct option_row data_source_rows[] = {
    {"unit", "U", OPTION_CHOICE(unit, data_source_units),
     "unit of the velocities in the files, m/s or km/s; default:\n"
     "as stated in the file"},
    {"columns", "LIST", OPTION_TEXT(columns),
     "meaning of the columns, by name or by number from 1:\n"
     "time=BJD,rv=3,err=e_RV,instrument=tel; of indicators, too:\n"
     "s_index=CaHK,s_index_err=7. Default: from their names"},
    {"only-star", "NAME", OPTION_TEXT(only_star),
     "reads the rows of one star in a file with a column `star`,\n"
     "`target` or `object`"},
    {"skip-bad-rows", NULL, OPTION_FLAG(skips_bad_rows),
     "skips unusable rows (nan, not a number, uncertainty of zero)\n"
     "and lists them"},
    {"leave-out", "NAME", OPTION_LIST(leave_out.names), "excludes an instrument; may be repeated"},
    {"leave-out-times", "A:B", OPTION_LIST(left_out.spans),
     "excludes observations from time A to time B, in the days of\n"
     "the data; A: and :B are open-ended; may be repeated"},
    {"leave-out-transits", "P,T,H", OPTION_LIST(left_out.transits),
     "excludes observations in transits with period P (days), one\n"
     "transit at time T and a duration of H hours; or b,H for\n"
     "planet b, whose period_days and t_conj are given by --set or\n"
     "a star file"},
    {"t-ref", "T", OPTION_NUMBER(reference_time_days),
     "reference time, on the time scale of the files; default:\n"
     "near the middle of the data"},
    {"demo", NULL, OPTION_FLAG(is_demonstration),
     "uses the built-in data of HD 164922 (Fulton et al. 2016)\n"
     "instead of files"},
    {0}};

struct data_source data_source_default(void)
{
    return (struct data_source){.reference_time_days = NAN};
}

void data_source_free(struct data_source *source)
{
    text_list_free(&source->leave_out.names);
    text_list_free(&source->left_out.spans);
    text_list_free(&source->left_out.transits);
}

bool data_source_leaves_out(const struct data_source *source)
{
    return source->leave_out.names.n > 0 || source->left_out.spans.n > 0 ||
           source->left_out.transits.n > 0;
}

const char *data_source_unit_name(equant_unit unit)
{
    return command_line_choice_name(data_source_units, (int)unit);
}

const char *data_source_star_file(const struct file_list *files)
{
    for (int i = 0; i < files->n; i++) {
        const char *dot = strrchr(files->paths[i], '.');
        if (dot != NULL && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0))
            return files->paths[i];
    }
    return NULL;
}

static int load_demonstration(const char *command, const struct data_source *source,
                              const struct file_list *files, equant_dataset **dataset)
{
    if (files->n > 0)
        return messages_usage(command, "--demo stands in place of files; leave '%s' out",
                              files->paths[0]);
    if (source->columns != NULL || source->skips_bad_rows || source->only_star != NULL)
        return messages_usage(command, "--demo is one star, has no bad rows and its own columns; "
                                       "leave --only-star, --columns and --skip-bad-rows out");
    if (!isnan(source->reference_time_days) || source->unit != EQUANT_UNIT_FROM_FILE)
        return messages_usage(command, "--demo has its own unit and reference time; leave "
                                       "--unit and --t-ref out");
    if (source->left_out.spans.n > 0 || source->left_out.transits.n > 0)
        return messages_usage(command, "--demo is taken whole; leave --leave-out-times and "
                                       "--leave-out-transits out");
    int code = messages_status(equant_dataset_demonstration(dataset));
    return code == EXIT_CODE_OK ? instrument_filter_apply(&source->leave_out, dataset) : code;
}

/* Sentences of the library name no option; what they advise is done by these. */
static void name_options(const char *sentence)
{
    if (strstr(sentence, "skip bad rows") != NULL)
        messages_advice("--skip-bad-rows leaves such rows out and says which");
    if (strstr(sentence, "choose one star") != NULL)
        messages_advice("--only-star NAME reads the rows of one star, `equant catalogue` fits each "
                        "star of a file, and --columns star=none says that all rows are of one");
    if (strstr(sentence, "choose the columns") != NULL)
        messages_advice("columns are chosen by --columns, as in --columns time=BJD,rv=3,err=e_RV");
}

int data_source_load(const char *command, const struct data_source *source,
                     const struct file_list *files, equant_dataset **dataset)
{
    if (source->is_demonstration)
        return load_demonstration(command, source, files, dataset);
    if (files->n == 0)
        return messages_usage(command, "no data: name a file, or use --demo");
    if (data_source_star_file(files) != NULL)
        return messages_usage(command,
                              "'%s' is a star file, which `equant %s` does not read: name the "
                              "files of its data",
                              data_source_star_file(files), command);
    for (int i = 0; i < files->n; i++) {
        if (strcmp(files->paths[i], "-") == 0)
            return messages_usage(command, "data are read from files; for standard input "
                                           "write /dev/stdin in place of -");
        input_file_note(files->paths[i]);
    }
    equant_dataset_options options = {
        .struct_size = sizeof options,
        .velocity_unit = source->unit,
        .has_reference_time = !isnan(source->reference_time_days),
        .reference_time_days = source->reference_time_days,
        .skip_bad_rows = source->skips_bad_rows,
        .columns = source->columns,
        .star = source->only_star,
    };
    struct left_out_numbers numbers;
    equant_status status = EQUANT_SUCCESS;
    int code = left_out_times_read(command, &source->left_out, source->states, &numbers, &options);
    if (code == EXIT_CODE_OK) {
        status = equant_dataset_from_files((size_t)files->n, files->paths, &options, dataset);
        code = messages_status(status);
    }
    if (status == EQUANT_ERROR_FORMAT)
        name_options(equant_last_error());
    left_out_numbers_free(&numbers);
    return code == EXIT_CODE_OK ? instrument_filter_apply(&source->leave_out, dataset) : code;
}

int data_source_load_and_warn(const char *command, const struct data_source *source,
                              const struct file_list *files, equant_dataset **dataset)
{
    int code = data_source_load(command, source, files, dataset);
    bool is_unit_doubted = false;
    for (size_t i = 0; code == EXIT_CODE_OK && i < equant_dataset_n_warnings(*dataset); i++) {
        const char *warning = equant_dataset_warning(*dataset, i);
        is_unit_doubted |= strstr(warning, "give the unit") != NULL;
        messages_warning("%s", warning);
    }
    if (is_unit_doubted)
        messages_note("units are given by --unit m/s or --unit km/s");
    return code;
}
