#include "sky/sky_inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sky/sky_source_file.h"
#include "terminal/messages.h"
#include "terminal/text_list.h"

/* The one source of the file that is meant, or with an id of 0 the only one. */
static int take_source(const char *command, const char *path, const struct sky_request *sky,
                       int64_t id, equant_astrometry **source)
{
    const equant_sky_reading reading = {.struct_size = sizeof reading,
                                        .keep_rejected = sky->keeps_rejected,
                                        .source_id = id,
                                        .catalogue_parallax_mas = sky->catalogue_parallax_mas};
    return sky_source_file_read(command, path, &reading, source);
}

struct sky_files {
    int n_sky;
    const char **sky; /* files of astrometry; new memory */
    struct file_list velocities;
    const char *motions;  /* NULL: none */
    struct text_list own; /* names of files in folders and archives */
};

static void sky_files_free(struct sky_files *sorted)
{
    free(sorted->sky);
    text_list_free(&sorted->own);
}

/* The files beside the astrometry of a folder or an archive are velocities: the archive of Gaia
 * packs both into one. */
static int sort_members(const char *path, struct sky_files *sorted)
{
    char **members = NULL;
    size_t n = 0;
    int code = messages_status(equant_other_files_list(path, &members, &n));
    for (size_t i = 0; i < n; i++)
        text_list_add(&sorted->own, "%s", members[i]);
    equant_other_files_free(members, n);
    return code;
}

static int sort_file(const char *path, struct sky_files *sorted)
{
    if (sky_request_is_catalogue(path)) {
        sorted->motions = path;
    } else if (equant_astrometry_recognises(path)) {
        sorted->sky[sorted->n_sky++] = path;
        return sort_members(path, sorted);
    } else if (equant_astrometry_is_joint(path)) {
        sorted->sky[sorted->n_sky++] = path;
        text_list_add(&sorted->own, "%s", path);
    } else {
        text_list_add(&sorted->own, "%s", path);
    }
    return EXIT_CODE_OK;
}

static int sort_files(const char *command, const struct file_list *files, struct sky_files *sorted)
{
    const char **paths = malloc((size_t)files->n * sizeof *paths);
    *sorted = (struct sky_files){.sky = paths};
    if (paths == NULL)
        return messages_out_of_memory();
    for (int i = 0; i < files->n; i++) {
        int code = sort_file(files->paths[i], sorted);
        if (code != EXIT_CODE_OK)
            return code;
    }
    if (sorted->own.out_of_memory)
        return messages_out_of_memory();
    sorted->velocities.n = (int)sorted->own.n;
    sorted->velocities.paths = (const char *const *)sorted->own.texts;
    if (sorted->n_sky > 2 && sorted->motions == NULL)
        return messages_usage(command,
                              "%s, %s and %s are all of astrometry; a fit takes one of them, or "
                              "Gaia's epochs and Hipparcos's scans",
                              paths[0], paths[1], paths[2]);
    if (sorted->n_sky > SKY_INPUTS_MOST_SCANS)
        return messages_usage(command, "%d files of astrometry; there may be %d", sorted->n_sky,
                              SKY_INPUTS_MOST_SCANS);
    return EXIT_CODE_OK;
}

static bool is_of_companion(const equant_astrometry *source)
{
    equant_sky_rows rows = {.struct_size = sizeof rows};
    return equant_astrometry_rows(source, &rows) == EQUANT_SUCCESS &&
           rows.kind[0] == EQUANT_SKY_COMPANION;
}

/* Where there are no positions of a companion: a source of nothing but its name. */
static int take_star(const char *command, const struct sky_files *sorted, struct sky_inputs *inputs)
{
    char name[40];
    long long hipparcos = (long long)inputs->motions.hip_id;
    if (sorted->velocities.n == 0)
        return messages_usage(command,
                              "%s: motions of a catalogue stand beside velocities of the star, "
                              "positions of a companion, or both, and there are none",
                              sorted->motions);
    inputs->path = sorted->motions;
    snprintf(name, sizeof name, "HIP %lld", hipparcos);
    return messages_status(equant_astrometry_create_empty(hipparcos, name, &inputs->source));
}

/* Positions of a companion, if there are some, the motions of its star, and the scans behind
 * these. */
static int take_motions(const char *command, const struct sky_files *sorted,
                        const struct sky_request *sky, struct sky_inputs *inputs)
{
    int64_t id = sky->source_id;
    for (int i = 0; i < sorted->n_sky; i++) {
        equant_astrometry *source = NULL;
        int code = take_source(command, sorted->sky[i], sky, 0, &source);
        if (code != EXIT_CODE_OK)
            return code;
        if (is_of_companion(source) && inputs->source == NULL) {
            inputs->source = source;
            inputs->path = sorted->sky[i];
        } else {
            inputs->scans[inputs->n_scans++] = source;
            if (id == 0)
                id = equant_astrometry_source_id(source);
        }
    }
    inputs->has_motions = true;
    inputs->motions.struct_size = sizeof inputs->motions;
    int code = messages_status(equant_sky_motions_read(sorted->motions, id, &inputs->motions));
    return code == EXIT_CODE_OK && inputs->source == NULL ? take_star(command, sorted, inputs)
                                                          : code;
}

/* By the reference time of the first source of a file. */
static int find_mission(const char *path, bool *is_hipparcos)
{
    equant_sky_stream *stream = NULL;
    equant_astrometry *first = NULL;
    equant_status status = equant_sky_stream_open(path, NULL, &stream);
    if (status == EQUANT_SUCCESS)
        status = equant_sky_stream_next(stream, &first);
    *is_hipparcos = equant_astrometry_reference_jd(first) == EQUANT_SKY_HIPPARCOS_JD;
    equant_astrometry_free(first);
    equant_sky_stream_free(stream);
    return messages_status(status);
}

/* Gaia's epochs and Hipparcos's scans of one star, in any order, as one source. */
static int take_missions(const char *command, const struct sky_files *sorted,
                         const struct sky_request *sky, struct sky_inputs *inputs)
{
    equant_astrometry *gaia = NULL, *hipparcos = NULL;
    bool is_hipparcos[2] = {false, false};
    int code = EXIT_CODE_OK;
    for (int i = 0; i < 2 && code == EXIT_CODE_OK; i++)
        code = find_mission(sorted->sky[i], &is_hipparcos[i]);
    if (code != EXIT_CODE_OK)
        return code;
    if (is_hipparcos[0] == is_hipparcos[1])
        return messages_usage(command,
                              "%s and %s are both of astrometry; a fit takes one of them, or "
                              "Gaia's epochs and Hipparcos's scans",
                              sorted->sky[0], sorted->sky[1]);
    inputs->path = sorted->sky[is_hipparcos[0] ? 1 : 0];
    code = take_source(command, inputs->path, sky, sky->source_id, &gaia);
    if (code == EXIT_CODE_OK)
        code = take_source(command, sorted->sky[is_hipparcos[0] ? 0 : 1], sky, 0, &hipparcos);
    if (code == EXIT_CODE_OK)
        code = messages_status(equant_astrometry_join(gaia, hipparcos, &inputs->source));
    equant_astrometry_free(gaia);
    equant_astrometry_free(hipparcos);
    return code;
}

/* Which options help where a fit of the sky and the velocities is going to be refused. */
static void note_parallax(const struct sky_request *sky, const struct sky_inputs *inputs)
{
    if (equant_astrometry_lacks_parallax(inputs->source) && inputs->velocities != NULL &&
        !sky->has_free_velocities)
        messages_note("%s: the parallax of the catalogue is not in the file; give it by "
                      "--catalogue-parallax, or leave the velocities free by --free-velocities",
                      inputs->path);
}

int sky_inputs_load(const char *command, const struct file_list *files,
                    const struct sky_request *sky, const struct data_source *velocities,
                    struct sky_inputs *inputs)
{
    struct sky_files sorted;
    *inputs = (struct sky_inputs){0};
    int code = sort_files(command, files, &sorted);
    if (code == EXIT_CODE_OK && sorted.motions != NULL) {
        code = take_motions(command, &sorted, sky, inputs);
    } else if (code == EXIT_CODE_OK && sorted.n_sky == 2) {
        code = take_missions(command, &sorted, sky, inputs);
    } else if (code == EXIT_CODE_OK) {
        /* A file that is no longer what it was: reading it tells why. */
        inputs->path = sorted.n_sky > 0 ? sorted.sky[0] : files->paths[0];
        code = take_source(command, inputs->path, sky, sky->source_id, &inputs->source);
    }
    if (code == EXIT_CODE_OK && sorted.velocities.n == 0 && data_source_leaves_out(velocities))
        code = messages_usage(command, "velocities are to be left out, and there are none");
    if (code == EXIT_CODE_OK && sorted.velocities.n > 0)
        code =
            data_source_load_and_warn(command, velocities, &sorted.velocities, &inputs->velocities);
    if (code == EXIT_CODE_OK)
        note_parallax(sky, inputs);
    sky_files_free(&sorted);
    return code;
}

void sky_inputs_free(struct sky_inputs *inputs)
{
    equant_dataset_free(inputs->velocities);
    equant_astrometry_free(inputs->source);
    for (size_t i = 0; i < inputs->n_scans; i++)
        equant_astrometry_free(inputs->scans[i]);
}

void sky_inputs_apply(const struct sky_inputs *inputs, equant_sky_fit_options *options)
{
    options->velocities = inputs->velocities;
    options->motions = inputs->has_motions ? &inputs->motions : NULL;
    options->n_scans = inputs->n_scans;
    options->scans = (const equant_astrometry *const *)inputs->scans;
}
