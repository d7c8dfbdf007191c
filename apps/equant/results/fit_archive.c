#include "results/fit_archive.h"

#include <stdlib.h>

#include "files/input_file.h"
#include "files/output_folder.h"
#include "platform/system_file.h"
#include "results/fit_folder.h"
#include "terminal/messages.h"

static int with_path(const char *folder, const char *name, int (*use)(const char *path))
{
    char *path = output_folder_join(folder, name);
    int answer = path != NULL ? use(path) : -1;
    free(path);
    return answer;
}

static int is_there(const char *path)
{
    return system_file_exists(path);
}

static int note(const char *path)
{
    input_file_note(path);
    return 0;
}

bool fit_archive_is_there(const char *folder)
{
    return with_path(folder, FIT_FOLDER_MARK, is_there) == 1;
}

static void take_origin(struct fit_archive *archive)
{
    const equant_record_options *own = equant_origin_options(archive->origin);
    const char *version = equant_origin_version(archive->origin);
    archive->version = version[0] != '\0' ? version : NULL;
    archive->star_name = own->star_name;
    archive->command = own->made_by;
    archive->host = *own->star;
}

int fit_archive_read_origin(const char *folder, struct fit_archive *archive)
{
    int code = messages_status(equant_origin_read(folder, &archive->origin));
    if (code == EXIT_CODE_OK)
        take_origin(archive);
    return code;
}

int fit_archive_read(const char *folder, struct fit_archive *archive)
{
    *archive = (struct fit_archive){.origin = NULL};
    (void)with_path(folder, "residuals.ecsv", note);
    int code = messages_status(
        equant_fit_read(folder, &archive->star.fit, &archive->star.dataset, &archive->origin));
    if (code != EXIT_CODE_OK)
        return code;
    take_origin(archive);
    const equant_record_options *own = equant_origin_options(archive->origin);
    archive->star.threshold = own->threshold;
    return star_result_take_fit(&archive->star, own->n_hints, own->hints);
}

void fit_archive_free(struct fit_archive *archive)
{
    star_result_free(&archive->star);
    equant_origin_free(archive->origin);
    *archive = (struct fit_archive){.origin = NULL};
}
