#include "sky/sky_run.h"

#include <math.h>

#include "files/folder_lock.h"
#include "files/output_folder.h"
#include "sky/sky_inputs.h"
#include "sky/sky_result.h"
#include "terminal/messages.h"
#include "terminal/watched_call.h"

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

/* Mass and parallax bias of the source from lists, where no option names them. */
static int apply_lists(const struct text_list *lists, const equant_astrometry *source,
                       equant_sky_fit_options *options)
{
    equant_sky_sources *list = NULL;
    equant_sky_source known = {.struct_size = sizeof known};
    if (lists->n == 0)
        return EXIT_CODE_OK;
    int code = messages_status(
        equant_sky_sources_read(lists->n, (const char *const *)lists->texts, &list));
    if (code != EXIT_CODE_OK)
        return code;
    if (!equant_sky_sources_find(list, equant_astrometry_source_id(source), &known))
        messages_warning("the lists of --sources do not have source %lld",
                         (long long)equant_astrometry_source_id(source));
    else {
        if (!(options->star_mass > 0.0) && known.star_mass > 0.0) {
            options->star_mass = known.star_mass;
            options->star_mass_err = known.star_mass_err > 0.0 ? known.star_mass_err : 0.0;
        }
        if (options->parallax_zero_point_mas == 0.0 && isfinite(known.parallax_bias_mas))
            options->parallax_zero_point_mas = known.parallax_bias_mas;
    }
    equant_sky_sources_free(list);
    return EXIT_CODE_OK;
}

static int fit_and_report(const struct sky_request *sky, const struct fit_request *fit,
                          const struct sky_inputs *inputs, const struct sky_output *output)
{
    const equant_astrometry *source = inputs->source;
    equant_sky_fit_options options = sky_request_options(sky, fit, inputs->velocities);
    equant_sky_fit *found = NULL;
    sky_inputs_apply(inputs, &options);
    int code = apply_lists(output->lists, source, &options);
    if (code != EXIT_CODE_OK)
        return code;
    struct watched_call call = watched_call_start("");
    options.progress = watched_call_progress;
    options.progress_context = &call;
    options.keeps_partial = 1;
    equant_status status = equant_sky_fit_create(source, &options, &found);
    options.progress = NULL; /* a folder may ask for more of the same */
    if (status == EQUANT_ERROR_INVALID_ARGUMENT) {
        progress_clear(&call.progress);
        return messages_failure("%s: %s", inputs->path, equant_last_error());
    }
    code = watched_call_end(&call, status);
    if (code != EXIT_CODE_OK)
        return code;
    for (size_t i = 0; i < equant_astrometry_n_remarks(source) && !output->as_json; i++)
        messages_note("%s", equant_astrometry_remark(source, i));
    struct sky_result result = {.source = source,
                                .velocities = inputs->velocities,
                                .fit = found,
                                .summary = {.struct_size = sizeof result.summary},
                                .companion = {.struct_size = sizeof result.companion},
                                .as_ccds = sky->as_ccds,
                                .star_mass = options.star_mass,
                                .parallax_zero_point_mas = options.parallax_zero_point_mas};
    code = messages_status(equant_sky_fit_summarize(found, &result.summary));
    if (code == EXIT_CODE_OK && result.summary.n_companions > 0)
        code = messages_status(equant_sky_fit_companion(found, 0, &result.companion));
    equant_sky_solution *solution = NULL;
    if (code == EXIT_CODE_OK)
        code = messages_status(equant_sky_fit_solution(found, &solution));
    result.solution = solution;
    if (code == EXIT_CODE_OK)
        code = report(&result, &options, output);
    if (code == EXIT_CODE_OK && result.summary.end == EQUANT_FIT_CANCELLED) {
        messages_note("interrupted: what was found until then is shown%s",
                      output->folder != NULL ? " and written" : "");
        code = EXIT_CODE_INTERRUPTED;
    }
    equant_sky_solution_free(solution);
    equant_sky_fit_free(found);
    return code;
}

int sky_run(const char *command, const struct sky_request *sky, const struct fit_request *fit,
            const struct file_list *files, const struct sky_output *output)
{
    struct sky_inputs inputs;
    equant_folder_lock *lock = NULL;
    int code = sky_inputs_load(command, files, sky, &fit->source, &inputs);
    if (code == EXIT_CODE_OK && output->folder != NULL)
        code = output_folder_create(output->folder);
    if (code == EXIT_CODE_OK && output->folder != NULL)
        code = folder_lock_take(&lock, output->folder, output->is_forced);
    if (code == EXIT_CODE_OK)
        code = fit_and_report(sky, fit, &inputs, output);
    equant_folder_lock_release(lock);
    sky_inputs_free(&inputs);
    return code;
}
