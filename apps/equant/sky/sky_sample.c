#include "sky/sky_sample.h"

#include <stdlib.h>
#include <unistd.h>

#include "files/folder_lock.h"
#include "files/output_folder.h"
#include "results/sample_folder.h"
#include "results/sample_json.h"
#include "results/sample_text.h"
#include "sky/sky_inputs.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "terminal/sample_progress.h"

/* The folder, which must not hold a run already. */
static int prepare_folder(const char *command, const struct sample_request *request,
                          const struct file_list *files, struct folder_lock *lock, char **path)
{
    int code =
        output_check_folder(command, request->out, sample_folder_members, files->n, files->paths);
    if (request->out == NULL || code != EXIT_CODE_OK)
        return code;
    *path = output_folder_join(request->out, SAMPLE_FOLDER_RUN);
    if (*path == NULL)
        return EXIT_CODE_FAILED;
    code = output_folder_create(request->out);
    if (code == EXIT_CODE_OK)
        code = folder_lock_take(lock, request->out, request->is_forced);
    if (code == EXIT_CODE_OK && access(*path, F_OK) == 0)
        code = messages_usage(command, "%s is there already; name another folder", *path);
    return code;
}

static int sample(const struct sample_request *request, const struct sky_inputs *inputs,
                  equant_sky_posterior **posterior)
{
    struct sample_progress line = sample_progress_start();
    equant_sky_fit_options fit = sky_request_plain(&request->sky, inputs->velocities);
    sky_inputs_apply(inputs, &fit);
    fit.engine = &request->engine;
    sky_request_weigh(&request->sky, &request->star, &fit);
    fit.max_companions = (int)request->options.n_planets;
    const equant_sky_sample_options options = {.struct_size = sizeof options,
                                               .fit = &fit,
                                               .seed = request->options.seed,
                                               .n_populations = request->options.n_populations,
                                               .n_walkers = request->options.n_walkers,
                                               .n_burn_in = request->options.n_burn_in,
                                               .thinning = request->options.thinning,
                                               .max_rhat = request->options.max_rhat,
                                               .min_ess = request->options.min_ess,
                                               .max_steps = request->options.max_steps,
                                               .max_seconds = request->options.max_seconds,
                                               .progress = sample_progress_show,
                                               .progress_context = &line};
    equant_status status = equant_sky_sample(inputs->source, &options, posterior);
    progress_clear(&line.progress);
    if (status == EQUANT_ERROR_CANCELLED && interrupt_requested()) {
        messages_note("interrupted; of astrometry nothing is kept then");
        return EXIT_CODE_INTERRUPTED;
    }
    if (status == EQUANT_ERROR_INVALID_ARGUMENT)
        return messages_failure("%s: %s", inputs->path, equant_last_error());
    return messages_status(status);
}

static int report(const struct sample_request *request, const char *path,
                  const equant_sky_posterior *posterior)
{
    const struct posterior_view view = {.sky = posterior};
    int written = EXIT_CODE_OK;
    if (path != NULL)
        written = messages_status(equant_sky_posterior_save(posterior, path));
    if (path != NULL && written == EXIT_CODE_OK)
        written = sample_folder_write(&view, request->out, &request->pictures);
    /* A result that could not be kept is shown all the same. */
    int printed = request->as_json ? sample_json_write(stdout, &view) : sample_text_print(&view);
    return written != EXIT_CODE_OK ? written : printed;
}

int sky_sample_run(const char *command, const struct sample_request *request,
                   const struct file_list *files)
{
    struct folder_lock lock = {0};
    struct sky_inputs inputs = {0};
    equant_sky_posterior *posterior = NULL;
    char *path = NULL;
    int code = sky_inputs_load(command, files, &request->sky, &request->source, &inputs);
    if (code == EXIT_CODE_OK)
        code = prepare_folder(command, request, files, &lock, &path);
    if (code == EXIT_CODE_OK)
        code = sample(request, &inputs, &posterior);
    if (code == EXIT_CODE_OK)
        code = report(request, path, posterior);
    folder_lock_release(&lock);
    equant_sky_posterior_free(posterior);
    sky_inputs_free(&inputs);
    free(path);
    return code;
}
