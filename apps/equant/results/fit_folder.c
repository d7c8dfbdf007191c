#include "results/fit_folder.h"

#include <stdio.h>

#include "results/repeat_file.h"
#include "pictures/fit_picture.h"
#include "results/curve_table.h"
#include "terminal/messages.h"
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

static equant_record_options record_of(const struct star_result *star,
                                       const struct fit_folder_options *options)
{
    return (equant_record_options){.struct_size = sizeof(equant_record_options),
                                   .star_name = options->star_name,
                                   .made_by = options->command,
                                   .star = &options->star,
                                   .threshold = star != NULL ? star->threshold : 0.0,
                                   .n_hints = star != NULL ? star->hints.n : 0,
                                   .hints = star != NULL ? (const char *const *)star->hints.texts
                                                         : NULL};
}

int fit_folder_print_json(const struct star_result *star)
{
    const struct fit_folder_options unknown = {.star_name = NULL};
    equant_record_options record = record_of(star, &unknown);
    char *text;
    size_t n;
    equant_status status = equant_fit_text(star->fit, star->dataset, &record, &text, &n);
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    fwrite(text, 1, n, stdout);
    equant_fit_text_free(text);
    return EXIT_CODE_OK;
}

int fit_folder_write_origin(const struct fit_folder_options *options, const char *folder)
{
    equant_record_options record = record_of(NULL, options);
    return messages_status(equant_origin_write(&record, folder));
}

/* fit.json comes last. */
int fit_folder_write(const struct star_result *star, const char *folder,
                     const struct fit_folder_options *options)
{
    equant_record_options record = record_of(star, options);
    int code = output_folder_create(folder);
    if (code == EXIT_CODE_OK)
        code = curve_table_write(star, folder);
    if (code == EXIT_CODE_OK && !options->pictures.has_none)
        code = fit_picture_draw(star, folder, options->pictures.format);
    return code == EXIT_CODE_OK
               ? messages_status(equant_fit_write(star->fit, star->dataset, &record, folder))
               : code;
}
