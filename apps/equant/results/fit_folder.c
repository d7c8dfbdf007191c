#include "results/fit_folder.h"

#include <math.h>

#include "options/star_request.h"
#include "results/fit_json.h"
#include "results/repeat_file.h"
#include "pictures/fit_picture.h"
#include "results/fit_tables.h"
#include "files/json.h"
#include "terminal/messages.h"
#include "files/output_file.h"
#include "files/output_folder.h"

const struct output_member fit_folder_members[] = {
    {FIT_FOLDER_MARK, OUTPUT_KIND("a fit", "{\"planets\":")},
    {FIT_FOLDER_ORIGIN, OUTPUT_KIND("the origin of a fit", "{\"version\":")},
    {"planets.ecsv", OUTPUT_KIND_TABLE("period_days")},
    {"parameters.ecsv", OUTPUT_KIND_TABLE("name")},
    {"covariance.ecsv", OUTPUT_KIND_TABLE("name")},
    {"residuals.ecsv", OUTPUT_KIND_TABLE("time")},
    {"curve.ecsv", OUTPUT_KIND_TABLE("time")},
    {"scans.ecsv", OUTPUT_KIND_TABLE("days_since_reference")},
    {"velocities.ecsv", OUTPUT_KIND_TABLE("days_since_reference")},
    {"periodogram.ecsv", OUTPUT_KIND_TABLES("frequency", "frequency_per_day")},
    REPEAT_FILE_MEMBER,
    {0}};

static int write_json(const struct star_result *star, const char *folder)
{
    struct output_file file;
    int code = output_file_open(&file, folder, FIT_FOLDER_MARK, fit_folder_members);
    if (code != EXIT_CODE_OK)
        return code;
    fit_json_write(file.stream, star);
    return output_file_close(&file, EXIT_CODE_OK);
}

/* The mass, or null; of everything else what is known. */
static void write_star(json_writer *json, equant_star star)
{
    for (size_t i = 0; star_request_name(i) != NULL; i++) {
        double value = *star_request_number(&star, i);
        if (i > 0 && !(value > 0.0))
            continue;
        json_key_number(json, star_request_name(i), value > 0.0 ? value : NAN);
    }
}

int fit_folder_write_origin(const struct fit_folder_options *options, const char *folder)
{
    struct output_file file;
    int code = output_file_open(&file, folder, FIT_FOLDER_ORIGIN, fit_folder_members);
    if (code != EXIT_CODE_OK)
        return code;
    json_writer json = json_start(file.stream);
    json_object_begin(&json);
    json_key_string(&json, "version", equant_version());
    json_key_string(&json, "star_name", options->star_name);
    json_key_string(&json, "command", options->command);
    write_star(&json, options->star);
    json_object_end(&json);
    json_finish(&json);
    return output_file_close(&file, EXIT_CODE_OK);
}

int fit_folder_write(const struct star_result *star, const char *folder,
                     const struct fit_folder_options *options)
{
    int code = output_folder_create(folder);
    if (code == EXIT_CODE_OK)
        code = fit_tables_write(star, folder);
    if (code == EXIT_CODE_OK && !options->pictures.has_none)
        code = fit_picture_draw(star, folder, options->pictures.format);
    if (code == EXIT_CODE_OK)
        code = fit_folder_write_origin(options, folder);
    return code == EXIT_CODE_OK ? write_json(star, folder) : code;
}
