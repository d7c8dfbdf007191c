#include "archive/sample_worker.h"

#include <stdio.h>

#include "archive/star_sampling.h"
#include "files/output_folder.h"
#include "platform/system_file.h"
#include "posteriors/convergence_words.h"
#include "results/sample_folder.h"
#include "stars/posterior_result.h"
#include "terminal/messages.h"

/* Medians, which tell more of a posterior than its best draw. */
static void take_medians(const equant_posterior *posterior, struct star_result *result)
{
    for (size_t p = 0; p < result->n_planets; p++)
        for (size_t kind = 0; kind < quantity_kind_n(); kind++) {
            equant_sampled_quantity quantity;
            if (posterior_result_of_planet(posterior, kind, p + 1, &quantity))
                result->planets[p].values[kind] = quantity.median;
        }
}

static int tell(const equant_posterior *posterior, struct star_result *result,
                char remark[STAR_BATCH_REMARK_SIZE])
{
    equant_posterior_summary facts = {.struct_size = sizeof facts};
    int code = posterior_result_create(posterior, result);
    if (code == EXIT_CODE_OK)
        code = messages_status(equant_posterior_summarize(posterior, &facts));
    if (code != EXIT_CODE_OK)
        return code;
    take_medians(posterior, result);
    if (facts.end != EQUANT_END_CONVERGED) {
        const struct posterior_view view = posterior_view_of(posterior);
        char lack[CONVERGENCE_WORDS_SIZE];
        convergence_words(&view, &facts, lack);
        snprintf(remark, STAR_BATCH_REMARK_SIZE, "not converged; %.230s", lack);
    }
    return EXIT_CODE_OK;
}

int sample_worker_sample(void *context, const struct batch_star *star, const char *folder,
                         struct star_result *result, char remark[STAR_BATCH_REMARK_SIZE])
{
    const struct sample_worker *own = context;
    struct file_list files = {star->n_paths, (const char *const *)star->paths};
    struct star_sampling run = {.request = own->request,
                                .name = star->name,
                                .typed = own->typed,
                                .path = output_folder_join(folder, SAMPLE_FOLDER_RUN)};
    equant_posterior *posterior = NULL;
    bool goes_on = run.path != NULL && system_file_exists(run.path);
    int code = run.path == NULL ? EXIT_CODE_FAILED
                                : output_check_folder(own->command, folder, sample_folder_members);
    if (code == EXIT_CODE_OK && !goes_on)
        code = star_sampling_load(&run, own->command, &files, false);
    if (code == EXIT_CODE_OK)
        code = star_sampling_run(&run, goes_on, &posterior);
    const struct posterior_view view = posterior_view_of(posterior);
    if (code == EXIT_CODE_OK)
        code = sample_folder_write(&view, folder, &own->request->pictures);
    if (code == EXIT_CODE_OK)
        code = tell(posterior, result, remark);
    equant_posterior_free(posterior);
    star_sampling_free(&run);
    return code;
}
