#include "sky/sky_run.h"

#include <stdlib.h>

#include "sky/sky_result.h"
#include "terminal/messages.h"

/* The one source of the file that is meant; the others are freed. */
static int take_source(const char *path, const struct sky_request *sky, equant_astrometry **source)
{
    const equant_sky_reading reading = {.struct_size = sizeof reading,
                                        .keep_rejected = sky->keeps_rejected,
                                        .source_id = sky->source_id};
    equant_astrometry **sources;
    size_t n = 0;
    int code = messages_status(equant_astrometry_read(path, &reading, &sources, &n));
    if (code != EXIT_CODE_OK)
        return code;
    if (n == 1) {
        *source = sources[0];
        sources[0] = NULL;
    } else {
        code = messages_failure("%s: %zu sources; name one with --source, the first is %lld", path,
                                n, (long long)equant_astrometry_source_id(sources[0]));
    }
    equant_astrometry_free_all(sources, n);
    return code;
}

/* What the command works on. */
struct sky_files {
    const char *astrometry;
    struct file_list velocities; /* its paths are new memory */
};

static int sort_files(const char *command, const struct file_list *files, struct sky_files *sorted)
{
    const char **paths = malloc((size_t)files->n * sizeof *paths);
    *sorted = (struct sky_files){.velocities = {.paths = paths}};
    if (paths == NULL)
        return messages_out_of_memory();
    for (int i = 0; i < files->n; i++) {
        bool is_sky = equant_astrometry_recognises(files->paths[i]);
        if (is_sky && sorted->astrometry != NULL)
            return messages_usage(command,
                                  "%s and %s are both of astrometry; a fit takes one of them",
                                  sorted->astrometry, files->paths[i]);
        if (is_sky)
            sorted->astrometry = files->paths[i];
        else
            paths[sorted->velocities.n++] = files->paths[i];
    }
    return EXIT_CODE_OK;
}

static int report(const struct sky_result *result, const equant_sky_fit_options *options,
                  const struct sky_output *output)
{
    int code = EXIT_CODE_OK;
    if (output->folder != NULL)
        code = sky_folder_write(result, options, output->folder, &output->how);
    if (output->as_json)
        sky_json_write(stdout, result);
    int printed = output->as_json ? EXIT_CODE_OK : sky_text_print(result);
    return code != EXIT_CODE_OK ? code : printed;
}

static int fit_and_report(const struct sky_request *sky, const struct fit_request *fit,
                          const char *path, const equant_astrometry *source,
                          const equant_dataset *velocities, const struct sky_output *output)
{
    equant_sky_fit_options options = sky_request_options(sky, fit, velocities);
    equant_sky_fit *found = NULL;
    equant_status status = equant_sky_fit_create(source, &options, &found);
    if (status == EQUANT_ERROR_INVALID_ARGUMENT)
        return messages_failure("%s: %s", path, equant_last_error());
    int code = messages_status(status);
    if (code != EXIT_CODE_OK)
        return code;
    for (size_t i = 0; i < equant_astrometry_n_remarks(source) && !output->as_json; i++)
        messages_note("%s", equant_astrometry_remark(source, i));
    struct sky_result result = {.source = source,
                                .velocities = velocities,
                                .fit = found,
                                .summary = {.struct_size = sizeof result.summary},
                                .companion = {.struct_size = sizeof result.companion},
                                .as_ccds = sky->as_ccds,
                                .star_mass = fit->star_mass,
                                .parallax_zero_point_mas = sky->parallax_zero_point_mas};
    code = messages_status(equant_sky_fit_summary(found, &result.summary));
    if (code == EXIT_CODE_OK && result.summary.n_companions > 0)
        code = messages_status(equant_sky_fit_companion(found, 0, &result.companion));
    if (code == EXIT_CODE_OK)
        code = report(&result, &options, output);
    equant_sky_fit_free(found);
    return code;
}

int sky_run(const char *command, const struct sky_request *sky, const struct fit_request *fit,
            const struct file_list *files, const struct sky_output *output)
{
    struct sky_files sorted;
    equant_astrometry *source = NULL;
    equant_dataset *velocities = NULL;
    int code = sort_files(command, files, &sorted);
    if (code == EXIT_CODE_OK)
        code = take_source(sorted.astrometry, sky, &source);
    if (code == EXIT_CODE_OK && sorted.velocities.n > 0)
        code = data_source_load_and_warn(command, &fit->source, &sorted.velocities, &velocities);
    if (code == EXIT_CODE_OK)
        code = fit_and_report(sky, fit, sorted.astrometry, source, velocities, output);
    equant_dataset_free(velocities);
    equant_astrometry_free(source);
    free((void *)sorted.velocities.paths);
    return code;
}
