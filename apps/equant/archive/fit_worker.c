#include "archive/fit_worker.h"

#include "terminal/messages.h"

int fit_worker_fit(void *context, const struct batch_star *star, const char *folder,
                   struct star_result *result, char remark[STAR_BATCH_REMARK_SIZE])
{
    const struct fit_worker *own = context;
    struct file_list files = {star->n_paths, (const char *const *)star->paths};
    struct fit_folder_options options = *own->options;
    (void)remark;
    options.star_name = star->name;
    int code = output_check_folder(own->command, folder, fit_folder_members);
    if (code == EXIT_CODE_OK)
        code = star_result_load(own->request, own->command, &files, result);
    if (code == EXIT_CODE_OK)
        code = star_result_run(own->request, "", result);
    return code == EXIT_CODE_OK ? fit_folder_write(result, folder, &options) : code;
}
