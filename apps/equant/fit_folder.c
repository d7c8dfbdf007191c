#include "fit_folder.h"

#include "fit_json.h"
#include "fit_picture.h"
#include "fit_tables.h"
#include "messages.h"
#include "output_file.h"
#include "output_folder.h"

static int write_json(const struct star_fit *star, const char *folder)
{
    struct output_file file;
    int code = output_file_open(&file, folder, FIT_FOLDER_MARK);
    if (code != EXIT_CODE_OK)
        return code;
    fit_json_write(file.stream, star);
    return output_file_close(&file, EXIT_CODE_OK);
}

int fit_folder_write(const struct star_fit *star, const char *folder,
                     const struct fit_folder_options *options)
{
    int code = output_folder_create(folder);
    if (code == EXIT_CODE_OK)
        code = fit_tables_write(star, folder);
    if (code == EXIT_CODE_OK && options->has_pictures)
        code = fit_picture_draw(star, folder, options->format);
    return code == EXIT_CODE_OK ? write_json(star, folder) : code;
}
