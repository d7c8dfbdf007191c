#include "sky/sky_sampling.h"

#include <stdlib.h>

#include "files/folder_lock.h"
#include "files/output_folder.h"
#include "platform/system_file.h"
#include "results/sample_folder.h"
#include "results/sample_json.h"
#include "results/sample_text.h"
#include "sky/sky_inputs.h"
#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "terminal/sample_progress.h"

/* The file from which a run goes on, beside run.nc, which is written when it has ended. */
#define SKY_RUN_STATE "run.state"

/* A run, and where it is kept. */
struct sky_run_place {
    const char *folder;  /* NULL: nowhere */
    char *draws, *state; /* files in it; new memory */
    equant_folder_lock *lock;
};

static const char *folder_of(const struct sample_request *request)
{
    return request->resume != NULL ? request->resume : request->out;
}

/* The folder, which must not hold a run already unless it is the one to go on with. */
static int prepare_folder(const char *command, const struct sample_request *request,
                          struct sky_run_place *place)
{
    const char *folder = folder_of(request);
    int code = output_check_folder(command, folder, sample_folder_members);
    if (folder == NULL || code != EXIT_CODE_OK)
        return code;
    place->folder = folder;
    place->draws = output_folder_join(folder, SAMPLE_FOLDER_RUN);
    place->state = output_folder_join(folder, SKY_RUN_STATE);
    if (place->draws == NULL || place->state == NULL)
        return EXIT_CODE_FAILED;
    bool is_there = system_file_exists(place->state);
    if (request->resume != NULL && !is_there)
        return messages_failure("%s: there is no run of astrometry to go on with", place->state);
    code = output_folder_create(folder);
    if (code == EXIT_CODE_OK)
        code = folder_lock_take(&place->lock, folder, request->is_forced);
    if (code == EXIT_CODE_OK && request->resume == NULL && system_file_exists(place->draws))
        code = messages_usage(command, "%s is there already; name another folder", place->draws);
    if (code == EXIT_CODE_OK && request->resume == NULL && is_there)
        code = messages_usage(command,
                              "%s is there already; go on with it by --resume %s, or name another "
                              "folder",
                              place->state, folder);
    return code;
}

static int sample(const char *command, const struct sample_request *request,
                  const struct sky_inputs *inputs, const struct sky_run_place *place,
                  equant_sky_posterior **posterior)
{
    struct sample_progress line = sample_progress_start();
    equant_sky_fit_options fit = sky_request_plain(&request->sky, inputs->velocities);
    sky_inputs_apply(inputs, &fit);
    fit.engine = &request->engine;
    sky_request_weigh(&request->star, &fit);
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
                                               .progress_context = &line,
                                               .path = place->state,
                                               .checkpoint_seconds =
                                                   request->options.checkpoint_seconds,
                                               .resume = request->resume != NULL};
    equant_status status = equant_sky_sample(inputs->source, &options, posterior);
    progress_clear(&line.progress);
    if (status == EQUANT_ERROR_CANCELLED) {
        bool is_kept = place->folder != NULL && system_file_exists(place->state);
        const char *why = interrupt_requested() ? "interrupted" : equant_last_error();
        if (is_kept)
            messages_note("%s; go on with the same files and options, and --resume %s in the place "
                          "of --out",
                          why, place->folder);
        else
            messages_note("%s; without --out nothing is kept", why);
        return interrupt_requested() ? EXIT_CODE_INTERRUPTED : EXIT_CODE_FAILED;
    }
    if (status == EQUANT_ERROR_INVALID_ARGUMENT && request->resume != NULL)
        return messages_usage(command, "%s", equant_last_error());
    if (status == EQUANT_ERROR_INVALID_ARGUMENT)
        return messages_failure("%s: %s", inputs->path, equant_last_error());
    return messages_status(status);
}

static int report(const struct sample_request *request, const struct sky_run_place *place,
                  const equant_sky_posterior *posterior)
{
    const struct posterior_view view = {.sky = posterior};
    int written = EXIT_CODE_OK;
    if (place->folder != NULL)
        written = messages_status(equant_sky_posterior_save(posterior, place->draws));
    if (place->folder != NULL && written == EXIT_CODE_OK)
        written = sample_folder_write(&view, place->folder, &request->pictures);
    /* A result that could not be kept is shown all the same. */
    int printed = request->as_json ? sample_json_write(stdout, &view) : sample_text_print(&view);
    return written != EXIT_CODE_OK ? written : printed;
}

int sky_sample_run(const char *command, const struct sample_request *request,
                   const struct file_list *files)
{
    struct sky_run_place place = {0};
    struct sky_inputs inputs = {0};
    equant_sky_posterior *posterior = NULL;
    int code = sky_inputs_load(command, files, &request->sky, &request->source, &inputs);
    if (code == EXIT_CODE_OK)
        code = prepare_folder(command, request, &place);
    if (code == EXIT_CODE_OK)
        code = sample(command, request, &inputs, &place, &posterior);
    if (code == EXIT_CODE_OK)
        code = report(request, &place, posterior);
    equant_folder_lock_release(place.lock);
    equant_sky_posterior_free(posterior);
    sky_inputs_free(&inputs);
    free(place.draws);
    free(place.state);
    return code;
}
