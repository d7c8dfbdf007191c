#include "sky/sky_inputs.h"

#include <stdlib.h>

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

int sky_inputs_load(const char *command, const struct file_list *files,
                    const struct sky_request *sky, const struct data_source *velocities,
                    struct sky_inputs *inputs)
{
    struct sky_files sorted;
    *inputs = (struct sky_inputs){0};
    int code = sort_files(command, files, &sorted);
    inputs->path = sorted.astrometry;
    if (code == EXIT_CODE_OK)
        code = take_source(sorted.astrometry, sky, &inputs->source);
    if (code == EXIT_CODE_OK && sorted.velocities.n > 0)
        code =
            data_source_load_and_warn(command, velocities, &sorted.velocities, &inputs->velocities);
    free((void *)sorted.velocities.paths);
    return code;
}

void sky_inputs_free(struct sky_inputs *inputs)
{
    equant_dataset_free(inputs->velocities);
    equant_astrometry_free(inputs->source);
}
